import { afterEach, expect, test } from 'vitest';
import { fakeWorld } from '../../support/fake-world.ts';
import type { FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const page = (title: string, body = 'Text.\n'): string => `---\ntitle: ${title}\n---\n\n${body}`;
const HUGO = {
  'site/hugo.toml': '',
  'site/content/en/docs/a.md': page('A', '[b](../b/) ![p](../p.png)\n'),
  'site/content/en/docs/b.md': page('B', '{{< youtube abc >}}\n'),
  'site/content/en/docs/p.png': 'png',
  'kbsync.yaml': 'components: { youtube: drop }\nassets: { baseUrl: "https://cdn.test" }\n',
};

test('writes files and pictures into a new folder, and names the next command', async () => {
  world = await fakeWorld(HUGO);
  const ran = await world.run('convert', '--preset', 'hugo', 'site/content', 'help');
  expect(ran).toMatchObject({ exit: 0, stdout: 'wrote 3 files in 1 language and 1 asset into help\n' });
  expect(ran.stderr).toContain('next: kbsync check --content help');
  expect(await world.read('help/en/articles/docs/a.md')).toBe(
    '---\ntitle: A\nslug: docs-a\ncategories: [docs]\n---\n\n[b](b.md) ![p](../../docs/p.png)\n',
  );
  expect(await world.read('help/en/docs/p.png')).toBe('png');
  expect((await world.run('check', '--content', 'help')).stdout).toBe('3 files, 1 language, nothing wrong\n');
});

test('writes over nothing', async () => {
  world = await fakeWorld({ ...HUGO, 'help/mine.md': 'Mine.\n', 'file.txt': 'x' });
  for (const [out, reason] of [
    ['help', 'is not empty'],
    ['file.txt', 'is a file'],
    ['site/content', 'lies inside the folder that is read'],
    ['site/content/out', 'lies inside the folder that is read'],
  ] as const) {
    const ran = await world.run('convert', '--preset', 'hugo', 'site/content', out);
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain(reason);
  }
  expect(await world.read('help/mine.md')).toBe('Mine.\n');
});

test('an error in the content stops it before the first file', async () => {
  world = await fakeWorld({
    ...HUGO,
    'kbsync.yaml': '',
    'site/content/en/docs/b.md': page('B', '{{< clock-of-nobody abc >}}\n'),
  });
  const ran = await world.run('convert', '--preset', 'hugo', 'site/content', 'help', '--json');
  expect(ran.exit).toBe(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    format: 1,
    files: 0,
    problems: [{ code: 'unknown-component', file: 'site/content/en/docs/b.md', line: 5, column: 1 }],
  });
  await expect(world.read('help/en/articles/docs/a.md')).rejects.toThrow('ENOENT');
});

test('the system is recognised where no flag names it, and asked for where it cannot be', async () => {
  world = await fakeWorld({
    'mkdocs.yml': '',
    'docs/a.md': '# A\n',
    'other/a.md': '# A\n',
    'sub/x/a.md': '# A\n',
  });
  expect((await world.run('convert', 'docs', 'help')).stdout).toBe('wrote 1 file in 1 language into help\n');
  await world.remove('mkdocs.yml');
  const ran = await world.run('convert', 'other', 'help2');
  expect(ran.exit).toBe(64);
  expect(ran.stderr).toContain('say it with --preset');
  expect((await world.run('convert', '--preset', 'kbsync', 'other', 'help2')).exit).toBe(64);
  expect((await world.run('convert', '--preset', 'plain', 'nowhere', 'help2')).exit).toBe(1);
});

import { afterEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const page = (title: string, body = 'Text.'): string => `---\ntitle: ${title}\n---\n\n${body}\n`;
const CONFIG = 'baseUrl: https://help.acme.test\n';
const FILES = {
  'kbsync.yaml': CONFIG,
  'content/en/articles/a.md': page('A'),
  'content/en/articles/b.md': page('B'),
  'content/en/articles/internal/secret.md': page('Secret'),
  'content/fr/articles/internal/secret.md': page('Secret en français'),
};
const EXCLUDE = `${CONFIG}exclude: ['**/internal/**']\n`;

async function synced(): Promise<void> {
  world = await fakeWorld(FILES);
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
}

function json(stdout: string): Record<string, unknown> {
  return JSON.parse(stdout) as Record<string, unknown>;
}

const SECRETS = ['article/internal/secret@en', 'article/internal/secret@fr'];

test('a record whose file is excluded stays with --prune, and a file that is gone is deleted', async () => {
  await synced();
  await world.write('kbsync.yaml', EXCLUDE);
  await world.remove('content/en/articles/b.md');
  const plan = json((await world.run('plan', '--prune', '--allow-scope-change', '--json')).stdout);
  expect(plan['excluded']).toEqual(SECRETS);
  expect(plan['changes']).toMatchObject([{ action: 'delete', key: 'article/b@en' }]);
  expect(plan['kept']).toEqual([]);
  const ran = await world.run('sync', '--prune', '--allow-scope-change', '--yes');
  expect(ran.stdout).toContain('1 deleted');
  // Included again, both are in sync: nothing became of them.
  await world.write('kbsync.yaml', CONFIG);
  expect((await world.run('sync')).stdout).toMatch(/^in sync: 3 records/);
});

test('excluding files alone is in sync, and says once a run what stays', async () => {
  await synced();
  await world.write('kbsync.yaml', EXCLUDE);
  const ran = await world.run('sync', '--prune');
  expect(ran.exit).toBe(0);
  expect(ran.stdout).toContain('in sync: 2 records');
  const plan = await world.run('plan');
  expect(plan.stdout).toContain(
    'excluded  article/internal/secret@en, article/internal/secret@fr: their files are excluded, so they stay as they are',
  );
  expect((await world.run('status')).stdout).toContain(
    '2 in sync, 0 changed, 0 new, 0 gone, 2 excluded (the service was not asked)',
  );
});

test('check --verbose counts what is left out, and convert leaves it out', async () => {
  world = await fakeWorld({
    ...FILES,
    'kbsync.yaml': EXCLUDE,
    'docs/x.md': '# X\n',
    'docs/internal/y.md': '# Y\n',
  });
  expect((await world.run('check')).stdout).toBe('2 files, 1 language, nothing wrong\n');
  expect((await world.run('check', '--verbose')).stdout).toContain(
    '2 pages left out (`exclude`): content/en/articles/internal/secret.md, content/fr/articles/internal/secret.md\n',
  );
  const ran = await world.run('convert', '--preset', 'plain', 'docs', 'new');
  expect(ran.stdout + ran.stderr).toContain('1 file');
});

test('pull writes no file that the settings exclude', async () => {
  await synced();
  await world.write('new/kbsync.yaml', EXCLUDE);
  const ran = await world.run('pull', '--config', 'new/kbsync.yaml', '--json');
  const { records } = json(ran.stdout) as { readonly records: readonly { readonly file: string }[] };
  expect(records.map(({ file }) => file).sort()).toEqual(['en/articles/a.md', 'en/articles/b.md']);
  expect(ran.exit).toBe(0);
});

test.each(['!a/**', '/a/**', '../a/**', 'a\\b'])('%s is no glob from the content folder', async (glob) => {
  world = await fakeWorld({ 'kbsync.yaml': `exclude: ['${glob}']\n`, 'content/en/articles/a.md': page('A') });
  const ran = await world.run('check');
  expect(ran.exit).toBe(64);
  expect(ran.stdout + ran.stderr).toContain('it must be a glob that starts at the content folder');
});

test('pull of a path that no record has is a mistake, not a pull of nothing', async () => {
  await synced();
  const ran = await world.run('pull', 'en/articles/nowhere');
  expect(ran.exit).toBe(64);
  expect(ran.stderr).toContain('no record of the knowledge base has its file at `en/articles/nowhere`');
  expect((await world.run('pull', 'en/articles/a.md')).exit).toBe(0);
});

test('check says that it found no page, and which rule left them out', async () => {
  world = await fakeWorld({ ...FILES, 'kbsync.yaml': 'include: [nowhere/**]\n' });
  const { exit, stdout } = await world.run('check');
  expect(exit).toBe(0);
  expect(stdout).toContain('4 pages left out (`include`): content/en/articles/a.md');
  expect(stdout).toContain('no page found in content: nothing was checked, and a sync would send nothing\n');
});

test('a folder in the place of kbsync.yaml is named as one', async () => {
  world = await fakeWorld({ 'kbsync.yaml/x.txt': 'x', 'content/en/articles/a.md': page('A') });
  const { exit, stderr } = await world.run('check');
  expect(exit).toBe(1);
  expect(stderr).toContain('kbsync.yaml cannot be read: it is a folder');
});

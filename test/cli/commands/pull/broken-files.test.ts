import { afterEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf } from '../../support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

const page = (title: string, body = 'Text.'): string => `---\ntitle: ${title}\n---\n\n${body}\n`;
const FILES = {
  'kbsync.yaml': 'baseUrl: https://help.acme.test\n',
  'content/en/articles/a.md': page('A', 'See [B](b.md).'),
  'content/en/articles/b.md': '---\ntitle: B\nslug: the-b\n---\n\nText.\n',
  'content/fr/articles/b.md': page('B en français'),
};
/** Its YAML has no end, but its slug can be made out. */
const BROKEN = '---\ntitle: "B\nslug: the-b\n---\n\nText.\n';

test.each([false, true])(
  'a file with errors waits, and all other edits of the site come home (a fresh clone: %s)',
  async (isFresh) => {
    world = await fakeWorld(FILES);
    expect(await world.run('sync')).toMatchObject({ exit: 0 });
    const site = siteOf(world);
    const retitled = (title: string) => (body: Record<string, unknown>) => void (body['title'] = title);
    await site.edit('A', retitled('A anew'));
    await site.edit('B', retitled('B anew'));
    await world.write('content/en/articles/b.md', BROKEN);
    if (isFresh) await world.remove('.kbsync');
    const ran = await world.run('pull');
    expect(ran.exit).toBe(5);
    expect(ran.stderr).toContain('1 error in 1 of 3 files; edits of these pages wait until they are fixed\n');
    expect(ran.stdout).toContain('~ content/en/articles/a.md  title\n');
    expect(ran.stdout).toContain(
      'content/en/articles/b.md has errors; the record stays as it is until they are fixed\n',
    );
    expect(await world.read('content/en/articles/a.md')).toBe(page('A anew', 'See [B](b.md).'));
    expect(await world.read('content/en/articles/b.md')).toBe(BROKEN);
    expect(ran.stdout).toContain('0 created, 1 updated');
    // Repaired, its own edit comes too.
    await world.write('content/en/articles/b.md', FILES['content/en/articles/b.md']);
    expect(await world.run('pull')).toMatchObject({ exit: 0 });
    expect(await world.read('content/en/articles/b.md')).toContain('title: B anew');
    expect((await world.run('sync', '--prune')).stdout).toMatch(/^in sync: 3 records/m);
  },
);

test('without stamps and without a state, the slug says whose page it is: no second file is made', async () => {
  world = await fakeWorld({ ...FILES, 'kbsync.yaml': `${FILES['kbsync.yaml']}stamp: false\n` });
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await world.remove('.kbsync');
  await world.write('content/en/articles/b.md', BROKEN);
  const ran = await world.run('pull');
  expect(ran.exit).toBe(5);
  expect(ran.stdout).toContain('0 created');
  expect(ran.stdout).toContain('content/en/articles/b.md has errors');
});

test('without stamps, a state and a slug that can be made out, no second file is made', async () => {
  world = await fakeWorld({ ...FILES, 'kbsync.yaml': `${FILES['kbsync.yaml']}stamp: false\n` });
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await world.remove('.kbsync');
  await world.write('content/en/articles/b.md', '---\ntitle: [\n---\n\nText.\n');
  const ran = await world.run('pull');
  expect(ran.exit).toBe(5);
  expect(ran.stdout).toContain('0 created');
  expect(ran.stdout).toContain(
    'it may be the record of content/en/articles/b.md, whose errors hide its slug',
  );
  await world.write('content/en/articles/b.md', FILES['content/en/articles/b.md']);
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect((await world.run('plan')).stdout).toMatch(/^in sync: 3 records/m);
});

test('an error that may concern any record still stops the pull before its first request', async () => {
  world = await fakeWorld({ ...FILES, 'content/en/articles/b.md': BROKEN });
  await world.write('kbsync.yaml', 'baseUrl: https://help.acme.test\npreset: mdbook\n');
  await world.write('content/book.toml', '[book\n');
  const ran = await world.run('pull');
  expect([ran.exit, ran.stderr]).toEqual([1, expect.stringContaining('nothing was read or written')]);
});

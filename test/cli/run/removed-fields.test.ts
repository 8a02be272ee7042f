import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const page = (title: string, more = ''): string => `---\ntitle: ${title}\n${more}---\n\nText of ${title}.\n`;
const FILES = {
  'kbsync.yaml': 'baseUrl: https://help.acme.test\npreset: hugo\nid: docs\n',
  'content/guide/_index.md': page('Guide'),
  'content/guide/sub/_index.md': page('Sub'),
  'content/guide/sub/deep.md': page('Deep'),
  'content/guide/new.md': page('New', 'draft: true\nweight: 4\ntags: [beta]\n'),
  'content/guide/old.md': page('Old', 'draft: true\n'),
};

async function planned(...flags: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const ran = await world.run('plan', '--json', ...flags);
  const { changes } = JSON.parse(ran.stdout) as {
    readonly changes: readonly {
      readonly key: string;
      readonly fields: readonly { readonly field: string; readonly after?: unknown }[];
    }[];
  };
  return Object.fromEntries(
    changes.map(({ key, fields }) => [
      key,
      Object.fromEntries(fields.map(({ field, after }) => [field, after])),
    ]),
  );
}

test.each(['with a state', 'in a clone without a state'])(
  'a page of Hugo is public once its front matter does not say `draft` any more, %s',
  async (how) => {
    world = await fakeWorld(FILES);
    expect(await world.run('sync')).toMatchObject({ exit: 0 });
    await world.write('content/guide/new.md', page('New'));
    await world.write('content/guide/old.md', page('Old', 'draft: false\n'));
    if (how !== 'with a state') await rm(join(world.cwd, '.kbsync'), { recursive: true });
    const plan = await planned();
    expect(plan).toMatchObject({
      'article/guide/new@en': { status: 'published', ordering: 0, tags: [] },
      'article/guide/old@en': { status: 'published' },
    });
    expect(await world.run('sync')).toMatchObject({ exit: 0 });
    expect(await planned()).toEqual({});
  },
);

test('a section and a page that move to the top of the tree leave the category that they were in', async () => {
  world = await fakeWorld(FILES);
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await world.remove('content/guide/sub');
  await world.remove('content/guide/new.md');
  await world.write('content/sub/_index.md', FILES['content/guide/sub/_index.md']);
  await world.write('content/sub/deep.md', FILES['content/guide/sub/deep.md']);
  await world.write('content/new.md', FILES['content/guide/new.md']);
  const moves = [
    '{ from: category/guide/sub, to: category/sub }',
    '{ from: article/guide/sub/deep, to: article/sub/deep }',
    '{ from: article/guide/new, to: article/new }',
  ];
  await world.write('kbsync.yaml', `${FILES['kbsync.yaml']}moved: [${moves.join(', ')}]\n`);
  const plan = await planned();
  expect(plan).toMatchObject({
    'category/sub@en': { categoryParent: null },
    'article/new@en': { categories: [] },
  });
  expect((await world.run('sync')).exit).toBe(0);
  expect(await planned()).toEqual({});
});

test('undo makes drafts, and the next sync does not publish them again', async () => {
  world = await fakeWorld(FILES);
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await world.write('content/guide/new.md', page('New', 'weight: 4\ntags: [beta]\n'));
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  expect(await world.run('undo', '--yes')).toMatchObject({ exit: 0 });
  expect(await planned()).toEqual({});
  await rm(join(world.cwd, '.kbsync/cache'), { recursive: true, force: true });
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  expect((await world.run('undo', '--yes')).stdout).toContain('is a draft now');
  expect(await planned()).toEqual({});
});

test('a category that is a folder alone is known by its stamp: another order is no conflict without a state', async () => {
  const nav = (...folders: readonly string[]): string =>
    `site_name: Docs\nnav:\n${folders.map((name) => `  - ${name}:\n      - ${name}/a.md\n`).join('')}`;
  world = await fakeWorld({
    'kbsync.yaml': 'baseUrl: https://help.acme.test\npreset: mkdocs\ncontent: docs\nid: docs\n',
    'mkdocs.yml': nav('one', 'two', 'three'),
    'docs/one/a.md': '# A one\n\nText.\n',
    'docs/two/a.md': '# A two\n\nText.\n',
    'docs/three/a.md': '# A three\n\nText.\n',
  });
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  expect(await planned()).toEqual({});
  await world.write('mkdocs.yml', nav('three', 'one', 'two'));
  await rm(join(world.cwd, '.kbsync'), { recursive: true });
  const plan = await planned();
  expect(Object.keys(plan).sort()).toEqual(['category/one@en', 'category/three@en', 'category/two@en']);
  for (const fields of Object.values(plan)) expect(Object.keys(fields as object)).toEqual(['priority']);
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await rm(join(world.cwd, '.kbsync'), { recursive: true });
  expect(await planned()).toEqual({});
});

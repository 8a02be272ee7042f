import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeWorld } from '../../cli/support/fake-world.ts';
import type { FakeWorld } from '../../cli/support/fake-world.ts';
import { siteOf } from '../../cli/support/site.ts';

const page = (title: string, tags: string): string => `---\ntitle: ${title}\ntags: [${tags}]\n---\n\nHi.\n`;

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld({
    'docs/a.md': page('A', 'Old Tag, Web'),
    'docs/b.md': page('B', 'Web'),
    'kbsync.yaml': 'preset: docusaurus\ncontent: docs\nid: docs\n',
  });
  await world.run('sync');
});
afterEach(() => world.close());

async function tagsOnSite(): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { data } = (await siteOf(world).ask('GET', '/api/v2/tags')) as {
    data: { id: string; name: string }[];
  };
  return data;
}

/** An editor gives a page just the tags of these names. */
async function tagged(title: string, ...names: readonly string[]): Promise<void> {
  const tags = await tagsOnSite();
  await siteOf(world).edit(title, (body) => {
    body['tags'] = names.map((name) => ({ value: tags.find((tag) => tag.name === name)?.id }));
  });
}

test('a tag that no page has stays on the site, and is no work that is left', async () => {
  await siteOf(world).ask('PUT', '/api/v2/tags', { name: 'Unused', slug: 'unused' });
  const { exit, stdout } = await world.run('pull');
  expect([exit, stdout]).toEqual([
    0,
    expect.stringMatching(/^0 created, 4 unchanged, 1 on the site alone in/),
  ]);
  expect((await world.run('pull', '--verbose')).stdout).toContain(
    'in this layout, a page makes it by naming it or by its folder, and no page does',
  );
});

test('the last page that has a tag loses it, and another page gets it: both come home', async () => {
  await tagged('A', 'Web');
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect(await world.read('docs/a.md')).toBe(page('A', 'Web'));
  expect((await world.run('plan')).stdout).toMatch(/- tag +old-tag +kept: deletes need --prune/);
  expect((await tagsOnSite()).map(({ name }) => name)).toContain('Old Tag');
  await tagged('B', 'Web', 'Old Tag');
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect(await world.read('docs/b.md')).toBe(page('B', 'Web, Old Tag'));
  expect((await world.run('plan')).stdout).toMatch(/in sync: 4 records unchanged/);
});

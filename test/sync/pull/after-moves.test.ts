import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../../cli/support/fake-world.ts';
import { siteOf, type Site } from '../../cli/support/site.ts';

let world: FakeWorld;
let site: Site;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
  await world.write('kbsync.yaml', 'id: docs\n');
  site = siteOf(world);
  await world.run('sync');
});
afterEach(() => world.close());

const OLD = 'content/en/articles/update.md';
const NEW = 'content/en/articles/upgrade.md';
const SOURCE = SMALL[OLD] ?? '';

/** The file under another name; `isTold`: it says its old one. */
async function move(isTold: boolean): Promise<void> {
  await world.remove(OLD);
  await world.write(NEW, isTold ? SOURCE.replace('---\n', '---\nmovedFrom: update\n') : SOURCE);
}

async function pages(): Promise<readonly string[]> {
  const names = await readdir(join(world.cwd, 'content'), { recursive: true });
  return names.filter((name) => name.includes('articles/')).sort();
}

const PAGES = ['en/articles/install.md', 'en/articles/upgrade.md', 'fr/articles/install.md'];

/** An editor writes; `isBare`: their software drops comments. */
function edit(isBare = false): Promise<void> {
  return site.edit('Update', (body) => {
    const text = String(body['content']).replace('See', 'Look at');
    body['content'] = isBare ? text.replace(/\s*<!--.*-->\s*$/, '') : text;
  });
}

describe('a file that was moved since the last sync', () => {
  test.each([
    ['and says so', true, []],
    ['and has the same text', false, []],
    ['and says so, without a state', true, ['--state', 'fresh/state.json']],
  ])('%s: the edit of its page comes into it', async (_, isTold, state) => {
    await move(isTold);
    await edit();
    const ran = await world.run('pull', ...state);
    expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining(`~ ${NEW}  content`)]);
    expect(await world.read(NEW)).toContain('Look at [install]');
    expect(await pages()).toEqual(PAGES);
    const then = await world.run('sync', ...state);
    expect([then.exit, then.stdout]).toEqual([0, expect.stringMatching(/^1 updated/m)]);
    expect(await site.titles()).toEqual(['Install', 'Update']);
    expect((await world.run('sync', ...state)).stdout).toMatch(/^in sync: /m);
  });

  test('is still its page where the stamp is gone and there is no state: nothing is made twice, on either side', async () => {
    await move(true);
    await edit(true);
    const state = ['--state', 'fresh/state.json'];
    expect(await world.run('pull', ...state)).toMatchObject({
      exit: 3,
      stdout: expect.stringContaining('upgrade.remote.md'),
    });
    await world.remove('content/en/articles/upgrade.remote.md');
    expect(await pages()).toEqual(PAGES);
    const ran = await world.run('sync', ...state);
    expect([ran.exit, ran.stdout]).toEqual([3, expect.stringContaining('article/upgrade@en')]);
    expect(await site.titles()).toEqual(['Install', 'Update']);
  });
});

test('a translation does not come back alone where the author deleted its original and the site has a new one', async () => {
  const id = await site.idOf('Install');
  await world.remove('content/en/articles/install.md');
  await world.remove('content/fr/articles/install.md');
  await world.write(OLD, SOURCE.replace('[install](install.md)', 'install'));
  const german = {
    title: 'Installieren',
    slug: 'installieren',
    content: '<p>Los.</p>',
    lang: 'de',
    excerpt: '',
    ordering: 0,
    status: 'published',
    categories: [],
    tags: [],
  };
  await site.ask('POST', `/api/v2/articles/${id}`, german);
  const ran = await world.run('pull');
  expect(ran.stdout).toContain('- content/fr/articles/install.md  its file is gone');
  expect(ran.stdout).toContain('- content/de/articles/install.md  its file is gone');
  expect(await pages()).toEqual(['en/articles/update.md']);
});

test('an edit comes into a file whose author changed something else, and the next sync sends that', async () => {
  const titled = SOURCE.replace('title: Update', 'title: Bring up to date');
  await world.write(OLD, titled);
  await edit();
  const ran = await world.run('pull');
  expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining(`~ ${OLD}  content`)]);
  expect(await world.read(OLD)).toBe(titled.replace('See', 'Look at'));
  expect((await world.run('sync')).stdout).toMatch(/^1 updated/m);
  expect(await site.titles()).toEqual(['Bring up to date', 'Install']);
  expect((await world.run('pull')).stdout).toMatch(/^0 created, 5 unchanged/m);
});

describe('a page that gets another address on the site', () => {
  test('does not keep back the edits of pages that link to it, and the next sync sends their new links', async () => {
    await site.edit('Install', (body) => void (body['slug'] = 'set-up'));
    await edit();
    const ran = await world.run('pull');
    expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining('2 updated')]);
    expect(await world.read(OLD)).toContain('Look at [install](install.md)');
    expect((await world.run('plan')).stdout).toContain('content markup or links');
    expect(await world.run('sync')).toMatchObject({ exit: 0, stdout: expect.stringContaining('1 updated') });
    expect((await world.run('sync')).stdout).toMatch(/^in sync: /m);
    const { data } = (await site.ask('GET', `/api/v2/articles/${await site.idOf('Update')}`)) as {
      data: { content: string };
    };
    expect(data.content).toContain('href="/en/articles/set-up"');
  });

  test('and edits of a title come home though its links change', async () => {
    await site.edit('Install', (body) => void (body['slug'] = 'set-up'));
    await site.edit('Update', (body) => void (body['title'] = 'Upgrade'));
    const ran = await world.run('pull');
    expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining('2 updated')]);
    expect(await world.run('sync')).toMatchObject({ exit: 0, stdout: expect.stringContaining('1 updated') });
    expect((await world.run('sync')).stdout).toMatch(/^in sync: /m);
  });
});

describe('a file that was moved, and a clone without a state', () => {
  const DEEP = 'content/en/articles/guides/update.md';
  const FRESH = ['--state', 'fresh/state.json'];

  test.each([
    ['into a folder, where it keeps its slug', DEEP, '../install.md'],
    ['and has another slug and the same text', NEW, 'install.md'],
  ])('%s: a pull takes it for its page and makes no second file', async (_, file, link) => {
    await world.remove(OLD);
    await world.write(file, SOURCE.replace('install.md', link));
    const ran = await world.run('pull', ...FRESH);
    expect([ran.exit, ran.stdout]).toEqual([0, expect.not.stringContaining('another record has its slug')]);
    expect((await pages()).filter((page) => page.includes('up'))).toEqual([file.replace('content/', '')]);
    expect((await world.run('sync', ...FRESH)).exit).toBe(0);
    expect(await site.titles()).toEqual(['Install', 'Update']);
  });

  test('an editor’s words come into a file that has another slug, and the next sync makes no second page', async () => {
    await world.remove(OLD);
    await world.write(NEW, SOURCE);
    await edit();
    expect((await world.run('pull', ...FRESH)).exit).toBe(0);
    expect(await world.read(NEW)).toContain('Look at [install]');
    const ran = await world.run('sync', ...FRESH);
    expect([ran.exit, ran.stdout]).toEqual([0, expect.stringMatching(/^1 updated/m)]);
    expect(await site.titles()).toEqual(['Install', 'Update']);
    expect((await world.run('sync', ...FRESH)).stdout).toMatch(/^in sync: /m);
  });

  test('an editor’s words come into a file that was moved into a folder', async () => {
    await world.remove(OLD);
    await world.write(DEEP, SOURCE.replace('install.md', '../install.md'));
    await edit();
    expect((await world.run('pull', ...FRESH)).exit).toBe(0);
    expect(await world.read(DEEP)).toContain('Look at [install]');
  });
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../../cli/support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const article = (title: string, tail = ''): string => `---\ntitle: ${title}\n${tail}---\n\nAbout ${title}.\n`;

test('leaves the articles of another repository alone, and says whose they are', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'id: handbook\n',
    'content/en/articles/river.md': article('River'),
    'content/en/articles/lake.md': article('Lake'),
  });
  expect((await world.run('sync')).exit).toBe(0);
  const own = ['--content', 'shop', '--state', 'shop-state/state.json'];
  await world.write('kbsync.yaml', 'id: shop\n');
  // Of the same name as the other's: only the stamp tells.
  await world.write('shop/en/articles/lake.md', article('Lake of the shop', 'slug: shop-lake\n'));
  expect((await world.run('sync', ...own)).exit).toBe(0);
  const pulled = await world.run('pull', ...own);
  expect(pulled.exit).toBe(0);
  expect(pulled.stdout).toContain(
    '2 articles of another repository left alone: the stamp names handbook; if that is this repository, write handbook into kbsync.yaml as `id` or below `formerIds`',
  );
  expect(await readdir(join(world.cwd, 'shop/en/articles'))).toEqual(['lake.md']);
  expect(await world.read('shop/en/articles/lake.md')).toContain('Lake of the shop');
  expect(JSON.parse((await world.run('pull', ...own, '--json')).stdout)).toMatchObject({
    others: [{ repository: 'handbook', articles: 2 }],
    summary: { created: 0, left: 0 },
  });
  expect((await world.run('sync', ...own)).exit).toBe(0);
});

test('takes every page along where nothing names the repository, or where its former name is known', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'id: handbook\n',
    'content/en/articles/river.md': article('River'),
  });
  expect((await world.run('sync')).exit).toBe(0);
  await world.write('kbsync.yaml', '{}\n');
  const copied = await world.run('pull', '--content', 'copy', '--state', 'a/state.json');
  expect(copied.stdout).toContain('1 created');
  expect(copied.stdout).toContain(
    '1 article that the repository handbook wrote: a sync from here leaves them alone, and nothing names this repository; if it is handbook, write `id: handbook` into kbsync.yaml\n',
  );
  await world.write('kbsync.yaml', 'id: shop\nformerIds: [handbook]\n');
  const after = await world.run('pull', '--content', 'renamed', '--state', 'b/state.json');
  expect(after.stdout).toContain('1 created');
  expect(after.stdout).not.toContain('another repository');
});

test('says that the originals of the service are in another language than the files', async () => {
  world = await fakeWorld({
    'content/en/articles/river.md': article('River'),
    'content/fr/articles/river.md': article('Fleuve'),
  });
  expect((await world.run('sync')).exit).toBe(0);
  await world.write('kbsync.yaml', 'defaultLanguage: de\n');
  const pulled = await world.run('pull', '--content', 'kopie', '--state', 'a/state.json');
  expect(pulled.exit).toBe(5);
  expect(pulled.stdout).toContain(
    '? the originals of the service seem to be in en, because its list of articles names no de, the default language here, so nothing was pulled; write `defaultLanguage: en` into kbsync.yaml, or if they are in de, pull once with --lang de',
  );
  // A service may name the languages of its translations alone.
  const told = await world.run('pull', '--content', 'kopie', '--state', 'a/state.json', '--lang', 'de');
  expect(told).toMatchObject({ exit: 0 });
  expect(told.stdout).toContain('1 created');
  const after = await world.run('pull', '--content', 'kopie', '--state', 'a/state.json');
  expect(after.stdout).not.toContain('seem to be in');
});

const GERMAN = {
  'kbsync.yaml': 'defaultLanguage: de\n',
  'content/de/articles/fluss.md': article('Fluss'),
};

test('the service may say the language of its originals: no page becomes a file of another language', async () => {
  world = await fakeWorld(GERMAN, { languages: ['de', 'en'] });
  expect((await world.run('sync')).exit).toBe(0);
  await world.write('kbsync.yaml', '{}\n');
  const pulled = await world.run('pull', '--content', 'copy', '--state', 'a/state.json');
  expect(pulled.exit).toBe(5);
  expect(pulled.stdout).toContain(
    '? the originals of the service are in de, as the service says, and the default language here is en, so nothing was pulled; write `defaultLanguage: de` into kbsync.yaml',
  );
  expect(await readdir(world.cwd)).not.toContain('copy');
  await world.write('kbsync.yaml', 'defaultLanguage: de\n');
  const told = await world.run('pull', '--content', 'copy', '--state', 'a/state.json');
  expect(told.stdout).toContain('+ copy/de/articles/fluss.md');
});

test('originals that have a translation in the default language here are in another one', async () => {
  world = await fakeWorld(
    { ...GERMAN, 'content/en/articles/fluss.md': article('River') },
    { languages: ['de', 'en'] },
  );
  world.wrap = (send) => async (request) => {
    const response = await send(request);
    const headers = new Headers(response.headers);
    headers.delete('KB-Default-Language');
    return new Response(response.body, { status: response.status, headers });
  };
  await world.run('sync');
  await world.write('kbsync.yaml', '{}\n');
  const pulled = await world.run('pull', '--content', 'copy', '--state', 'a/state.json');
  expect(pulled.stdout).toContain(
    '? the originals of the service seem to be in de, because 1 of its articles has a translation in en',
  );
});

test('a sync does not send originals to a service that has them in another language', async () => {
  world = await fakeWorld({ 'content/en/articles/river.md': article('River') }, { languages: ['de', 'en'] });
  const ran = await world.run('sync');
  expect(ran.exit).toBe(4);
  expect(ran.stdout).toContain(
    'refused   the service says that its originals are in de, and the default language here is en',
  );
  expect(world.sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
});

import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  readdirSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContentOptions } from '../../../src/content/options.ts';
import { folderOf, load, loadFrom, page, write } from '../support/support.ts';
import type { Files } from '../support/support.ts';

const FILES: Files = {
  'en/articles/a.md': page('title: A\ncategories: [c]', '[b](b.md) ![x](x.png) <u>raw</u>\n'),
  'en/articles/b.md': page('title: B\nfoo: bar', '## Heading\n'),
  'en/articles/x.png': 'png',
  'en/categories/c.md': page('name: C'),
  'fr/articles/a.md': page('title: A'),
  'en/articles/later.md': page('title: Later\npublishAt: 2030-01-01'),
};

const POOL = 24;
const pool: string[] = [];
const used: string[] = [];

/**
 * Folders whose files are old enough that their stamps can be trusted. The change time of a file cannot be set back, so
 * that all folders are made first; then the file system's time is watched until it has moved on far enough.
 */
beforeAll(async () => {
  for (let count = 0; count < POOL; count += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'kbsync-cache-'));
    write(folder, FILES);
    pool.push(folder);
  }
  const last = join(pool.at(-1) ?? '', 'content', 'fr/articles/a.md');
  const probe = join(pool.at(-1) ?? '', 'probe');
  do {
    writeFileSync(probe, '');
    await new Promise((resolve) => setImmediate(resolve));
  } while (statSync(probe).mtimeMs < statSync(last).ctimeMs + 2100);
});

afterAll(() => {
  for (const folder of [...pool, ...used]) rmSync(folder, { recursive: true, force: true });
});

function settledFolder(): string {
  const folder = pool.pop();
  if (folder === undefined) throw new Error('more tests than prepared folders: raise POOL');
  used.push(folder);
  return folder;
}

const options = (folder: string, more: Partial<ContentOptions> = {}): Partial<ContentOptions> => ({
  cacheFile: join(folder, '.kbsync', 'content.json'),
  assetsBaseUrl: 'https://cdn.example.com',
  ...more,
});

function rendered(loaded: Awaited<ReturnType<typeof loadFrom>>) {
  return [...loaded.records.values()].map(({ body, places, ...record }) => ({
    ...record,
    places: places(),
    inputDigest: body?.inputDigest,
    html: body?.render(),
  }));
}

test('with and without a cache, and from it, the outcome is the same', async () => {
  const folder = settledFolder();
  const plain = await loadFrom(folder, { assetsBaseUrl: 'https://cdn.example.com' });
  const first = await loadFrom(folder, options(folder));
  const second = await loadFrom(folder, options(folder));
  expect(readdirSync(join(folder, '.kbsync')).sort()).toEqual([
    '.gitignore',
    'content.json',
    'content.json.result',
    'content.json.rows',
  ]);
  for (const loaded of [first, second]) {
    expect(rendered(loaded)).toEqual(rendered(plain));
    expect(loaded.problems).toEqual(plain.problems);
    expect([loaded.languages, loaded.scopeDigest]).toEqual([plain.languages, plain.scopeDigest]);
  }
});

test('an unchanged tree is not read: what is in the cache is what comes out', async () => {
  const folder = settledFolder();
  await loadFrom(folder, options(folder));
  const file = join(folder, '.kbsync', 'content.json.rows');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"title":"B"', '"title":"from the cache"'));
  expect((await loadFrom(folder, options(folder))).record('article', 'b').fields['title']).toBe(
    'from the cache',
  );
});

test('a cache whose records cannot be parsed costs time and nothing else', async () => {
  const folder = settledFolder();
  await loadFrom(folder, options(folder));
  const file = join(folder, '.kbsync', 'content.json.rows');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"title":"B"', '"title":B"'));
  expect((await loadFrom(folder, options(folder))).record('article', 'b').fields['title']).toBe('B');
});

test('only the changed file is read again, and what depends on it is resolved again', async () => {
  const folder = settledFolder();
  await loadFrom(folder, options(folder));
  const file = join(folder, '.kbsync', 'content.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"name":"C"', '"name":"from the cache"'));
  write(folder, { 'en/articles/b.md': page('title: New B\nslug: new-b') });
  const loaded = await loadFrom(folder, options(folder));
  expect(loaded.record('category', 'c').fields['name']).toBe('from the cache');
  expect(loaded.record('article', 'b').fields['title']).toBe('New B');
  expect(loaded.record('article', 'a').body?.render()).toContain('href="/en/articles/new-b"');
});

test('a change that leaves size and modification time alone is seen', async () => {
  const folder = settledFolder();
  await loadFrom(folder, options(folder));
  const path = join(folder, 'content', 'en/articles/b.md');
  const { atime, mtime } = statSync(path);
  writeFileSync(path, readFileSync(path, 'utf8').replace('title: B', 'title: Z'));
  utimesSync(path, atime, mtime);
  expect((await loadFrom(folder, options(folder))).record('article', 'b').fields['title']).toBe('Z');
});

test('a file that has only just changed is not trusted, because it may change again under the same stamp', async () => {
  const folder = folderOf(FILES);
  const first = await loadFrom(folder, options(folder));
  // A change that no stamp shows would be seen: every file is looked into.
  const [, , stamps = ''] = readFileSync(join(folder, '.kbsync', 'content.json.result'), 'utf8').split('\n');
  expect((JSON.parse(stamps) as string).replaceAll('\n', '')).toBe('');
  const file = join(folder, '.kbsync', 'content.json');
  const entries = Object.values(JSON.parse(readFileSync(file, 'utf8').split('\n')[1] ?? '') as object);
  expect(new Set(entries.map(([stamp]: readonly unknown[]) => stamp))).toEqual(new Set(['']));
  expect(rendered(await loadFrom(folder, options(folder)))).toEqual(rendered(first));
});

test('a fresh checkout of the same files is known by what is in them', async () => {
  const folder = settledFolder();
  const before = await loadFrom(folder, options(folder));
  const file = join(folder, '.kbsync', 'content.json');
  const withMark = readFileSync(file, 'utf8').replace('"name":"C"', '"name":"from the cache"');
  for (const at of [new Date(Date.now() - 60_000), new Date()]) {
    for (const path of Object.keys(FILES)) {
      const there = join(folder, 'content', path);
      const bytes = readFileSync(there);
      rmSync(there);
      writeFileSync(there, bytes);
      utimesSync(there, at, at);
    }
    writeFileSync(file, withMark);
    rmSync(`${file}.result`);
    const loaded = await loadFrom(folder, options(folder));
    expect(loaded.record('category', 'c').fields['name']).toBe('from the cache');
    expect(loaded.record('article', 'b').body?.render()).toBe(before.record('article', 'b').body?.render());
    // One byte more is another file.
    rmSync(`${file}.result`);
    const path = join(folder, 'content', 'en/categories/c.md');
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n`);
    expect((await loadFrom(folder, options(folder))).record('category', 'c').fields['name']).toBe('C');
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -1));
  }
});

const OTHER_OPTIONS: readonly (readonly [name: string, changed: Partial<ContentOptions>])[] = [
  ['html', { html: 'trust' }],
  ['ignored keys', { ignoreKeys: ['foo'] }],
  ['defaults', { defaults: { status: 'draft' } }],
  ['field names', { fields: { excerpt: 'foo' } }],
  ['addresses', { urls: { article: '/a/{slug}', category: '/c/{slug}', tag: '/t/{slug}' } }],
  ['image host', { assetsBaseUrl: 'https://other.example.com' }],
  ['allowed problems', { allow: new Set(['image-not-hosted']) }],
  ['default language', { defaultLanguage: 'fr' }],
  ['language codes', { languages: { fr: 'fr-CA' } }],
];

test.each(OTHER_OPTIONS)('a cache of other options is not used: %s', async (_, changed) => {
  const folder = settledFolder();
  await loadFrom(folder, options(folder));
  const cached = await loadFrom(folder, options(folder, changed));
  const plain = await loadFrom(folder, { assetsBaseUrl: 'https://cdn.example.com', ...changed });
  expect(rendered(cached)).toEqual(rendered(plain));
  expect(cached.problems).toEqual(plain.problems);
});

test.each([
  ['deleted', (file: string) => rmSync(file)],
  ['torn', (file: string) => truncateSync(file, 100)],
  ['garbage', (file: string) => writeFileSync(file, 'garbage')],
  ['empty', (file: string) => writeFileSync(file, '')],
])('a cache that is %s costs time and nothing else', async (_, damage) => {
  const folder = settledFolder();
  const first = await loadFrom(folder, options(folder));
  for (const name of ['content.json', 'content.json.result']) damage(join(folder, '.kbsync', name));
  const second = await loadFrom(folder, options(folder));
  expect(rendered(second)).toEqual(rendered(first));
});

test('a file that is gone, and an asset that appears, change the outcome', async () => {
  const folder = settledFolder();
  await loadFrom(folder, options(folder));
  rmSync(join(folder, 'content', 'en/articles/b.md'));
  expect((await loadFrom(folder, options(folder))).places).toContain(
    'content/en/articles/a.md:5:1 dead-link',
  );
  rmSync(join(folder, 'content', 'en/articles/x.png'));
  expect((await loadFrom(folder, options(folder))).places).toContain(
    'content/en/articles/a.md:5:11 missing-image',
  );
  write(folder, { 'en/articles/x.png': 'png' });
  expect((await loadFrom(folder, options(folder))).places).not.toContain(
    'content/en/articles/a.md:5:11 missing-image',
  );
});

test('a cache that cannot be written is done without', async () => {
  const folder = settledFolder();
  writeFileSync(join(folder, '.kbsync'), 'a file where the folder should be');
  const loaded = await loadFrom(folder, options(folder));
  expect(loaded.records.size).toBe(5);
});

test('rendering refuses a file that has changed since it was read', async () => {
  const folder = folderOf(FILES);
  const { record } = await loadFrom(folder, options(folder));
  write(folder, { 'en/articles/b.md': page('title: B', 'Other text.\n') });
  expect(() => record('article', 'b').body?.render()).toThrow(
    expect.objectContaining({
      code: 'changed',
      message: 'content/en/articles/b.md changed while the run was under way; run again',
    }),
  );
  rmSync(join(folder, 'content', 'en/articles/a.md'));
  expect(() => record('article', 'a').body?.render()).toThrow(expect.objectContaining({ code: 'changed' }));
});

test('a missing content folder is an error, not an empty state', async () => {
  const folder = folderOf({});
  await expect(loadFrom(folder, { contentDir: 'nowhere' })).rejects.toMatchObject({
    code: 'no-content',
    message: expect.stringContaining('does not exist'),
  });
  write(folder, { file: 'x' });
  await expect(loadFrom(folder, { contentDir: 'content/file' })).rejects.toMatchObject({
    code: 'no-content',
  });
});

test('an empty content folder is an empty state', async () => {
  expect((await load({})).records.size).toBe(0);
});

test('the folder that a check makes keeps itself out of git', async () => {
  const folder = settledFolder();
  await loadFrom(folder, { cacheFile: join(folder, '.kbsync', 'cache.json') });
  expect(readFileSync(join(folder, '.kbsync', '.gitignore'), 'utf8')).toContain(
    '*\n!.gitignore\n!state.json\n',
  );
});

test('what was kept holds until a date in a file passes, and never after the clock was put back', async () => {
  const folder = settledFolder();
  const cacheFile = join(folder, 'c.json');
  const at = (now: string) => loadFrom(folder, { ...options(folder), cacheFile, nowMs: Date.parse(now) });
  const statusAt = async (now: string): Promise<unknown> =>
    (await at(now)).record('article', 'later').fields['status'];
  expect(await statusAt('2029-06-01')).toBe('draft');
  expect(await statusAt('2029-07-01')).toBe('draft');
  expect(await statusAt('2030-06-01')).toBe('published');
  expect(await statusAt('2029-07-01')).toBe('draft');
});

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDesired } from '../../../src/content/load-content.ts';
import type { LoadedContent } from '../../../src/content/options.ts';
import type { ReadingMemory } from '../../../src/content/reading/readings.ts';
import { OPTIONS, folderOf, write } from '../support/support.ts';
import type { Files } from '../support/support.ts';
import { settled } from '../support/settled.ts';

/** DocFX shows the title of the page that a name leads to, so it has to know the names of all pages first. */
const FILES: Files = {
  'docfx.json': '{}',
  'a.md': '# A\n\nSee @Guides.One.\n',
  'one.md': '---\nuid: Guides.One\n---\n\n# The first\n',
  'two.md': '# Two\n',
};

const CHANGES: readonly { readonly name: string; readonly files: Files; readonly link: string }[] = [
  {
    name: 'another title',
    files: { 'one.md': '---\nuid: Guides.One\n---\n\n# The other\n' },
    link: '<a href="/en/articles/one">The other</a>',
  },
  {
    name: 'another name',
    files: { 'one.md': '---\nuid: Guides.Two\n---\n\n# The first\n' },
    link: '@Guides.One',
  },
  {
    name: 'a page that takes the name over',
    files: { 'one.md': '# The first\n', 'two.md': '---\nuid: Guides.One\n---\n\n# Two\n' },
    link: '<a href="/en/articles/two">Two</a>',
  },
  {
    name: 'a new page with the name, which comes first',
    files: { 'b.md': '---\nuid: Guides.One\n---\n\n# B\n' },
    link: '<a href="/en/articles/b">B</a>',
  },
];

const still = mkdtempSync(join(tmpdir(), 'kbsync-facts-'));
const changing = CHANGES.map((change) => ({
  ...change,
  folder: mkdtempSync(join(tmpdir(), 'kbsync-facts-')),
}));

beforeAll(async () => {
  for (const folder of [still, ...changing.map((one) => one.folder)]) write(folder, FILES);
  await settled(still);
});

afterAll(() => {
  for (const folder of [still, ...changing.map((one) => one.folder)]) rmSync(folder, { recursive: true });
});

const pagesFile = (folder: string): string => join(folder, 'cache.json.pages');

function read(folder: string, memory?: ReadingMemory): Promise<LoadedContent> {
  const cacheFile = join(folder, 'cache.json');
  return loadDesired({ ...OPTIONS, preset: 'docfx', cwd: folder, cacheFile }, memory);
}

function textOf(loaded: LoadedContent): string | undefined {
  const found = [...loaded.state.records.values()].find(({ at }) => at.file.endsWith('/a.md'));
  return found?.body?.render();
}

test('a page that has not changed is not opened for its name and its title', async () => {
  expect(textOf(await read(still))).toContain('>The first</a>');
  const kept = readFileSync(pagesFile(still), 'utf8');
  writeFileSync(pagesFile(still), kept.replace('The first', 'From the cache'));
  expect(textOf(await read(still))).toContain('>From the cache</a>');
  // Of another version, it is not used.
  writeFileSync(pagesFile(still), kept.replace(/ \d+"/, ' 0"').replace('The first', 'From the cache'));
  expect(textOf(await read(still))).toContain('>The first</a>');
});

test('in a process that reads again and again, what was found is kept there and not written', async () => {
  rmSync(pagesFile(still), { force: true });
  const memory: ReadingMemory = { entries: new Map() };
  expect(textOf(await read(still, memory))).toContain('>The first</a>');
  expect(existsSync(pagesFile(still))).toBe(false);
  const entries = [...(memory.pages?.entries ?? [])].map(
    ([path, [stamp, place, digest]]) =>
      [path, [stamp, place, digest, { uid: 'Guides.One', title: `Of ${path}` }]] as const,
  );
  memory.pages = { entries: new Map(entries) };
  expect(textOf(await read(still, memory))).toContain('>Of a.md</a>');
});

test.each(changing)('$name changes the links of other pages', async ({ folder, files, link }) => {
  expect(textOf(await read(folder))).toContain('<a href="/en/articles/one">The first</a>');
  expect(existsSync(pagesFile(folder))).toBe(true);
  write(folder, files);
  expect(textOf(await read(folder))).toContain(link);
  expect(textOf(await read(folder))).toContain(link);
});

test('a page that was saved just before may change again without a trace, so nothing is kept of it', async () => {
  const folder = folderOf(FILES);
  await read(folder);
  expect(existsSync(pagesFile(folder))).toBe(false);
});

test('a draft stands for its page, and nothing is kept of it', async () => {
  const { editing } = await read(still);
  const drafted = editing?.().readWith(new Map([['one.md', '---\nuid: Guides.One\n---\n\n# Draft\n']]));
  const page = [...(drafted?.state.records.values() ?? [])].find(({ at }) => at.file.endsWith('/a.md'));
  expect(page?.body?.render()).toContain('>Draft</a>');
  expect(readFileSync(pagesFile(still), 'utf8')).not.toContain('Draft');
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDesired } from '../../../src/content/load-content.ts';
import type { ContentOptions, LoadedContent } from '../../../src/content/options.ts';
import { OPTIONS, page, write } from '../support/support.ts';
import type { Files } from '../support/support.ts';
import { settled } from '../support/settled.ts';

/** A page that takes a text of another file in, one whose text is not there, and one with images beside the pages and a link to nothing. */
const FILES: Files = {
  'a.md': page('title: A', 'Before.\n\n[!INCLUDE [part](includes/part.inc)]\n'),
  'b.md': page('title: B', '[!INCLUDE [gone](includes/gone.inc)]\n'),
  'c.md': page('title: C', '[no page](missing.md) ![x](../missing.png) ![y](../there.png)\n'),
  'includes/part.inc': 'The part.\n',
  '../there.png': 'png',
};

interface Change {
  readonly name: string;
  readonly files?: Files;
  readonly removes?: string;
}

const CHANGES: readonly Change[] = [
  { name: 'a text that is taken in', files: { 'includes/part.inc': 'Another part.\n' } },
  { name: 'a text that is taken in, which goes', removes: 'includes/part.inc' },
  { name: 'a text that was missing', files: { 'includes/gone.inc': 'Here now.\n' } },
  { name: 'an image beside the pages, which goes', removes: '../there.png' },
  { name: 'a page that was missing', files: { 'missing.md': page('title: Missing', 'Text.\n') } },
  { name: 'an image that was missing', files: { '../missing.png': 'png' } },
  { name: 'what git ignores', files: { '../.gitignore': 'missing.md\n' } },
];

const folders = new Map<
  Change,
  { readonly folder: string; readonly digest: string | undefined; readonly before: unknown }
>();
const still = mkdtempSync(join(tmpdir(), 'kbsync-looks-'));

/** Two waits: what changed within two seconds before a run is not kept, and change times cannot be set. */
beforeAll(async () => {
  const made = CHANGES.map((change) => [change, mkdtempSync(join(tmpdir(), 'kbsync-looks-'))] as const);
  for (const folder of [still, ...made.map(([, folder]) => folder)]) write(folder, FILES);
  await settled(still);
  for (const [change, folder] of made) {
    const first = await read(folder);
    folders.set(change, { folder, digest: first.digest, before: shown(first) });
    write(folder, change.files ?? {});
    if (change.removes !== undefined) rmSync(join(folder, 'content', change.removes));
  }
  await settled(still);
});

afterAll(() => {
  for (const folder of [still, ...[...folders.values()].map((one) => one.folder)])
    rmSync(folder, { recursive: true });
});

function read(folder: string, more: Partial<ContentOptions> = {}): Promise<LoadedContent> {
  const cacheFile = join(folder, 'cache.json');
  return loadDesired({ ...OPTIONS, preset: 'docfx', cwd: folder, cacheFile, ...more });
}

function shown({ state, problems }: LoadedContent) {
  const records = [...state.records.values()].map(({ key, fields, body }) => [key, fields, body?.render()]);
  return { records, problems };
}

test('an outcome is kept although a page takes texts in, and although files are missing', async () => {
  const first = await read(still);
  const codes = first.problems.map(({ code }) => code);
  expect(codes).toContain('include-failed');
  expect(codes).toContain('dead-link');
  expect(first.digest).toBeDefined();
  const rows = join(still, 'cache.json.rows');
  writeFileSync(rows, readFileSync(rows, 'utf8').replace('"title":"C"', '"title":"from the cache"'));
  const again = await read(still);
  expect(again.digest).toBe(first.digest);
  expect([...again.state.records.values()].map(({ fields }) => fields['title'])).toContain('from the cache');
  // As a fresh checkout gives each file another stamp.
  write(still, { 'includes/part.inc': 'The part.\n' });
  expect((await read(still)).digest).toBe(first.digest);
});

test.each(CHANGES)('an outcome does not outlive $name', async (change) => {
  const { folder, digest, before } = folders.get(change) ?? {};
  if (folder === undefined || digest === undefined) throw new Error('no outcome was kept');
  const plain = await loadDesired({ ...OPTIONS, preset: 'docfx', cwd: folder });
  const now = await read(folder);
  expect(shown(now)).toEqual(shown(plain));
  expect(shown(now)).not.toEqual(before);
  expect(now.digest).not.toBe(digest);
  expect((await read(folder)).digest).toBe(now.digest);
});

test('a text that was saved just before may change again without a trace, so nothing is kept of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-looks-'));
  try {
    write(folder, FILES);
    expect((await read(folder)).digest).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

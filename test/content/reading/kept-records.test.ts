import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDesired } from '../../../src/content/load-content.ts';
import type { LoadedContent } from '../../../src/content/options.ts';
import { keyOf } from '../../../src/model/key.ts';
import { heapInUse } from '../../support/kept-bytes.ts';
import { folderOf, OPTIONS, write } from '../support/support.ts';

const PAGES = 300;

/** Each says much that its record does not: 60 links to one page. */
function folder(): string {
  const links = Array.from({ length: 60 }, (_, n) => `[to ${n}](page-0.md)`).join('\n\n');
  const page = (n: number) => `---\ntitle: Page ${n}\n---\n\nText.\n\n${links}\n`;
  const pages = Array.from({ length: PAGES }, (_, n) => [`en/articles/page-${n}.md`, page(n)] as const);
  return folderOf(Object.fromEntries(pages));
}

const read = (cwd: string, use?: 'editing'): Promise<LoadedContent> =>
  loadDesired({ ...OPTIONS, cwd, cacheFile: join(cwd, 'cache.json') }, undefined, use);

/** What a page takes for as long as its record is held, every body rendered. */
async function bytesOfEach(cwd: string): Promise<number> {
  const before = heapInUse();
  const content = await read(cwd);
  for (const { body } of content.state.records.values()) body?.render('last');
  const after = heapInUse();
  expect(content.state.records.size).toBe(PAGES);
  return (after - before) / PAGES;
}

test('a run that keeps the records does not keep all that their files say, whether they are read or known', async () => {
  // Compiles what both readings need.
  await bytesOfEach(folder());
  const cwd = folder();
  // What else goes on in the process only adds to it.
  const fresh = Math.min(await bytesOfEach(folder()), await bytesOfEach(cwd));
  const known = Math.min(await bytesOfEach(cwd), await bytesOfEach(cwd));
  // The links alone take 5,000.
  expect({ fresh: fresh < 3_000, known: known < 4_500 }, `${fresh}, ${known}`).toEqual({
    fresh: true,
    known: true,
  });
});

test('who asks for more than the records gets it, whatever was kept', async () => {
  const cwd = folder();
  for (const use of [undefined, 'editing', undefined] as const) {
    const content = await read(cwd, use);
    const key = keyOf('article', 'page-7', 'en');
    expect(content.editing?.().fileOf(key)).toBe('en/articles/page-7.md');
    expect(content.editing?.().draft(key, '---\ntitle: New\n---\n\nOther.\n')?.body).toBe('\nOther.\n');
    expect(content.leftOut?.()).toEqual([]);
  }
});

test('what `check` says of a folder besides is of the one reading, and takes no second one', async () => {
  const cwd = folderOf({
    'a.md': '---\ntitle: A\n---\n\nText.\n',
    'b.md': '---\ntitle: B\npermalink: /404.html\n---\n\nText.\n',
    'old.rst': 'Old\n',
  });
  const options = { ...OPTIONS, preset: 'jekyll', cwd, cacheFile: join(cwd, 'cache.json') } as const;
  const content = await loadDesired(options);
  // A second reading would see this.
  write(cwd, { 'b.md': '---\ntitle: B\n---\n\nText.\n', 'new.rst': 'New\n' });
  expect(content.leftOut?.()).toMatchObject([{ file: 'content/b.md' }]);
  expect(content.otherFormats?.()).toEqual([{ format: 'reStructuredText', files: 1 }]);
});

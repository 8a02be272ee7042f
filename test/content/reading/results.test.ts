import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDesired } from '../../../src/content/load-content.ts';
import type { ContentOptions, LoadedContent } from '../../../src/content/options.ts';
import { OPTIONS, page, write } from '../support/support.ts';
import type { Files } from '../support/support.ts';
import { settled } from '../support/settled.ts';

const FILES: Files = {
  'en/articles/a.md': page('title: A\ncategories: [c]\ntags: [t]', 'See [b](b.md#one).\n\n![x](x.png)\n'),
  'en/articles/b.md': page('title: B', '## One\n\nText.\n'),
  'en/articles/odd.md': page('title: Odd\nfoo: bar', 'Text.\n'),
  'en/articles/x.png': 'png',
  'en/categories/c.md': page('name: C', 'About *c*.\n'),
  'en/tags/t.md': page('name: T'),
  'fr/articles/a.md': page('title: A', 'Voir [b](b.md#one).\n'),
};

interface Edit {
  readonly name: string;
  /** Whether it is about the file's own text alone. */
  readonly isOwn: boolean;
  readonly files: Files;
}

const EDITS: readonly Edit[] = [
  {
    name: 'another sentence',
    isOwn: true,
    files: { 'en/articles/b.md': page('title: B', '## One\n\nOther text.\n') },
  },
  {
    name: 'a link on another line, beside a longer text',
    isOwn: true,
    files: {
      'en/articles/a.md': page(
        'title: A\ncategories: [c]\ntags: [t]',
        'New.\n\nSee [it](b.md#one).\n\n![y](x.png)\n',
      ),
    },
  },
  {
    name: 'two files at once, one of them a translation',
    isOwn: true,
    files: {
      'fr/articles/a.md': page('title: A', 'Voyez [b](b.md#one).\n'),
      'en/categories/c.md': page('name: C', 'Of **c**.\n'),
    },
  },
  {
    name: 'raw HTML that is allowed',
    isOwn: true,
    files: { 'en/articles/b.md': page('title: B', '## One\n\n<kbd>x</kbd>\n') },
  },
  {
    name: 'a front matter one line longer',
    isOwn: true,
    files: { 'en/articles/b.md': page('# a comment\ntitle: B', '## One\n\nText.\n') },
  },
  {
    name: 'a heading that others link to',
    isOwn: false,
    files: { 'en/articles/b.md': page('title: B', '## Two\n\nText.\n') },
  },
  {
    name: 'another link',
    isOwn: false,
    files: { 'en/articles/b.md': page('title: B', '## One\n\n[a](a.md)\n') },
  },
  {
    name: 'another title',
    isOwn: false,
    files: { 'en/articles/b.md': page('title: New', '## One\n\nText.\n') },
  },
  {
    name: 'another slug',
    isOwn: false,
    files: { 'en/articles/b.md': page('title: B\nslug: new-b', '## One\n\nText.\n') },
  },
  {
    name: 'another category',
    isOwn: false,
    files: { 'en/articles/b.md': page('title: B\ncategories: [c]', '## One\n\nText.\n') },
  },
  {
    name: 'another key',
    isOwn: false,
    files: { 'en/articles/b.md': page('title: B\ntranslationKey: z', '## One\n\nText.\n') },
  },
  {
    name: 'a file with a warning',
    isOwn: false,
    files: { 'en/articles/odd.md': page('title: Odd\nfoo: bar', 'More.\n') },
  },
  {
    name: 'a warning that is new',
    isOwn: false,
    files: { 'en/articles/b.md': page('title: B', '## One\n\n<script>x</script>\n') },
  },
  {
    name: 'a new file',
    isOwn: false,
    files: { 'en/articles/new.md': page('title: New', 'Text.\n') },
  },
  { name: 'a broken front matter', isOwn: false, files: { 'en/articles/b.md': '---\ntitle: [\n---\n' } },
];

/** Hugo's settings give the value that the page shows. */
const SITE = mkdtempSync(join(tmpdir(), 'kbsync-results-'));
const HUGO = { preset: 'hugo' } as const;
const settings = (value: string) => writeFileSync(join(SITE, 'hugo.toml'), `[params]\nname = "${value}"\n`);

const folders = new Map<Edit, { readonly folder: string; readonly before: LoadedContent }>();

/** Two waits: a file that changed within two seconds before a run is not kept, and its change time cannot be set. */
beforeAll(async () => {
  const made = EDITS.map((edit) => [edit, mkdtempSync(join(tmpdir(), 'kbsync-results-'))] as const);
  for (const [, folder] of made) write(folder, FILES);
  write(SITE, { 'a.md': page('title: A', '{{< param name >}}\n') });
  settings('One');
  await settled(made.at(-1)?.[1] ?? '');
  for (const [edit, folder] of made) {
    folders.set(edit, { folder, before: await read(folder) });
    write(folder, edit.files);
  }
  await read(SITE, HUGO);
  settings('Two');
  await settled(made.at(-1)?.[1] ?? '');
});

afterAll(() => {
  for (const { folder } of folders.values()) rmSync(folder, { recursive: true });
  rmSync(SITE, { recursive: true });
});

const ASSETS = { assetsBaseUrl: 'https://cdn.example.com' };

function read(folder: string, more: Partial<ContentOptions> = {}): Promise<LoadedContent> {
  const cacheFile = join(folder, 'cache.json');
  return loadDesired({ ...OPTIONS, ...ASSETS, cwd: folder, cacheFile, ...more });
}

function shown({ state, problems }: LoadedContent) {
  const records = [...state.records.values()].map(({ body, places, ...record }) => ({
    ...record,
    places: places(),
    inputDigest: body?.inputDigest,
    html: body?.render(),
  }));
  return { records, problems, languages: state.languages, moved: state.moved };
}

test.each(EDITS)('after an edit the outcome is that of a whole reading: $name', async (edit) => {
  const { folder, before } = folders.get(edit) ?? {};
  if (folder === undefined) throw new Error('no folder');
  const plain = await loadDesired({ ...OPTIONS, ...ASSETS, cwd: folder });
  const now = await read(folder);
  expect(shown(now)).toEqual(shown(plain));
  expect(now.digest).not.toBe(before?.digest);
  // Where only texts changed it is known which, and since when.
  const paths = [...(now.edited?.[0]?.keys ?? [])].map((key) => now.state.records.get(key)?.at.file);
  const changed = edit.isOwn ? Object.keys(edit.files).map((path) => `content/${path}`) : [];
  expect(new Set(paths)).toEqual(new Set(changed));
  expect(now.edited?.[0]?.since).toBe(edit.isOwn ? before?.digest : undefined);
  const again = await read(folder);
  expect([again.digest, again.edited]).toEqual([now.digest, now.edited]);
  expect(shown(again)).toEqual(shown(plain));
});

test('a page that shows a value of the settings changes with it, though its own file is as it was', async () => {
  const plain = await loadDesired({ ...OPTIONS, ...ASSETS, ...HUGO, cwd: SITE });
  const now = shown(await read(SITE, HUGO));
  expect(now).toEqual(shown(plain));
  expect(now.records).toMatchObject([{ html: '<p>Two</p>', initial: { excerpt: 'Two' } }]);
});

test('an edited file is read alone: what is in the cache of the others is what comes out', async () => {
  const edit = EDITS[0];
  const { folder } = (edit === undefined ? undefined : folders.get(edit)) ?? {};
  if (edit === undefined || folder === undefined) throw new Error('no folder');
  const rows = join(folder, 'cache.json.rows');
  writeFileSync(rows, readFileSync(rows, 'utf8').replace('"title":"A"', '"title":"from the cache"'));
  write(folder, { 'en/articles/b.md': page('title: B', '## One\n\nThird text.\n') });
  const { state, digest, edited } = await read(folder);
  const records = new Map([...state.records.values()].map((record) => [record.at.file, record]));
  expect(records.get('content/en/articles/a.md')?.fields['title']).toBe('from the cache');
  expect(records.get('content/en/articles/b.md')?.body?.render()).toContain('Third text.');
  expect(edited?.map(({ keys }) => [...keys])).toEqual([['article/b@en'], ['article/b@en']]);
  // A run that only looked takes nothing from the next one.
  const next = await read(folder);
  expect([next.digest, next.edited]).toEqual([digest, edited]);
  // Without its rows the outcome is made anew.
  rmSync(rows);
  const whole = await read(folder);
  const titles = [...whole.state.records.values()].map(({ fields }) => fields['title']);
  expect(titles).not.toContain('from the cache');
});

test('a body is not rendered from a file that has changed since', async () => {
  const edit = EDITS[1];
  const { folder } = (edit === undefined ? undefined : folders.get(edit)) ?? {};
  if (folder === undefined) throw new Error('no folder');
  const { state } = await read(folder);
  const record = [...state.records.values()].find(({ at }) => at.file === 'content/en/articles/b.md');
  write(folder, { 'en/articles/b.md': page('title: B', '## One\n\nLater.\n') });
  expect(() => record?.body?.render()).toThrow(expect.objectContaining({ code: 'changed' }));
});

/** Fewer are rendered one by one. */
test.each([3, 60])(
  'nor is one of %d that are known, if its file changes or goes in the middle of a run',
  async (count) => {
    for (const change of ['edited', 'deleted']) {
      const folder = mkdtempSync(join(tmpdir(), 'kbsync-results-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = (n: number): string => `en/articles/page-${n}.md`;
      const files = Array.from(
        { length: count },
        (_, n) => [file(n), page(`title: P${n}`, 'Text.\n')] as const,
      );
      write(folder, Object.fromEntries(files));
      await read(folder);
      const { state } = await read(folder);
      const records = [...state.records.values()].sort((a, b) => (b.at.file < a.at.file ? -1 : 1));
      const last = records.pop();
      const path = last?.at.file.replace('content/', '') ?? '';
      if (change === 'deleted') rmSync(join(folder, 'content', path));
      else write(folder, { [path]: page('title: P', 'Later.\n') });
      for (const { body } of records) expect(body?.render()).toBe('<p>Text.</p>');
      expect(() => last?.body?.render()).toThrow(expect.objectContaining({ code: 'changed' }));
    }
  },
);

test('a reading that knows nothing of the files says so before it begins', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-results-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  write(folder, FILES);
  await settled(folder);
  let cold = 0;
  const onColdRead = (): void => {
    cold += 1;
  };
  await read(folder, { onColdRead });
  expect(cold, 'the first').toBe(1);
  await read(folder, { onColdRead });
  expect(cold, 'with what the first left').toBe(1);
  await read(folder, { onColdRead, cacheFile: undefined });
  expect(cold, 'without a cache').toBe(2);
});

import { expect, test } from 'vitest';
import { load, page } from './support/support.ts';

const article = async (lines: string, options = {}) => {
  const { record, messages } = await load({ 'en/articles/a.md': page(lines) }, options);
  expect(messages).toEqual([]);
  return record('article', 'a');
};

test('only keys that are present are owned; what a create needs beyond them is initial', async () => {
  const { fields, initial, isOriginal, family } = await article('title: A');
  expect(fields).toEqual({ title: 'A', slug: 'a' });
  expect(initial).toEqual({ excerpt: 'Text.', ordering: 0, status: 'published' });
  expect({ isOriginal, family }).toEqual({ isOriginal: true, family: 'article/a' });
});

test('text fields keep what the author typed', async () => {
  const { fields } = await article('title: 1.10\nslug: 007\nexcerpt: no');
  expect(fields).toMatchObject({ title: '1.10', slug: '007', excerpt: 'no' });
  expect((await article('title: 2026-03-01')).fields['title']).toBe('2026-03-01');
  expect((await article('title: 12:30')).fields['title']).toBe('12:30');
  expect((await article('title: true')).fields['title']).toBe('true');
  expect((await article('title: 0x1F')).fields['title']).toBe('0x1F');
  expect((await article('title: "quoted: text"')).fields['title']).toBe('quoted: text');
});

test('names in lists keep what the author typed', async () => {
  const { record, messages } = await load({
    'en/articles/a.md': page('title: A\ntags: [2026, 1.0, no]'),
    'en/tags/2026.md': page('name: Year'),
    'en/tags/1.0.md': page('name: One'),
    'en/tags/no.md': page('name: No'),
  });
  expect(messages).toEqual([]);
  expect(record('article', 'a').fields['tags']).toEqual(['tag/1.0', 'tag/2026', 'tag/no']);
});

test('null and an empty text clear an optional field', async () => {
  const { fields } = await article(
    'title: A\nexcerpt:\nordering: null\nhideFromSearch: ~\nseoBannerUrl: ""\narticleReviewDate: null\ntags: null\ncategories: []',
  );
  expect(fields).toEqual({
    title: 'A',
    slug: 'a',
    categories: [],
    tags: [],
    excerpt: '',
    ordering: 0,
    hideFromSearch: false,
    seoBannerUrl: null,
    articleReviewDate: null,
  });
});

test('dates are instants, whatever their spelling', async () => {
  const date = async (text: string) =>
    (await article(`title: A\narticleReviewDate: ${text}`)).fields['articleReviewDate'];
  expect(await date('2026-03-01')).toBe('2026-03-01T00:00:00.000Z');
  expect(await date('2026-03-01T10:00:00+02:00')).toBe('2026-03-01T08:00:00.000Z');
});

test('folded text in one-line fields is one line', async () => {
  const { fields } = await article('title: |\n  A\n  long title\nexcerpt: >\n  some\n  words');
  expect(fields).toMatchObject({ title: 'A long title', excerpt: 'some words' });
});

test('a numeric prefix orders and stays in the key, but not in the slug', async () => {
  const { record } = await load({
    'en/articles/01-install.md': page('title: A'),
    'en/articles/02-explicit.md': page('title: B\nordering: 7'),
    'en/articles/2026-review.md': page('title: C'),
    'en/articles/05-06-notes.md': page('title: D'),
    'en/categories/03-c.md': page('name: C'),
  });
  expect(record('article', '01-install').fields).toMatchObject({ slug: 'install', ordering: 1 });
  expect(record('article', '02-explicit').fields).toMatchObject({ ordering: 7 });
  expect(record('article', '2026-review').fields).toEqual({ title: 'C', slug: '2026-review' });
  expect(record('article', '05-06-notes').fields).toEqual({ title: 'D', slug: '05-06-notes' });
  expect(record('category', '03-c').fields).toEqual({ name: 'C', slug: 'c', priority: 3 });
});

test('defaults of the config are owned; those of this program are not', async () => {
  const { fields, initial } = await article('title: A', { defaults: { status: 'draft', ordering: 5 } });
  expect(fields).toMatchObject({ status: 'draft', ordering: 5 });
  expect(initial).toEqual({ excerpt: 'Text.' });
});

test('an article belongs to the category of its folder, the nearest one that has a file', async () => {
  const { record } = await load({
    'en/categories/guides.md': page('name: Guides'),
    'en/articles/guides/a.md': page('title: A'),
    'en/articles/guides/deep/b.md': page('title: B'),
    'en/articles/guides/c.md': page('title: C\ncategories: []'),
    'en/articles/d.md': page('title: D'),
  });
  expect(record('article', 'guides/a').fields['categories']).toEqual(['category/guides']);
  expect(record('article', 'guides/deep/b').fields['categories']).toEqual(['category/guides']);
  expect(record('article', 'guides/c').fields['categories']).toEqual([]);
  expect(record('article', 'd').fields['categories']).toBeUndefined();
});

test('a category lies in the category of its folder unless it says otherwise', async () => {
  const { record } = await load({
    'en/categories/a.md': page('name: A'),
    'en/categories/a/b.md': page('name: B'),
    'en/categories/a/c.md': page('name: C\ncategoryParent: null'),
    'en/categories/d.md': page('name: D\ncategoryParent: a/b'),
  });
  const parent = (path: string) => record('category', path).fields['categoryParent'];
  expect([parent('a'), parent('a/b'), parent('a/c'), parent('d')]).toEqual([
    undefined,
    'category/a',
    null,
    'category/a/b',
  ]);
});

test('folders and categories meet without their numeric prefixes', async () => {
  const { record } = await load({
    'en/categories/01-guides.md': page('name: Guides'),
    'en/articles/01-guides/a.md': page('title: A'),
    'en/articles/b.md': page('title: B\ncategories: [guides]'),
  });
  expect(record('article', '01-guides/a').fields['categories']).toEqual(['category/01-guides']);
  expect(record('article', 'b').fields['categories']).toEqual(['category/01-guides']);
});

test('references are found by path, by slug and by last segment', async () => {
  const { record, messages } = await load({
    'en/categories/a.md': page('name: A'),
    'en/categories/a/deep.md': page('name: Deep\nslug: the-deep'),
    'en/articles/x.md': page('title: X\ncategories: [deep, a]'),
    'en/articles/y.md': page('title: Y\ncategories: [the-deep]'),
    'en/articles/z.md': page('title: Z\ncategories: a/deep'),
  });
  expect(messages).toEqual([]);
  expect(record('article', 'x').fields['categories']).toEqual(['category/a', 'category/a/deep']);
  expect(record('article', 'y').fields['categories']).toEqual(['category/a/deep']);
  expect(record('article', 'z').fields['categories']).toEqual(['category/a/deep']);
});

test('a translation may name categories by its own language, and takes those of its original when silent', async () => {
  const { record, messages } = await load({
    'en/categories/start.md': page('name: Start'),
    'fr/categories/debut.md': page('name: Début\ntranslationKey: start'),
    'en/articles/a.md': page('title: A\ncategories: [start]'),
    'fr/articles/a.md': page('title: A'),
    'en/articles/b.md': page('title: B'),
    'fr/articles/b.md': page('title: B\ncategories: [debut]'),
  });
  expect(messages).toEqual([]);
  expect(record('article', 'a', 'fr').fields['categories']).toEqual(['category/start']);
  expect(record('article', 'b', 'fr').fields['categories']).toEqual(['category/start']);
  expect(record('article', 'b').fields['categories']).toBeUndefined();
});

test('translationKey joins files of different names; the slug stays that of the file', async () => {
  const { record, languages } = await load({
    'en/articles/install.md': page('title: Install'),
    'fr/articles/installer.md': page('title: Installer\ntranslationKey: install'),
  });
  expect(record('article', 'install', 'fr')).toMatchObject({
    isOriginal: false,
    family: 'article/install',
    fields: { slug: 'installer' },
  });
  expect(languages).toEqual(['en', 'fr']);
});

test('an orphan translation stays in the state, without an original', async () => {
  const { record } = await load({ 'fr/articles/a.md': page('title: A') });
  expect(record('article', 'a', 'fr').isOriginal).toBe(false);
});

test('folders map to codes, and lang may say either', async () => {
  const { record, messages } = await load(
    {
      'en/articles/a.md': page('title: A\nlang: EN'),
      'zh-cn/articles/a.md': page('title: A\nlang: zh-cn'),
      'zh-cn/articles/b.md': page('title: B\nlang: zh-CN'),
      'en/articles/b.md': page('title: B'),
    },
    { languages: { 'zh-cn': 'zh-CN' } },
  );
  expect(messages).toEqual([]);
  expect(record('article', 'a', 'zh-CN').fields['slug']).toBe('a');
});

test('keys of another tool are mapped or ignored', async () => {
  const options = {
    fields: { excerpt: 'description', ordering: 'weight', categoryParent: 'parent' },
    ignoreKeys: ['layout'],
  };
  const { record, messages, places } = await load(
    {
      'en/articles/a.md': page('title: A\ndescription: Short\nweight: 3\nlayout: doc'),
      'en/categories/c.md': page('name: C\ndescription: Ours'),
      'en/categories/d.md': page('name: D\nparent: c'),
    },
    options,
  );
  expect(messages).toEqual([]);
  expect(record('article', 'a').fields).toMatchObject({ excerpt: 'Short', ordering: 3 });
  expect(record('category', 'c').fields['description']).toBe('Ours');
  expect(record('category', 'd').fields['categoryParent']).toBe('category/c');
  expect(places).toEqual([]);
  const mapped = await load({ 'en/articles/a.md': page('title: A\nexcerpt: Short') }, options);
  expect(mapped.places).toEqual(['content/en/articles/a.md:3:10 unknown-key']);
});

test('an article owns its body, even an empty one; a category or tag only one that says something', async () => {
  const { record } = await load({
    'en/articles/a.md': page('title: A', ''),
    'en/categories/c.md': page('name: C', '\n'),
    'en/tags/t.md': page('name: T', 'Words.\n'),
  });
  expect(record('article', 'a').body?.render()).toBe('');
  expect(record('category', 'c').body).toBeUndefined();
  expect(record('tag', 't').body).toMatchObject({ field: 'longDescription' });
});

test('places of fields are where their values stand', async () => {
  const { at, places } = await article('title:   A\nslug: a\nexcerpt: >\n  folded\n"ordering": 3');
  const file = 'content/en/articles/a.md';
  expect(at).toEqual({ file, line: 1, column: 1 });
  expect(places()).toEqual({
    title: { file, line: 2, column: 10 },
    slug: { file, line: 3, column: 7 },
    excerpt: { file, line: 4, column: 10 },
    ordering: { file, line: 6, column: 13 },
  });
});

test('the derived excerpt is the first paragraph without marks, images and tags', async () => {
  const excerpt = async (body: string) =>
    (
      await load(
        { 'en/articles/a.md': page('title: A', body) },
        { allow: new Set(['missing-image', 'dead-link']) },
      )
    ).record('article', 'a').initial['excerpt'];
  expect(
    await excerpt(
      '# Title\n\n- list\n\n> quote\n\n![x](x.png)\n\nSome *text* with `code`,\na [link](b.md)[^1].\n\n[^1]: Note.\n',
    ),
  ).toBe('Some text with code, a link.');
  expect(await excerpt(`${'word '.repeat(100)}\n`)).toMatch(/^(?:word ){31}word…$/);
  expect(await excerpt(`See [this][ref].\n\n${'more '.repeat(200)}\n\n[ref]: https://example.com\n`)).toBe(
    'See this.',
  );
  expect(await excerpt('# Only a title\n')).toBe('');
});

test('files that are no content are left alone', async () => {
  const { records, messages } = await load({
    'README.md': '# Hello',
    'en/articles/README.md.orig': 'x',
    'en/articles/.draft.md': 'x',
    'en/articles/a.md~': 'x',
    'en/articles/notes.txt': 'x',
    'node_modules/x/en/articles/a.md': 'x',
    '.obsidian/en/articles/a.md': 'x',
    'en/articles/a.md': page('title: A'),
  });
  expect([...records.keys()]).toEqual(['article/a@en']);
  expect(messages).toEqual([]);
});

test('the scope digest changes with languages and layout, not with texts', async () => {
  const files = { 'en/articles/a.md': page('title: A') };
  const { scopeDigest } = await load(files);
  expect((await load({ ...files, 'en/articles/b.md': page('title: B') })).scopeDigest).toBe(scopeDigest);
  expect((await load({ ...files, 'fr/articles/a.md': page('title: A') })).scopeDigest).not.toBe(scopeDigest);
  expect((await load(files, { languages: { fr: 'fr-CA' } })).scopeDigest).not.toBe(scopeDigest);
});

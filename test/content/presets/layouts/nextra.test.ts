import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { keysOf, loader } from '../support/support.ts';

const nextra = loader('nextra');

test('_meta gives order and names of folders; every page is public; languages are folders', async () => {
  const loaded = await nextra({
    'en/_meta.ts':
      "import type { MetaRecord } from 'nextra'\n// order\nconst meta: MetaRecord = {\n  index: { display: 'hidden' },\n  guide: { title: 'The guide' },\n  'a-page': '',\n  site: { href: 'https://x.test' },\n}\nexport default meta\n",
    'en/index.mdx': page('title: Home'),
    'en/guide.mdx': '# Guide\n',
    'en/guide/one.mdx': '# One\n',
    'en/a-page.md': '# A page\n',
    'en/unlisted.mdx': '# Unlisted\n',
    'fr/guide/one.mdx': '# Un\n',
    'fr/_meta.ts': "export default { guide: 'Le guide' }\n",
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/a-page@en',
    'article/guide/one@en',
    'article/guide/one@fr',
    'article/home@en',
    'article/unlisted@en',
    'category/guide@en',
  ]);
  expect(loaded.record('article', 'a-page').fields).toMatchObject({ title: 'A page', ordering: 3 });
  expect(loaded.record('article', 'unlisted').fields).toMatchObject({ ordering: 5 });
  expect(loaded.record('category', 'guide').fields).toMatchObject({ name: 'Guide', priority: 2 });
});

test('the app folder: page.mdx is its folder’s page, groups are no part of the address', async () => {
  const loaded = await nextra({
    'page.mdx': '# Home\n',
    '_meta.global.js': 'export default {}\n',
    '(docs)/guide/page.mdx': '# Guide\n',
    '(docs)/guide/one/page.mdx': '# One\n',
    '(docs)/guide/part.mdx': 'Part.\n',
    'blog/[slug]/page.mdx': 'Template.\n',
  });
  expect(keysOf(loaded)).toEqual(['article/guide/one@en', 'article/home@en', 'category/guide@en']);
});

test('pages for what is missing or fails are none of the documentation', async () => {
  const loaded = await nextra({
    'index.mdx': '# Home\n',
    '404.mdx': '# Not found\n',
    '_app.mdx': '# Around every page\n',
    'guide/404.mdx': '# The code 404\n',
  });
  expect(keysOf(loaded)).toEqual(expect.arrayContaining(['article/home@en', 'article/guide/404@en']));
  expect(keysOf(loaded).join(' ')).not.toMatch(/article\/404|_app/);
});

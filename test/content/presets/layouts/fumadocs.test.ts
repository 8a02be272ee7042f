import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { bodyOf, keysOf, loader } from '../support/support.ts';

const fumadocs = loader('fumadocs');

test('meta.json gives names and order; groups are no part of a path; languages are suffixes', async () => {
  const loaded = await fumadocs({
    'meta.json': '{ "pages": ["index", "---Start---", "b", "guide", "..."] }',
    'index.mdx': page('title: Home'),
    'b.mdx': page('title: B'),
    'b.fr.mdx': page('title: B fr'),
    'guide/meta.json': '{ "title": "The guide", "pages": ["two", "one"] }',
    'guide/meta.fr.json': '{ "title": "Le guide" }',
    'guide/one.mdx': page('title: One'),
    'guide/(more)/two.mdx': page('title: Two'),
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/b@en',
    'article/b@fr',
    'article/guide/one@en',
    'article/guide/two@en',
    'article/home@en',
    'category/guide@en',
  ]);
  expect(loaded.record('category', 'guide').fields).toMatchObject({ name: 'The guide', priority: 3 });
  expect(loaded.record('article', 'guide/two').fields).toMatchObject({ ordering: 1 });
  expect(loaded.record('article', 'guide/one').fields).toMatchObject({ ordering: 2 });
});

test('a heading names its own id in brackets', async () => {
  const loaded = await fumadocs({
    'a.mdx': page(
      'title: A',
      '[1](#own) [2](#other)\n\n## Head `x` [#own]\n\n### Other [!toc]\n\n```md\n## Code [#no]\n```\n',
    ),
  });
  expect(loaded.messages).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<h2 id="own">Head <code>x</code></h2>');
  expect(html).toContain('<h3 id="other">Other</h3>');
  expect(html).toContain('## Code [#no]');
});

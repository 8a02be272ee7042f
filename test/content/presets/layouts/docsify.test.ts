import { expect, test } from 'vitest';
import { NOTE, bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const docsify = loader('docsify');

test('every page counts; _sidebar.md gives order and tree; parts of the site are no pages', async () => {
  const loaded = await docsify({
    'index.html': '<script>window.$docsify = { loadSidebar: true }</script>',
    '_sidebar.md': '* [Home](/)\n* Guide\n  * [Two](guide/two.md)\n  * [One](guide/one)\n',
    '_navbar.md': '* [x](x.md)\n',
    '_coverpage.md': '# Cover\n',
    'README.md': '# Home\n',
    'guide/one.md': '# One\n\n[two](guide/two.md) [beside](two.md) [route](#/guide/two?id=part) [home](/)\n',
    'guide/two.md': '# Two\n\n## A part :id=part\n',
    'extra.md': '# Extra\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/extra@en',
    'article/guide/one@en',
    'article/guide/two@en',
    'article/home@en',
    'category/guide@en',
  ]);
  expect(loaded.record('article', 'guide/two').fields).toMatchObject({ ordering: 1, title: 'Two' });
  expect(linksOf(bodyOf(loaded, 'guide/one'))).toEqual([
    '/en/articles/guide-two',
    '/en/articles/guide-two',
    '/en/articles/guide-two#part',
    '/en/articles/home',
  ]);
});

test('`?>` and `!>` are boxes; options of links go', async () => {
  const loaded = await docsify({
    'a.md':
      '# A\n\n?> A [tip](b.md ":ignore")\nin two lines.\n\n!> **Care**\n\n![x](https://x.test/i.png \':size=50%\')\n\n## H <!-- {docsify-ignore} -->\n',
    'b.md': '# B\n',
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<div class="admonition tip">');
  expect(html).toContain('<p>A <a href="/en/articles/b">tip</a>\nin two lines.</p>');
  expect(html).toContain('<div class="admonition important">');
  expect(html).not.toMatch(/:size|:ignore|docsify|\?&gt;/);
});

test('`?>` in an item of a list is a box of that item', async () => {
  const loaded = await docsify({
    'a.md':
      '# A\n\n1. First.\n\n   ?> A tip\n   in two lines.\n\n   ```\n   ?> code\n   ```\n\n2. Second.\n\nText.\n\n    ?> code too\n',
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toMatch(
    /<ol>\s*<li>\s*<p>First.<\/p>\s*<div class="admonition tip">[^]*<p>A tip\nin two lines.<\/p>/,
  );
  expect(html.match(/admonition tip/g)).toHaveLength(1);
  expect(html).toMatch(/<pre><code>\?&gt; code\n/);
  expect(html).toContain('?&gt; code too');
});

test.each([
  '  ?> Tip\n  two.\n',
  '   ?> Tip\n   two.\n',
  '- a\n\n   ?> Tip\n   two.\n',
  '- a\n  ?> Tip\n  two.\n',
])('`?>` with any indent is a box of nothing but its text: %j', async (text) => {
  const html = bodyOf(await docsify({ 'a.md': `# A\n\n${text}` }), 'a');
  expect(html).toContain(NOTE('<p>Tip\ntwo.</p>', 'Tip', 'tip'));
});

test('a README that is the sidebar too is a page', async () => {
  const loaded = await docsify({
    'index.html': "<script>window.$docsify = { loadSidebar: 'README.md' }</script>",
    'README.md': '# Home\n\n- [One](one.md)\n',
    'one.md': '# One\n',
  });
  expect(keysOf(loaded)).toEqual(['article/home@en', 'article/one@en']);
});

test('a route that `alias` names is another page', async () => {
  const loaded = await docsify({
    'index.html':
      "<script>window.$docsify = { alias: { '/zh-cn/(.*)': '/$1', '/.*/_sidebar.md': '/_sidebar.md', '/old': '/guide', '/((a+)+)': '/b' } }</script>",
    'README.md': '# Home\n\n[1](zh-cn/guide) [2](/zh-cn/guide?id=x) [3](/old)\n',
    'guide.md': '# Guide\n\n## X\n',
  });
  expect(loaded.messages).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'home'))).toEqual([
    '/en/articles/guide',
    '/en/articles/guide#x',
    '/en/articles/guide',
  ]);
});

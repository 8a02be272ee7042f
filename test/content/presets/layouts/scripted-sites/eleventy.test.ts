import { expect, test } from 'vitest';
import { page } from '../../../support/support.ts';
import { bodyOf, keysOf, linksOf, loader } from '../../support/support.ts';

const eleventy = loader('eleventy');

const SETTINGS = `module.exports = function (eleventyConfig) {
  eleventyConfig.ignores.add("content/ignored/*");
  return { pathPrefix: "/site/", dir: { input: "content", includes: "parts", layouts: "frames" } };
};`;

// Eleventy 3 itself writes these pages of these files.
test('no page is what is ignored, what lies in folders of the system, and what writes no page', async () => {
  const loaded = await eleventy({
    '../eleventy.config.js': SETTINGS,
    '../.eleventyignore': 'content/drafts/\n',
    '../.gitignore': 'content/made.md\n',
    'a.md': page('title: A'),
    'drafts/d.md': page('title: D'),
    'ignored/i.md': page('title: I'),
    'made.md': page('title: M'),
    'parts/p.md': 'A part.\n',
    'frames/f.md': 'A frame.\n',
    '_data/d.md': 'Data.\n',
    'off.md': page('title: Off\npermalink: false'),
    'paged.md': page('title: Paged\npagination:\n  data: things\n  size: 1'),
    'draft.md': page('title: Draft\ndraft: true'),
    'none/none.json': '{ "permalink": false }',
    'none/n.md': page('title: N'),
    'none/n2.md': page('title: N2\npermalink: /n2/'),
    'one.md': page('title: One'),
    'one.11tydata.js': 'module.exports = { permalink: false };\n',
    'hidden.md': page('title: In no collection\neleventyExcludeFromCollections: true'),
  });
  expect(keysOf(loaded)).toEqual([
    'article/a@en',
    'article/draft@en',
    'article/hidden@en',
    'article/none/n2@en',
    'category/none@en',
  ]);
  expect(loaded.record('article', 'draft').fields['status']).toBe('draft');
});

test('a page is found at its address: pretty, or by `permalink` of its own or of its folder', async () => {
  const loaded = await eleventy({
    '../eleventy.config.js': SETTINGS,
    'guide/guide.md': page('title: Guide'),
    'guide/2026-01-31-news.md': page('title: News'),
    'rules/rules.json': '{ "permalink": "/r/{{ page.fileSlug }}.html" }',
    'rules/2026-02-03-semi.md': page('title: Semi'),
    'about.md': page('title: About\npermalink: /who/we/'),
    'a.md': page(
      'title: A',
      '[1](/guide/) [2](../guide/2026-01-31-news/) [3](/r/semi.html) [4](/who/we/) [5](/site/guide/2026-01-31-news/) [6](/made/by/njk/) [7](../gone/)\n',
    ),
  });
  expect(loaded.places).toEqual(['content/a.md:4:111 outside-link', 'content/a.md:4:130 outside-link']);
  expect(linksOf(bodyOf(loaded, 'a')).slice(0, 5)).toEqual([
    '/en/categories/guide',
    '/en/articles/guide-2026-01-31-news',
    '/en/articles/rules-2026-02-03-semi',
    '/en/articles/about',
    '/en/articles/guide-2026-01-31-news',
  ]);
});

test('a heading of a folder is on the page that a template makes of it; the folder itself is a category', async () => {
  const loaded = await eleventy(
    { 'docs/a.md': 'A.\n', 'b.md': '[part](/docs/#step-2) [all](/docs/)\n' },
    { siteUrl: 'https://a.example' },
  );
  expect(loaded.places).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'b'))).toEqual(['https://a.example/docs/#step-2', '/en/categories/docs']);
});

test('the page that hosts show for a missing one is none', async () => {
  const loaded = await eleventy({
    'a.md': page('title: A'),
    'docs/404.md': page('title: Not found\npermalink: 404.html'),
    'lost.md': page('title: Lost\npermalink: /404.html'),
    'errors/404.md': page('title: What 404 means'),
  });
  expect(keysOf(loaded).filter((key) => key.startsWith('article'))).toEqual([
    'article/a@en',
    'article/errors/404@en',
  ]);
});

// https://github.com/markdown-it/markdown-it-container and https://github.com/arve0/markdown-it-attrs
test('containers and lists of attributes are read if the settings name their plugins', async () => {
  const settings = (uses: string) =>
    `const container = require("markdown-it-container");\nmodule.exports = (config) => config.setLibrary("md", require("markdown-it")()${uses});\n`;
  const text =
    '::: warning\nTake *care*.\n:::\n\n::: incorrect { "sourceType": { "a": 1 } }\n\n```js\nvar a;\n```\n\n:::\n\n# Words {#own .big}\n\nOne line.\n{.lead}\n';
  const shown = async (uses: string) => {
    const loaded = await eleventy({ '../.eleventy.js': settings(uses), 'a.md': page('title: A', text) });
    return { html: bodyOf(loaded, 'a'), codes: loaded.messages.map((each) => /`([^`]*)`/.exec(each)?.[1]) };
  };
  const any = await shown(
    '.use(container, "warning", {}).use(container, "rule", example).use(require("markdown-it-attrs"))',
  );
  expect(any.codes).toEqual([]);
  expect(any.html).toMatch(/<p class="admonition-title">Warning<\/p>\s*<p>Take <em>care<\/em>/);
  expect(any.html).toMatch(/<pre><code[^>]*>var a;/);
  expect(any.html).toContain('id="own"');
  expect(any.html).not.toMatch(/:::|sourceType|\{/);
  const one = await shown('.use(container, "warning", { render() {} })');
  expect(one.html).toMatch(/Take <em>care<\/em>/);
  expect(one.html).not.toContain('::: warning');
  expect(one.html).toContain('::: incorrect');
  expect(one.html).toContain('{.lead}');
  const none = await shown('');
  expect(none.html).toContain('::: warning');
});

test('containers are read if a file that the settings load names their plugin', async () => {
  const library = (names: string): string =>
    `const box = require('markdown-it-container');\nmodule.exports = require('markdown-it')();\n${names}\n`;
  const shown = async (names: string): Promise<string> =>
    bodyOf(
      await eleventy({
        '../eleventy.config.cjs':
          "const markdown = require('./lib/markdown.cjs');\nmodule.exports = (config) => config.setLibrary('md', markdown);\n",
        '../lib/markdown.cjs': library(names),
        'a.md': page('title: A', ':::tip\nTake *care*.\n:::\n\n::: other\nText.\n:::\n'),
      }),
      'a',
    );
  const one = await shown("module.exports.use(box, 'tip', { render() {} });");
  expect(one).toContain('<p>Take <em>care</em>.</p>');
  expect(one).not.toContain(':::tip');
  expect(one).toContain('::: other');
  const loop = await shown('for (const type of TYPES) module.exports.use(box, type, { render() {} });');
  expect(loop).not.toContain(':::');
});

// https://www.11ty.dev/docs/filters/url/
test('the filter `url` of an address is that address', async () => {
  const loaded = await eleventy({
    'a.md': page('title: A', `<a href="{{ '/b/' | url }}">one</a> and [two]({{ "/b/" | url }})\n`),
    'b.md': page('title: B', 'Text.\n'),
  });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a').match(/href="[^"]*"/g)).toEqual([
    'href="/en/articles/b"',
    'href="/en/articles/b"',
  ]);
});

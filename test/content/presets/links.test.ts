import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headingIds } from '../../../src/content/markdown/heading-id.ts';
import type { ContentOptions } from '../../../src/content/options.ts';
import type { PresetName } from '../../../src/content/presets/names.ts';
import { folderOf, loadFrom, page } from '../support/support.ts';
import type { Files } from '../support/support.ts';
import { linksOf } from './support/support.ts';

async function linksIn(
  preset: PresetName,
  path: string,
  files: Files,
  options: Partial<ContentOptions> = {},
) {
  const { records, places } = await loadFrom(folderOf(files), { preset, ...options });
  const found = [...records.values()].find(({ at }) => at.file === `content/${path}`);
  return { links: linksOf(found?.body?.render() ?? ''), places };
}

test('an address that ends in a slash is read as browsers read it, and `..` stops at the root', async () => {
  const files = {
    'docs/api/a.md': page('title: A', '[1](../b/#x) [2](b) [3](../../../../docs/api/b)\n'),
    'docs/api/b.md': page('title: B', '## X\n'),
  };
  expect(await linksIn('docusaurus', 'docs/api/a.md', files)).toEqual({
    links: ['/en/articles/api-b#x', '/en/articles/api-b', '/en/articles/api-b'],
    places: [],
  });
});

test('an anchor with the name of a page’s title leads to its top, where no heading has that name', async () => {
  const files = {
    'a.md': page('title: A', '[1](b.md#label-selector) [2](c.md#notes) [3](b.md#label)\n'),
    'b.md': page('title: Label Selector', 'Text.\n'),
    'c.md': page('title: Notes', 'Text.\n\n## Notes\n'),
  };
  expect(await linksIn('docusaurus', 'a.md', files)).toEqual({
    links: ['/en/articles/b', '/en/articles/c#notes', '/en/articles/b#label'],
    places: ['content/a.md:4:42 dead-anchor'],
  });
});

test('root links go through the path of the site, permalinks, and the folder of the repository', async () => {
  const b = page('title: B');
  const docusaurus = {
    'guide/a.md': page('title: A', '[1](/base/manual/b) [2](/manual/b) [3](/guide/b.md) [4](/manual/old)\n'),
    'guide/b.md': b,
    'guide/c.md': page('title: C\nslug: old'),
    'docusaurus.config.js': `export default { baseUrl: '/base/', presets: [['classic', { docs: { path: 'guide', routeBasePath: 'manual' } }]] }`,
  };
  expect((await linksIn('docusaurus', 'guide/a.md', docusaurus)).links).toEqual([
    '/en/articles/b',
    '/en/articles/b',
    '/en/articles/b',
    '/en/articles/c',
  ]);
  const jekyll = {
    '_articles/x/a.md': page('title: A', '[1](/article/b/) [2](/kb/article/b)\n'),
    '_articles/y/b.md': b,
    '_config.yml':
      'baseurl: /kb\ncollections: { articles: { output: true, permalink: "/article/:name/" } }\n',
  };
  expect((await linksIn('jekyll', '_articles/x/a.md', jekyll)).links).toEqual([
    '/en/articles/articles-y-b',
    '/en/articles/articles-y-b',
  ]);
  const hugo = {
    'a.md': page('title: A', '[1](/help/b/) [2](/kb/docs/b)\n'),
    'docs/deep/b.md': b,
    'docs/b.md': b,
    '../hugo.toml': 'baseURL = "https://example.com/kb/"\n[permalinks]\ndocs = "/help/:filename/"\n',
  };
  expect((await linksIn('hugo', 'a.md', hugo)).links[1]).toBe('/en/articles/docs-b');
});

test('`ref` means the only page of a name, wherever it is', async () => {
  const files = {
    'a.md': page(
      'title: A',
      '[1]({{< ref "only.md#x" >}}) [2]({{< ref twice >}}) [3]({{< ref "docs/d/only" >}})\n',
    ),
    'docs/d/only.md': page('title: O', '## X\n'),
    'docs/d/twice.md': page('title: T'),
    'docs/e/twice.md': page('title: T'),
  };
  expect(await linksIn('hugo', 'a.md', files)).toEqual({
    links: ['/en/articles/docs-d-only#x', 'twice', '/en/articles/docs-d-only'],
    places: ['content/a.md:4:30 dead-link'],
  });
});

test('a page that is a folder of Hugo finds pages as `GetPage` does, from the folder above it, if its address finds none', async () => {
  const files = {
    'docs/x/a/index.md': page('title: A', '[1](../faq/#q) [2](../b/) [3](../../faq/) [4](../none/)\n'),
    'docs/x/b.md': page('title: B'),
    'docs/faq.md': page('title: F', '## Q\n'),
  };
  expect(await linksIn('hugo', 'docs/x/a/index.md', files)).toEqual({
    links: ['/en/articles/docs-faq#q', '/en/articles/docs-x-b', '/en/articles/docs-faq', '../none/'],
    places: ['content/docs/x/a/index.md:4:43 dead-link'],
  });
});

test('a link to a page that its own system does not make goes to `siteUrl`, and is named without it', async () => {
  const files = {
    'a.md': page('title: A', '[1](../link) [2](hidden.md)\n'),
    'link.md': page('title: L\n_build:\n  render: link'),
    'hidden.md': page('title: H\nheadless: true'),
  };
  expect((await linksIn('hugo', 'a.md', files)).places).toEqual([
    'content/a.md:4:1 outside-link',
    'content/a.md:4:14 outside-link',
  ]);
  expect((await linksIn('hugo', 'a.md', files, { siteUrl: 'https://example.com/docs/' })).links[0]).toBe(
    'https://example.com/docs/link',
  );
});

test.each([
  ['https://github.com/acme/manual/blob/main/docs/', 'https://github.com/acme/manual/blob/main/'],
  ['https://gitlab.com/acme/docs/manual/-/blob/main/', 'https://gitlab.com/acme/docs/manual/-/blob/main/'],
  [
    'https://codeberg.org/acme/manual/src/branch/main/docs',
    'https://codeberg.org/acme/manual/src/branch/main/',
  ],
])(
  'where the host of the repository shows the files (%s), a link from the root begins at its root',
  async (siteUrl, root) => {
    const files = { 'a.md': page('title: A', '[1](/LICENSE) [2](/src/b.ts#L1)\n') };
    expect(await linksIn('plain', 'a.md', files, { siteUrl })).toEqual({
      links: [`${root}LICENSE`, `${root}src/b.ts#L1`],
      places: [],
    });
  },
);

test('a relative link begins at the address that the page gives itself, with the slash that its site ends addresses with', async () => {
  const files = {
    'intro.md': page('title: I\nslug: guides/intro', '[1](other) [2](../other) [3](sub)\n'),
    'x.md': page('title: X\nslug: guides/other'),
    'y.md': page('title: Y\nslug: guides/intro/sub'),
  };
  expect(await linksIn('starlight', 'intro.md', files)).toEqual({
    links: ['other', '/en/articles/x', '/en/articles/y'],
    places: ['content/intro.md:5:1 dead-link'],
  });
});

test('a `uid` is no address from which a relative link could begin', async () => {
  const files = {
    'docfx.json': '{"build":{"content":[{"files":["**/*.md"]}]}}',
    'a.md': page('title: A\nuid: guides/a', '[1](b)\n'),
    'sub/c.md': page('title: C\nuid: guides/b'),
  };
  const { places } = await linksIn('docfx', 'a.md', files);
  expect(places).toEqual(['content/a.md:5:1 dead-link']);
});

test('letter case, backslashes, aliases and folders do not hide a file', async () => {
  const files = {
    'src/content/docs/develop/Debug/a.mdx': page(
      'title: A',
      '[1](/develop/debug/b-x/) [2](B%20x.mdx) [3](..\\x.md)\n\n![i](@assets/i.png)\n',
    ),
    'src/content/docs/develop/Debug/b x.mdx': page('title: B'),
    'src/content/docs/develop/x.md': page('title: X'),
    'src/assets/i.png': 'x',
    'tsconfig.json': '{ /* a */ "compilerOptions": { "paths": { "@assets/*": ["src/assets/*"], } } }',
  };
  const options = {
    contentDir: 'content/src/content/docs',
    assetsBaseUrl: 'https://cdn.example/src/content/docs/',
  };
  expect(await linksIn('starlight', 'src/content/docs/develop/Debug/a.mdx', files, options)).toEqual({
    links: [
      '/en/articles/develop-Debug-b-x',
      '/en/articles/develop-Debug-b-x',
      '/en/articles/develop-x',
      'https://cdn.example/src/assets/i.png',
    ],
    places: [],
  });
});

test('what leads out of the content goes to `siteUrl`, and is named without it', async () => {
  const files = {
    'docs/a.md': page(
      'title: A',
      '[1](/blog/x) [2](../../demo/y) [3](../README.md) [4](_part.md) [5](gone.md) [6](/docs/gone.md)\n',
    ),
    'docs/_part.md': page('title: P'),
    'README.md': 'x',
  };
  const plain = await linksIn('docusaurus', 'docs/a.md', files);
  expect(plain.places).toEqual([
    'content/docs/a.md:4:1 outside-link',
    'content/docs/a.md:4:14 outside-link',
    'content/docs/a.md:4:32 outside-link',
    'content/docs/a.md:4:50 outside-link',
    'content/docs/a.md:4:64 dead-link',
    'content/docs/a.md:4:77 dead-link',
  ]);
  const { links, places } = await linksIn('docusaurus', 'docs/a.md', files, {
    siteUrl: 'https://e.com/base',
  });
  expect(links.slice(0, 2)).toEqual(['https://e.com/base/blog/x', 'https://e.com/demo/y']);
  expect(places.map((place) => place.split(' ')[1])).toEqual([
    'outside-link',
    'outside-link',
    'dead-link',
    'dead-link',
  ]);
  const starlight = { 'a.md': page('title: A', '[1](/reference/x/#y)\n') };
  expect((await linksIn('starlight', 'a.md', starlight, { siteUrl: 'https://e.com/base' })).links).toEqual([
    'https://e.com/reference/x/#y',
  ]);
});

test('what is written from the page on leads where a browser goes from the page on the site', async () => {
  const files = { 'docs/a.md': page('title: A', '[1](../blog/x)\n'), 'docs/b/c.md': page('title: C') };
  const options = { siteUrl: 'https://e.com/base/' };
  expect((await linksIn('docusaurus', 'docs/a.md', files, options)).links).toEqual([
    'https://e.com/base/blog/x',
  ]);
  const learn = {
    'a/b.md': page('title: B', '[1](../faq.yml#x) [2](/linux)\n'),
    'faq.yml': '### YamlMime:FAQ\n',
    'docfx.json': '{}',
  };
  const said = { siteUrl: 'https://learn.microsoft.com/windows/wsl/' };
  expect((await linksIn('docfx', 'a/b.md', learn, said)).links).toEqual([
    'https://learn.microsoft.com/windows/wsl/faq#x',
    'https://learn.microsoft.com/linux',
  ]);
});

test('an anchor with other signs than the only heading with its letters leads to that heading', async () => {
  const files = {
    'SUMMARY.md': '# Summary\n\n* [A](a.md)\n* [B](b.md)\n',
    'a.md': page(
      'title: A',
      '[1](b.md#id-1.-log-in) [2](b.md#q-and-a) [3](b.md#twice-)\n\n[4](#Own.Part)\n\n## Own part\n',
    ),
    'b.md': page('title: B', '## 1. Log in\n\n## Q & A\n\n## Twice\n\n## Twice-\n'),
  };
  const { links, places } = await linksIn('gitbook', 'a.md', files);
  expect(links).toEqual([
    '/en/articles/b#1-log-in',
    '/en/articles/b#q--a',
    '/en/articles/b#twice-',
    '/en/articles/a#own-part',
  ]);
  expect(places).toEqual([]);
});

test('an anchor that only the page named has leads there, and the title is the top of its page', async () => {
  const files = {
    'a.md': page('title: A', '## One\n'),
    'fr/a.md': page('title: A fr', '## Un\n'),
    'fr/b.md': page('title: B', '[1](/a/#one) [2](/a/#un) [3](/c/#the-title) [4](#x)\n\n## X\n'),
    'b.md': page('title: B'),
    'c.md': '# The title\n\n[up](#the-title) [again](#the-title-1)\n\n## The title\n',
  };
  const { links, places } = await linksIn('starlight', 'fr/b.md', {
    ...files,
    'c.md': page('title: C', '## The title\n'),
  });
  expect(links).toEqual(['/en/articles/a#one', '/fr/articles/a#un', '/en/articles/c#the-title', '#x']);
  expect(places).toEqual([]);
  expect(await linksIn('plain', 'c.md', files)).toEqual({ links: ['#top', '#the-title-1'], places: [] });
});

test.each([
  ['github', ['Ein Übung & mehr', 'A-- b', 'A', 'A'], ['ein-übung--mehr', 'a---b', 'a', 'a-1']],
  ['vue', ['1. Ein Übung & mehr', 'A.b (c)', 'A', 'A'], ['_1-ein-ubung-mehr', 'a-b-c', 'a', 'a-1']],
  ['python', ['Ein Übung & mehr', '日本', 'A', 'A'], ['ein-ubung-mehr', '_1', 'a', 'a_1']],
  ['python-unicode', ['Ein Übung & mehr', '日本', '^^a^^ ~b~'], ['ein-übung-mehr', '日本', 'a-b']],
  ['kramdown', ['1. Ein Übung', '日本', 'A', 'A'], ['ein-bung', 'section', 'a', 'a-1']],
] as const)('%s makes its own ids of headings', (style, texts, ids) => {
  const idOf = headingIds(style);
  expect(texts.map((text) => idOf(text))).toEqual(ids);
});

test('ids are written into the page as the site makes them, so that anchors work', async () => {
  const files = {
    'a.md': '# A\n\n[1](b.md#caret-mark) [2](b.md#mine) [3](b.md#caret-mark_1)\n',
    'b.md': '# B\n\n## Caret & mark\n\n## Other { #mine }\n\n## Caret & mark\n',
  };
  const { records, places } = await loadFrom(folderOf(files), { preset: 'mkdocs' });
  expect(places).toEqual([]);
  const html = [...records.values()].find(({ at }) => at.file.endsWith('b.md'))?.body?.render() ?? '';
  expect([...html.matchAll(/id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
    'caret-mark',
    'mine',
    'caret-mark_1',
  ]);
});

// The clone has none of these pages, and the site has them.
const IGNORED = {
  '../.gitignore': '# made by `make docs`\n/content/reference/*\n!/content/reference/kept.md\n',
  'guide/.gitignore': 'made.md\n',
  'reference/index.md': page('title: Reference', 'Text.\n'),
  'guide/a.md': page(
    'title: A',
    '[1](../reference/cli.md#run) [2](made.md) [3](../reference/kept.md) [4](gone.md)\n',
  ),
  'guide/b.md': page('title: B', 'Text.\n'),
};

test('a page that git ignores is made by a build: a link to it leads to the site, and is not dead', async () => {
  const { links, places } = await linksIn('mkdocs', 'guide/a.md', IGNORED, {
    siteUrl: 'https://docs.example.com/tool/',
  });
  expect(places).toEqual(['content/guide/a.md:4:43 dead-link', 'content/guide/a.md:4:69 dead-link']);
  expect(links.slice(0, 2)).toEqual([
    'https://docs.example.com/tool/reference/cli/#run',
    'https://docs.example.com/tool/guide/made/',
  ]);
});

test('without the address of the site such a link says what makes the page', async () => {
  const { messages } = await loadFrom(folderOf(IGNORED), { preset: 'mkdocs' });
  expect(messages).toContain(
    '`made.md` is not a page of the content (git ignores the file, so a build makes it), so the link is dead on the knowledge base; set `siteUrl` in kbsync.yaml to the address of your website, and the link leads there',
  );
});

test('a redirect of the site to a page that git ignores leads there', async () => {
  const { redirects, places } = await loadFrom(
    folderOf({
      '../mkdocs.yml':
        'site_url: https://docs.example.com/tool/\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: reference/cli.md\n        older.md: gone.md\n',
      '../.gitignore': '/content/reference/\n',
      'a.md': page('title: A', 'Text.\n'),
    }),
    { preset: 'mkdocs', siteUrl: 'https://docs.example.com/tool/' },
  );
  expect(places).toEqual(['mkdocs.yml:6:1 wrong-redirect']);
  expect(redirects).toEqual([{ from: '/tool/old/', to: 'https://docs.example.com/tool/reference/cli/' }]);
});

test.each(['plain', 'myst'] as const)(
  '%s: a name without an extension may be what a program knows, a file with one is not',
  async (preset) => {
    const { links, places } = await linksIn(preset, 'guide/a.md', {
      'guide/a.md': page('title: A', '[1](b) [2](made-by-code) [3](gone.md)\n'),
      'guide/b.md': page('title: B', 'Text.\n'),
    });
    expect(links[0]).toBe('/en/articles/guide-b');
    expect(places).toEqual(['content/guide/a.md:4:8 outside-link', 'content/guide/a.md:4:26 dead-link']);
  },
);

test('Zola: `@/` is the content folder', async () => {
  const files = {
    'a/b.md': page('title: B', '[1](@/c/_index.md) [2](@/a/d.md#part) [3](@/a/none.md)\n'),
    'a/d.md': page('title: D', '## Part\n'),
    'c/_index.md': page('title: C'),
    'c/e.md': page('title: E'),
  };
  const { links, places } = await linksIn('plain', 'a/b.md', files);
  expect(links.slice(0, 2)).toEqual(['/en/categories/c', '/en/articles/a-d#part']);
  expect(places).toEqual([expect.stringMatching(/b\.md:\d+:\d+ (?:dead|outside)-link$/)]);
});

test('without a generator, a path that begins with `/` counts from the root of the repository', async () => {
  const files = {
    '../BUILDING.md': '# Building\n',
    '../content/img/a.png': 'x',
    '../img/b.png': 'x',
    'README.md': page('title: R'),
    'guide/a.md': page(
      'title: A',
      '[1](/content/guide/b.md#part) [2](/BUILDING.md) [3](/guide/b.md) [4](/NONE.md) ![5](/content/img/a.png)\n',
    ),
    'guide/b.md': page('title: B', '## Part\n'),
  };
  const { links, places } = await linksIn('plain', 'guide/a.md', files);
  expect(links.slice(0, 4)).toEqual([
    '/en/articles/guide-b#part',
    '/BUILDING.md',
    '/en/articles/guide-b',
    '/NONE.md',
  ]);
  expect(places).toEqual([
    'content/guide/a.md:4:31 outside-link',
    'content/guide/a.md:4:66 dead-link',
    'content/guide/a.md:4:80 image-not-hosted',
  ]);
});

test('an anchor in another letter case leads to its heading, beside parts that nobody knows too', async () => {
  const files = {
    'docusaurus.config.js': 'export default {};\n',
    'docs/a.mdx': page(
      'title: A',
      '[1](#When-to-use) [2](#Made-by-it) [3](./b.mdx#Two) [4](#top)\n\n<Unknown />\n\n## When to use\n',
    ),
    'docs/b.mdx': page('title: B', '## two\n\n<Unknown />\n'),
  };
  const { links } = await linksIn('docusaurus', 'docs/a.mdx', files);
  expect(links).toEqual(['/en/articles/a#when-to-use', '#Made-by-it', '/en/articles/b#two', '#top']);
});

test('without a generator, `/docs/page` is a page of the content folder', async () => {
  const files = {
    'a.md': page('title: A', '[1](/docs/guide/b#part) [2](/docs/guide) [3](/docs/none)\n'),
    'guide/b.md': page('title: B', '## Part\n'),
    'guide/index.md': page('title: G'),
  };
  const { links, places } = await linksIn('plain', 'a.md', files);
  expect(links.slice(0, 2)).toEqual(['/en/articles/guide-b#part', '/en/categories/guide']);
  expect(places).toEqual([expect.stringMatching(/outside-link$/)]);
});

test('a source in a format that is not read is no file to give away: the link leads to its page on the site', async () => {
  const files = {
    'a.md': page('title: A', '[1](b.adoc) [2](c.rst#x) [3](n.ipynb) [4](q.qmd)\n'),
    'b.adoc': '= B\n',
    'c.rst': 'C\n=\n',
    'n.ipynb': '{}',
    'q.qmd': '# Q\n',
  };
  const assets = { assetsBaseUrl: 'https://files.example/' };
  expect(await linksIn('plain', 'a.md', files, { ...assets, siteUrl: 'https://docs.example/' })).toEqual({
    links: [
      'https://docs.example/b',
      'https://docs.example/c#x',
      'https://files.example/n.ipynb',
      'https://docs.example/q',
    ],
    places: [],
  });
  expect((await linksIn('plain', 'a.md', files, assets)).places).toEqual([
    'content/a.md:4:1 outside-link',
    'content/a.md:4:13 outside-link',
    'content/a.md:4:39 outside-link',
  ]);
});

test('two pages that only their groups tell apart keep them, and no other page changes its name', async () => {
  const b = page('title: B');
  const files = { '(a)/use.md': b, '(b)/use.md': b, '(0)more.md': b, '(x).png': 'x', '(y).png': 'x' };
  const { records } = await loadFrom(folderOf(files), { preset: 'plain' });
  expect([...records.keys()].filter((key) => key.startsWith('article/')).sort()).toEqual([
    'article/(a)/use@en',
    'article/(b)/use@en',
    'article/more@en',
  ]);
});

test('groups and numbers of sites of one’s own making are no part of an address', async () => {
  const b = page('title: B');
  const files = {
    '(0)guide/(1)install.mdx': page(
      'title: A',
      '[1](/guide/use) [2](./use) [3](../api/more) [4](/api/more#top) [5](/docs/api/more)\n',
    ),
    '(0)guide/(0)use.mdx': b,
    '(shell)/api/02-more.md': b,
    'api/(1) notes.md': b,
  };
  const more = '/en/articles/api-02-more';
  expect(await linksIn('plain', '(0)guide/(1)install.mdx', files)).toEqual({
    links: ['/en/articles/guide-use', '/en/articles/guide-use', more, `${more}#top`, more],
    places: [],
  });
  const { records } = await loadFrom(folderOf(files), { preset: 'plain' });
  expect([...records.keys()].sort()).toEqual([
    'article/api/(1) notes@en',
    'article/api/02-more@en',
    'article/guide/install@en',
    'article/guide/use@en',
    'category/api@en',
    'category/guide@en',
  ]);
  expect([...records.values()].find(({ at }) => at.file.endsWith('(1)install.mdx'))?.fields['ordering']).toBe(
    1,
  );
});

test('on a site of one’s own making a picture is looked for from the page’s address too', async () => {
  const folder = folderOf({
    'learn/a.md': page('title: A', '![x](../images/x.png) ![y](../images/y.png)\n'),
  });
  mkdirSync(join(folder, 'public/images'), { recursive: true });
  writeFileSync(join(folder, 'public/images/x.png'), '');
  const { places, record } = await loadFrom(folder, { preset: 'plain' });
  expect(places).toEqual(['content/learn/a.md:4:23 missing-image']);
  expect(record('article', 'learn/a').body?.render()).toContain('src="/images/x.png"');
});

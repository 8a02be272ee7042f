import { expect, test } from 'vitest';
import type { ContentOptions } from '../../../../src/content/options.ts';
import { load, page } from '../../support/support.ts';
import { NOTE, bodyOf, linksOf } from '../support/support.ts';
import type { Files, Loaded } from '../../support/support.ts';

function hugo(files: Files, options: Partial<ContentOptions> = {}): Promise<Loaded> {
  return load(files, { preset: 'hugo', ...options });
}

const toml = (lines: string, body = 'Text.\n'): string => `+++\n${lines}\n+++\n${body}`;

async function rendered(body: string, options: Partial<ContentOptions> = {}, files: Files = {}) {
  const loaded = await hugo({ 'en/a.md': page('title: A', body), ...files }, options);
  return { html: loaded.record('article', 'a').body?.render() ?? '', places: loaded.places };
}

test('a section with pages is a category, a page in it an article, a section without pages an article', async () => {
  const { records, record, places } = await hugo({
    'en/_index.md': page('title: Welcome'),
    'en/docs/_index.md': page('title: Docs\nweight: 2\ndescription: All of it', ''),
    'en/docs/install.md': page('title: Install\nweight: 3'),
    'en/docs/tour/index.md': page('title: Tour'),
    'en/docs/tour/part.md': page('title: Material of the bundle'),
    'en/news/_index.md': page('title: News'),
    'en/_includes/x.md': 'A part.\n',
  });
  expect(places).toEqual([]);
  expect([...records.keys()].sort()).toEqual([
    'article/docs/install@en',
    'article/docs/tour@en',
    'article/home@en',
    'article/news@en',
    'category/docs@en',
  ]);
  expect(record('category', 'docs').fields).toMatchObject({
    name: 'Docs',
    priority: 2,
    description: 'All of it',
  });
  expect(record('article', 'docs/install').fields).toMatchObject({
    slug: 'docs-install',
    ordering: 3,
    categories: ['category/docs'],
  });
});

test('a section that only another language fills with pages is a category in every language', async () => {
  const { records } = await hugo({
    'en/docs/_index.md': page('title: Docs'),
    'en/docs/a.md': page('title: A'),
    'fr/docs/_index.md': page('title: Documentation'),
  });
  expect([...records.keys()]).toContain('category/docs@fr');
});

test('languages are folders or suffixes, and a suffix alone is none', async () => {
  const { records } = await hugo({
    'a.md': page('title: A'),
    'a.fr.md': page('title: A fr'),
    'config.ts.md': page('title: Config'),
    'b.de.md': page('title: B de'),
    'b.en.md': page('title: B'),
  });
  expect([...records.keys()].sort()).toEqual([
    'article/a@en',
    'article/a@fr',
    'article/b@de',
    'article/b@en',
    'article/config.ts@en',
  ]);
});

test('languages that the config names are the only ones', async () => {
  const files = { 'a.en.md': page('title: A'), 'a.cn.md': page('title: A cn'), 'x.fr.md': page('title: X') };
  const { records } = await hugo(files, { languages: { cn: 'zh' } });
  expect([...records.keys()].sort()).toEqual(['article/a@en', 'article/a@zh', 'article/x.fr@en']);
});

test('TOML is read, with dates as text, and keys in any case', async () => {
  const { record, places } = await hugo(
    {
      'en/a.md': toml('Title = "A"\nweight = -3\ndraft = true\nlastmod = 2024-05-01\n[params]\nx = 1'),
    },
    { fields: { articleReviewDate: 'lastmod' } },
  );
  expect(places).toEqual([]);
  expect(record('article', 'a').fields).toMatchObject({
    title: 'A',
    ordering: -3,
    status: 'draft',
    articleReviewDate: '2024-05-01T00:00:00.000Z',
  });
});

test.each([
  ['a TOML value without quotes', toml('title = A'), 'content/en/a.md:2:9 front-matter-yaml'],
  ['TOML that is not closed', '+++\ntitle = "A"\n', 'content/en/a.md:1:1 front-matter-yaml'],
  ['a title that is a list', toml('weight = 1\ntitle = ["A"]'), 'content/en/a.md:3:9 wrong-type'],
  ['a blank before the fence', ' ---\ntitle: A\n---\nText.\n', 'content/en/a.md:1:2 front-matter-yaml'],
  ['a fault below empty lines', '\n\n---\ntitle: a: b\n---\n', 'content/en/a.md:4:9 front-matter-yaml'],
])('%s is a problem at its place', async (_, text, place) => {
  expect((await hugo({ 'en/a.md': text })).places).toEqual([place]);
});

test('empty lines above the front matter are no fault here', async () => {
  const { record, places } = await hugo({ 'en/a.md': `\n\n${page('title: A', 'Text.\n')}` });
  expect(places).toEqual([]);
  expect(record('article', 'a').body?.render()).toBe('<p>Text.</p>');
});

test('boxes become admonitions, nested in lists and with titles', async () => {
  const { html } = await rendered(
    '{{% alert title="Mind *this*" color="warning" %}}\nBe careful.\n\n- x\n{{% /alert %}}\n\nAfter.\n\n1. One\n\n   {{< note >}}\n   Inside.\n   {{< /note >}}\n\n2. Two\n\n> [!TIP] Said so\n> Text.\n',
  );
  expect(html).toContain(
    '<div class="admonition warning">\n<p class="admonition-title">Mind this</p>\n<p>Be careful.</p>\n<ul>\n<li>x</li>\n</ul>\n</div>\n<p>After.</p>',
  );
  expect(html).toMatch(
    /<li>\s*<p>One<\/p>\s*<div class="admonition note">[\s\S]*<p>Inside\.<\/p>\s*<\/div>\s*<\/li>/,
  );
  expect(html).toContain(
    '<div class="admonition tip">\n<p class="admonition-title">Said so</p>\n<p>Text.</p>',
  );
});

test('a target of links in a title stays a target', async () => {
  const { html, places } = await rendered('[up](#here)\n\n> [!NOTE] Said <a id="here"></a>\n> Text.\n');
  expect(places).toEqual([]);
  expect(html).toContain('<p class="admonition-title">Said</p>\n<p><a id="here"></a>\nText.</p>');
});

test('a box on a line of its own is one; inside a line its word stands in front', async () => {
  const { html } = await rendered('{{< warning >}}Hot.{{< /warning >}}\n');
  expect(html).toBe(NOTE('<p>Hot.</p>', 'Warning', 'warning'));
  expect((await rendered('Mind: {{< warning >}}Hot.{{< /warning >}} Really.\n')).html).toBe(
    '<p>Mind: <strong>Warning</strong> Hot. Really.</p>',
  );
});

test('a shortcode that nobody knows is a problem at its place, and its text stays', async () => {
  const { html, places } = await rendered(
    'Text {{< widget abc >}} here.\n\n{{% panels %}}\nInner [x](gone.md).\n{{% /panels %}}\n',
    {
      allow: new Set(['dead-link']),
    },
  );
  expect(places).toEqual([
    'content/en/a.md:4:6 unknown-component',
    'content/en/a.md:6:1 unknown-component',
    'content/en/a.md:7:7 dead-link',
  ]);
  expect(html).toContain('Inner');
});

test('a rule by name drops, keeps or replaces', async () => {
  const { html, places } = await rendered(
    'A {{< youtube abc >}} B {{< icon name="x y" >}}\n\n{{% tab %}}\nInner.\n{{% /tab %}}\n\n{{% ad %}}\nGone.\n{{% /ad %}}\n',
    {
      components: {
        youtube: { replace: '<https://youtu.be/{0}>' },
        icon: { replace: '({name})' },
        tab: 'keep',
        ad: 'drop',
      },
    },
  );
  expect(places).toEqual([]);
  expect(html).toBe(
    '<p>A <a href="https://youtu.be/abc">https://youtu.be/abc</a> B (x y)</p>\n<p>Inner.</p>',
  );
});

test('links follow Hugo: ref, relref, pretty addresses, files, the root, and translations first', async () => {
  const files = {
    'en/docs/_index.md': page('title: Docs', '# Top\n'),
    'en/docs/b.md': page('title: B', '## There\n'),
    'fr/a.md': page('title: A fr', '[b](../docs/b/) [x](/docs/b/#there)\n'),
    'fr/docs/b.md': page('title: B fr', '## There\n'),
    'en/docs/c.md': page('title: C', '[b](../b/) [file](b.md) [up](..) [a](/a) [else](/elsewhere/)\n'),
  };
  const { html, places } = await rendered(
    '[1]({{< ref "docs/b.md#there" >}}) [2]({{% relref "/docs/b" %}}) [3](docs/b.md) [4](../docs/b/) [5](/en/docs/)\n',
    {},
    files,
  );
  expect(places).toEqual(['content/en/docs/c.md:4:42 outside-link']);
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    '/en/articles/docs-b#there',
    '/en/articles/docs-b',
    '/en/articles/docs-b',
    '/en/articles/docs-b',
    '/en/categories/docs',
  ]);
  const { record } = await hugo({ 'en/a.md': page('title: A'), ...files });
  expect(record('article', 'a', 'fr').body?.render()).toBe(
    '<p><a href="/fr/articles/docs-b">b</a> <a href="/fr/articles/docs-b#there">x</a></p>',
  );
  expect(record('article', 'docs/c').body?.render()).toBe(
    '<p><a href="/en/articles/docs-b">b</a> <a href="/en/articles/docs-b">file</a> <a href="/en/categories/docs">up</a> <a href="/en/articles/a">a</a> <a href="/elsewhere/">else</a></p>',
  );
});

test('a dead link is named at the author’s column, whatever stood before it', async () => {
  const { places } = await rendered('{{% note %}}\nSee {{< ref "x" >}} and [b](gone.md).\n{{% /note %}}\n');
  expect(places).toEqual(['content/en/a.md:5:25 dead-link']);
});

test('terms are records where they are first named; translations share them when two articles agree', async () => {
  const { records, record, places } = await hugo({
    'en/a.md': page('title: A\ntags: [Cloud Native, cli, ""]'),
    'en/b.md': page('title: B\ntags: [cli]\ncategories: [Guides]'),
    'en/tags/cli/_index.md': page('title: Command line'),
    'fr/a.md': page('title: A fr\ntags: [Nuage, ligne]'),
    'fr/b.md': page('title: B fr\ntags: [ligne]\ncategories: [Guides fr]'),
  });
  expect(places).toEqual([]);
  expect([...records.keys()].filter((key) => !key.startsWith('article/')).sort()).toEqual([
    'category/guides@en',
    'category/guides@fr',
    'tag/cli@en',
    'tag/cli@fr',
    'tag/cloud-native@en',
    'tag/nuage@en',
    'tag/nuage@fr',
  ]);
  expect(record('article', 'a', 'fr').fields['tags']).toEqual(['tag/cli', 'tag/nuage']);
  expect(record('category', 'guides', 'fr').fields['name']).toBe('Guides fr');
  expect(record('tag', 'cloud-native').places()['name']).toMatchObject({ file: 'content/en/a.md', line: 3 });
});

test('articles that name no category go where the config says', async () => {
  const { record } = await hugo({ 'en/x/a.md': page('title: A') }, { defaults: { categories: ['General'] } });
  expect(record('article', 'x/a').fields['categories']).toEqual(['category/general']);
});

test('a folder without a page is a category by its name', async () => {
  const { record } = await hugo({ 'en/getting-started/first/a.md': page('title: A') });
  expect(record('category', 'getting-started/first').fields).toMatchObject({
    name: 'First',
    categoryParent: 'category/getting-started',
  });
});

test('`param` is the parameter of the page, else of the site; one that a language changes needs a rule', async () => {
  const settings =
    '[params]\nversion = "v0.19"\nplace = "here"\n[params.docs]\nyear = 2026\n[languages.fr.params]\nplace = "ici"\n';
  const { record, places } = await hugo({
    '../hugo.toml': settings,
    'en/a.md': page(
      'title: A\nname: Kueue',
      'Get {{< param "version" >}} ({{< param docs.year >}}) of {{< param name >}}.\n\n```\nget {{< param "version" >}}\n```\n',
    ),
    'en/b.md': page('title: B\nversion: v1', '{{< param version >}}\n'),
    'en/c.md': page('title: C', '{{< param place >}} {{< param none >}}\n'),
  });
  expect(record('article', 'a').body?.render()).toBe(
    '<p>Get v0.19 (2026) of Kueue.</p>\n<pre><code>get v0.19\n</code></pre>',
  );
  expect(record('article', 'b').body?.render()).toBe('<p>v1</p>');
  expect(places.map((place) => place.replace(/^.*c\.md:/, ''))).toEqual([
    '4:1 unknown-component',
    '4:21 unknown-component',
  ]);
});

test('shortcodes of themes are known: blocks and pageinfo of Docsy, trees and the front page of Hextra, `notice` and `children` of Relearn', async () => {
  const { html, places } = await rendered(
    '{{% pageinfo color="info" %}}\nOld page.\n{{% /pageinfo %}}\n\n{{< blocks/section color="dark" >}}\nText.\n{{< /blocks/section >}}\n\n{{< filetree/container >}}\n{{< filetree/folder name="docs" >}}\n{{< filetree/file name="a.md" >}}\n{{< /filetree/folder >}}\n{{< /filetree/container >}}\n\n{{< hextra/feature-card title="Fast" subtitle="Very" >}}\n\n{{% notice style="warning" title="Care" %}}\nHot.\n{{% /notice %}}\n\n{{% children %}}\n\nA {{< term "glossary" >}} word.\n',
  );
  expect(places).toEqual([]);
  expect(html).toContain('<p>Old page.</p>');
  expect(html).toMatch(/<li>docs\/\s*<ul>\s*<li>a\.md<\/li>/);
  expect(html).toContain('<strong>Fast</strong>');
  expect(html).toContain('<p class="admonition-title">Care</p>');
  expect(html).toContain('A glossary word.');
});

test('a tab in front of an item of a list in brackets is a blank', async () => {
  const loaded = await hugo({ 'en/a.md': page('title: A\naliases: [\n\t"/x",\n  "/y",\n]') });
  expect(loaded.places).toEqual([]);
});

const MOUNTED = {
  'english/docs/a.md': page('title: A', '[b](../b.md)\n'),
  'english/b.md': page('title: B', 'Text.\n'),
  'francais/b.md': page('title: B fr', 'Text.\n'),
  'common/z.md': page('title: In no folder of a language', 'Text.\n'),
};

// Hugo 0.111 itself makes these pages of these files.
test('a folder for each language has the name that the settings give; what lies in none of them is no page', async () => {
  const { records, record, places } = await hugo({
    ...MOUNTED,
    '../hugo.toml':
      "[languages.en]\ncontentDir = 'content/english'\n[languages.fr]\ncontentDir = 'content/francais'\n",
  });
  expect(places).toEqual([]);
  expect([...records.keys()].sort()).toEqual([
    'article/b@en',
    'article/b@fr',
    'article/docs/a@en',
    'category/docs@en',
  ]);
  expect(record('article', 'docs/a').body?.render()).toBe('<p><a href="/en/articles/b">b</a></p>');
});

test('a language may have its own file of settings', async () => {
  const { records } = await hugo({
    'en/a.md': page('title: A'),
    'fr/a.md': page('title: A fr'),
    'hr/a.md': page('title: Not there yet'),
    '../config/_default/hugo.toml': "baseURL = 'https://x.example/'\n",
    '../config/_default/languages.en.toml': "contentDir = 'content/en'\n",
    '../config/_default/languages.fr.toml': "contentDir = 'content/fr'\n",
  });
  expect([...records.keys()].sort()).toEqual(['article/a@en', 'article/a@fr']);
});

test('mounts take the place of the content folder, with their targets and without what they leave out', async () => {
  const mount = (source: string, target: string, more: string): string =>
    `[[module.mounts]]\nsource = '${source}'\ntarget = '${target}'\n${more}\n`;
  const { records } = await hugo(
    {
      'content/english/b.md': page('title: B'),
      'content/francais/b.md': page('title: B fr'),
      'content/z.md': page('title: Not mounted'),
      'extra/e.md': page('title: E'),
      'extra/e.fr.md': page('title: E fr'),
      'extra/skip/s.md': page('title: Left out'),
      'extra/draft/d.md': page('title: Left out too'),
      'README.md': 'About the code.\n',
      'hugo.toml':
        '[languages.en]\n[languages.fr]\n' +
        mount('content/english', 'content', "lang = 'en'") +
        mount('content/francais', 'content', "sites = { matrix = { languages = ['fr'] } }") +
        mount('extra', 'content/more', "excludeFiles = ['skip/**']\nfiles = ['! draft/**', '**']") +
        mount('../elsewhere', 'content/other', ''),
    },
    { languages: { en: 'en', fr: 'fr' } },
  );
  expect([...records.keys()].sort()).toEqual([
    'article/b@en',
    'article/b@fr',
    'article/more/e@en',
    'article/more/e@fr',
    'category/more@en',
  ]);
});

test('a single file is mounted under the name of its target', async () => {
  const { records, places } = await hugo({
    'content/a.md': page('title: A'),
    'README.md': '---\ntitle: Start\n---\n\n[a](a)\n',
    'docs/CHANGES.md': page('title: Changes'),
    'docs/other.md': page('title: Not mounted'),
    'hugo.toml': [
      "source = 'content'\ntarget = 'content'",
      "source = 'README.md'\ntarget = 'content/_index.md'",
      "source = 'docs/CHANGES.md'\ntarget = 'content/about/changes.md'",
    ]
      .map((lines) => `[[module.mounts]]\n${lines}\n`)
      .join(''),
  });
  expect(places).toEqual([]);
  expect([...records.keys()].sort()).toEqual([
    'article/a@en',
    'article/about/changes@en',
    'article/home@en',
    'category/about@en',
  ]);
});

test('posts of one slug that dated addresses keep apart: the oldest keeps the slug, later ones have their paths', async () => {
  const posts: Files = {
    '../hugo.yaml': 'permalinks:\n  page:\n    blog: /:year/:month/:day/:slug/\n',
    'blog/2023/0807-news/index.md': page('title: A\nslug: news\ndate: 2023-08-07'),
    'blog/2022/late/index.md': page('title: B\nslug: News\ndate: 2024-03-12T23:30:00-05:00'),
  };
  const before = await hugo(posts);
  const slugsIn = ({ records }: Loaded) =>
    [...records.values()]
      .flatMap(({ kind, fields }) => (kind === 'article' ? [String(fields['slug'])] : []))
      .sort();
  expect(before.places).toEqual([]);
  expect(slugsIn(before)).toEqual(['blog-2022-late', 'news']);
  // A later post changes no slug of the others.
  const after = await hugo({ ...posts, 'blog/2020/c.md': page('title: C\nslug: news\ndate: 2025-01-10') });
  expect(after.places).toEqual([]);
  expect(slugsIn(after)).toEqual(['blog-2020-c', 'blog-2022-late', 'news']);
});

test('pages of one slug in different sections have their paths; a slug that only one page has stays', async () => {
  const { places, record } = await hugo({
    'docs/a.md': page('title: A\nslug: intro'),
    'shop/b.md': page('title: B\nslug: intro'),
    'shop/c.md': page('title: C\nslug: prices'),
  });
  expect(places).toEqual([]);
  expect(record('article', 'docs/a').fields).toMatchObject({ slug: 'docs-a' });
  expect(record('article', 'shop/b').fields).toMatchObject({ slug: 'shop-b' });
  expect(record('article', 'shop/c').fields).toMatchObject({ slug: 'prices' });
});

test.each([
  ['in one folder', 'slug: intro', 'slug: intro\ndate: 2024-01-01', ''],
  [
    'on days of one year, of which the address shows the year alone',
    'slug: intro\ndate: 2024-01-01',
    'slug: intro\ndate: 2024-02-01',
    'permalinks:\n  docs: /:year/:slug/\n',
  ],
  ['with one `url`', 'slug: intro\nurl: /x/', 'slug: intro\nurl: /x/\ndate: 2024-01-01', ''],
])('pages of one slug that Hugo itself shows at one address are an error: %s', async (_, a, b, settings) => {
  const { places } = await hugo({
    '../hugo.yaml': settings,
    'docs/a.md': page(`title: A\n${a}`),
    'docs/b.md': page(`title: B\n${b}`),
  });
  expect(places).toEqual([expect.stringContaining('docs/b.md:3:7 duplicate-slug')]);
});

test('a link leads to a page by the date and the title that `permalinks` put into its address', async () => {
  const loaded = await hugo({
    '../hugo.yaml': 'permalinks:\n  blog: /:section/:year/:month/:slug/\n',
    'blog/2021-03-01-march/index.md': page("title: What's new? March 2021\ndate: 2021-03-01 08:30:00+00:00"),
    'blog/b.md': page('title: B\nslug: second\ndate: 2022-11-30'),
    'docs/a.md': page(
      'title: A',
      '[March](/blog/2021/03/whats-new-march-2021/#x) [B](/blog/2022/11/second/) [Gone](/blog/2022/12/second/)\n',
    ),
  });
  expect(linksOf(bodyOf(loaded, 'docs/a'))).toEqual([
    '/en/articles/blog-2021-03-01-march#x',
    '/en/articles/second',
    '/blog/2022/12/second/',
  ]);
});

test('a slug that another page has by its path, or a page that cannot be read, is an error: nobody takes it', async () => {
  const byPath = await hugo({
    'docs/a.md': page('title: A'),
    'shop/b.md': page('title: B\nslug: docs-a'),
  });
  expect(byPath.places).toEqual([expect.stringContaining('shop/b.md:3:7 duplicate-slug')]);
  const unread = await hugo({
    'docs/a.md': page('title: [A\nslug: intro\ndate: 2020-01-01'),
    'shop/b.md': page('title: B\nslug: intro\ndate: 2024-01-01'),
  });
  expect(unread.places).toContainEqual(expect.stringContaining('shop/b.md:3:7 duplicate-slug'));
});

test('files beside the pages have the addresses that Hugo gives them, below that of their bundle or section', async () => {
  const text = [
    '![](Foo%20Bar/My%20Pic.png) ![](img/y.png) ![](Other/pic.PNG) ![](leaf/images/z.png)',
    '![](moved/q.png) ![](Upper/x.png) ![](../news/n1/n.png)',
  ].join('\n');
  const picture = 'x';
  const loaded = await hugo(
    {
      '../hugo.yaml': 'permalinks: { page: { news: "/:year/:slug/" } }\nlanguages: { en: {}, fr: {} }\n',
      'en/blog/_index.md': page('title: Blog', text),
      'en/blog/a.md': page('title: A'),
      'en/blog/Foo Bar/index.md': page('title: B'),
      'en/blog/Foo Bar/My Pic.png': picture,
      'en/blog/img/y.png': picture,
      'en/blog/Other/index.md': page('title: O'),
      'en/blog/Other/pic.PNG': picture,
      'en/blog/leaf/index.md': page('title: L'),
      'en/blog/leaf/images/z.png': picture,
      'en/blog/moved/index.md': page('title: M\nslug: other'),
      'en/blog/moved/q.png': picture,
      'en/blog/Upper/x.png': picture,
      'en/news/n1/index.md': page('title: N'),
      'en/news/n1/n.png': picture,
      'fr/blog/b/index.md': page('title: B fr', '![](own.png)\n'),
      'fr/blog/b/own.png': picture,
    },
    { assetsRootUrl: 'https://x.test/base' },
  );
  const shown = (path: string, lang: string): readonly string[] =>
    [
      ...(loaded.record(path === 'blog' ? 'category' : 'article', path, lang).body?.render() ?? '').matchAll(
        /src="([^"]*)"/g,
      ),
    ].map(([, url = '']) => url);
  // What the front matter or the settings move, and folders with capitals in a section, nobody can tell.
  expect(shown('blog', 'en')).toEqual([
    'https://x.test/base/blog/foo-bar/My%20Pic.png',
    'https://x.test/base/blog/img/y.png',
    'https://x.test/base/blog/other/pic.PNG',
    'https://x.test/base/blog/leaf/images/z.png',
    'moved/q.png',
    'Upper/x.png',
    '../news/n1/n.png',
  ]);
  expect(loaded.problems.filter(({ code }) => code === 'image-not-hosted')).toHaveLength(3);
  expect(shown('blog/b', 'fr')).toEqual(['https://x.test/base/fr/blog/b/own.png']);
});

test('a picture in `static` may be named as a browser sees it from the address of the page', async () => {
  const loaded = await hugo(
    {
      'apps/ios.md': page(
        'title: iOS',
        '![](../../img/a%20b.png) ![](../img/none.png) <img src="../../img/c.png">\n',
      ),
      '../static/img/a b.png': 'x',
      '../static/img/c.png': 'x',
    },
    { assetsRootUrl: 'https://x.test' },
  );
  expect(loaded.places).toEqual(['content/apps/ios.md:4:26 missing-image']);
  const html = loaded.record('article', 'apps/ios').body?.render() ?? '';
  expect([...html.matchAll(/src="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    'https://x.test/img/a%20b.png',
    '../img/none.png',
    'https://x.test/img/c.png',
  ]);
});

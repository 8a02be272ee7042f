import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { NOTE, bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const docusaurus = loader('docusaurus');
const FR = 'i18n/fr/docusaurus-plugin-content-docs/current';

test('a relative address finds a page by its `id` from the index of a folder too', async () => {
  const loaded = await docusaurus({
    'docusaurus.config.js': 'module.exports = { trailingSlash: true };\n',
    'docs/kit/devices/index.md': page(
      'id: devices\ntitle: Devices',
      '[a](./maker/one/?x=1) [b](./maker/none)\n',
    ),
    'docs/kit/devices/maker/big-one.md': page('id: one\ntitle: One', 'Text.\n'),
  });
  expect(loaded.places).toEqual(['content/docs/kit/devices/index.md:5:23 dead-link']);
});

test('docs and their translations are articles; folders are categories by index page, label or name', async () => {
  const loaded = await docusaurus({
    'docs/intro.md': '# Welcome *here*\n\nText.\n',
    'docs/01-guides/_category_.json': '{ "label": "All guides", "position": 7 }',
    'docs/01-guides/02-first.mdx': page('title: First\nsidebar_position: 3\ntags: [Start here]'),
    'docs/01-guides/_part.mdx': 'A part.\n',
    'docs/api/index.md': page('title: API'),
    'docs/api/calls.md': page('title: Calls\ndraft: true'),
    [`${FR}/01-guides/02-first.mdx`]: page('title: Premier'),
    'blog/2024-01-01-news.md': page('title: News'),
    'src/pages/about.md': page('title: About'),
    'README.md': 'For people.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/api/calls@en',
    'article/guides/first@en',
    'article/guides/first@fr',
    'article/intro@en',
    'category/api@en',
    'category/guides@en',
    'tag/start-here@en',
  ]);
  expect(loaded.record('article', 'intro').fields).toMatchObject({ title: 'Welcome here', slug: 'intro' });
  expect(bodyOf(loaded, 'intro')).toBe('<p>Text.</p>');
  expect(loaded.record('category', 'guides').fields).toMatchObject({ name: 'All guides', priority: 7 });
  expect(loaded.record('article', 'guides/first').fields).toMatchObject({
    ordering: 3,
    categories: ['category/guides'],
    tags: ['tag/start-here'],
  });
  expect(loaded.record('article', 'api/calls').fields).toMatchObject({
    status: 'draft',
    categories: ['category/api'],
  });
});

test('with the docs folder as content, documents lie at the top', async () => {
  expect(keysOf(await docusaurus({ 'intro.md': page('title: A') }))).toEqual(['article/intro@en']);
});

test('boxes become admonitions, with titles and inside each other', async () => {
  const loaded = await docusaurus({
    'docs/a.md': page(
      'title: A',
      ':::note\n\nOne.\n\n:::\n\n::::warning[Hot **stuff**]\n\nTwo.\n\n:::tip\nThree.\n:::\n\n::::\n\n```\n:::note\n```\n',
    ),
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe(
    `${NOTE('<p>One.</p>')}\n${NOTE(`<p>Two.</p>\n${NOTE('<p>Three.</p>', 'Tip', 'tip')}`, 'Hot stuff', 'warning')}\n<pre><code>:::note\n</code></pre>`,
  );
});

test.each([
  ["'detect'", 0, 1],
  ["'md'", 0, 0],
  ["'mdx'", 1, 1],
])('a page is MDX as markdown.format %s says', async (format, inMd, inMdx) => {
  const body = '---\ntitle: A\n---\n\nIt gives <code>{ value: string; }</code>.\n';
  const loaded = await docusaurus({
    'docs/a.md': body,
    'docs/b.mdx': body,
    'docusaurus.config.js': `module.exports = { markdown: { format: ${format} } };\n`,
  });
  const files = loaded.problems.map(({ at }) => at.file);
  expect(files.filter((file) => file.endsWith('.md'))).toHaveLength(inMd);
  expect(files.filter((file) => file.endsWith('.mdx'))).toHaveLength(inMdx);
});

test('braces are text in a page that is no MDX', async () => {
  const loaded = await docusaurus({
    'docs/a.md': '---\ntitle: A\n---\n\nIt gives <code>{ value: string; }</code>.\n',
    'docusaurus.config.js': "module.exports = { markdown: { format: 'detect' } };\n",
  });
  expect(bodyOf(loaded, 'a')).toBe('<p>It gives <code>{ value: string; }</code>.</p>');
});

test('modules, comments and JSX attributes go; text in code stays as it is', async () => {
  const loaded = await docusaurus({
    'docs/a.mdx': page(
      'title: A',
      "import Tabs from '@theme/Tabs';\nimport x from './x.png';\n\nText {/* hidden */}and {'a word'}.\n\n<div className=\"box\" style={{color: 'red'}} id=\"d\">\n\nIn `{x}` it.\n\n</div>\n\n```js\nimport y from 'z';\n<Tabs>{y}</Tabs>\n```\n\n## Head {#own-id}\n",
    ),
  });
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<p>Text and a word.</p>');
  expect(html).toContain('<code>{x}</code>');
  expect(html).toContain('&lt;Tabs&gt;{y}&lt;/Tabs&gt;');
  expect(html).toContain('<h2 id="own-id">Head</h2>');
  expect(html).not.toMatch(/style|@theme/);
});

test('components, expressions and containers that nobody knows are problems with their places', async () => {
  const { places, messages } = await docusaurus({
    'docs/a.mdx': page(
      'title: A',
      'x <Widget groupId="os">\n\n:::widgets\nText {version.id}.\n:::\n\n</Widget>\n',
    ),
  });
  expect(places).toEqual([
    'content/docs/a.mdx:4:3 unknown-component',
    'content/docs/a.mdx:6:1 unknown-component',
    'content/docs/a.mdx:7:6 unknown-component',
  ]);
  expect(messages[0]).toContain('`components: { Widget: drop }`');
});

test('rules take components away, keep their text, or replace them', async () => {
  const loaded = await docusaurus(
    {
      'docs/a.mdx': page(
        'title: A',
        '<Tabs>\n<TabItem value="mac">\n\nMac {version}.\n\n</TabItem>\n</Tabs>\n\n<Ad>\n\nBuy!\n\n</Ad>\n\n<Video id="abc" />\n',
      ),
    },
    {
      components: {
        Tabs: 'keep',
        TabItem: { replace: '**{value}**' },
        Ad: 'drop',
        Video: { replace: '<https://v.test/{id}>' },
        version: { replace: '1.2' },
      },
    },
  );
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe(
    '<p><strong>mac</strong></p>\n<p>Mac 1.2.</p>\n<p><a href="https://v.test/abc">https://v.test/abc</a></p>',
  );
});

test('links follow files, numbered or not, addresses below /docs, and pictures of static', async () => {
  const loaded = await docusaurus(
    {
      'docs/a.md': page(
        'title: A',
        '[1](01-g/02-b.md) [2](./g/b#x) [3](/docs/g/b) [4](/docs/) ![p](/img/p.png)\n',
      ),
      'docs/index.md': page('title: Home'),
      'docs/01-g/02-b.md': page('title: B', '## X\n\n[up](../a.md)\n'),
      [`${FR}/01-g/02-b.md`]: page('title: B fr', '[up](../a.md) [self](/docs/g/b)\n'),
      'static/img/p.png': 'png',
    },
    { assetsBaseUrl: 'https://cdn.test' },
  );
  expect(loaded.places).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual([
    '/en/articles/g-b',
    '/en/articles/g-b#x',
    '/en/articles/g-b',
    '/en/articles/home',
    'https://cdn.test/static/img/p.png',
  ]);
  expect(linksOf(bodyOf(loaded, 'g/b', 'fr'))).toEqual(['/en/articles/a', '/fr/articles/g-b']);
});

test('a category file that cannot be read is a problem at its place', async () => {
  const { places } = await docusaurus({
    'docs/g/_category_.json': '{ "label": "A",\n  "position": }}',
    'docs/g/a.md': page('title: A'),
  });
  expect(places).toEqual([
    expect.stringMatching(/^content\/docs\/g\/_category_\.json:2:\d+ unreadable-settings$/),
  ]);
});

test('readers see the newest kept version, unless the settings name another one', async () => {
  const files = {
    'versions.json': '["2.0", "1.0"]',
    'docs/a.md': page('title: Next'),
    'versioned_docs/version-2.0/a.md': page('title: Two'),
    'versioned_docs/version-1.0/a.md': page('title: One'),
    'i18n/fr/docusaurus-plugin-content-docs/version-2.0/a.md': page('title: Deux'),
    'i18n/fr/docusaurus-plugin-content-docs/current/a.md': page('title: Prochain'),
  };
  const titles = async (docs: string): Promise<readonly unknown[]> => {
    const settings = `export default { presets: [['classic', { docs: { ${docs} } }]] };`;
    const loaded = await docusaurus({ ...files, 'docusaurus.config.ts': settings });
    return [...loaded.records.values()].map(({ fields }) => String(fields['title'])).toSorted();
  };
  expect(await titles('')).toEqual(['Deux', 'Two']);
  expect(await titles("lastVersion: 'current'")).toEqual(['Next', 'Prochain']);
  expect(await titles("onlyIncludeVersions: ['1.0']")).toEqual(['One']);
  expect(await titles('disableVersioning: true')).toEqual(['Next', 'Prochain']);
});

test('literal sidebars give order, names and tree; what they do not list keeps its folder', async () => {
  const loaded = await docusaurus({
    'docusaurus.config.js':
      "module.exports = { presets: [['classic', { docs: { sidebarPath: require.resolve('./sidebars.js') } }]] };",
    'sidebars.js': `const more = ['guides/second', 'guides/first'];
      module.exports = { docs: ['intro', { type: 'category', label: 'How to', items: more },
        { type: 'category', label: 'The API', items: [{ type: 'autogenerated', dirName: 'api' }] },
        { Last: [{ type: 'doc', id: 'named', label: 'Other name' }, { type: 'link', label: 'Site', href: '/' }] }] };`,
    'docs/intro.md': page('title: Intro'),
    'docs/guides/01-first.md': page('title: First'),
    'docs/guides/02-second.md': page('title: Second'),
    'docs/guides/unlisted-in-sidebar.md': page('title: Other'),
    'docs/api/calls.md': page('title: Calls'),
    'docs/named.md': page('title: Named'),
  });
  expect(loaded.places).toEqual([]);
  const at = (path: string): unknown => {
    const { categories, ordering } = loaded.record('article', path).fields;
    return { categories, ordering };
  };
  expect(at('intro')).toEqual({ categories: undefined, ordering: 1 });
  expect(at('guides/second')).toEqual({ categories: ['category/how-to'], ordering: 1 });
  expect(at('guides/first')).toEqual({ categories: ['category/how-to'], ordering: 2 });
  expect(at('guides/unlisted-in-sidebar')).toEqual({ categories: ['category/guides'], ordering: undefined });
  expect(at('api/calls')).toEqual({ categories: ['category/api'], ordering: undefined });
  expect(at('named')).toEqual({ categories: ['category/last'], ordering: 1 });
  expect(loaded.record('category', 'api').fields).toMatchObject({ name: 'The API', priority: 3 });
});

test('a file that a link names without `./` is looked for from the docs folder and the site too', async () => {
  const loaded = await docusaurus({
    'docs/cli/add.md': page('title: Add', '[c](catalogs.md) [d](docs/cli/remove.md) [e](./catalogs.md)\n'),
    'docs/cli/remove.md': page('title: Remove'),
    'docs/catalogs.md': page('title: Catalogs'),
  });
  expect(loaded.messages).toEqual([expect.stringContaining('`./catalogs.md`')]);
  const links = linksOf(bodyOf(loaded, 'cli/add'));
  expect(links.slice(0, 2)).toEqual(['/en/articles/catalogs', '/en/articles/cli-remove']);
});

test('further docs of the same site have their own folders and addresses', async () => {
  const loaded = await docusaurus({
    'docusaurus.config.js': `module.exports = { presets: [['@docusaurus/preset-classic', { docs: {} }]],
      plugins: [['@docusaurus/plugin-content-docs', { id: 'team', path: 'people', routeBasePath: 'community' }]] };`,
    'docs/a.md': page('title: A', '[team](/community/team) and [back](/docs/a)\n'),
    'people/team.md': page('title: Team', '[a](/docs/a)\n'),
    'i18n/fr/docusaurus-plugin-content-docs-team/current/team.md': page('title: Équipe'),
    'other/left.md': page('title: Left'),
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/a@en',
    'article/community/team@en',
    'article/community/team@fr',
    'category/community@en',
  ]);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual(['/en/articles/community-team', '/en/articles/a']);
});

test('a picture of the public folder is shown at the root of the site, however the page names it', async () => {
  const { record, places } = await docusaurus(
    {
      'docs/a.md': page(
        'title: A',
        '![x](@site/static/img/a%20b.png) ![x](/img/a%20b.png)\n\n![x](../static/img/a%20b.png)\n',
      ),
      'static/img/a b.png': new Uint8Array([1]),
    },
    { assetsRootUrl: 'https://docs.acme.test/' },
  );
  expect(places).toEqual([]);
  const html = record('article', 'a').body?.render() ?? '';
  expect(html.match(/src="[^"]*"/g)).toEqual(Array(3).fill('src="https://docs.acme.test/img/a%20b.png"'));
});

test('a sidebar names a page by the `id` of its front matter; each plugin leaves out pages of its own', async () => {
  const loaded = await docusaurus({
    'docusaurus.config.js': `module.exports = {
      presets: [['classic', { docs: { sidebarPath: './sidebars.js', exclude: ['community/**', 'old/**'] } }]],
      plugins: [['@docusaurus/plugin-content-docs', { id: 'community', path: 'community', routeBasePath: 'community', exclude: ['team.md'] }]] };`,
    'sidebars.js': "module.exports = { docs: ['guide/getting-started', 'second'] };",
    'docs/guide/GettingStarted.md': page('id: getting-started\ntitle: Start'),
    'docs/second.md': page('title: Second'),
    'docs/team.md': page('title: Team'),
    'docs/old/a.md': page('title: Old'),
    'community/old.md': page('title: Old friends'),
    'community/team.md': page('title: Left out'),
  });
  expect(loaded.places).toEqual([]);
  expect(
    [...loaded.records.values()].map(({ fields }) => String(fields['title'] ?? fields['name'])).toSorted(),
  ).toEqual(['Community', 'Old friends', 'Second', 'Start', 'Team']);
  expect(loaded.record('article', 'guide/GettingStarted').fields).toMatchObject({ ordering: 1 });
});

test('links to an address that the plugin for redirects leads on find its page', async () => {
  const loaded = await docusaurus({
    'docs/a.md': page('title: A', '[1](/docs/old) [2](/docs/older)\n'),
    'docs/b.md': page('title: B'),
    'docusaurus.config.js':
      "module.exports = { presets: [['classic', { docs: {} }]], plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: ['/docs/old', '/docs/older'], to: '/docs/b' }] }]] };",
  });
  expect(loaded.messages).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual(['/en/articles/b', '/en/articles/b']);
});

test('a link to the page that Docusaurus makes of a category leads to the category', async () => {
  const loaded = await docusaurus({
    'docs/a.md': page(
      'title: A',
      '[1](/docs/category/after-the-start/) [2](/docs/tools) [3](/docs/category/none) [4](category/after-the-start)\n',
    ),
    'docs/b/01-later/_category_.yml': 'label: After the start!\nlink:\n  type: generated-index\n',
    'docs/b/01-later/x.md': page('title: X'),
    'docs/c/_category_.json': '{ "link": { "type": "generated-index", "slug": "/tools" } }',
    'docs/c/y.md': page('title: Y'),
    // No page is made of it.
    'docs/d/_category_.json': '{ "label": "None" }',
    'docs/d/z.md': page('title: Z'),
  });
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual([
    '/en/categories/b-later',
    '/en/categories/c',
    '/docs/category/none',
    '/en/categories/b-later',
  ]);
  expect(loaded.places).toEqual(['content/docs/a.md:4:55 outside-link']);
});

test('a category of the version that readers see first is found beside that of an unreleased one', async () => {
  const category = '{ "label": "Guide", "link": { "type": "generated-index" } }';
  const loaded = await docusaurus({
    'docusaurus.config.js': 'module.exports = {};\n',
    'versions.json': '["2.0"]',
    'versioned_docs/version-2.0/a.md': page('title: A', '[1](/docs/category/guide)\n'),
    'versioned_docs/version-2.0/guide/_category_.json': category,
    'versioned_docs/version-2.0/guide/x.md': page('title: X'),
    'docs/guide/_category_.json': category,
    'docs/guide/x.md': page('title: X'),
  });
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual(['/en/categories/guide']);
  expect(loaded.places).toEqual([]);
});

test('of two translations of one name, the one with the ending of the original counts', async () => {
  const loaded = await docusaurus({
    'docs/a.mdx': page('title: A'),
    [`${FR}/a.mdx`]: page('title: Nouveau'),
    [`${FR}/a.md`]: page('title: Ancien'),
  });
  expect(loaded.messages).toEqual([]);
  expect(loaded.record('article', 'a', 'fr').fields['title']).toBe('Nouveau');
});

import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const wiki = loader('wiki');

test('GitHub wiki: titles are names, links are names, the sidebar gives order', async () => {
  const loaded = await wiki({
    'Home.md': 'See [[Set up|Getting-Started]], [[API Reference]] and [x](API-Reference#keys).\n',
    'Getting-Started.md': 'Text.\n',
    'deep/API-Reference.md': '## Keys\n',
    '_Sidebar.md': '* [[Home]]\n* [[Getting Started]]\n* [API](API-Reference)\n',
    '_Footer.md': 'Footer.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/Getting-Started@en',
    'article/deep/API-Reference@en',
    'article/home@en',
    'category/deep@en',
  ]);
  expect(loaded.record('article', 'Getting-Started').fields).toMatchObject({
    title: 'Getting Started',
    ordering: 2,
  });
  const html = bodyOf(loaded, 'home');
  expect(linksOf(html)).toEqual([
    '/en/articles/Getting-Started',
    '/en/articles/deep-API-Reference',
    '/en/articles/deep-API-Reference#keys',
  ]);
  expect(html).toContain('>Set up</a>');
});

test('a vault that VitePress publishes has its containers, and links by name', async () => {
  const loaded = await wiki({
    '.vitepress/config.ts': 'export default {}\n',
    'a.md': 'See [[b|the other]].\n\n::: tip Mind\nOne *two*.\n:::\n',
    'b.md': 'Text.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual(['/en/articles/b']);
  expect(bodyOf(loaded, 'a')).toContain('<p class="admonition-title">Mind</p>\n<p>One <em>two</em>.</p>');
});

test('Wiki.js: drafts, root links, boxes below quotes, a page beside its folder', async () => {
  const loaded = await wiki({
    'home.md': page(
      'title: Home\npublished: true',
      '> Be careful\n> here.\n{.is-warning}\n\n- [A](/radarr/a)\n{.links-list}\n\n# Tabs {.tabset}\n',
    ),
    'radarr.md': page('title: Radarr\npublished: true'),
    'radarr/a.md': page('title: A\npublished: false'),
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual(['article/home@en', 'article/radarr/a@en', 'category/radarr@en']);
  expect(loaded.record('article', 'radarr/a').fields).toMatchObject({ status: 'draft' });
  const html = bodyOf(loaded, 'home');
  expect(html).toContain('<div class="admonition warning">');
  expect(html).not.toContain('{.');
  expect(linksOf(html)).toEqual(['/en/articles/radarr-a']);
});

test('Obsidian: aliases, parts of pages, embedded pictures, comments, a link to nowhere', async () => {
  const loaded = await wiki(
    {
      'A note.md':
        '[[Sub/Other#My part|there]] ![[shot.png|300]] [[#Own part]] %% hidden %%\n\n## Own part\n\n`[[code]]` [[Nowhere]]\n',
      'Sub/Other.md': '## My part\n\nText. ^block\n',
      'files/shot.png': 'x',
    },
    { assetsBaseUrl: 'https://files.test' },
  );
  expect(loaded.places).toEqual(['content/A note.md:5:12 dead-link']);
  const html = bodyOf(loaded, 'A note');
  expect(linksOf(html)).toEqual([
    '/en/articles/Sub-Other#my-part',
    'https://files.test/files/shot.png',
    '#own-part',
    'Nowhere',
  ]);
  expect(html).not.toMatch(/hidden|%%/);
  expect(html).toContain('<code>[[code]]</code>');
  expect(bodyOf(loaded, 'Sub/Other')).not.toContain('^block');
});

test('a comment of Obsidian is not shown, however long, and its signs in code open none', async () => {
  const long = 'secret words '.repeat(1000);
  const loaded = await wiki({
    'a.md': `Text %%here%%.\n\n%% ${long} ^block %%\n`,
    'b.md': 'Write `%%` around it: %%secret `code`%%. Ends in 100%%.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe('<p>Text .</p>');
  expect(bodyOf(loaded, 'b')).toBe('<p>Write <code>%%</code> around it: . Ends in 100%%.</p>');
});

test('an entry of a list without a name is no tag: templates for new notes leave a dash', async () => {
  const loaded = await wiki({
    'a.md': page('title: A\ntags:\n- \n- seed'),
    'b.md': page('title: B\ntags:\n- '),
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual(['article/a@en', 'article/b@en', 'tag/seed@en']);
});

test('a picture with a size of Wiki.js is a picture', async () => {
  const loaded = await wiki({
    'a.md': page(
      'title: A',
      '![One](https://a.example/a.svg =x50){.align-right} ![](https://a.example/b(1).png =100x20)\n\n`![](c.png =1x1)`\n',
    ),
  });
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('src="https://a.example/a.svg"');
  expect(html).toContain('src="https://a.example/b(1).png"');
  expect(html).toContain('<code>![](c.png =1x1)</code>');
  expect(html).not.toContain('align-right');
});

test('Obsidian: links in a box of one line and in its title, part of the same page, blocks named in a line of their own', async () => {
  const loaded = await wiki({
    'en/Guide.md':
      '> [!info] See [[Status bar#Icons|the icons]] and [[#List|lists]].\n\n> [!tip] Use [[Status bar|bars]]\n> More.\n\n## List\n\n![[Status bar#^two-words]]\n',
    'en/Status bar.md': '## Icons\n\n> Quoted\n> text.\n\n^two-words\n',
    'de/Status bar.md': '## Symbole\n',
    'en/List.md': 'Text.\n',
  });
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'Guide');
  expect(linksOf(html)).toEqual([
    '/en/articles/Status-bar#icons',
    '#list',
    '/en/articles/Status-bar#two-words',
  ]);
  expect(html).toContain('Use bars</p>');
  expect(html).not.toContain('[[');
  expect(bodyOf(loaded, 'Status bar')).toContain('<a id="two-words"></a>');
  expect(bodyOf(loaded, 'Status bar')).not.toContain('^two-words');
});

test('README is about the repository where the wiki has a start page; a page is not called by its name in small letters', async () => {
  const loaded = await wiki({
    'Home.md': '[how](Contributing) [rules](regexp)\n',
    'README.md': 'How this wiki is kept.\n',
    'CONTRIBUTING.md': 'For GitHub.\n',
    'Contributing.md': 'How to help.\n',
    'regexp/README.md': 'Rules.\n',
    'regexp/a.md': 'A.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/Contributing@en',
    'article/home@en',
    'article/regexp/a@en',
    'category/regexp@en',
  ]);
  expect(keysOf(await wiki({ 'README.md': 'The start.\n', 'a.md': 'A.\n' }))).toEqual([
    'article/a@en',
    'article/home@en',
  ]);
});

test('a line above the text is a rule, not front matter', async () => {
  const loaded = await wiki({
    'Settings.md': '---\n\n[ [General] ](#general)\n\n---\n\n## General\n',
    'Open.md': '---\n\n# Nothing closes it\n',
    'Meta.md': '---\n\ntitle: Said\n---\n\nText.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'Settings')).toMatch(/^<hr>\n<p><a href="#general">/);
  expect(bodyOf(loaded, 'Open')).toMatch(/^<hr>/);
  expect(loaded.record('article', 'Meta').fields['title']).toBe('Said');
});

test('tags that would have one address are one tag', async () => {
  const loaded = await wiki({
    'a.md': page('tags: [css/grid, css/flexbox]', 'A.\n'),
    'b.md': page('tags: [css-grid]', 'B.\n'),
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded).filter((key) => key.startsWith('tag/'))).toEqual([
    'tag/css/flexbox@en',
    'tag/css/grid@en',
  ]);
  expect(loaded.record('article', 'b').fields['tags']).toEqual(['tag/css/grid']);
});

test('templates of Obsidian are no pages, and a day of publication is no draft', async () => {
  const loaded = await wiki({
    '.obsidian/templates.json': '{ "folder": "Templates/" }',
    'Templates/Daily.md': 'For {{date}}.\n',
    'a.md': page('published: 2020-04-28', 'A.\n'),
    'b.md': page('published: false', 'B.\n'),
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual(['article/a@en', 'article/b@en']);
  expect(loaded.record('article', 'a').fields).toMatchObject({ status: 'published' });
  expect(loaded.record('article', 'b').fields).toMatchObject({ status: 'draft' });
});

test('Quartz: what it ignores or is not told to publish is no page', async () => {
  const files = {
    'index.md': page('title: Start\npublish: true', 'See [[a note]].\n'),
    'a note.md': page('publish: "true"', 'Text.\n'),
    'draft.md': page('title: Draft', 'Text.\n'),
    'private/b.md': page('publish: true', 'Secret.\n'),
    'deep/private/c.md': page('publish: true', 'Text.\n'),
    'deep/x/templates/d.md': page('publish: true', 'Text.\n'),
  };
  const config = (filters: string): string =>
    `export default { configuration: { ignorePatterns: ["private", '**/templates'] },\n  plugins: { filters: [${filters}] } }\n`;
  const explicit = await wiki({ ...files, 'quartz.config.ts': config('Plugin.ExplicitPublish()') });
  expect(keysOf(explicit).filter((key) => key.startsWith('article'))).toEqual([
    'article/a note@en',
    'article/deep/private/c@en',
    'article/home@en',
  ]);
  expect(explicit.places).toEqual([]);
  const open = await wiki({
    ...files,
    'quartz.config.ts': config('Plugin.RemoveDrafts(),\n    // Plugin.ExplicitPublish(),\n'),
  });
  expect(keysOf(open)).toContain('article/draft@en');
  expect(keysOf(open)).not.toContain('article/private/b@en');
});

test('brackets in the text of a link, and an address behind a bar, are links as GitHub makes them', async () => {
  const loaded = await wiki({
    'Home.md': 'See [[1]](https://e.com/a), [[text|https://e.com/b?x#y]] and [[A page|A-page]].\n',
    'A-page.md': 'Text.\n',
  });
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'home');
  expect(linksOf(html)).toEqual(['https://e.com/a', 'https://e.com/b?x#y', '/en/articles/A-page']);
  expect(html).toContain('>[1]</a>');
  expect(html).toContain('>text</a>');
});

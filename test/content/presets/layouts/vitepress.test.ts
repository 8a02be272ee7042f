import { expect, test } from 'vitest';
import { load, page } from '../../support/support.ts';
import { NOTE, bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const vitepress = loader('vitepress');

test('locales are folders beside the root; titles are first headings', async () => {
  const loaded = await vitepress({
    'index.md': page('title: Home\nlayout: home', ''),
    'guide/start.md': '# Getting started\n\nText.\n',
    'fr/guide/start.md': '# Premiers pas\n',
    'README.md': 'For people.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/guide/start@en',
    'article/guide/start@fr',
    'article/home@en',
    'category/guide@en',
  ]);
  expect(loaded.record('article', 'guide/start', 'fr').fields).toMatchObject({ title: 'Premiers pas' });
});

test('`rewrites` say where a page is: folders of languages in another folder, pages of packages', async () => {
  const loaded = await vitepress(
    {
      '.vitepress/config/index.ts': `export default defineConfig({
      rewrites: {
        'translated/:locale/(.*)': ':locale/(.*)',
        'packages/:name/docs/:rest*': 'api/:name/:rest*',
        'old.md': 'guide/new.md',
      },
    });`,
      'guide/start.md': '# Start\n\n[there](/guide/new) [api](/api/core/use)\n',
      'translated/de_de/guide/start.md': '# Anfang\n\n[dort](./new)\n',
      'translated/de_de/guide/new.md': '# Neu\n',
      'old.md': '# New\n',
      'packages/core/docs/use.md': '# Use\n',
    },
    { languages: { de_de: 'de-DE' } },
  );
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/api/core/use@en',
    'article/guide/new@de-DE',
    'article/guide/new@en',
    'article/guide/start@de-DE',
    'article/guide/start@en',
    'category/api/core@en',
    'category/api@en',
    'category/guide@en',
  ]);
  expect(linksOf(bodyOf(loaded, 'guide/start', 'de-DE'))).toEqual(['/de-DE/articles/guide-new']);
});

test('`srcExclude` may name folders; who names a text of the repository publishes the others', async () => {
  const settings = (excluded: string): string =>
    `export default defineConfig({ srcExclude: [${excluded}] });`;
  const files = {
    'a.md': '# A\n',
    'contributing.md': '# Contribute\n',
    'README.md': 'For people.\n',
    'drafts/b.md': '# B\n',
  };
  const named = await vitepress({ ...files, '.vitepress/config.ts': settings("'README.md', 'drafts'") });
  expect(keysOf(named)).toEqual(['article/a@en', 'article/contributing@en']);
  const silent = await vitepress({ ...files, '.vitepress/config.ts': settings("'drafts/'") });
  expect(keysOf(silent)).toEqual(['article/a@en']);
  const empty = await vitepress({ ...files, '.vitepress/config.ts': settings("'', '/', '!a.md', 'drafts'") });
  expect(keysOf(empty)).toEqual(['article/a@en']);
});

test('older versions of vitepress-versioning-plugin are left out', async () => {
  const loaded = await vitepress({
    '.vitepress/config.ts':
      "import defineVersionedConfig from 'vitepress-versioning-plugin';\nexport default defineVersionedConfig({}, import.meta.url);\n",
    'a.md': '# A\n',
    'versions/1.0/a.md': '# A of old\n',
  });
  expect(keysOf(loaded)).toEqual(['article/a@en']);
});

test('containers are boxes; components, expressions and includes are problems with their places', async () => {
  const loaded = await vitepress({
    'a.md': page(
      'title: A',
      '::: tip Good to know\nOne.\n:::\n\n::: details\nTwo.\n:::\n\n<Sponsors tier="gold" /> {{ version }}\n\n<!--@include: ./part.md-->\n\n`{{ code }}`\n\n[[toc]]\n',
    ),
  });
  expect(loaded.places).toEqual([
    'content/a.md:12:1 unknown-component',
    'content/a.md:12:26 unknown-component',
    'content/a.md:14:1 include-failed',
  ]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain(NOTE('<p>One.</p>', 'Good to know', 'tip'));
  expect(html).toContain('<details><summary>Details</summary>\n<p>Two.</p>\n</details>');
  expect(html).not.toContain('toc');
});

test('links follow files with or without extension, and the root', async () => {
  const loaded = await vitepress({
    'a.md': page('title: A', '[1](./g/b) [2](g/b.md#x) [3](/g/b.html) [4](/fr/g/b)\n'),
    'g/b.md': page('title: B', '## X\n'),
    'fr/g/b.md': page('title: B fr'),
    'fr/a.md': page('title: A fr', '[1](./g/b)\n'),
  });
  expect(loaded.places).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual([
    '/en/articles/g-b',
    '/en/articles/g-b#x',
    '/en/articles/g-b',
    '/fr/articles/g-b',
  ]);
  expect(linksOf(bodyOf(loaded, 'a', 'fr'))).toEqual(['/fr/articles/g-b']);
});

test('lists of attributes stand between the signs that the settings name', async () => {
  const loaded = await vitepress({
    'a.md': page(
      'title: A',
      '## Part %{#Own}%\n\n[1](#Own) [2](#here)\n\nText.%{.x #here}% 5 %{ is text }%\n',
    ),
    '.vitepress/config.ts': "export default { markdown: { attrs: { left: '%{', right: '}%' } } };\n",
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe(
    '<h2 id="Own">Part</h2>\n<p><a href="#Own">1</a> <a href="#here">2</a></p>\n<p>Text.<a id="here"></a> 5 %{ is text }%</p>',
  );
});

test('lists of attributes go; an id in one is a target of links', async () => {
  const loaded = await vitepress({
    'a.md': page(
      'title: A',
      '[b](#own) [c](#block)\n\n## Head {#own}\n\n![x](https://example.com/x.png) {.dark-only}\n\nA `word`{.js} and [link](https://example.com/){target="_blank"}.\n\n- item\n{#block .wide}\n\nUse {{ \'text\' }} and {a}.\n\n::: warning Class support {#class}\nText.\n:::\n',
    ),
  });
  const html = bodyOf(loaded, 'a');
  expect(loaded.messages).toEqual([]);
  expect(html).toContain('<h2 id="own">Head</h2>');
  expect(html).toContain('id="block"');
  expect(html).toContain('Use text and {a}.');
  expect(html).not.toMatch(/dark-only|\.js\}|_blank|\.wide|\{#class/);
  expect(html).toContain('Class support');
});

test('literal sidebars give order, names and tree, also those that functions of the settings give', async () => {
  const loaded = await vitepress({
    '.vitepress/config.ts': `import { defineConfig } from 'vitepress';
      import { en } from './en';
      export default defineConfig({ locales: { root: { label: 'English', ...en }, fr: {} } });`,
    '.vitepress/en.ts': `export const en = defineConfig({ themeConfig: { sidebar: {
        '/guide/': { base: '/guide/', items: guide() },
        '/api/': [{ text: 'Reference', items: [{ text: 'Calls', link: '/api/calls' }, { link: 'https://example.com' }] }],
      } } });
      function guide() { return [{ text: 'Start here', items: [{ text: 'Two', link: 'two' }, { text: 'One', link: 'one.html' }] }]; }`,
    'guide/one.md': page('title: One'),
    'guide/two.md': page('title: Second'),
    'guide/other.md': page('title: Other'),
    'api/calls.md': page('title: Calls'),
    'fr/guide/one.md': page('title: Un'),
  });
  expect(loaded.messages).toEqual([]);
  const at = (path: string): readonly unknown[] => {
    const { title, categories, ordering } = loaded.record('article', path).fields;
    return [title, categories, ordering];
  };
  expect(at('guide/two')).toEqual(['Second', ['category/start-here'], 1]);
  expect(at('guide/one')).toEqual(['One', ['category/start-here'], 2]);
  expect(at('guide/other')).toEqual(['Other', ['category/guide'], undefined]);
  expect(at('api/calls')).toEqual(['Calls', ['category/reference'], 1]);
  expect(loaded.record('category', 'start-here').fields).toMatchObject({ name: 'Start here', priority: 1 });
});

test('settings that are made of themselves end', async () => {
  const doubled = Array.from(
    { length: 38 },
    (_, index) => `const a${index + 1} = [a${index}, ...a${index}];`,
  );
  const loaded = await vitepress({
    '.vitepress/config.js': `const a0 = [{ text: 'A', link: '/a' }]; ${doubled.join(' ')} const me = [me, me];
      export default { themeConfig: { sidebar: a38, nav: me } };`,
    'a.md': page('title: A'),
  });
  expect(loaded.messages).toEqual([]);
  expect(loaded.record('article', 'a').fields).toMatchObject({ title: 'A' });
});

test('an expression shows a value of the front matter as a text', async () => {
  const loaded = await vitepress({
    'a.md': page(
      'title: A *b* <i>\nnested:\n  deep: 5',
      '# {{ $frontmatter.title }}\n\nSee {{ $frontmatter.nested.deep }}, `{{ $frontmatter.title }}` and {{ $frontmatter.none }}.\n',
    ),
  });
  expect(loaded.places).toEqual(['content/a.md:8:68 unknown-component']);
  expect(bodyOf(loaded, 'a')).toContain('See 5, <code>{{ $frontmatter.title }}</code> and');
});

test('`a.md` and `a/index.md` are two pages, which have addresses of their own; translations stay together', async () => {
  const loaded = await vitepress({
    'a.md': '# A\n\n[1](./a/index.md) [2](./b)\n',
    'a/index.md': '# Index of A\n',
    'fr/a/index.md': '# Index de A\n',
    'b.md': '# B\n\n[1](./a.md)\n',
    'b/index.md': '# Index of B\n',
    'b/c.md': '# C\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/a-index@en',
    'article/a-index@fr',
    'article/a@en',
    'article/b/c@en',
    'article/b@en',
    'category/b@en',
  ]);
  expect(linksOf(bodyOf(loaded, 'a'))[0]).toBe('/en/articles/a-index');
});

// https://vitepress.dev/guide/asset-handling
test('a picture whose address is bound to a text, `withBase` or an import is that picture', async () => {
  const written = [
    `<img alt="one" :src="'/one.png'">`,
    `<img :src="withBase('/two.png')" alt="two">`,
    `<img v-bind:src="$withBase('/three.png')">`,
    `<img class="a" :src="Four" />`,
    `<img :src="made()">`,
    '`<img :src="\'/code.png\'">`',
    "```js\nimport Five from './five.png'\n```",
    '<img :src="Five" />',
    `<img v-if="isOpen" :src="'/one.png'">`,
    `<img :src="'/one.png'" v-show="false">`,
  ].join('\n\n');
  const loaded = await load(
    {
      'a.md': `<script setup>\nimport Four from './four.png'\n</script>\n\n# A\n\n${written}\n`,
      'four.png': 'x',
      ...Object.fromEntries(['one', 'two', 'three'].map((name) => [`public/${name}.png`, 'x'])),
    },
    { preset: 'vitepress', assetsBaseUrl: 'https://cdn.test/' },
  );
  const html = bodyOf(loaded, 'a');
  expect(html.match(/src="https[^"]*"/g)).toEqual([
    'src="https://cdn.test/public/one.png"',
    'src="https://cdn.test/public/two.png"',
    'src="https://cdn.test/public/three.png"',
    'src="https://cdn.test/four.png"',
  ]);
  expect(html).toContain('<code>&lt;img :src="\'/code.png\'"&gt;</code>');
  expect(loaded.messages.join()).toContain(':src');
});

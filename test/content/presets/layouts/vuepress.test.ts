import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const vuepress = loader('vuepress');

test('README.md is its folder’s page; locales are folders; `permalink` is an address', async () => {
  const loaded = await vuepress({
    'README.md': page('home: true\ntitle: Home'),
    'guide/README.md': '# Guide\n',
    'guide/one.md': page('permalink: /one/', '# One\n\n::: tip\nText.\n:::\n'),
    'zh/guide/one.md': '# 一\n\n[home](/one/) [guide](./)\n',
    '.vuepress/config.js': '',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/guide/one@en',
    'article/guide/one@zh',
    'article/home@en',
    'category/guide@en',
  ]);
  expect(linksOf(bodyOf(loaded, 'guide/one', 'zh'))).toEqual([
    '/en/articles/guide-one',
    '/en/categories/guide',
  ]);
});

test('code is imported by the aliases that the settings give in the form of the documentation', async () => {
  const loaded = await vuepress({
    'a.md': page('title: A', '@[code](@snippets/x/one.sh)\n'),
    '../snippets/x/one.sh': 'echo one\n',
    '.vuepress/config.js':
      "export default { markdown: { importCode: { handleImportPath: (str) => str.replace(/^@snippets/, path.resolve(__dirname, '../../snippets')) } } };\n",
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toContain('echo one');
});

test('parts of pages are found by the aliases of the settings', async () => {
  const loaded = await vuepress({
    '.vuepress/theme.ts': `export default hopeTheme({ markdown: { include: { resolvePath: (file, cwd) => {
      if (file.startsWith("@parts/"))
        return file.replace("@parts", path.resolve(__dirname, "../more"));
      if (file.startsWith("@")) return path.resolve(__dirname, "../snippets", file.replace("@", "./"));
      return path.resolve(cwd, file);
    } } } });`,
    'snippets/end.snippet.md': 'The end.\n',
    'more/start.md': 'The start.\n',
    'guide/a.md': page(
      'title: A',
      '<!-- @include: @parts/start.md -->\n\n<!-- @include: @end.snippet.md -->\n',
    ),
  });
  expect(bodyOf(loaded, 'guide/a')).toBe('<p>The start.</p>\n<p>The end.</p>');
});

test('pages and parts behind a password are not published', async () => {
  const loaded = await vuepress({
    '.vuepress/config.ts':
      "export default defineUserConfig({ theme: hopeTheme({ encrypt: { config: { '/team/': ['1'], '/one.html': '2', '^/x[0-9]/': '3' } } }) });\n",
    '.vuepress/plume.config.ts':
      "export default defineThemeConfig({ encrypt: { rules: { 'own/a.md': '4' } } });\n",
    'locked.md': page('title: L\npassword: 1234'),
    'empty.md': page("title: E\npassword: ''"),
    'team/a.md': page('title: A'),
    'one.md': page('title: One'),
    'one-more.md': page('title: More'),
    'x1/a.md': page('title: X'),
    'own/a.md': page('title: O'),
    'moved.md': page('title: M\npermalink: /team/moved/'),
    'parts.md': page(
      'title: P',
      'Open.\n\n::: encrypt password="1" hint="one"\nSecret one.\n:::\n\nBetween.\n\n::: encrypt\nSecret two.\n',
    ),
  });
  expect(keysOf(loaded)).toEqual(['article/empty@en', 'article/one-more@en', 'article/parts@en']);
  expect(bodyOf(loaded, 'parts')).toBe('<p>Open.</p>\n<p>Between.</p>');
  expect(loaded.places).toEqual([
    ...['locked', 'moved', 'one', 'own/a'].map((name) => `content/${name}.md:1:1 locked-page`),
    'content/parts.md:6:1 unknown-component',
    'content/parts.md:12:1 unknown-component',
    'content/team/a.md:1:1 locked-page',
    'content/x1/a.md:1:1 locked-page',
  ]);
});

test('a whole site behind a password has no pages', async () => {
  const loaded = await vuepress({
    '.vuepress/theme.ts': "export default hopeTheme({ encrypt: { global: true, admin: ['1'] } });\n",
    'a.md': page('title: A'),
  });
  expect(keysOf(loaded)).toEqual([]);
});

test('a page named home beside the root page is another page', async () => {
  const loaded = await vuepress({
    'README.md': page('title: Start', '[home](./home.md)\n'),
    'home.md': page('title: Home'),
  });
  expect(loaded.messages).toEqual([]);
  expect(keysOf(loaded)).toEqual(['article/home-page@en', 'article/home@en']);
  expect(linksOf(bodyOf(loaded, 'home'))).toEqual(['/en/articles/home-page']);
});

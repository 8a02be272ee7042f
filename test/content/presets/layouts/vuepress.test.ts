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

import { expect, test } from 'vitest';
import { bodyOf, keysOf, linksOf, loader } from '../../support/support.ts';

const vocs = loader('vocs');

test('every page is MDX; the title is the first heading without its subtitle, the order that of the sidebar', async () => {
  const loaded = await vocs({
    '../vocs.config.tsx':
      "import { defineConfig } from 'vocs'\nexport default defineConfig({ basePath: '/kit', sidebar: { '/docs': [{ text: 'Guide', items: [{ text: 'Use', link: '/docs/use' }, { text: 'Start', link: '/docs/start' }] }] } })\n",
    'index.mdx': 'export const x = 1\n\n# Home\n',
    'docs/use.md': '# Use [How to use it.]\n\n:::warning\nText.\n:::\n\n## More [#own]\n',
    'docs/start.mdx':
      '# Start\n\n[1](/docs/use#own) [2](use) [3](./use.md) [4](/kit/docs/use) [5](/made/by/code)\n',
    'blog/[slug].mdx': '# By a program\n',
    '_layout.mdx': '# None\n',
  });
  expect(loaded.places).toEqual(['content/docs/start.mdx:3:62 outside-link']);
  expect(keysOf(loaded)).toEqual([
    'article/docs/start@en',
    'article/docs/use@en',
    'article/home@en',
    'category/guide@en',
  ]);
  expect(loaded.record('article', 'docs/use').fields).toMatchObject({ title: 'Use', ordering: 1 });
  expect(bodyOf(loaded, 'docs/use')).toContain('<p>How to use it.</p>\n<div class="admonition warning">');
  expect(linksOf(bodyOf(loaded, 'docs/start')).slice(0, 4)).toEqual([
    '/en/articles/docs-use#own',
    '/en/articles/docs-use',
    '/en/articles/docs-use',
    '/en/articles/docs-use',
  ]);
});

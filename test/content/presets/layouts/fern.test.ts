import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { keysOf, loader } from '../support/support.ts';

const fern = loader('fern');

test('docs.yml gives titles, order and tree; what it does not list is not published', async () => {
  const loaded = await fern({
    'docs.yml': `tabs:
  home:
    display-name: Home
products:
  - display-name: Alpha
    path: ./products/alpha.yml
  - display-name: Beta
    versions:
      - display-name: v2
        path: ./products/beta-2.yml
      - display-name: v1
        path: ./products/beta-1.yml
`,
    'products/alpha.yml': `tabs:
  home:
    display-name: Home
navigation:
  - tab: home
    layout:
      - section: Start
        path: ../pages/start.mdx
        contents:
          - page: Quick start
            path: ../pages/quick.mdx
          - page: Hidden
            path: ../pages/hidden.mdx
            hidden: true
      - folder: ../pages/more
      - api: Reference
`,
    'products/beta-2.yml': 'navigation:\n  - page: Beta\n    path: ../pages/beta.mdx\n',
    'products/beta-1.yml': 'navigation:\n  - page: Old\n    path: ../pages/old.mdx\n',
    'pages/start.mdx': 'Start.\n',
    'pages/quick.mdx': page('subtitle: Fast'),
    'pages/hidden.mdx': 'No.\n',
    'pages/more/one.mdx': page('title: One'),
    'pages/beta.mdx': 'Beta.\n',
    'pages/old.mdx': 'Old.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/pages/beta@en',
    'article/pages/more/one@en',
    'article/pages/quick@en',
    'category/alpha/home/more@en',
    'category/alpha/home@en',
    'category/alpha@en',
    'category/beta@en',
    'category/pages/start@en',
  ]);
  expect(loaded.record('article', 'pages/quick').fields).toMatchObject({
    title: 'Quick start',
    excerpt: 'Fast',
    categories: ['category/pages/start'],
  });
});

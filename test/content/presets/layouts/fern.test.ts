import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

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

test('addresses are those of tabs, sections and pages, with their slugs, below the path of the site', async () => {
  const loaded = await fern({
    'docs.yml': `instances:
  - url: acme.docs.buildwithfern.com/help
    custom-domain: acme.com/help
tabs:
  home: { display-name: Home, skip-slug: true }
  api: { display-name: API reference }
navigation:
  - tab: home
    layout:
      - section: GET STARTED
        skip-slug: true
        contents:
          - page: Swap with 0xAPI
            path: swap.mdx
  - tab: api
    layout:
      - section: Core concepts
        slug: core
        contents:
          - page: Keys
            path: keys.mdx
`,
    'swap.mdx': page(
      'title: Swap',
      '[keys](/help/api-reference/core/keys) [same](/api-reference/core/keys)\n',
    ),
    'keys.mdx': page('title: Keys', '[swap](/swap-with-0-x-api)\n'),
  });
  expect(loaded.messages).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'swap'))).toEqual(['/en/articles/keys', '/en/articles/keys']);
  expect(linksOf(bodyOf(loaded, 'keys'))).toEqual(['/en/articles/swap']);
});

// https://buildwithfern.com/learn/docs/configuration/page-level-settings#slug
test('a relative link begins at the address that the page gives itself', async () => {
  const loaded = await fern({
    'docs.yml':
      'navigation:\n  - section: Models\n    contents:\n      - page: A\n        path: pages/a.mdx\n  - section: Production\n    contents:\n      - page: B\n        path: pages/b.mdx\n      - page: C\n        path: pages/c.mdx\n',
    'pages/a.mdx': page('title: A\nslug: docs/a', '[b](limits) [c](./c#part) [none](none)\n'),
    'pages/b.mdx': page('title: B\nslug: docs/limits', '[c](c)\n'),
    'pages/c.mdx': page('title: C\nslug: docs/c', '## Part\n\n[b](limits)\n'),
  });
  expect(loaded.messages).toHaveLength(1);
  expect(loaded.messages[0]).toContain('none');
  const ofA = linksOf(bodyOf(loaded, 'pages/a'));
  expect(ofA.slice(0, 2)).toEqual(['/en/articles/pages-b', '/en/articles/pages-c#part']);
  expect(linksOf(bodyOf(loaded, 'pages/b'))).toEqual(['/en/articles/pages-c']);
});

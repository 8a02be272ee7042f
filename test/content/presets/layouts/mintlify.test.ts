import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const mintlify = loader('mintlify');

test('docs.json gives order and tree; hidden pages and groups and other versions are no articles', async () => {
  const loaded = await mintlify({
    'docs.json': JSON.stringify({
      navigation: {
        versions: [
          {
            version: 'v2',
            default: true,
            tabs: [
              {
                tab: 'Guides',
                groups: [
                  {
                    group: 'Get started',
                    pages: ['index', { group: 'More', root: 'more/index', pages: ['/more/a'] }],
                  },
                  { group: 'Secret', hidden: true, pages: ['secret'] },
                ],
              },
              { tab: 'API', openapi: 'openapi.json', pages: ['GET /users', 'api/auth.mdx'] },
            ],
          },
          { version: 'v1', pages: ['old'] },
        ],
      },
    }),
    'index.mdx': page('title: Welcome', '[auth](/api/auth)\n'),
    'more/index.mdx': page('title: More'),
    'more/a.md': page('title: A'),
    'api/auth.mdx': page('title: Auth'),
    'secret.mdx': page('title: Secret'),
    'old.mdx': page('title: Old'),
    'snippets/part.mdx': 'Part.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/api/auth@en',
    'article/home@en',
    'article/more/a@en',
    'category/api@en',
    'category/guides/get-started@en',
    'category/guides@en',
    'category/more@en',
  ]);
  expect(loaded.record('category', 'more').fields).toMatchObject({
    name: 'More',
    categoryParent: 'category/guides/get-started',
  });
  expect(loaded.record('article', 'home').fields['categories']).toEqual(['category/guides/get-started']);
  expect(linksOf(bodyOf(loaded, 'home'))).toEqual(['/en/articles/api-auth']);
});

test('languages are the folders that the navigation names; the tree is the default language’s', async () => {
  const languages = ['en', 'zh'].map((language) => ({
    language,
    groups: [{ group: language === 'en' ? 'Start' : '开始', pages: [`${language}/quick`] }],
  }));
  const loaded = await mintlify({
    'docs.json': JSON.stringify({ navigation: { languages } }),
    'en/quick.mdx': page('title: Quick'),
    'zh/quick.mdx': page('title: 快速'),
    'zh/left.mdx': page('title: Left'),
  });
  expect(keysOf(loaded)).toEqual(['article/quick@en', 'article/quick@zh', 'category/start@en']);
  expect(loaded.record('article', 'quick', 'zh').fields['categories']).toEqual(['category/start']);
});

test('mint.json: groups by name', async () => {
  const loaded = await mintlify({
    'mint.json': JSON.stringify({ navigation: [{ group: 'G', pages: ['a'] }] }),
    'a.mdx': page('title: A'),
    'b.mdx': page('title: B'),
  });
  expect(keysOf(loaded)).toEqual(['article/a@en', 'category/g@en']);
});

test('links to an address that `redirects` leads on find its page', async () => {
  const loaded = await mintlify({
    'docs.json': JSON.stringify({
      navigation: { pages: ['a', 'g/b'] },
      redirects: [
        { source: '/old', destination: '/older' },
        { source: '/older', destination: '/g/b#part' },
        { source: '/beta/:slug*', destination: '/g/:slug*' },
        { source: '/:x/:y/:z/w', destination: '/a' },
        { source: '/me', destination: '/me' },
        { source: 5 },
      ],
    }),
    'a.mdx': page('title: A', '[1](/old) [2](/beta/b#x) [3](/me)\n'),
    'g/b.mdx': page('title: B', '## X\n'),
  });
  // `/me` leads to itself.
  expect(loaded.problems.map(({ code }) => code)).toEqual(['outside-link', 'wrong-redirect']);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual(['/en/articles/g-b', '/en/articles/g-b#x', '/me']);
});

test('languages may lie below the folder of the version that readers see; its folder is no part of their records', async () => {
  const languages = ['en', 'pt-BR'].map((language) => ({
    language,
    versions: ['v2', 'v1'].map((version) => ({
      version,
      default: version === 'v2',
      tabs: [{ tab: 'T', pages: [`${version}/${language}/g/a`, `${version}/${language}/b`] }],
    })),
  }));
  const loaded = await mintlify({
    'docs.json': JSON.stringify({
      navigation: { languages },
      redirects: [{ source: '/en/:slug*', destination: '/v2/en/:slug*' }],
    }),
    'v2/en/g/a.mdx': '---\ntitle: A\n---\n\n[b](/v2/en/b) [b](/en/b) [b](../b)\n',
    'v2/en/b.mdx': page('title: B'),
    'v2/pt-BR/g/a.mdx': '---\ntitle: A pt\n---\n\n[b](/v2/pt-BR/b) [b](/pt-BR/b)\n',
    'v2/pt-BR/b.mdx': page('title: B pt'),
    'v1/en/b.mdx': page('title: Old'),
  });
  expect(loaded.messages).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/b@en',
    'article/b@pt-BR',
    'article/g/a@en',
    'article/g/a@pt-BR',
    'category/t@en',
  ]);
  expect(linksOf(bodyOf(loaded, 'g/a'))).toEqual(Array.from({ length: 3 }, () => '/en/articles/b'));
  expect(linksOf(bodyOf(loaded, 'g/a', 'pt-BR'))).toEqual(
    Array.from({ length: 2 }, () => '/pt-BR/articles/b'),
  );
});

test('a large navigation is read as well: nothing that it leaves out is published', async () => {
  const groups = Array.from({ length: 20_000 }, (_, index) => ({
    group: `Group ${index}`,
    pages: [`old/version-${index}/a-page-that-is-not-here`],
  }));
  const docs = { navigation: { groups: [...groups, { group: 'G', pages: ['a'] }] } };
  const text = JSON.stringify(docs);
  expect(text.length).toBeGreaterThan(1_500_000);
  const loaded = await mintlify({
    'docs.json': text,
    'a.mdx': page('title: A'),
    'old/b.mdx': page('title: Old'),
  });
  expect(loaded.messages).toEqual([]);
  expect(keysOf(loaded)).toEqual(['article/a@en', 'category/g@en']);
});

test('a snippet that is a component shows what it says with the values of the page', async () => {
  const loaded = await mintlify({
    'docs.json': JSON.stringify({ navigation: { pages: ['a'] } }),
    'snippets/new-in.mdx':
      'Components that pages share.\n\nexport const NewIn = ({ version }) => {\n  return (\n    <Badge size="lg">\n      New in <code>{version}</code>\n    </Badge>\n  );\n};\n',
    'a.mdx': page(
      'title: A',
      'import { NewIn } from \'/snippets/new-in.mdx\'\n\n<NewIn version="3.2" />\n\nText.\n',
    ),
  });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toContain('New in <code>3.2</code>');
});

test('a prompt keeps what it is for and its text', async () => {
  const loaded = await mintlify({
    'docs.json': JSON.stringify({ navigation: { pages: ['a'] } }),
    'a.mdx': page(
      'title: A',
      '<Prompt description="Copy this for help." actions={["copy", "cursor"]}>\nYou are a **writer**.\n</Prompt>\n',
    ),
  });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toMatch(/Copy this for help\.[^]*You are a <strong>writer<\/strong>/);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { SystemName } from '../../src/import/system-names.ts';
import { imported } from './support/support.ts';
import type { Imported } from './support/support.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

let run: Imported | undefined;
let folder: string | undefined;
afterEach(() => {
  run?.close();
  run = undefined;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
});

function fixture(system: SystemName, wishes: Parameters<typeof imported>[2] = {}): Imported {
  run = imported(system, [join(FIXTURES, system)], wishes);
  return run;
}

function of(
  system: SystemName,
  files: Readonly<Record<string, unknown>>,
  wishes: Parameters<typeof imported>[2] = {},
) {
  folder = mkdtempSync(join(tmpdir(), 'kbsync-export-'));
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  run = imported(system, [folder], wishes);
  return run;
}

const whys = ({ report }: Imported): readonly string[] =>
  report.skipped.map(({ what, reason, why }) => `${reason} ${what}: ${why}`);
const errors = async ({ problems }: Imported): Promise<readonly string[]> =>
  (await problems())
    .filter(({ severity }) => severity === 'error')
    .map(({ code, at }) => `${code} ${at.file}`);

/** A picture, a page and two pages of an export that the fixtures leave out. */
const EXPLAINED: Partial<Record<SystemName, readonly string[]>> = {
  confluence: [
    'dead-link en/articles/clubspire/clubspire.md',
    'dead-link en/articles/clubspire/clubspire.md',
    'missing-image en/articles/links.md',
    'dead-link en/articles/links.md',
  ],
};

test.each([
  ['zendesk', 1, 2, 0],
  ['intercom', 1, 1, 0],
  ['freshdesk', 4, 4, 2],
  ['wordpress', 4, 1, 2],
  ['ghost', 3, 0, 2],
  ['confluence', 8, 1, 0],
  ['notion', 3, 1, 0],
] as const)(
  'files of %s come, pass a check, and come a second time unchanged',
  async (system, articles, categories, tags) => {
    const made = fixture(system, { publish: true });
    const count = (kind: string): number =>
      made.report.records.filter((record) => record.kind === kind).length;
    expect([count('article'), count('category'), count('tag')]).toEqual([articles, categories, tags]);
    expect(made.report.skipped.filter(({ reason }) => reason === 'broken')).toEqual([]);
    expect(made.again().records.map(({ action }) => action)).toEqual(
      made.report.records.map(() => 'unchanged'),
    );
    expect(await errors(made)).toEqual(EXPLAINED[system] ?? []);
  },
);

test('Intercom: languages, states, internal and deleted articles, collections in collections, pictures that expire', () => {
  const image = 'https://downloads.intercomcdn.com/i/o/1/a.png?expires=1710664877&amp;signature=ab';
  const made = of('intercom', {
    'all.json': {
      data: [
        {
          type: 'article',
          id: '7',
          title: 'One',
          body: `<div class="intercom-interblocks-callout" style="background-color: #eee"><p>Mind <a href="https://intercom.help/acme/en/articles/8-x">this</a>.</p></div><p><img src="${image}"></p>`,
          state: 'published',
          parent_ids: [22],
          default_locale: 'en',
          url: 'https://intercom.help/acme/en/articles/7-one',
          translated_content: {
            type: 'article_translated_content',
            fr: { title: 'Un', body: '<p>a</p>', state: 'draft', url: null },
            de: null,
            en: {
              title: 'One',
              body: '<p>b</p>',
              state: 'published',
              url: 'https://intercom.help/acme/en/articles/7-one',
            },
          },
        },
        {
          type: 'article',
          id: '8',
          title: 'Two',
          body: `<div class="intercom-interblocks-callout"><p>Box.</p></div><p><img src="${image}"></p>`,
          state: 'published',
          parent_id: 21,
          url: null,
        },
        { id: '9', title: 'Ours', body: 'x', owner_id: 1, author_id: 1, locale: 'en' },
        { id: '10', object: 'article', deleted: true },
        { id: '21', name: 'Top', help_center_id: 1, order: 1, parent_id: null, icon: 'book' },
        {
          id: '22',
          name: 'Below',
          help_center_id: 1,
          order: 2,
          parent_id: '21',
          icon: 'https://x.test/i.png',
        },
      ],
    },
  });
  expect(made.files).toEqual([
    'en/articles/ours.md',
    'en/articles/top/below/one.md',
    'en/articles/top/two.md',
    'en/categories/top.md',
    'en/categories/top/below.md',
    'fr/articles/top/below/one.md',
    'redirects.csv',
  ]);
  expect(made.file('en/articles/ours.md')).toContain('status: draft');
  expect(made.file('fr/articles/top/below/one.md')).toContain('status: draft');
  expect(made.file('en/articles/top/two.md')).toContain('> [!NOTE]\n> Box.');
  expect(made.file('en/categories/top/below.md')).toContain('iconUrl: "https://x.test/i.png"');
  expect(made.report.records.find(({ id }) => id === '8')?.pictures[0]?.why).toContain('will stop working');
  expect(whys(made)).toEqual(['trash article 10: it was deleted']);
});

test('Freshdesk: closed folders and what lies below them stay private, languages are those of the files', async () => {
  const article = (id: number, folder_id: number, more: object = {}): object => ({
    id,
    folder_id,
    category_id: 1,
    title: `Article ${id}`,
    description: `<p>See <a href="/support/solutions/articles/${id + 1}-x">next</a>.</p>`,
    status: 2,
    ...more,
  });
  const made = of(
    'freshdesk',
    {
      'categories.json': [{ id: 1, name: 'Product' }],
      'folders.json': [
        { id: 2, name: 'Open', category_id: 1, visibility: 1 },
        { id: 3, name: 'Agents only', category_id: 1, visibility: 3 },
        { id: 4, name: 'Below agents', category_id: 1, parent_folder_id: 3, visibility: 1 },
      ],
      'articles.json': [
        article(10, 2),
        article(11, 3),
        article(12, 4),
        article(13, 2, { status: 1, type: 2 }),
      ],
      'de/articles.json': [article(10, 2, { title: 'Artikel' })],
    },
    { site: 'https://acme.freshdesk.com' },
  );
  expect(made.files).toEqual([
    'de/articles/product/open/article-10.md',
    'en/articles/product/article-11.md',
    'en/articles/product/article-12.md',
    'en/articles/product/open/article-10.md',
    'en/articles/product/open/article-13.md',
    'en/categories/product.md',
    'en/categories/product/open.md',
    'redirects.csv',
  ]);
  for (const id of [11, 12])
    expect(made.file(`en/articles/product/article-${id}.md`)).toContain('status: draft');
  expect(made.file('en/articles/product/open/article-10.md')).toContain('[next](../article-11.md)');
  expect(whys(made)).toEqual([
    'restricted category folder-3 "Agents only" in en: only agents may see its folder',
    'restricted category folder-4 "Below agents" in en: only agents may see its folder',
  ]);
  expect(await errors(made)).toEqual([]);
});

test.each([
  ['the one that says it comes first', 'a.json', 'b.json'],
  ['the one that says it comes last', 'b.json', 'a.json'],
])('a copy that does not say who may read a record opens it to nobody: %s', (_, closed, silent) => {
  const article = { id: 1, locale: 'en-us', title: 'Plans', body: '<p>Secret.</p>', draft: false };
  const made = of('zendesk', {
    [closed]: { articles: [{ ...article, updated_at: '2024-01-01T00:00:00Z', user_segment_id: 7 }] },
    [silent]: { articles: [{ ...article, updated_at: '2024-01-01T00:00:00Z' }] },
  });
  expect(made.report.records.map(({ status, restricted }) => [status, restricted])).toEqual([
    ['draft', 'only the user segment 7 may read it'],
  ]);
});

test.each([
  ['a.json', 'b.json'],
  ['b.json', 'a.json'],
])(
  'Confluence: what lies below a restricted page stays private, whichever copy of it comes first: %s',
  (said, silent) => {
    const page = (id: string, title: string, more: object = {}): object => ({
      id,
      type: 'page',
      status: 'current',
      title,
      body: { storage: { value: '<p>Text.</p>' } },
      ...more,
    });
    const restrictions = { read: { restrictions: { user: { results: [{ username: 'ann' }] } } } };
    const made = of('confluence', {
      [said]: { results: [page('1', 'Plans', { restrictions })] },
      [silent]: { results: [page('1', 'Plans')] },
      'c.json': { results: [page('2', 'Below', { ancestors: [{ id: '1', title: 'Plans' }] })] },
    });
    expect(made.report.records.map(({ kind, title, status }) => [kind, title, status])).toEqual([
      ['article', 'Plans', 'draft'],
      ['article', 'Below', 'draft'],
    ]);
  },
);

test('an address of a record that did not become a file leads nowhere', () => {
  const article = (id: number, body: string): object => ({
    id,
    locale: 'en-us',
    title: `A${id}`,
    body,
    draft: false,
    html_url: `https://acme.test/hc/en-us/articles/${id}-A${id}`,
  });
  const made = of('zendesk', {
    'a.json': { articles: [article(1, '<p>Short.</p>'), article(2, 'x'.repeat(1_000_001))] },
  });
  expect(made.report.records.map(({ id, action }) => [id, action])).toEqual([
    ['1', 'created'],
    ['2', 'left'],
  ]);
  expect(made.file('redirects.csv')).toContain('articles/1-A1');
  expect(made.file('redirects.csv')).not.toContain('articles/2-A2');
  writeFileSync(made.path('en-US/articles/a1.md'), '---\ntitle: A1\n---\n\nEdited.\n');
  expect(made.again().records.map(({ action }) => action)).toEqual(['left', 'left']);
  expect(made.again().redirectsFile).toEqual({ file: 'redirects.csv' });
});

test('Zendesk: a user segment holds for every language, also of a file that does not say it', () => {
  const article = { id: 1, title: 'Plans', body: '<p>Secret.</p>', draft: false };
  const made = of('zendesk', {
    'en.json': { articles: [{ ...article, locale: 'en-us', user_segment_id: 7 }] },
    'fr.json': { articles: [{ ...article, locale: 'fr' }] },
  });
  expect(made.report.records.map(({ lang, status }) => [lang, status])).toEqual([
    ['en-US', 'draft'],
    ['fr', 'draft'],
  ]);
});

test('of two copies of one age the draft stands, of two ages the newer one', () => {
  const article = { id: 1, locale: 'en-us', title: 'Plans', body: '<p>New.</p>' };
  const statusOf = (draftAt: string, publishedAt: string): unknown => {
    const made = of('zendesk', {
      'a.json': { articles: [{ ...article, draft: false, updated_at: publishedAt }] },
      'b.json': { articles: [{ ...article, draft: true, updated_at: draftAt }] },
    });
    const [record] = made.report.records;
    made.close();
    return record?.status;
  };
  expect(statusOf('2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z')).toBe('draft');
  expect(statusOf('2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z')).toBe('published');
});

test('Freshdesk: who may see a folder is not forgotten over a file that does not say it, nor guessed where none does', async () => {
  const article = (id: number, folder_id: number): object => ({
    id,
    folder_id,
    title: `Article ${id}`,
    description: '<p>Text.</p>',
    status: 2,
  });
  const files = {
    'folders.json': [
      { id: 2, name: 'Open', visibility: 1 },
      { id: 3, name: 'Agents only', visibility: 3 },
    ],
    'folders_fr.json': [
      { id: 2, name: 'Ouvert' },
      { id: 3, name: 'Agents' },
    ],
    'articles.json': [article(10, 2), article(11, 3), article(12, 4)],
  };
  const statuses = (made: Imported): readonly unknown[] =>
    made.report.records.filter(({ kind }) => kind === 'article').map(({ id, status }) => [id, status]);
  const made = of('freshdesk', files);
  expect(statuses(made)).toEqual([
    ['10', 'published'],
    ['11', 'draft'],
    ['12', 'draft'],
  ]);
  expect(made.report.records.find(({ id }) => id === '12')?.restricted).toBe(
    'no file says who may see its folder; --publish publishes it',
  );
  expect(whys(made)).toEqual([
    'restricted category folder-3 "Agents only" in en: only agents may see its folder',
    'restricted category folder-3 "Agents" in fr: only agents may see its folder',
  ]);
  made.close();
  expect(statuses(of('freshdesk', files, { publish: true }))).toEqual([
    ['10', 'published'],
    ['11', 'draft'],
    ['12', 'published'],
  ]);
});

const wxr = (items: string, head = ''): string =>
  `<?xml version="1.0"?><rss xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="https://wordpress.org/export/1.2/"><channel><language>en</language><wp:base_blog_url>https://blog.test</wp:base_blog_url>${head}${items}</channel></rss>`;
const item = (id: number, more = '', text = 'Text.'): string =>
  `<item><title>Post ${id}</title><link>https://blog.test/post-${id}/</link><wp:post_id>${id}</wp:post_id><wp:post_name>post-${id}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><content:encoded><![CDATA[${text}]]></content:encoded>${more}</item>`;

test('WordPress: a guid that is the address of the site is the address of no article', () => {
  const guid = (url: string): string => `<guid isPermaLink="false">${url}</guid>`;
  const made = of('wordpress', {
    'a.xml': wxr(item(1, guid('https://blog.test/')) + item(2, guid('https://blog.test/?p=2'))),
  });
  expect(made.file('redirects.csv')).not.toMatch(/^https:\/\/blog\.test\/?,/m);
  expect(made.file('redirects.csv')).toContain('/post-1');
});

test('WordPress: the old editor’s text has paragraphs and breaks, shortcodes are what they show, links lead to files', () => {
  const text = [
    'First\nline\n\nSecond <a href="/post-2/">two</a> <a href="https://blog.test/?p=2">same</a>',
    '[caption id="a"]<img src="https://blog.test/a.png" alt="A"> Caption[/caption]',
    '[sourcecode language="js"]\na < b\n\nc[/sourcecode]',
    '<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n[gallery ids="1"]',
  ].join('\n\n');
  const made = of('wordpress', { 'a.xml': wxr(item(1, '', text) + item(2)) });
  expect(made.file('en/articles/post-1.md')).toBe(
    [
      '---',
      'title: Post 1',
      '---',
      '',
      'First\\',
      'line',
      '',
      'Second [two](post-2.md) [same](post-2.md)',
      '',
      '<figure>',
      '',
      '![A](https://blog.test/a.png)',
      '',
      '<figcaption>Caption</figcaption>',
      '',
      '</figure>',
      '',
      '```js',
      'a < b',
      '',
      'c',
      '```',
      '',
      '- one',
      '- two',
      '',
      '\\[gallery ids="1"]',
      '',
    ].join('\n'),
  );
  expect(made.report.records[0]?.notes).toEqual(['the shortcode [gallery] stays as it is written']);
});

test('WordPress: private, protected and unfinished items are drafts, those in the bin do not come', () => {
  const status = (id: number, value: string, more = ''): string =>
    item(id, more).replace('<wp:status>publish</wp:status>', `<wp:status>${value}</wp:status>`);
  const made = of('wordpress', {
    'a.xml': wxr(
      status(1, 'private') +
        item(2, '<wp:post_password>x</wp:post_password>') +
        status(3, 'future') +
        status(4, 'trash') +
        status(5, 'inherit') +
        item(6).replace('>post<', '>nav_menu_item<'),
    ),
  });
  expect(made.report.records.map(({ id, status: made, restricted }) => [id, made, restricted])).toEqual([
    ['1', 'draft', 'it was private'],
    ['2', 'draft', 'it has a password'],
    ['3', 'draft', undefined],
  ]);
  expect(whys(made)).toEqual([
    'trash post 4 "Post 4": its status is trash',
    'kind post 5 "Post 5": its status is inherit',
    'kind nav_menu_item 6 "Post 6": it is of type nav_menu_item; --type nav_menu_item takes such items for articles',
  ]);
  expect(made.report.redirects).toEqual([]);
});

test('WordPress: cut XML gives its whole items, entities of a DTD are not expanded, CDATA in two parts is one text', () => {
  const bomb =
    '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const whole = wxr(item(1, '', 'A ]]]]><![CDATA[> B') + item(2).replace('Post 2', 'T &b; &x; &amp;'));
  const made = of('wordpress', {
    'a.xml': whole.replace('<rss', `${bomb}<rss`),
    'b.xml': `${wxr(item(3)).slice(0, -'</channel></rss>'.length)}<item><title>Cut`,
  });
  expect(made.file('en/articles/post-1.md')).toContain('A ]]> B');
  expect(made.file('en/articles/post-2.md')).toContain('title: "T &b; &x; &"');
  expect(made.file('en/articles/post-3.md')).toContain('Text.');
  expect(whys(made)[0]).toContain('<item> is not closed');
});

test('WordPress: the lists of help plug-ins are categories and tags, with the terms above them', () => {
  const term = (taxonomy: string, slug: string, parent = ''): string =>
    `<wp:term><wp:term_id>7</wp:term_id><wp:term_taxonomy>${taxonomy}</wp:term_taxonomy><wp:term_slug>${slug}</wp:term_slug><wp:term_parent>${parent}</wp:term_parent><wp:term_name>${slug.toUpperCase()}</wp:term_name></wp:term>`;
  const named = (domain: string, slug: string): string =>
    `<category domain="${domain}" nicename="${slug}">${slug.toUpperCase()}</category>`;
  const doc = (id: number, ...terms: readonly string[]): string =>
    item(id, terms.join('')).replace('>post<', '>docs<');
  const made = of('wordpress', {
    'a.xml': wxr(
      `${term('doc_category', 'start')}${term('doc_category', 'install', 'start')}${term('topic', 'top')}${term('topic', 'sub', 'top')}${term('product_cat', 'shoes')}` +
        doc(1, named('doc_category', 'install'), named('doc_tag', 'linux')) +
        doc(2, named('topic', 'sub'), named('post_format', 'aside'), named('link_category', 'blogroll')) +
        doc(3, named('ht_kb_category', 'start'), named('wp_theme', 'twenty')),
    ),
  });
  const records = made.report.records.map(({ kind, id }) => `${kind} ${id}`);
  expect(records).toEqual([
    'category doc_category-install',
    'category doc_category-start',
    'category ht_kb_category-start',
    'category topic-sub',
    'category topic-top',
    'article 1',
    'article 2',
    'article 3',
    'tag linux',
  ]);
  expect(made.files.filter((file) => file.includes('/articles/'))).toEqual([
    'en/articles/start-doc-category/install/post-1.md',
    'en/articles/start-ht-kb-category/post-3.md',
    'en/articles/top/sub/post-2.md',
  ]);
});

test('WordPress: a page with pages below it is a category as well, but lends it no title that not everybody may read', () => {
  const page = (id: number, above: number, status = 'publish'): string =>
    item(id, `<wp:post_parent>${above}</wp:post_parent>`)
      .replace('>post<', '>page<')
      .replace('>publish<', `>${status}<`);
  // 3 is private, 6 and 7 lie below each other, 9 lies below what does not come.
  const made = of('wordpress', {
    'a.xml': wxr(
      page(1, 0) +
        page(2, 1) +
        page(3, 2, 'private') +
        page(4, 3) +
        page(5, 4) +
        page(6, 7) +
        page(7, 6) +
        page(9, 8),
    ),
  });
  expect(made.files.filter((file) => file.includes('/articles/'))).toEqual([
    'en/articles/post-1/post-1.md',
    'en/articles/post-1/post-2/post-2.md',
    'en/articles/post-1/post-2/post-3.md',
    'en/articles/post-1/post-2/post-4/post-4.md',
    'en/articles/post-1/post-2/post-4/post-5.md',
    'en/articles/post-6/post-6.md',
    'en/articles/post-6/post-7/post-7.md',
    'en/articles/post-9.md',
  ]);
  expect(made.files.filter((file) => file.includes('/categories/') && file.includes('post-3'))).toEqual([]);
  expect(made.file('en/articles/post-1/post-2/post-4/post-4.md')).not.toContain('draft');
  const answer = (id: number, parent: number): object => ({
    id,
    parent,
    type: 'page',
    status: 'publish',
    slug: `p${id}`,
    link: `https://blog.test/p${id}/`,
    title: { rendered: `P${id}` },
    content: { rendered: '<p>x</p>' },
  });
  const rest = of('wordpress', { 'a.json': [answer(2, 1)], 'b.json': [answer(1, 0)] });
  expect(rest.files).toContain('en/articles/p1/p2.md');
});

test('WordPress: languages of Polylang tie translations together', () => {
  const term = (lang: string): string =>
    `<category domain="language" nicename="${lang}">x</category><category domain="post_translations" nicename="pll_1">pll_1</category>`;
  const made = of('wordpress', { 'a.xml': wxr(item(1, term('en')) + item(2, term('fr'))) });
  expect(made.files).toEqual(['en/articles/post-1.md', 'fr/articles/post-1.md', 'redirects.csv']);
});

test('Ghost: a link without a full address is named with the flag that completes it', () => {
  const post = {
    id: '1',
    title: 'A',
    slug: 'a',
    status: 'published',
    html: '<p><a href="../tag/x">x</a></p>',
  };
  const file = { 'a.json': { data: { posts: [post] } } };
  expect(of('ghost', file).report.records[0]?.notes).toEqual([
    'its link ../tag/x leads to no imported page; if it is an address of the old site, --site completes it',
  ]);
  const sited = of('ghost', file, { site: 'https://blog.test' });
  expect(sited.report.records[0]?.notes).toEqual([]);
  expect(sited.file('en/articles/a.md')).toContain('(https://blog.test/tag/x)');
});

test('Ghost: members-only and sent posts are drafts, internal tags go, other editors’ forms become HTML', () => {
  const post = (id: string, more: object): object => ({
    id,
    title: `Post ${id}`,
    slug: `post-${id}`,
    status: 'published',
    html: '<p>x</p>',
    ...more,
  });
  const lexical = {
    root: {
      children: [
        { type: 'extended-heading', tag: 'h2', children: [{ type: 'extended-text', text: 'Head' }] },
        {
          type: 'paragraph',
          children: [
            { type: 'text', text: 'bold', format: 1 },
            { type: 'linebreak' },
            { type: 'link', url: '/post-a/', children: [{ type: 'text', text: 'a' }] },
          ],
        },
        {
          type: 'list',
          listType: 'number',
          children: [{ type: 'listitem', children: [{ type: 'text', text: 'one' }] }],
        },
        { type: 'codeblock', language: 'sh', code: 'ls' },
        { type: 'signup' },
      ],
    },
  };
  const mobiledoc = {
    markups: [['strong'], ['a', ['href', '__GHOST_URL__/post-a/']]],
    atoms: [['soft-return', '', {}]],
    cards: [
      ['markdown', { markdown: '- m' }],
      ['odd', {}],
    ],
    sections: [
      [
        1,
        'p',
        [
          [0, [0], 1, 'b'],
          [1, [], 0, 0],
          [0, [1], 1, 'link'],
        ],
      ],
      [10, 0],
      [10, 1],
      [3, 'ul', [[[0, [], 0, 'i']]]],
    ],
  };
  const data = {
    posts: [
      null,
      post('a', { visibility: 'members' }),
      post('b', { status: 'sent' }),
      post('c', { html: null, lexical: JSON.stringify(lexical) }),
      post('d', { html: null, mobiledoc: JSON.stringify(mobiledoc) }),
      post('e', { html: null, markdown: '**old**' }),
    ],
    tags: [
      { id: 1, name: '#internal' },
      { id: 2, name: 'News', slug: 'news' },
    ],
    posts_tags: [
      { post_id: 'e', tag_id: 2, sort_order: 1 },
      { post_id: 'e', tag_id: 1, sort_order: 0 },
    ],
  };
  const made = of('ghost', { 'g.json': { db: [{ data }] } }, { site: 'https://g.test' });
  const text = (id: string): string =>
    made.file(`en/articles/post-${id}.md`).split('---\n').slice(2).join('---\n').trim();
  for (const id of ['a', 'b']) expect(made.file(`en/articles/post-${id}.md`)).toContain('status: draft');
  expect(text('c')).toBe('## Head\n\n**bold**\\\n[a](post-a.md)\n\n1. one\n\n```sh\nls\n```');
  expect(text('d')).toBe('**b**\\\n[link](post-a.md)\n\n- m\n\n* i');
  expect(made.file('en/articles/post-e.md')).toBe('---\ntitle: Post e\ntags: [news]\n---\n\n**old**\n');
  expect(made.report.records.flatMap(({ notes }) => notes)).toEqual([
    'kbsync does not know a part of it and leaves it out: signup',
    'kbsync does not know a part of it and leaves it out: odd',
  ]);
  expect(whys(made)).toEqual(['broken post: it is not an object']);
});

test('Confluence: a link to a page or a file whose address is not known is plain text, and no note says that the page is missing', async () => {
  const page = (id: string, title: string, status: string, storage = '<p>x</p>'): object => ({
    id,
    type: 'page',
    status,
    title,
    body: { storage: { value: storage } },
  });
  const link = (to: string): string => `<p><ac:link>${to}</ac:link></p>`;
  const storage = ['Twice', 'Bin'].map((title) => link(`<ri:page ri:content-title="${title}"/>`)).join('');
  const made = of('confluence', {
    'pages.json': {
      results: [
        page('1', 'Top', 'current', `${storage}${link('<ri:attachment ri:filename="a.pdf"/>')}`),
        page('2', 'Twice', 'current'),
        page('3', 'Twice', 'current'),
        page('4', 'Bin', 'trashed'),
      ],
    },
  });
  expect(made.report.records.flatMap(({ notes }) => notes)).toEqual([
    'kbsync does not know where the page "Twice" is, so links to it are plain text now',
    'kbsync does not know where the page "Bin" is, so links to it are plain text now',
    'kbsync does not know where the file "a.pdf" is, so links to it are plain text now; --site names the address of the old site',
  ]);
});

test('Confluence: macros, links by title, pages with pages below them, restrictions, states', async () => {
  const page = (id: string, title: string, storage: string, more: object = {}): object => ({
    id,
    type: 'page',
    status: 'current',
    title,
    body: { storage: { value: storage } },
    _links: { webui: `/spaces/S/pages/${id}/x`, tinyui: `/x/${id}t` },
    ...more,
  });
  const storage = `<ac:structured-macro ac:name="expand"><ac:parameter ac:name="title">More</ac:parameter><ac:rich-text-body><p>in&nbsp;it</p></ac:rich-text-body></ac:structured-macro>
<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">java</ac:parameter><ac:plain-text-body><![CDATA[List<A> a;]]></ac:plain-text-body></ac:structured-macro>
<ac:structured-macro ac:name="children"/><p><ac:link ac:anchor="h"><ri:page ri:content-title="Below &amp; more"/><ac:link-body>go</ac:link-body></ac:link>, <a href="https://x.test/wiki/pages/viewpage.action?pageId=3">three</a>, <ac:link><ri:page ri:content-title="Gone" ri:space-key="Z"/></ac:link>, <a href="/x/2t">tiny</a></p>
<ac:image ac:width="7"><ri:attachment ri:filename="a b.png"/></ac:image>
<ac:task-list><ac:task><ac:task-status>complete</ac:task-status><ac:task-body>done</ac:task-body></ac:task></ac:task-list>`;
  const made = of('confluence', {
    'pages.json': {
      results: [
        page('1', 'Top', storage, {
          metadata: {
            labels: {
              results: [
                { prefix: 'global', name: 'How-To' },
                { prefix: 'my', name: 'x' },
              ],
            },
          },
        }),
        page('2', 'Below & more', '<h2 id="h">H</h2>', { parentId: '1' }),
        page('3', 'Secret', '<p>s</p>', {
          parentId: '1',
          restrictions: { read: { restrictions: { user: { results: [{}] }, group: { results: [] } } } },
        }),
        page('4', 'Old', '<p>o</p>', { status: 'archived' }),
        page('5', 'Bin', '<p>b</p>', { status: 'trashed' }),
      ],
      _links: { base: 'https://x.test/wiki' },
    },
    'entities.xml': '<?xml version="1.0"?><hibernate-generic datetime="2020"></hibernate-generic>',
  });
  expect(made.file('en/articles/top/top.md')).toBe(`---
title: Top
tags: [how-to]
---

<details>
<summary>More</summary>

in&nbsp;it

</details>

\`\`\`java
List<A> a;
\`\`\`

[go](below-more.md#h), [three](secret.md), [Gone](https://x.test/wiki/display/Z/Gone), [tiny](below-more.md)

![a b.png](https://x.test/wiki/download/attachments/1/a%20b.png)

- [x] done
`);
  expect(made.file('en/articles/top/secret.md')).toContain('status: draft');
  expect(made.file('en/articles/old.md')).toContain('status: draft');
  expect(whys(made).map((why) => why.split(' ')[0])).toEqual(['broken', 'trash']);
  expect(made.report.redirects.map(({ from }) => from)).toContain('https://x.test/wiki/x/2t');
  expect(await errors(made)).toEqual([]);
});

test('Notion as HTML: pages, properties and blocks are what the export as Markdown says, and lists are whole', async () => {
  const id = (letter: string): string => letter.repeat(32);
  const dashed = (letter: string): string =>
    [8, 4, 4, 4, 12].map((length) => letter.repeat(length)).join('-');
  const page = (letter: string, title: string, body: string, header = ''): string =>
    `<html><head><title>x</title><style>a{}</style></head><body><article id="${dashed(letter)}" class="page sans"><header><div class="page-header-icon"><span class="icon">📘</span></div><h1 class="page-title" dir="auto">${title}</h1>${header}</header><div class="page-body">${body}</div></article><span class="sans"></span></body></html>`;
  const row = (name: string, value: string): string =>
    `<tr class="property-row"><th><span class="icon property-icon"></span>${name}</th><td>${value}</td></tr>`;
  const header = `<p class="page-description">In short.</p><table class="properties"><tbody>${row('Tags', '<span class="selected-value">One</span><span class="selected-value">Two</span>')}${row('Status', '<span class="status-value"><div class="status-dot"></div>Published</span>')}</tbody></table>`;
  const item = (list: string, text: string): string => `<${list}>${text}</${list.split(' ')[0] ?? ''}>`;
  const body = [
    '<nav class="table_of_contents"><div><a class="table_of_contents-link" href="#h1">Head</a></div></nav>',
    `<h1 id="h1" class="">Head</h1><div style="display:contents" dir="auto"><p id="p1" class="">Red <mark class="highlight-red">word</mark>, $5, <time>@May 1</time></p></div>`,
    item(
      'ul id="l1" class="bulleted-list"',
      '<li style="list-style-type:disc">a<ul class="bulleted-list"><li>b</li></ul></li>',
    ),
    item('ul id="l2" class="bulleted-list"', '<li style="list-style-type:disc">c</li>'),
    item('ol type="1" class="numbered-list" start="1"', '<li>one</li>'),
    item('ol type="1" class="numbered-list" start="2"', '<li>two</li>'),
    item(
      'ul class="to-do-list"',
      '<li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">done</span></li>',
    ),
    item('ul class="toggle"', '<li><details open=""><summary>More</summary><p>hidden</p></details></li>'),
    '<figure class="block-color-gray_background callout" style="display:flex"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%">Note this</div></figure>',
    '<figure class="equation"><style>@import url(x)</style><div class="equation-container"><span class="katex-display"><span class="katex"><math><annotation encoding="application/x-tex">E = mc</annotation></math><span class="katex-html">Emc</span></span></span></div></figure>',
    '<pre class="code"><code class="language-Python" style="white-space:pre">x = 1</code></pre><pre class="code"><code class="language-Plain Text">y</code></pre>',
    `<figure class="link-to-page"><a href="Top%20${id('a')}/Sub%20${id('b')}.html"><span class="icon">📄</span>Sub</a></figure>`,
    '<figure><a href="https://else.test/" class="bookmark source"><div class="bookmark-info"><div class="bookmark-text"><div class="bookmark-title">Else</div></div></div></a></figure>',
  ].join('');
  const made = of('notion', {
    [`Top ${id('a')}.html`]: page('a', 'Top', body, header),
    [`Top ${id('a')}/Sub ${id('b')}.html`]: page('b', 'Sub <strong>page</strong>', '<p class=""></p>'),
    'index.html': '<html><body><ul><li>Top</li></ul></body></html>',
  });
  expect(whys(made)).toEqual(['kind file: it lists the files of the export']);
  expect(made.files).toEqual([
    'en/articles/top/sub-page.md',
    'en/articles/top/top.md',
    'en/categories/top.md',
    'en/tags/one.md',
    'en/tags/two.md',
  ]);
  expect(made.file('en/articles/top/sub-page.md')).toContain('status: draft');
  expect(made.file('en/articles/top/top.md')).toBe(`---
title: Top
tags: [one, two]
excerpt: In short.
---

# Head

Red word, $5, @May 1

- a
  - b
- c

1. one
2. two

- [x] done

<details>
<summary>More</summary>

hidden

</details>

> [!NOTE]
> Note this

$$E = mc$$

\`\`\`python
x = 1
\`\`\`

\`\`\`
y
\`\`\`

[Sub](sub-page.md)

[Else](https://else.test/)
`);
  expect(await errors(made)).toEqual([]);
});

test('Notion: nothing is published unasked, properties become tags, databases categories', async () => {
  const id = (letter: string): string => letter.repeat(32);
  const files = {
    [`Top ${id('a')}.md`]: `# Top\n\nTags: One, Two\nOwner: me\n\nText [row](Rows%20${id('b')}/Row%20${id('c')}.md) [all](Rows%20${id('b')}.csv)\n`,
    [`Rows ${id('b')}.csv`]: 'Name\nRow\n',
    [`Rows ${id('b')}_all.csv`]: 'Name,More\nRow,1\n',
    [`Rows ${id('b')}/Row ${id('c')}.md`]: '# Row\n\nStatus: Published\n\nBody: not a property\n',
    'index.html': '<html></html>',
  };
  const made = of('notion', files);
  expect(made.files).toEqual([
    `en/articles/rows/row.md`,
    'en/articles/top.md',
    'en/categories/rows.md',
    'en/tags/one.md',
    'en/tags/two.md',
  ]);
  expect(made.file('en/articles/top.md')).toBe(
    '---\ntitle: Top\ntags: [one, two]\nstatus: draft\n---\n\nText [row](rows/row.md) [all](../categories/rows.md)\n',
  );
  expect(made.file('en/articles/rows/row.md')).toBe('---\ntitle: Row\n---\n\nBody: not a property\n');
  expect(await errors(made)).toEqual([]);
});

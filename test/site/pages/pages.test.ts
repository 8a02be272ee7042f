import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ARTICLES, articleBody, CATEGORIES, categoryBody, tagBody, TAGS } from '../../service/support/rig.ts';
import { countViews } from '../../../src/service/index.ts';
import { siteRig, type SiteRig } from '../support/site-rig.ts';

let rig: SiteRig;
beforeAll(async () => {
  rig = await siteRig({ previewToken: 'sesame' });
});
afterAll(() => rig.close());

describe('addresses', () => {
  test('the root leads to the start page in the language that the browser asks for', async () => {
    const { status, headers } = await rig.visit('/', { 'accept-language': 'fr-CA,en;q=0.5' });
    expect([status, headers.get('location')]).toEqual([302, '/fr/']);
    const other = await rig.visit('/', { 'accept-language': 'ja' });
    expect(other.headers.get('location')).toBe('/en/');
  });

  test.each([
    ['/fr', '/fr/'],
    ['/FR/articles/remboursements', '/fr/articles/remboursements'],
    ['/fr/articles/remboursements/', '/fr/articles/remboursements'],
    ['/fr/tags', '/fr/tags/'],
  ])('%s is known as %s', async (path, known) => {
    const { status, headers } = await rig.visit(path);
    expect([status, headers.get('location')]).toEqual([308, known]);
  });

  test.each(['article', 'category'])(
    'the slug of another language leads to the %s under its own',
    async (kind) => {
      const path = kind === 'article' ? '/fr/articles/refunds' : '/fr/categories/billing';
      const { status, headers } = await rig.visit(path);
      const own = kind === 'article' ? '/fr/articles/remboursements' : '/fr/categories/facturation';
      expect([status, headers.get('location')]).toEqual([302, own]);
    },
  );

  test('every link of the start page, a topic, an article and the tags leads to a page', async () => {
    for (const start of [
      '/en/',
      '/fr/',
      '/ar/',
      '/en/categories/billing',
      '/fr/articles/remboursements',
      '/ar/tags/',
    ]) {
      const { text } = await rig.visit(start);
      const paths = [...text.matchAll(/href="(\/[^"#]*)"/g)].map(([, path]) => path ?? '');
      expect(paths.length).toBeGreaterThan(5);
      for (const path of new Set(paths)) {
        expect([start, path, (await rig.visit(path)).status]).toEqual([start, path, 200]);
      }
    }
  });
});

describe('the start page', () => {
  test('introduces itself, counts the articles of a topic, and names what is read most', async () => {
    const { site, store } = rig;
    expect(site.owns('/')).toBe(true);
    for (const [name, count] of [
      ['invoices', 7],
      ['vat', 9],
    ] as const) {
      await countViews(store, await idOf(name), count);
    }
    const { text } = await rig.visit('/en/');
    expect(text).toContain('<p><bdi>How can we help?</bdi></p>');
    expect(text).toContain('aria-label="Billing: 4 articles"');
    expect(text).toMatch(/Most read<\/h2>[^]*?>VAT<[^]*?>Invoices<[^]*?Recently updated/);
    expect((await rig.visit('/fr/')).text).toContain('Comment pouvons-nous vous aider');
  });
});

const idOf = async (slug: string): Promise<string> => {
  const row = await rig.store.read((sql) =>
    sql.get<{ readonly id: string }>('select id from articles where slug = ?', slug),
  );
  return row?.id ?? '';
};

describe('an article', () => {
  test('stands among the topics, and names articles that share its tags', async () => {
    await rig.make(
      ARTICLES,
      articleBody({ title: 'Chargebacks', slug: 'chargebacks', tags: [{ value: rig.ids['tag'] }] }),
    );
    const { text } = await rig.visit('/en/articles/refunds');
    expect(text).toMatch(/<nav class="tree"[^]*?>Billing<[^]*?aria-current="page"[^>]*>Refunds<[^]*?<\/nav>/);
    expect(text).toMatch(/Related articles<\/h2>[^]*?>Chargebacks</);
    expect((await rig.visit('/en/categories/billing')).text).toMatch(
      /<nav class="tree"[^]*?aria-current="page"[^>]*>Billing<[^]*?>Invoices</,
    );
  });

  test('has contents, breadcrumbs, neighbours, tags and its day in the record’s date', async () => {
    const { text } = await rig.visit('/en/articles/refunds');
    expect(text).toContain('<a href="#delays">Delays</a>');
    expect(text).toContain('<h2 id="delays">');
    expect(text).toMatch(/<nav class="crumbs"[^]*?\/en\/categories\/billing[^]*?aria-current="page"/);
    expect(text).toMatch(/rel="prev" href="\/en\/articles\/invoices"/);
    expect(text).toMatch(/rel="next" href="\/en\/articles\/old-terms"/);
    expect(text).toContain('href="/en/tags/refund"');
    expect(text).toContain('<time datetime="2026-11-20">November 20, 2026</time>');
  });

  test('code is coloured by classes, and nothing on the page has a style or a handler', async () => {
    const { text } = await rig.visit('/en/articles/refunds');
    expect(text).toContain('<span class="tk-keyword">const</span>');
    expect(text).not.toMatch(/<[^>]*\s(?:style|on\w+)\s*=/i);
    expect(text).not.toMatch(/<script(?! type="application\/ld\+json")(?![^>]*\bsrc=)/i);
  });

  test('names its real translations, and the language menu marks the others without leading to a 404', async () => {
    await rig.make(ARTICLES, articleBody({ title: 'Only English', slug: 'only-english' }));
    const { text } = await rig.visit('/en/articles/only-english');
    expect(text).toMatch(
      /<link rel="alternate" hreflang="en" href="http:\/\/kb\.test\/en\/articles\/only-english"/,
    );
    expect(text).toContain('hreflang="x-default"');
    expect(text).not.toContain('hreflang="fr"');
    expect(text).toMatch(/href="\/fr\/articles\/only-english"[^]*?<small>not translated<\/small>/);
    expect((await rig.visit('/fr/articles/only-english')).status).toBe(200);
  });

  test('without a translation the original is shown, which the page says in the reader’s language', async () => {
    const { status, text, headers } = await rig.visit('/fr/articles/invoices');
    expect(status).toBe(200);
    expect(headers.get('content-language')).toBe('en');
    expect(text).toMatch(/<html\s+lang="fr"/);
    expect(text).toMatch(/<main[^>]*lang="en"/);
    expect(text).toContain('Cette page n’existe pas encore en français. Vous la lisez en anglais.');
    expect(text).toContain('<link rel="canonical" href="http://kb.test/en/articles/invoices"');
  });

  test('in Arabic runs from right to left, its code does not', async () => {
    const { text } = await rig.visit('/ar/articles/refunds-ar');
    expect(text).toMatch(/<html\s+lang="ar"\s+dir="rtl"/);
    expect(text).toContain('<div class="code" dir="ltr">');
  });

  test('that is hidden from search is readable, but search engines are asked to leave it', async () => {
    const { status, text } = await rig.visit('/en/articles/old-terms');
    expect(status).toBe(200);
    expect(text).toMatch(/<meta name="robots" content="noindex"/);
    expect((await rig.visit('/sitemap.xml')).text).not.toContain('old-terms');
    expect((await rig.visit('/llms.txt')).text).not.toContain('old-terms');
  });

  test('whose translation alone is published is found in that language, the menu leads to the start page elsewhere', async () => {
    const id = await rig.make(ARTICLES, articleBody({ title: 'Not yet', slug: 'not-yet', status: 'draft' }));
    await rig.ask('POST', `${ARTICLES}/${id}`, {
      ...articleBody({ title: 'Déjà', slug: 'deja', ordering: 1 }),
      lang: 'fr',
    });
    expect((await rig.visit('/en/articles/not-yet')).status).toBe(404);
    expect((await rig.visit('/fr/articles/not-yet')).status).toBe(404);
    const { text } = await rig.visit('/fr/articles/deja');
    expect(text).toMatch(/<a\s+href="\/ar\/"[^>]*>[^]*?<small>non traduit<\/small>/);
    expect(text).not.toContain('x-default');
  });
});

describe('a view', () => {
  const views = async () => {
    const { body } = await rig.ask('GET', ARTICLES);
    return body['data'].find(({ name }: { name: string }) => name === 'Refunds');
  };

  test('by a person is counted for the original and moves no date, one by a program is not', async () => {
    const before = await views();
    await rig.visit('/en/articles/refunds', { 'user-agent': 'Googlebot/2.1' });
    await rig.visit('/en/articles/refunds', { 'user-agent': 'Mozilla/5.0', 'sec-purpose': 'prefetch' });
    for (const path of ['/en/articles/refunds', '/fr/articles/remboursements', '/en/articles/refunds']) {
      await rig.visit(path, { 'user-agent': 'Mozilla/5.0' });
    }
    // Counting is not waited for; a write that comes later is done after it.
    await rig.make(ARTICLES, articleBody({ title: 'Later', slug: 'later', status: 'draft' }));
    await rig.make(ARTICLES, articleBody({ title: 'Later still', slug: 'later-still', status: 'draft' }));
    const after = await views();
    expect(after['_count'].tracking - before['_count'].tracking).toBe(3);
    expect(after['last_edited_date']).toBe(before['last_edited_date']);
  });
});

describe('topics, tags, releases', () => {
  test('a topic lists the topics below it and its articles by ordering', async () => {
    const { text } = await rig.visit('/en/categories/billing');
    expect(text).toContain('/en/categories/taxes');
    expect(text.indexOf('>Invoices<')).toBeGreaterThan(0);
    expect(text.indexOf('>Refunds<')).toBeGreaterThan(text.indexOf('>Invoices<'));
    expect(text).not.toContain('Secret plans');
  });

  test('a translation without an ordering stands where its original does', async () => {
    const { text } = await rig.visit('/fr/categories/facturation');
    expect(text.indexOf('>Remboursements<')).toBeGreaterThan(text.indexOf('>Invoices<'));
    expect(text.indexOf('>Old terms<')).toBeGreaterThan(text.indexOf('>Remboursements<'));
  });

  test('a tag lists the articles that carry it, in the language of the page', async () => {
    expect((await rig.visit('/en/tags/refund')).text).toContain('/en/articles/refunds');
    expect((await rig.visit('/fr/tags/refund')).text).toContain('/fr/articles/remboursements');
  });

  test('release notes show what was released', async () => {
    const { text } = await rig.visit('/en/releases');
    expect(text).toContain('Faster refunds');
    expect(text).not.toContain('3.0.0');
  });
});

describe('search', () => {
  test('marks what was found and says how many there are', async () => {
    const { text } = await rig.visit('/en/search?q=refunds');
    expect(text).toContain('<mark>Refunds</mark>');
    expect(text).toMatch(/role="status"[^>]*>Results for “refunds”: 1</);
    expect(text).toContain('<title>Results for “refunds”: 1 · Acme Help</title>');
    expect(text).toMatch(/<meta name="robots" content="noindex"/);
  });

  test('suggests titles as JSON, of the page’s language, without drafts', async () => {
    const hits = async (path: string) => JSON.parse((await rig.visit(path)).text).hits;
    expect(await hits('/en/search.json?q=inv')).toEqual([
      { title: 'Invoices', path: '/en/articles/invoices', topic: 'Billing' },
    ]);
    expect(await hits('/fr/search.json?q=remb')).toEqual([
      { title: 'Remboursements', path: '/fr/articles/remboursements', topic: 'Facturation' },
    ]);
    expect(await hits('/en/search.json?q=secret')).toEqual([]);
    expect(await hits('/en/search.json')).toEqual([]);
  });

  test('finds what readers see in another language, and says in which it is', async () => {
    await rig.make(ARTICLES, articleBody({ title: 'Quagga', slug: 'quagga', content: '<p>Stripes</p>' }));
    const { text } = await rig.visit('/fr/search?q=quagga');
    expect(text).toMatch(
      /<li lang="en" dir="ltr"><a href="\/fr\/articles\/quagga">.*<span class="badge" lang="en">English/s,
    );
    const { hits } = JSON.parse((await rig.visit('/fr/search.json?q=quag')).text);
    expect(hits).toMatchObject([{ title: 'Quagga', path: '/fr/articles/quagga' }]);
  });

  test('says of each hit where it stands, and nothing of topics that only drafts have', async () => {
    const { text } = await rig.visit('/en/search?q=vat');
    expect(text).toContain('<p class="where">Billing › Taxes</p>');
    const secret = await rig.make(CATEGORIES, categoryBody({ name: 'Secret topic', slug: 'secret-topic' }));
    await rig.make(
      ARTICLES,
      articleBody({ title: 'Okapi', slug: 'okapi', status: 'draft', categories: [{ value: secret }] }),
    );
    await rig.make(ARTICLES, articleBody({ title: 'Okapi two', slug: 'okapi-two', categories: [] }));
    const bare = await rig.visit('/en/search?q=okapi');
    expect(bare.text).toContain('okapi-two');
    expect(bare.text).not.toMatch(/class="where"|Secret topic/);
  });

  test('says what it looked for instead of a slip, and marks that', async () => {
    const { text } = await rig.visit('/en/search?q=invocies');
    expect(text).toContain('Nothing was found for “invocies”. These are results for “invoices”.');
    expect(text).toContain('<mark>Invoices</mark>');
  });

  test('finds nothing that is a draft or hidden, and says so in words', async () => {
    for (const query of ['Secret', 'terms']) {
      expect((await rig.visit(`/en/search?q=${query}`)).text).toContain(`Nothing was found for “${query}”.`);
    }
  });

  test('leads to the topics where it has no hit to show, and only there', async () => {
    const topics = /<section class="topics">[^]*href="\/en\/categories\/billing"/;
    for (const query of ['', '?q=', '?q=zzzz']) {
      expect((await rig.visit(`/en/search${query}`)).text).toMatch(topics);
    }
    expect((await rig.visit('/en/search?q=invoices')).text).not.toMatch(topics);
  });

  test('shows ten hits on a page, and leads to the others', async () => {
    for (let n = 0; n < 23; n += 1) {
      await rig.make(
        ARTICLES,
        articleBody({ title: `Zebra ${n}`, slug: `zebra-${n}`, hideFromSearch: false }),
      );
    }
    const slugs = (text: string) => [...text.matchAll(/articles\/(zebra-\d+)"/g)].map(([, slug]) => slug);
    const pages = await Promise.all(
      ['', '&page=2', '&page=3', '&page=4'].map((page) => rig.visit(`/en/search?q=zebra${page}`)),
    );
    expect(pages.map(({ text }) => slugs(text).length)).toEqual([10, 10, 3, 0]);
    expect(new Set(pages.flatMap(({ text }) => slugs(text))).size).toBe(23);
    expect(pages[1]?.text).toMatch(/rel="prev" href="\/en\/search\?q=zebra"/);
    expect(pages[1]?.text).toMatch(/rel="next" href="\/en\/search\?q=zebra&amp;page=3"/);
    expect(pages[1]?.text).toContain('Results for “zebra”: 23');
  });

  test('a query is text, not HTML', async () => {
    const { text } = await rig.visit('/en/search?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%22%27');
    expect(text).not.toContain('<img src=x');
    expect(text).toContain('&lt;img src=x');
  });
});

describe('404', () => {
  test('speaks the language of the address and offers articles with slugs like it', async () => {
    const { status, text } = await rig.visit('/fr/articles/remboursement');
    expect(status).toBe(404);
    expect(text).toContain('Page introuvable');
    expect(text).toContain('href="/fr/articles/remboursements"');
    expect(text).toMatch(/<meta name="robots" content="noindex"/);
  });

  test('a language that the site does not have is no page', async () => {
    expect((await rig.visit('/de/')).status).toBe(404);
    expect((await rig.visit('/de/articles/refunds')).text).toContain('/en/articles/refunds');
  });

  test.each(['/en/articles/%E0%A4%A', '/en/articles/a%00b', '/en/x/y/z', `/en/articles/${'a'.repeat(3000)}`])(
    'answers %.40s',
    async (path) => {
      expect((await rig.visit(path)).status).toBe(404);
    },
  );
});

describe('what is not published', () => {
  const SECRET = /secret|skunk|geheim/i;
  beforeAll(async () => {
    const parent = await rig.make(CATEGORIES, categoryBody({ name: 'Secret lab', slug: 'secret-lab' }));
    const child = await rig.make(
      CATEGORIES,
      categoryBody({ name: 'Skunkworks', slug: 'skunkworks', categoryParent: parent, description: 'Secret' }),
    );
    const tag = await rig.make(TAGS, tagBody({ name: 'Secret tag', slug: 'secret-tag' }));
    const body = articleBody({
      title: 'Secret engine',
      slug: 'secret-engine',
      status: 'draft',
      categories: [{ value: child }, { value: rig.ids['billing'] ?? '' }],
      tags: [{ value: tag }],
    });
    await rig.make(ARTICLES, body);
    // A draft translation of a published article, under a slug of its own.
    await rig.ask('POST', `${ARTICLES}/${rig.ids['invoices']}`, {
      ...articleBody({ title: 'Geheim', slug: 'geheim', status: 'draft' }),
      lang: 'de',
    });
  });

  test.each([
    '/en/',
    '/fr/',
    '/en/tags/',
    '/en/categories/billing',
    '/en/articles/invoices',
    '/sitemap.xml',
    '/llms.txt',
    '/en/search?q=secret',
    '/en/articles/secret-engin',
    '/en/articles/secret-engine.md',
  ])('is named nowhere on %s', async (path) => {
    const { text } = await rig.visit(path);
    expect(
      text.replaceAll('secret-engin', '').replaceAll(/“secret”|value="secret"|q=secret/g, ''),
    ).not.toMatch(SECRET);
  });

  test.each([
    '/en/categories/secret-lab',
    '/en/categories/skunkworks',
    '/en/tags/secret-tag',
    '/en/articles/secret-engine',
    '/en/articles/geheim',
    '/de/articles/geheim',
  ])('%s is as unknown as any other address', async (path) => {
    const [kind, slug] = [path.split('/')[2], path.split('/')[3] ?? ''];
    const [own, other] = [await rig.visit(path), await rig.visit(`/en/${kind}/${'x'.repeat(slug.length)}`)];
    expect([own.status, own.headers.get('location')]).toEqual([other.status, null]);
  });

  test('is there in a preview', async () => {
    const entered = await rig.visit('/en/?preview=sesame');
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    for (const path of ['/en/categories/skunkworks', '/en/tags/secret-tag', '/en/articles/secret-engine']) {
      expect([path, (await rig.visit(path, { cookie })).status]).toEqual([path, 200]);
    }
  });

  test('an article that is hidden from search is offered to nobody, and its Markdown asks not to be indexed', async () => {
    expect((await rig.visit('/en/articles/old-term')).text).not.toContain('old-terms');
    expect((await rig.visit('/en/articles/old-terms.md')).headers.get('x-robots-tag')).toBe('noindex');
  });
});

describe('preview', () => {
  test('a draft is shown to who has the token, with a mark and without leave to index or keep it', async () => {
    expect((await rig.visit('/en/articles/secret-plans')).status).toBe(404);
    const entered = await rig.visit('/en/articles/secret-plans?preview=sesame');
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/en/articles/secret-plans']);
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toContain('HttpOnly');
    expect(cookie).not.toContain('sesame');
    const { status, text, headers } = await rig.visit('/en/articles/secret-plans', {
      cookie: cookie.split(';')[0] ?? '',
    });
    expect(status).toBe(200);
    expect(text).toContain('<span class="badge">Draft</span>');
    expect(text).toMatch(/<meta name="robots" content="noindex"/);
    expect(headers.get('cache-control')).toBe('private, no-store');
    const left = await rig.visit('/en/?preview=off', { cookie });
    expect(left.headers.get('set-cookie')).toContain('Max-Age=0');
  });

  test.each(['wrong', '', 'sésame'])('the token %j shows nothing', async (token) => {
    const { headers, status } = await rig.visit(
      `/en/articles/secret-plans?preview=${encodeURIComponent(token)}`,
    );
    expect([status, headers.get('set-cookie')]).toEqual([404, null]);
    expect((await rig.visit('/en/articles/secret-plans', { cookie: 'kbsync-preview=é' })).status).toBe(404);
  });
});

test('nothing of this made the site fail', () => {
  expect(rig.failures).toEqual([]);
});

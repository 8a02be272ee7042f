import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, openSqlite } from '../../src/service/index.ts';
import { createSite } from '../../src/site/create-site.ts';
import { prefersMarkdown } from '../../src/site/http/accept.ts';
import { siteBeside } from '../../src/site/with-service.ts';
import { ARTICLES, articleBody } from '../service/support/rig.ts';
import { siteRig, type SiteRig } from './support/site-rig.ts';

let rig: SiteRig;
beforeAll(async () => {
  rig = await siteRig();
});
afterAll(() => rig.close());

const post = (body: string) =>
  rig.site.fetch(
    new Request('http://kb.test/_site/theme', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  );

test('a site without tags leads nobody to an empty page of tags', async () => {
  const store = openSqlite({ file: ':memory:' });
  const { fetch } = createSite({ store });
  for (const path of ['/en/', '/llms.txt']) {
    expect(await (await fetch(new Request(`http://kb.test${path}`))).text()).not.toContain('/en/tags/');
  }
  expect((await rig.visit('/en/')).text).toContain('"/en/tags/"');
  await store.close();
});

describe('caching', () => {
  test('a page that did not change is a 304, one that changed is sent', async () => {
    const first = await rig.visit('/en/articles/invoices');
    const etag = first.headers.get('etag') ?? '';
    // RFC 9110, 13.1.2: compared weakly, and a tag may have a comma in it.
    for (const known of [etag, `"x", ${etag}`, `"a,b",${etag.replace('W/', '')}`, '*']) {
      expect((await rig.visit('/en/articles/invoices', { 'if-none-match': known })).status).toBe(304);
    }
    for (const other of ['"x"', '"*"', etag.slice(0, -1)]) {
      expect((await rig.visit('/en/articles/invoices', { 'if-none-match': other })).status).toBe(200);
    }
    await rig.ask('POST', `${ARTICLES}/${rig.ids['invoices']}`, {
      ...articleBody({
        title: 'Invoices',
        slug: 'invoices',
        content: '<p>New.</p>',
        categories: [{ value: rig.ids['billing'] }],
      }),
      lang: 'en',
    });
    const again = await rig.visit('/en/articles/invoices', { 'if-none-match': etag });
    expect(again.status).toBe(200);
    expect(again.text).toContain('<p>New.</p>');
  });

  test('a page whose colours come late is not kept without them', async () => {
    const hasty = await siteRig({ colourPatienceMs: 0 });
    await hasty.make(
      ARTICLES,
      articleBody({
        title: 'Code',
        slug: 'code',
        content: '<pre><code class="language-js">const a = 1;</code></pre>',
      }),
    );
    const page = async () => (await hasty.visit('/en/articles/code')).text;
    expect(await page()).not.toContain('tk-keyword');
    await expect.poll(page, { timeout: 20_000 }).toContain('tk-keyword');
    await hasty.close();
  });

  test('style, script and icon may be kept for ever, under names that their text gives them', async () => {
    const { text } = await rig.visit('/en/');
    const paths = [...text.matchAll(/"(\/_site\/[^"]+\.(?:css|js|svg))"/g)].map(([, path]) => path ?? '');
    expect(new Set(paths).size).toBe(3);
    for (const path of paths) {
      const { status, headers } = await rig.visit(path);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toContain('immutable');
    }
    expect((await rig.visit('/_site/site.000000000000.css')).status).toBe(404);
  });

  test('long pages are compressed for who takes it', async () => {
    const response = await rig.site.fetch(
      new Request('http://kb.test/en/', { headers: { 'accept-encoding': 'br, gzip' } }),
    );
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const stream = response.body?.pipeThrough(new DecompressionStream('gzip'));
    expect(await new Response(stream).text()).toBe((await rig.visit('/en/')).text);
  });

  test('pages, style and script stay small: 8, 17 and 10 kB', async () => {
    const size = async (path: string) =>
      Buffer.from(
        await (
          await rig.site.fetch(
            new Request(`http://kb.test${path}`, { headers: { 'accept-encoding': 'gzip' } }),
          )
        ).arrayBuffer(),
      ).length;
    const { text } = await rig.visit('/en/');
    const path = (extension: string) =>
      new RegExp(`"(/_site/site\\.\\w+\\.${extension})"`).exec(text)?.[1] ?? '';
    expect(await size('/en/articles/refunds')).toBeLessThan(8000);
    expect(await size(path('css'))).toBeLessThan(17_000);
    expect((await rig.visit(path('js'))).text.length).toBeLessThan(10_000);
  });
});

describe('every page', () => {
  test.each(['/en/', '/en/articles/refunds', '/en/nothing', '/robots.txt', '/en/search?q=a'])(
    '%s allows no inline script, no frame and no guessing of types',
    async (path) => {
      const { headers } = await rig.visit(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  test('HEAD answers what GET would, without the page; nothing else is possible', async () => {
    const head = await rig.site.fetch(new Request('http://kb.test/en/', { method: 'HEAD' }));
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    const sent = await rig.site.fetch(new Request('http://kb.test/en/', { method: 'PUT', body: 'x' }));
    expect([sent.status, sent.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('colours', () => {
  test('are kept in a cookie, and the server writes them into the page', async () => {
    const { status, headers } = await post('theme=dark&to=%2Ffr%2F').then((reply) => reply);
    expect([status, headers.get('location')]).toEqual([303, '/fr/']);
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect((await rig.visit('/fr/', { cookie })).text).toMatch(/<html[^>]*data-theme="dark"/);
    expect((await rig.visit('/fr/', { cookie: 'kbsync-theme="><script>' })).text).not.toContain('data-theme');
  });

  test.each(['https://evil.test/', '//evil.test', String.raw`/\evil.test`, 'javascript:alert(1)', '/a b'])(
    'the way back never leads to %s',
    async (to) => {
      const reply = await post(new URLSearchParams({ theme: 'light', to }).toString());
      expect(reply.headers.get('location')).toBe('/');
    },
  );

  test('a form that makes no sense is refused', async () => {
    expect((await post('theme=pink')).status).toBe(400);
    expect((await post(`theme=dark&to=/${'a'.repeat(5000)}`)).status).toBe(413);
  });

  test('of a form without end nothing is read that could not be one', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1000).fill(97));
      },
    });
    const endless = new Request('http://kb.test/_site/theme', { method: 'POST', body, duplex: 'half' });
    expect((await rig.site.fetch(endless)).status).toBe(413);
    expect(sent).toBeLessThan(10);
  });

  test('who searches without end waits, and others do not', async () => {
    let nowMs = 0;
    const limited = await siteRig({ searchesPerMinute: 3, now: () => nowMs });
    const searching = (from: string, path = '/en/search?q=refunds') =>
      limited.site.fetch(new Request(`http://kb.test${path}`), from);
    for (let n = 0; n < 3; n += 1) expect((await searching('8.8.8.8')).status).toBe(200);
    const refused = await searching('8.8.8.8');
    expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([
      429,
      '20',
      'You can search 3 times a minute; wait 20 s.',
    ]);
    expect((await searching('8.8.4.4')).status).toBe(200);
    expect((await searching('8.8.8.8', '/en/search')).status).toBe(200);
    nowMs = 20_000;
    expect((await searching('8.8.8.8')).status).toBe(200);
    await limited.close();
  });

  test('readers who come over https keep their cookies from other connections', async () => {
    const secure = await siteRig({ origin: 'https://help.acme.test', previewToken: 'sesame' });
    const theme = await secure.site.fetch(
      new Request('http://kb.test/_site/theme', { method: 'POST', body: 'theme=dark' }),
    );
    expect(theme.headers.get('set-cookie')).toContain('; Secure');
    expect((await secure.visit('/en/?preview=sesame')).headers.get('set-cookie')).toContain('; Secure');
    await secure.close();
  });
});

describe('for programs', () => {
  test('the sitemap names each published page once, with its translations', async () => {
    const { text, headers } = await rig.visit('/sitemap.xml');
    expect(headers.get('content-type')).toContain('application/xml');
    expect(text.match(/<loc>http:\/\/kb\.test\/en\/articles\/refunds<\/loc>/g)).toHaveLength(1);
    expect(text).toContain('hreflang="fr" href="http://kb.test/fr/articles/remboursements"');
    expect(text).not.toContain('secret-plans');
    expect((await rig.visit('/sitemap-2.xml')).status).toBe(404);
  });

  test('the sitemap has the articles by their slugs, in whatever order they were written', async () => {
    const own = await siteRig();
    for (const slug of ['zebra', 'aardvark']) await own.make(ARTICLES, articleBody({ title: slug, slug }));
    const { text } = await own.visit('/sitemap.xml');
    await own.close();
    const slugs = [...text.matchAll(/<loc>http:\/\/kb\.test\/en\/articles\/([^<]*)</g)].map(
      ([, slug]) => slug,
    );
    expect(slugs.length).toBeGreaterThan(2);
    expect(slugs).toEqual(slugs.toSorted((a = '', b = '') => (a < b ? -1 : 1)));
  });

  test('robots.txt names the sitemap', async () => {
    expect((await rig.visit('/robots.txt')).text).toContain('Sitemap: http://kb.test/sitemap.xml');
  });

  test('llms.txt lists the articles under their topics, each as Markdown', async () => {
    const { text } = await rig.visit('/llms.txt');
    expect(text).toMatch(/^# Acme Help\n/);
    expect(text).toContain('## Billing');
    expect(text).toContain('- [Refunds](http://kb.test/en/articles/refunds.md): How long refunds take.');
    expect(text).not.toContain('Secret');
  });

  test('llms-full.txt holds the public articles of a language, each as its Markdown form, in the order of the list', async () => {
    const { text, headers } = await rig.visit('/llms-full.txt');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const sources = (given: string) =>
      [...given.matchAll(/^Source: http:\/\/kb\.test(\S+)$/gm)].map(([, path]) => path);
    const listed = (await rig.visit('/llms.txt')).text;
    const paths = [...listed.matchAll(/\(http:\/\/kb\.test(\/en\/articles\/[^)]+)\.md\)/g)].map(
      ([, path]) => path,
    );
    expect(sources(text)).toEqual(paths);
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) {
      const alone = (await rig.visit(`${path}.md`)).text.replace(/^> All pages.*\n\n/, '');
      expect(text).toContain(`Source: http://kb.test${path}\n\n${alone.trimEnd()}\n`);
    }
    expect(text).not.toContain('Secret plans');
    expect(text).not.toContain('Old terms');
    expect(listed).toContain('[llms-full.txt](http://kb.test/en/llms-full.txt)');
    const french = (await rig.visit('/fr/llms-full.txt')).text;
    expect(sources(french)).toEqual(['/fr/articles/remboursements']);
    expect((await rig.visit('/ja/llms-full.txt')).status).toBe(404);
  });

  test('llms-full.txt ends at its bound, and says what is missing; a change of an article is in it', async () => {
    const large = await siteRig();
    for (let count = 0; count < 4; count += 1) {
      const content = `<p>${'many words '.repeat(16_000)}</p>`;
      await large.make(
        ARTICLES,
        articleBody({ title: `Long ${count}`, slug: `long-${count}`, ordering: 50 + count, content }),
      );
    }
    const { text } = await large.visit('/llms-full.txt');
    expect(text.length).toBeLessThan(500_200);
    expect(text).toContain('# Long 1');
    expect(text).not.toContain('# Long 2');
    expect(text.endsWith('\n---\n\n2 more pages are not in this file: http://kb.test/en/llms.txt\n')).toBe(
      true,
    );
    await large.ask('POST', `${ARTICLES}/${large.ids['invoices']}`, {
      ...articleBody({ title: 'Invoices', slug: 'invoices', content: '<p>Brand new.</p>' }),
      lang: 'en',
    });
    expect((await large.visit('/llms-full.txt')).text).toContain('Brand new.');
    await large.close();
  });

  test('files of all pages that many hosts ask for at once wait, some of them, and hold up no page', async () => {
    const own = await siteRig();
    const asked = (host: number) =>
      own.site.fetch(new Request(`http://h${host}.test/llms-full.txt`)).then(({ status }) => status);
    const page = own.visit('/en/articles/refunds');
    const hosts = Array.from({ length: 40 }, (_, host) => host);
    const statuses = await Promise.all(hosts.map(asked));
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(16);
    expect((await page).status).toBe(200);
    expect(await asked(statuses.indexOf(503))).toBe(200);
    await own.close();
  });

  test('llms.txt of each language lists what is in it; one of a large site names parts that programs read whole', async () => {
    const french = await rig.visit('/fr/llms.txt');
    expect(french.text).toContain(
      '- [Remboursements](http://kb.test/fr/articles/remboursements.md): Les délais.',
    );
    expect(french.text).not.toContain('Invoices');
    expect((await rig.visit('/llms.txt')).text).toContain('- [fr](http://kb.test/fr/llms.txt)');
    expect((await rig.visit('/ja/llms.txt')).status).toBe(404);
    expect((await rig.visit('/en/llms-2.txt')).status).toBe(404);
    const large = await siteRig();
    for (let at = 0; at < 400; at += 1) {
      const body = { title: `Article ${at}`, slug: `article-${at}`, excerpt: 'x'.repeat(150), content: '' };
      await large.make(ARTICLES, articleBody({ ...body, categories: [{ value: large.ids['billing'] }] }));
    }
    const { text } = await large.visit('/llms.txt');
    const parts = [...text.matchAll(/http:\/\/kb\.test(\/en\/llms-\d+\.txt)/g)].map(([, path]) => path ?? '');
    expect(parts.length).toBeGreaterThan(1);
    const texts = await Promise.all(parts.map(async (path) => (await large.visit(path)).text));
    for (const part of [text, ...texts]) expect(part.length).toBeLessThan(50_000);
    const listed = texts.join('').match(/articles\/article-\d+\.md/g);
    expect([listed?.length, new Set(listed).size]).toEqual([400, 400]);
    await large.close();
  });

  test.each([
    ['/en/', '# Acme Help', '/en/categories/billing.md'],
    ['/en/categories/billing', '# Billing', '/en/articles/invoices.md'],
    ['/en/tags/', '# Tags', '/en/tags/refund.md'],
    ['/en/tags/refund', '# Refund', '/en/articles/refunds.md'],
    ['/en/releases', '## 2.4.0 Autumn', 'Faster refunds'],
    ['/en/articles/refunds', '# Refunds', 'Refunds take 5 days.'],
  ])('%s is Markdown for who asks for it, and under an address of its own', async (path, title, content) => {
    const asked = await rig.visit(path, { accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' });
    expect(asked.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(asked.headers.get('vary')).toMatch(/\bAccept,/);
    expect(asked.headers.get('link')).toBe(`<http://kb.test${path}>; rel="canonical"`);
    expect(asked.text).toContain(title);
    expect(asked.text).toContain(content);
    expect(asked.text.startsWith('> All pages of this site: [llms.txt](http://kb.test/llms.txt)\n\n')).toBe(
      true,
    );
    const page = await rig.visit(path);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('vary')).toMatch(/\bAccept,/);
    const own = /<link rel="alternate" type="text\/markdown" href="([^"]*)"/.exec(page.text)?.[1] ?? '';
    expect(own).toMatch(/\.md$/);
    const twin = await rig.visit(own);
    expect([twin.status, twin.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(twin.text).toBe(asked.text);
  });

  test('a page that asks for Markdown and is not there is a 404, and a draft is not there', async () => {
    for (const path of ['/en/articles/nothing', '/en/articles/secret-plans', '/en/categories/nothing.md']) {
      expect((await rig.visit(path, { accept: 'text/markdown' })).status).toBe(404);
    }
    expect(
      (await rig.visit('/en/articles/old-terms', { accept: 'text/markdown' })).headers.get('x-robots-tag'),
    ).toBe('noindex');
  });

  test.each([
    ['text/markdown', true],
    ['text/markdown, text/html, */*', true],
    ['text/html, text/markdown', false],
    ['text/html;q=0.5, text/markdown;q=0.6', true],
    ['text/html;q=0.6, text/markdown;q=0.5', false],
    ['text/markdown;q=0', false],
    ['text/html,application/xhtml+xml,*/*;q=0.8', false],
    ['*/*', false],
    [null, false],
  ])('Accept: %s asks for Markdown: %s', (accept, isAsked) => expect(prefersMarkdown(accept)).toBe(isAsked));

  test('an article and its topics are described in schema.org’s words, which no title can leave', async () => {
    await rig.make(ARTICLES, articleBody({ title: '</script><b>x', slug: 'odd-title' }));
    const dataOf = async (path: string): Promise<readonly Record<string, unknown>[]> => {
      const { text } = await rig.visit(path);
      const found = text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g);
      return [...found].map(([, json]) => JSON.parse(json ?? ''));
    };
    const [crumbs, article] = await dataOf('/en/articles/refunds');
    expect(crumbs).toMatchObject({
      '@type': 'BreadcrumbList',
      itemListElement: [
        { position: 1, item: 'http://kb.test/en/' },
        { position: 2, name: 'Billing', item: 'http://kb.test/en/categories/billing' },
        { position: 3, name: 'Refunds' },
      ],
    });
    expect(article).toMatchObject({ '@type': 'TechArticle', headline: 'Refunds', inLanguage: 'en' });
    expect((await dataOf('/en/articles/odd-title'))[1]).toMatchObject({ headline: '</script><b>x' });
    expect(await dataOf('/en/articles/old-terms')).toEqual([]);
    expect(await dataOf('/en/categories/billing')).toHaveLength(1);
  });

  test('an article is there as Markdown in its own language', async () => {
    const { text, headers } = await rig.visit('/en/articles/refunds.md');
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(text).toContain('# Refunds\n\n> How long refunds take.\n\n## Delays\n\nRefunds take 5 days.');
    expect(text).toContain('```js\nconst a = "b";\n```');
    const fallback = await rig.visit('/fr/articles/invoices.md');
    expect(fallback.headers.get('location')).toBe('/en/articles/invoices.md');
    expect((await rig.visit('/en/articles/nothing.md')).status).toBe(404);
  });
});

describe('beside the API', () => {
  const beside = () => siteBeside(createApp({ store: rig.store, clock: rig.clock }), rig.site);
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await beside().fetch(new Request(`http://kb.test${path}`, { headers }));
    return [reply.status, reply.headers.get('content-type')?.split(';')[0]];
  };

  test('the API, its health and unknown API paths stay what they are', async () => {
    expect(await ask('/api/v2/articles')).toEqual([401, 'application/json']);
    expect(await ask('/api/v2/nothing', { accept: 'text/html', authorization: `Bearer ${rig.key}` })).toEqual(
      [404, 'application/json'],
    );
    expect(await ask('/healthz', { accept: 'text/html' })).toEqual([200, 'application/json']);
  });

  test('pages are pages, and a path that neither has is a page for people and JSON for programs', async () => {
    expect(await ask('/en/')).toEqual([200, 'text/html']);
    expect(await ask('/nothing-here', { accept: 'text/html' })).toEqual([404, 'text/html']);
    expect(await ask('/nothing-here', { accept: 'application/json' })).toEqual([404, 'application/json']);
  });
});

test('a store that fails is a page that says so, and the cause is told to who runs the service', async () => {
  const broken = await siteRig();
  await broken.close();
  const closed = await broken.visit('/en/articles/refunds');
  expect(closed.status).toBe(503);
  expect(closed.text).toContain('Something failed');
  expect(closed.headers.get('cache-control')).toBe('private, no-store');
});

test('an error nobody expected is a 500 whose cause is told', async () => {
  const store = { ...rig.store, read: () => Promise.reject(new Error('boom')) };
  const failures: string[] = [];
  const { createSite } = await import('../../src/site/create-site.ts');
  const site = createSite({
    store,
    onFailure: (error, request) => failures.push(`${request} ${String(error)}`),
  });
  const reply = await site.fetch(new Request('http://kb.test/fr/'));
  expect(reply.status).toBe(500);
  const text = await reply.text();
  expect(text).toContain('Une erreur est survenue');
  expect(text).not.toContain('boom');
  expect(failures).toEqual(['GET /fr/ Error: boom']);
});

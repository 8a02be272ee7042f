import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testClock } from '../../service/support/rig.ts';
import { siteRig, type SiteRig } from '../support/site-rig.ts';

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0';
const clock = testClock();
let rig: SiteRig;
let nowMs = 0;
beforeEach(async () => {
  nowMs = 0;
  rig = await siteRig({ feedback: { clock }, searchMisses: { clock }, now: () => nowMs });
});
afterEach(() => rig.close());

interface Sent {
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
}

const answer = ({
  form = {},
  headers = { 'sec-fetch-site': 'same-origin' },
  from = '203.0.113.7',
}: Sent = {}) =>
  rig.site.fetch(
    new Request('http://kb.test/_site/feedback', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({
        article: rig.ids['refunds'] ?? '',
        answer: 'no',
        to: '/en/articles/refunds',
        ...form,
      }),
    }),
    from,
  );

/** `helpful/not helpful` of the one article that has answers. */
const counts = () =>
  rig.store.read((sql) =>
    sql.all<{ readonly counts: string }>(
      `select helpful || '/' || not_helpful as counts from article_feedback`,
    ),
  );

/** What is written beside the request is there once the store takes the next write. */
async function written(): Promise<readonly string[]> {
  await new Promise((resolve) => setImmediate(resolve));
  await rig.store.write(async () => undefined);
  return (await counts()).map((row) => row.counts);
}

describe('the question below an article', () => {
  test('is a plain form, and leads back to the article with thanks; no cookie is set', async () => {
    const page = await rig.visit('/en/articles/refunds');
    expect(page.text).toMatch(/<form method="post" action="\/_site\/feedback">/);
    expect(page.text).toContain(`name="article" value="${rig.ids['refunds']}"`);
    const reply = await answer();
    expect([reply.status, reply.headers.get('location'), reply.headers.get('set-cookie')]).toEqual([
      303,
      '/en/articles/refunds#site-thanks',
      null,
    ]);
    expect(page.text).toContain('id="site-thanks"');
    expect(await written()).toEqual(['0/1']);
    await answer({ form: { answer: 'yes' }, from: '203.0.113.8' });
    expect(await written()).toEqual(['1/1']);
  });

  test('stands on no draft, no preview, no other page, and nowhere if nobody is to be asked', async () => {
    const asks = (text: string) => text.includes('/_site/feedback');
    for (const path of ['/en/', '/en/categories/billing', '/en/search?q=refund', '/en/none']) {
      expect([path, asks((await rig.visit(path)).text)]).toEqual([path, false]);
    }
    const silent = await siteRig();
    expect(asks((await silent.visit('/en/articles/refunds')).text)).toBe(false);
    const request = new Request('http://kb.test/_site/feedback', { method: 'POST', body: 'answer=yes' });
    expect((await silent.site.fetch(request)).status).toBe(405);
    await silent.close();
    const shown = await siteRig({ feedback: { clock }, showsDrafts: true });
    expect(asks((await shown.visit('/en/articles/secret-plans')).text)).toBe(false);
    await shown.close();
  });

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another host of the same domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['nowhere', { 'sec-fetch-site': 'none' }, 403],
    ['a program that says nothing', {}, 403],
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['an origin that is hidden', { origin: 'null' }, 403],
    ['this origin', { origin: 'http://kb.test' }, 303],
    ['this host, behind a proxy that ends TLS', { origin: 'https://kb.test' }, 303],
    ['another port of this host', { origin: 'http://kb.test:8080' }, 403],
    ['a file', { origin: 'file://' }, 403],
    [
      'this origin, but not by the better witness',
      { origin: 'http://kb.test', 'sec-fetch-site': 'cross-site' },
      403,
    ],
  ])('an answer from %s', async (_from, headers, status) => {
    expect((await answer({ headers })).status).toBe(status);
    expect(await written()).toEqual(status === 303 ? ['0/1'] : []);
  });

  test('behind a proxy the address that readers see is the origin', async () => {
    const behind = await siteRig({ feedback: { clock }, origin: 'https://help.acme.test' });
    const status = async (origin: string) => {
      const request = new Request('http://kb.test/_site/feedback', {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ article: behind.ids['refunds'] ?? '', answer: 'yes' }),
      });
      return (await behind.site.fetch(request)).status;
    };
    expect([await status('https://help.acme.test'), await status('https://acme.test')]).toEqual([303, 403]);
    await behind.close();
  });

  test('a second answer within a minute is one; 30 a minute come from one address', async () => {
    await answer();
    expect((await answer({ form: { answer: 'yes' } })).status).toBe(303);
    expect(await written()).toEqual(['0/1']);
    nowMs += 60_000;
    await answer({ form: { answer: 'yes' } });
    expect(await written()).toEqual(['1/1']);
    const replies = await Promise.all(Array.from({ length: 31 }, () => answer()));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await answer({ from: '198.51.100.1' })).status).toBe(303);
  });

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['another answer', { answer: '<script>' }, 400],
    ['no article', { article: '' }, 404],
    ['an article that is none', { article: `x' or '1'='1` }, 404],
    ['an id that is long', { article: 'a'.repeat(3000) }, 404],
    ['a body that is longer', { article: 'a'.repeat(5000) }, 413],
  ])('%s is refused, and says nothing of what was sent', async (_what, form, status) => {
    const reply = await answer({ form });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'text/plain; charset=utf-8']);
    expect(await reply.text()).not.toContain('script');
  });

  test('a draft takes no answers', async () => {
    const [draft] = await rig.store.read((sql) =>
      sql.all<{ readonly id: string }>(`select id from articles where status = 'draft'`),
    );
    expect((await answer({ form: { article: draft?.id ?? '' } })).status).toBe(404);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/a\r\nset-cookie: a=b',
    '/日本',
    '',
  ])('nobody is led away: %j', async (to) => {
    const reply = await answer({ form: { to } });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/#site-thanks']);
  });
});

describe('counting', () => {
  const headers = { 'user-agent': PERSON };
  const misses = async () => {
    await written();
    const rows = await rig.store.read((sql) =>
      sql.all<{ readonly entry: string }>(
        `select language || ' ' || query || ' ' || times as entry from search_misses order by entry`,
      ),
    );
    return rows.map(({ entry }) => entry);
  };

  test('a search without result is counted, once for its first page; one with results, by a program or half typed is not', async () => {
    await rig.visit('/en/search?q=Zeppelin', headers);
    await rig.visit('/fr/search?q=zeppelin', headers);
    await rig.visit('/en/search?q=zeppelin&page=2', headers);
    await rig.visit('/en/search?q=refunds', headers);
    await rig.visit('/en/search.json?q=zepp', headers);
    await rig.visit('/en/search?q=airship', { 'user-agent': 'Googlebot/2.1' });
    await rig.visit('/en/search?q=ada%40example.com', headers);
    expect(await misses()).toEqual(['en zeppelin 1', 'fr zeppelin 1']);
  });

  test('of one address ten searches a minute are counted', async () => {
    for (let count = 0; count < 12; count += 1) {
      await rig.site.fetch(
        new Request(`http://kb.test/en/search?q=zeppelin${'x'.repeat(count)}`, { headers }),
        '203.0.113.9',
      );
    }
    expect(await misses()).toHaveLength(10);
  });

  test('who comes back from the question is not another view', async () => {
    const views = async () => {
      await written();
      const row = await rig.store.read((sql) =>
        sql.get<{ readonly views: number }>(
          'select views from articles where id = ?',
          rig.ids['refunds'] ?? '',
        ),
      );
      return row?.views;
    };
    await rig.visit('/en/articles/refunds', headers);
    expect(await views()).toBe(1);
    await rig.visit('/en/articles/refunds', { ...headers, referer: 'http://kb.test/en/articles/refunds' });
    expect(await views()).toBe(1);
    await rig.visit('/en/articles/refunds', { ...headers, referer: 'http://kb.test/en/' });
    expect(await views()).toBe(2);
  });
});

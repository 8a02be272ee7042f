import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/service/api/openapi/openapi.ts';
import { countViews } from '../../../src/service/index.ts';
import { countFeedback } from '../../../src/service/insights/feedback.ts';
import { countedQuery, countMiss, forgetOldMisses } from '../../../src/service/insights/search-misses.ts';
import { described } from '../support/described.ts';
import { ARTICLES, articleBody, type OpenRig, rig, type Rig } from '../support/rig.ts';

const DAY = 86_400_000_000;
const NOW = Date.UTC(2026, 10, 20, 10) * 1000;

export function insights(open: OpenRig): void {
  describe('insights', () => {
    let service: Rig;
    beforeEach(async () => {
      const { store } = await open();
      service = await rig(store, { insights: true });
    });
    afterEach(() => service.close());
    const data = async (list: string) => (await service.ask('GET', `/api/v2/insights/${list}`)).body['data'];
    const miss = (query: string, times = 1, at = NOW, language = 'en') =>
      countMiss(service.store, { query, language }, { times, at });
    const feedback = (articleId: string, verdict: 'helpful' | 'not-helpful', times = 1) =>
      countFeedback(service.store, { articleId, verdict }, { times, at: NOW });

    test('searches are added up by language, those asked most first', async () => {
      await miss('invoice', 2);
      await miss('vat number', 1, NOW + 1);
      await miss('invoice', 3, NOW + 2);
      await miss('invoice', 1, NOW, 'fr');
      expect(await data('searches')).toEqual([
        { query: 'invoice', language: 'en', times: 5, last_date: '2026-11-20T10:00:00.000002Z' },
        { query: 'vat number', language: 'en', times: 1, last_date: '2026-11-20T10:00:00.000001Z' },
        { query: 'invoice', language: 'fr', times: 1, last_date: '2026-11-20T10:00:00.000000Z' },
      ]);
      const cut = await service.ask('GET', '/api/v2/insights/searches?count=1');
      expect(cut.body['data']).toHaveLength(1);
    });

    test('a search that nobody repeats for 90 days is forgotten', async () => {
      await miss('old');
      await miss('kept', 1, NOW + DAY);
      await miss('new', 1, NOW + 91 * DAY - 1);
      expect((await data('searches')).map(({ query }: { query: string }) => query)).toEqual(['new', 'kept']);
      // Also where none is counted any more.
      service.clock.set((NOW + 92 * DAY) / 1000);
      expect(await data('searches')).toMatchObject([{ query: 'new' }]);
      await forgetOldMisses(service.store, NOW + 92 * DAY);
      const kept = await service.store.read((sql) => sql.all('select query from search_misses'));
      expect(kept).toEqual([{ query: 'new' }]);
    });

    test('of more than 2,000 searches the rarest go, and of these the oldest', async () => {
      const { store } = service;
      await store.write(async (sql) => {
        for (let count = 0; count < 2000; count += 1) {
          await sql.run(
            'insert into search_misses values (?, ?, ?, ?, ?)',
            store.knowledgeBase.id,
            'en',
            `w${count}`,
            count === 0 ? 9 : 1,
            NOW + count,
          );
        }
      });
      await miss('one more', 1, NOW + 5000);
      const kept = await store.read((sql) =>
        sql.all<{ readonly query: string }>(
          `select query from search_misses where query in ('w0', 'w1', 'w2', 'one more') order by query`,
        ),
      );
      expect(kept.map(({ query }) => query)).toEqual(['one more', 'w0', 'w2']);
    });

    test('answers are kept for each translation, and move no date, no version and no tag', async () => {
      const id = await service.make(ARTICLES, articleBody());
      await service.ask('POST', `${ARTICLES}/${id}`, { ...articleBody({ slug: 'installer' }), lang: 'fr' });
      const french = (await service.ask('GET', `${ARTICLES}/${id}?lang=fr`)).body['data'].id;
      const before = await service.ask('GET', `${ARTICLES}/${id}`);
      const list = await service.ask('GET', ARTICLES);
      await Promise.all([feedback(id, 'helpful', 2), feedback(id, 'not-helpful'), feedback(id, 'helpful')]);
      await feedback(french, 'not-helpful', 4);
      const after = await service.ask('GET', `${ARTICLES}/${id}`);
      expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
      expect((await service.ask('GET', ARTICLES)).headers.get('etag')).toBe(list.headers.get('etag'));
      const rest = { name: 'Install', views: 0, last_date: '2026-11-20T10:00:00.000000Z' };
      expect(await data('feedback')).toEqual([
        { id: french, slug: 'installer', language: 'fr', helpful: 0, not_helpful: 4, ...rest },
        { id, slug: 'install', language: null, helpful: 3, not_helpful: 1, ...rest },
      ]);
    });

    test('answers about drafts and about what is gone are not counted, and go with their article', async () => {
      const draft = await service.make(ARTICLES, articleBody({ slug: 'draft', status: 'draft' }));
      const gone = await service.make(ARTICLES, articleBody({ slug: 'gone' }));
      await feedback(gone, 'helpful');
      expect(await data('feedback')).toHaveLength(1);
      expect((await service.ask('DELETE', `${ARTICLES}/${gone}`)).status).toBe(200);
      await Promise.all([feedback(draft, 'helpful'), feedback(gone, 'helpful'), feedback('none', 'helpful')]);
      expect(await data('feedback')).toEqual([]);
    });

    test('old articles stand by their views times the days without an edit', async () => {
      const { store, clock } = service;
      const read = async (slug: string, views: number) => {
        const id = await service.make(ARTICLES, articleBody({ title: slug, slug }));
        if (views > 0) await countViews(store, id, views);
      };
      await read('old', 20);
      await read('unread', 0);
      clock.set(clock.now() + 300 * 86_400_000);
      await read('new', 1000);
      clock.set(clock.now() + 2 * 86_400_000);
      expect((await data('stale')).map(({ slug }: { slug: string }) => slug)).toEqual(['old', 'new']);
      expect((await data('stale'))[0]).toMatchObject({
        views: 20,
        last_edited_date: '2026-11-20T10:00:00.000000Z',
      });
    });

    test('the service announces them, describes them exactly, and refuses what it does not know', async () => {
      await miss('invoice');
      await feedback(await service.make(ARTICLES, articleBody()), 'not-helpful');
      const one = await service.ask('GET', '/api/v2/insights/searches');
      expect(one.headers.get('kb-capabilities')).toMatch(/, insights$/);
      const served = await service.ask('GET', '/openapi.json');
      expect(Object.keys(served.body['paths'])).toContain('/api/v2/insights/feedback');
      const api = described(openApiDocument(undefined, { hasInsights: true }));
      const asked: readonly (readonly [number, string, string, Readonly<Record<string, string>>?])[] = [
        [200, 'listSearchMisses', 'searches?count=1000'],
        [200, 'listFeedback', 'feedback'],
        [200, 'listStaleArticles', 'stale'],
        [400, 'listStaleArticles', 'stale?count=0'],
        [400, 'listStaleArticles', 'stale?count=1001'],
        [400, 'listFeedback', 'feedback?count=1&count=2'],
        [400, 'listFeedback', 'feedback?page=2'],
        [401, 'listSearchMisses', 'searches', { authorization: 'Bearer no' }],
      ];
      for (const [status, name, path, headers] of asked) {
        const reply = await service.ask('GET', `/api/v2/insights/${path}`, undefined, headers);
        expect([path, reply.status, api.problems(name, reply)]).toEqual([path, status, []]);
      }
      const other = await service.ask('DELETE', '/api/v2/insights/stale');
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });

    test('a service without them says nothing of them', async () => {
      const plain = await rig(service.store);
      const reply = await plain.ask('GET', '/api/v2/insights/searches');
      expect([reply.status, reply.headers.get('kb-capabilities')]).toEqual([
        404,
        expect.not.stringContaining('insights'),
      ]);
    });

    test('the time of the words moves with the words alone', async () => {
      const { store, clock, ask } = service;
      const start = clock.now();
      const id = await service.make(ARTICLES, articleBody());
      const timesIn = async (): Promise<readonly number[]> => {
        const rows = await store.read((sql) =>
          sql.all<{ readonly words_at: number }>(
            `select s.words_at as words_at from article_search s join articles a on a.id = s.article_id
             order by case when a.language is null then 0 else 1 end`,
          ),
        );
        return rows.map(({ words_at }) => (words_at / 1000 - start) / 1000);
      };
      const edit = async (second: number, values: object, lang = 'en') => {
        clock.set(start + second * 1000);
        const reply = await ask('POST', `${ARTICLES}/${id}`, { ...articleBody(values), lang });
        expect(reply.status).toBe(200);
        return timesIn();
      };
      expect(await timesIn()).toEqual([0]);
      expect(await edit(10, { ordering: 3, excerpt: 'Other.' })).toEqual([0]);
      expect(
        await edit(20, { content: '<div><p class="a">Run  the <b>installer</b>.</p></div><!-- stamp -->' }),
      ).toEqual([0]);
      expect(await edit(30, { slug: 'installer', content: '<p>Lancez.</p>' }, 'fr')).toEqual([0, 30]);
      expect(await edit(40, { content: '<p>Run it twice.</p>' })).toEqual([40, 30]);
      expect(await edit(50, { slug: 'installateur', content: '<p>Lancez.</p>' }, 'fr')).toEqual([40, 30]);
      // Beyond 50,000 characters nobody looks: an original counts as unchanged, a translation as changed.
      const long = 'word '.repeat(12_000);
      expect(await edit(60, { content: `<p>${long}</p>` })).toEqual([60, 30]);
      expect(await edit(70, { content: `<p>${long} end</p>` })).toEqual([60, 30]);
      expect(await edit(80, { slug: 'installer', content: `<p>${long}</p>` }, 'fr')).toEqual([60, 80]);
      expect(await edit(90, { slug: 'installer', content: `<p>${long} fin</p>` }, 'fr')).toEqual([60, 90]);
    });
  });
}

describe('what is kept of a query', () => {
  test.each([
    ['  Refund\tPolicy ', 'refund policy'],
    ['ＶＡＴ 2026', 'ｖａｔ 2026'],
    ['返金', '返金'],
    ['a\u0000b\u200bc', 'a b c'],
    ['', undefined],
    ['ada@example.com', undefined],
    ['order 12345', undefined],
    ['+49 30 90 18', undefined],
    ['١٢٣٤٥', undefined],
    ['see https://example.com/?token=a', undefined],
    ['ada＠example．com', undefined],
    ['①②③④⑤', undefined],
    ['www.example.com/ada', undefined],
    ['example.com/reset?token=abc', undefined],
    ['what is a=b?', 'what is a=b?'],
    ['.net/core or node.js', '.net/core or node.js'],
    ['x'.repeat(81), undefined],
  ])('%j: %j', (query, kept) => {
    expect(countedQuery(query)).toBe(kept);
  });
});

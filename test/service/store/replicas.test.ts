import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, openPostgres, revokeKey } from '../../../src/service/index.ts';
import { checkDueLinks } from '../../../src/service/links/checker.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import {
  ARTICLES,
  articleBody,
  CATEGORIES,
  categoryBody,
  type Reply,
  type Rig,
  rig,
} from '../support/rig.ts';

const CLIENTS = 50;
/** 1,000 in the campaign. */
const ROUNDS = Number(process.env['KBSYNC_RACE_ROUNDS'] ?? 20);

function countByStatus(replies: readonly Reply[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe.skipIf(postgresMissing() !== undefined)('replicas on one PostgreSQL', { timeout: 1_800_000 }, () => {
  let server: PostgresServer;
  let first: Rig;
  let second: Rig;
  /** The second replica, asked with the first one's key. */
  let ask: Rig['ask'];
  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    const url = await server.freshUrl();
    first = await rig(await openPostgres({ url, connectionsMax: 20 }));
    second = await rig(await openPostgres({ url, connectionsMax: 20 }));
    ask = (method, path, body, headers = {}) =>
      second.ask(method, path, body, { authorization: `Bearer ${first.key}`, ...headers });
  });
  afterEach(async () => {
    const failures = [...first.failures, ...second.failures];
    if (failures.length > 0) throw new AggregateError(failures, 'the service failed');
    await first.close();
    await second.close();
  });
  afterAll(() => server.remove());

  const atOnce = (send: (askOne: Rig['ask'], client: number) => Promise<Reply>) =>
    Promise.all(Array.from({ length: CLIENTS }, (_, n) => send(n % 2 === 0 ? first.ask : ask, n)));

  test(`of ${CLIENTS} creates of one slug at once, one wins, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const replies = await atOnce((one) => one('PUT', ARTICLES, articleBody({ slug: `s${round}` })));
      expect(countByStatus(replies)).toEqual({ 201: 1, 409: CLIENTS - 1 });
    }
    expect((await ask('GET', ARTICLES)).body['data']).toHaveLength(ROUNDS);
  });

  test('links that are due are shared: each is asked for by one replica, and none is left', async () => {
    const addresses = Array.from({ length: 240 }, (_, n) => `https://site-${n % 40}.example/page-${n}`);
    const anchors = addresses.map((url) => `<a href="${url}">x</a>`).join(' ');
    await first.make(ARTICLES, articleBody({ slug: 'links', content: `<p>${anchors}</p>` }));
    const asked: string[] = [];
    const shares = [0, 0];
    const check = async ({ store }: Rig, replica: 0 | 1): Promise<void> => {
      const options = {
        store,
        clock: { now: () => first.clock.now(), sleep: async () => undefined },
        resolve: async () => ['93.184.215.14'],
        allowPrivate: false,
        send: async ({ url }: { readonly url: URL }) => {
          asked.push(url.href);
          shares[replica] = (shares[replica] ?? 0) + 1;
          await new Promise((resolve) => setImmediate(resolve));
          return { status: 200 };
        },
      };
      const signal = new AbortController().signal;
      // Nothing to claim while the other replica claims is no proof that nothing is due.
      for (let idle = 0; idle < 3;) idle = (await checkDueLinks(options, signal)) === 0 ? idle + 1 : 0;
    };
    await Promise.all([check(first, 0), check(second, 1)]);
    expect(asked.toSorted()).toEqual(addresses.toSorted());
    expect(Math.min(...shares)).toBeGreaterThan(0);
    const { body } = await ask('GET', '/api/v2/tools/link_manager');
    const working = (body['data'] as readonly { readonly working: boolean }[]).map((link) => link.working);
    expect(working).toHaveLength(addresses.length);
    expect(new Set(working)).toEqual(new Set([true]));
  });

  test(`moves that would close a circle of three never do, ${ROUNDS} times`, async () => {
    const ids = await Promise.all(
      ['a', 'b', 'c'].map((slug) => first.make(CATEGORIES, categoryBody({ slug }))),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const replies = await Promise.all(
        ids.map((id, at) =>
          (at === 1 ? ask : first.ask)('POST', `${CATEGORIES}/${id}`, { categoryParent: ids[(at + 1) % 3] }),
        ),
      );
      expect(countByStatus(replies)).toEqual({ 200: 2, 409: 1 });
      for (const id of ids) await ask('POST', `${CATEGORIES}/${id}`, { categoryParent: null });
    }
  });

  test('a create sent to both under one Idempotency-Key is done once and answered alike', async () => {
    const replies = await atOnce((one) => one('PUT', ARTICLES, articleBody(), { 'idempotency-key': 'k' }));
    expect(countByStatus(replies)).toEqual({ 201: CLIENTS });
    expect(new Set(replies.map(({ headers }) => headers.get('location'))).size).toBe(1);
  });

  test('edits through both have dates that only go up, though their clocks differ', async () => {
    const id = await first.make(ARTICLES, articleBody());
    second.clock.set(second.clock.now() - 60_000);
    const dates: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const one = n % 2 === 0 ? first.ask : ask;
      const edited = await one('POST', `${ARTICLES}/${id}`, articleBody({ title: `T${n}`, lang: 'en' }));
      dates.push(edited.headers.get('kb-last-edited') ?? '');
    }
    expect(dates).toEqual([...new Set(dates)].toSorted((a, b) => (a < b ? -1 : 1)));
    const many = await atOnce((one, n) =>
      one('POST', `${ARTICLES}/${id}`, articleBody({ title: `M${n}`, lang: 'fr' })),
    );
    expect(new Set(many.map(({ headers }) => headers.get('kb-last-edited'))).size).toBe(CLIENTS);
  });

  test('what one writes the other shows at once, keys and their end included', async () => {
    const id = await first.make(ARTICLES, articleBody());
    expect((await ask('GET', `${ARTICLES}/${id}`)).body['data'].name).toBe('Install');
    expect((await second.ask('GET', ARTICLES)).status).toBe(200);
    const [, prefix = ''] = first.key.split('_');
    await revokeKey({ store: first.store, clock: first.clock, prefix });
    expect((await ask('GET', ARTICLES)).status).toBe(401);
    expect((await second.ask('GET', ARTICLES)).status).toBe(200);
  });

  test('an edit of a translation by its id, while the other deletes it, never makes another one', async () => {
    const id = await first.make(ARTICLES, articleBody());
    for (let round = 0; round < ROUNDS; round += 1) {
      await first.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'fr' }));
      const [row] = await first.store.read((sql) =>
        sql.all<{ id: string }>('select id from articles where language is not null'),
      );
      const path = `${ARTICLES}/${row?.id ?? ''}`;
      const [edited, deleted] = await Promise.all([
        ask('POST', path, articleBody({ lang: 'fr', title: `R${round}` })),
        first.ask('DELETE', path),
      ]);
      expect([200, 404]).toContain(edited.status);
      expect(deleted.status).toBe(200);
      expect((await ask('GET', path)).status).toBe(404);
      expect((await ask('GET', ARTICLES)).body['data'][0].other_articles).toEqual([]);
    }
  });

  test('an app without a store of its own process in memory answers as the one that wrote', async () => {
    const id = await first.make(ARTICLES, articleBody());
    const fresh = createApp({ store: second.store, clock: second.clock });
    const request = new Request(`http://kb.test${ARTICLES}/${id}`, {
      headers: { authorization: `Bearer ${first.key}` },
    });
    const [answer, other] = [await fresh.fetch(request), await first.ask('GET', `${ARTICLES}/${id}`)];
    expect([await answer.json(), answer.headers.get('etag')]).toEqual([
      other.body,
      other.headers.get('etag'),
    ]);
  });
});

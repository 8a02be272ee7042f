import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/service/index.ts';
import {
  ARTICLES,
  articleBody,
  CATEGORIES,
  categoryBody,
  type Reply,
  type Rig,
  type OpenRig,
} from '../support/rig.ts';

const CLIENTS = 50;
/** Rounds of each race; 1,000 in the campaign. */
const ROUNDS = Number(process.env['KBSYNC_RACE_ROUNDS'] ?? 10);
const LONG = { timeout: 60_000 + ROUNDS * 2000 };

function countByStatus(replies: readonly Reply[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export function races(open: OpenRig): void {
  describe('races', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = await open();
    });
    afterEach(() => rig.close());

    const atOnce = (ask: (client: number) => Promise<Reply>): Promise<readonly Reply[]> =>
      Promise.all(Array.from({ length: CLIENTS }, (_, client) => ask(client)));

    test('of many creates of one slug at once, one wins', LONG, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const body = articleBody({ slug: `s${round}` });
        const replies = await atOnce(() => rig.ask('PUT', ARTICLES, body));
        expect(countByStatus(replies)).toEqual({ 201: 1, 409: CLIENTS - 1 });
      }
      expect((await rig.ask('GET', ARTICLES)).body['data']).toHaveLength(ROUNDS);
    });

    test('of many first edits in one language at once, one makes the translation and the rest edit it', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      const replies = await atOnce((client) =>
        rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ title: `T${client}`, lang: 'fr' })),
      );
      expect(countByStatus(replies)).toEqual({ 200: CLIENTS });
      const dates = replies.map(({ headers }) => headers.get('kb-last-edited'));
      expect(new Set(dates).size).toBe(CLIENTS);
      const [item] = (await rig.ask('GET', ARTICLES)).body['data'];
      expect(item.other_articles).toEqual([{ language: 'fr' }]);
      expect(dates).toContain(item.last_edited_date);
    });

    test('of many edits that read the same version, one wins', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      for (let round = 0; round < 5; round += 1) {
        const etag = (await rig.ask('GET', `${ARTICLES}/${id}`)).headers.get('etag') ?? '';
        const replies = await atOnce((client) =>
          rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ title: `T${client}`, lang: 'en' }), {
            'if-match': etag,
          }),
        );
        expect(countByStatus(replies)).toEqual({ 200: 1, 412: CLIENTS - 1 });
        const winner = replies.findIndex(({ status }) => status === 200);
        expect((await rig.ask('GET', `${ARTICLES}/${id}`)).body['data'].name).toBe(`T${winner}`);
      }
    });

    test('two moves that cross never make a cycle', LONG, async () => {
      const a = await rig.make(CATEGORIES, categoryBody({ slug: 'a' }));
      const b = await rig.make(CATEGORIES, categoryBody({ slug: 'b' }));
      for (let round = 0; round < 2 * ROUNDS; round += 1) {
        const replies = await Promise.all([
          rig.ask('POST', `${CATEGORIES}/${a}`, { categoryParent: b }),
          rig.ask('POST', `${CATEGORIES}/${b}`, { categoryParent: a }),
        ]);
        expect(countByStatus(replies)).toEqual({ 200: 1, 409: 1 });
        for (const id of [a, b]) await rig.ask('POST', `${CATEGORIES}/${id}`, { categoryParent: null });
      }
    });

    test('a create sent many times with one Idempotency-Key is done once and answered alike', async () => {
      const headers = { 'idempotency-key': 'k1' };
      const replies = await atOnce(() => rig.ask('PUT', ARTICLES, articleBody(), headers));
      expect(countByStatus(replies)).toEqual({ 201: CLIENTS });
      const answers = replies.map((reply) =>
        JSON.stringify([
          reply.body,
          ...['location', 'etag', 'kb-last-edited'].map((name) => reply.headers.get(name)),
        ]),
      );
      expect(new Set(answers).size).toBe(1);
      expect((await rig.ask('GET', ARTICLES)).body['data']).toHaveLength(1);
    });

    test('an Idempotency-Key is bound to its request and its API key, for 24 hours, and a refused create leaves it free', async () => {
      const headers = { 'idempotency-key': 'k1' };
      const taken = await rig.make(CATEGORIES, categoryBody());
      expect((await rig.ask('PUT', CATEGORIES, categoryBody(), headers)).status).toBe(409);
      const first = await rig.ask('PUT', CATEGORIES, categoryBody({ slug: 'b' }), headers);
      expect(first.status).toBe(201);
      expect((await rig.ask('PUT', CATEGORIES, categoryBody({ slug: 'c' }), headers)).status).toBe(422);
      expect((await rig.ask('PUT', ARTICLES, articleBody(), headers)).status).toBe(422);
      const { key } = await createKey({ store: rig.store, clock: rig.clock, name: 'other' });
      const other = { ...headers, authorization: `Bearer ${key}` };
      expect((await rig.ask('PUT', CATEGORIES, categoryBody({ slug: 'b' }), other)).status).toBe(409);
      rig.clock.set(rig.clock.now() + 24 * 3600 * 1000 - 1);
      const repeated = await rig.ask('PUT', CATEGORIES, categoryBody({ slug: 'b' }), headers);
      expect(repeated.headers.get('location')).toBe(first.headers.get('location'));
      rig.clock.set(rig.clock.now() + 1);
      expect((await rig.ask('PUT', CATEGORIES, categoryBody({ slug: 'b' }), headers)).status).toBe(409);
      const long = { 'idempotency-key': 'k'.repeat(256) };
      expect((await rig.ask('PUT', CATEGORIES, categoryBody({ slug: 'd' }), long)).status).toBe(400);
      expect(taken).not.toBe('');
    });

    test('a create whose write fails half-way leaves nothing behind', async () => {
      const good = await rig.make(CATEGORIES, categoryBody());
      const half = articleBody({ categories: [{ value: good }], tags: [{ value: 'nope' }] });
      const replies = await Promise.all([
        rig.ask('PUT', ARTICLES, half),
        rig.ask('PUT', ARTICLES, articleBody({ slug: 'other' })),
        rig.ask('PUT', ARTICLES, half),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([422, 201, 422]);
      const counts = await rig.store.read((sql) =>
        sql.get(`select (select cast(count(*) as integer) from articles) as articles,
          (select cast(count(*) as integer) from article_categories) as filed`),
      );
      expect(counts).toEqual({ articles: 1, filed: 0 });
    });
  });
}

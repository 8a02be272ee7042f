import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { countViews, createKey, listAudit, listKeys } from '../../../src/service/index.ts';
import {
  ARTICLES,
  articleBody,
  CATEGORIES,
  categoryBody,
  type Rig,
  TAGS,
  tagBody,
  type OpenRig,
} from '../support/rig.ts';

export function auditing(open: OpenRig): void {
  describe('who wrote what, and when', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = await open();
    });
    afterEach(() => rig.close());

    test('each write has its line, with digests of before and after', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'en' }));
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'en', title: 'Set up' }));
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'fr', title: 'Installer' }));
      const tag = await rig.make(TAGS, tagBody());
      await rig.ask('DELETE', `${TAGS}/${tag}`);
      const lines = await listAudit(rig.store);
      expect(lines.map(({ action, kind, language, name }) => [action, kind, language, name])).toEqual([
        ['create', 'article', null, 'Install'],
        ['edit', 'article', null, 'Install'],
        ['edit', 'article', null, 'Set up'],
        ['create', 'article', 'fr', 'Installer'],
        ['create', 'tag', null, 'CLI'],
        ['delete', 'tag', null, 'CLI'],
      ]);
      const [created, same, renamed, translated, tagged, gone] = lines;
      const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
      expect(created).toEqual({
        at: '2026-11-20T10:00:00.000000Z',
        action: 'create',
        kind: 'article',
        recordId: id,
        language: null,
        name: 'Install',
        key: { prefix: rig.key.split('_')[1], name: 'test' },
        before: null,
        after: digest,
      });
      expect([same?.before, same?.after]).toEqual([created?.after, created?.after]);
      expect(renamed?.before).toBe(same?.after);
      expect(renamed?.after).not.toBe(renamed?.before);
      expect([translated?.before, translated?.recordId === id]).toEqual([null, false]);
      expect([gone?.before, gone?.after]).toEqual([tagged?.after, null]);
    });

    test('a write that is refused or repeated leaves no line', async () => {
      await rig.ask('PUT', ARTICLES, articleBody(), { 'idempotency-key': 'once' });
      await rig.ask('PUT', ARTICLES, articleBody(), { 'idempotency-key': 'once' });
      await rig.ask('PUT', ARTICLES, articleBody());
      await rig.ask('PUT', ARTICLES, articleBody({ slug: 'x', categories: [{ value: 'none' }] }));
      expect(await listAudit(rig.store)).toHaveLength(1);
    });

    test('lines are found by time, key and record, the newest so many', async () => {
      const { key, prefix } = await createKey({ store: rig.store, clock: rig.clock, name: 'other' });
      const first = await rig.make(CATEGORIES, categoryBody());
      rig.clock.set(rig.clock.now() + 1000);
      await rig.ask('PUT', TAGS, tagBody(), { authorization: `Bearer ${key}` });
      const names = async (filter: object) => (await listAudit(rig.store, filter)).map(({ name }) => name);
      expect(await names({ sinceMs: rig.clock.now() })).toEqual(['CLI']);
      expect(await names({ sinceMs: rig.clock.now() + 1 })).toEqual([]);
      expect(await names({ keyPrefix: prefix })).toEqual(['CLI']);
      expect(await names({ recordId: first })).toEqual(['Getting started']);
      expect(await names({ countMax: 1 })).toEqual(['CLI']);
      expect(await names({})).toEqual(['Getting started', 'CLI']);
    });

    test('views are counted for the original, and move no date and no tag', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'fr' }));
      const state = async () => {
        const { headers, body } = await rig.ask('GET', `${ARTICLES}/${id}`);
        return [headers.get('etag'), body['data'].last_edited_Date];
      };
      const before = await state();
      const fr = (await rig.ask('GET', `${ARTICLES}/${id}?lang=fr`)).body['data'].id;
      rig.clock.set(rig.clock.now() + 1000);
      await countViews(rig.store, id);
      await countViews(rig.store, fr, 3);
      await countViews(rig.store, 'gone');
      expect((await rig.ask('GET', ARTICLES)).body['data'][0]['_count']).toEqual({ tracking: 4 });
      expect(await state()).toEqual(before);
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'en' }));
      expect((await rig.ask('GET', ARTICLES)).body['data'][0]['_count']).toEqual({ tracking: 4 });
    });

    test('the last use of a key is kept to the minute', async () => {
      const used = async () => (await listKeys(rig))[0]?.lastUsedAt;
      // The use is written beside the request, and may come after the answer.
      const becomes = (at: string) => vi.waitFor(async () => expect(await used()).toBe(at));
      expect(await used()).toBe(undefined);
      await rig.ask('GET', TAGS);
      await becomes('2026-11-20T10:00:00.000000Z');
      rig.clock.set(rig.clock.now() + 59_000);
      await rig.ask('GET', TAGS);
      await rig.ask('GET', TAGS);
      expect(await used()).toBe('2026-11-20T10:00:00.000000Z');
      rig.clock.set(rig.clock.now() + 1000);
      await rig.ask('GET', TAGS);
      await becomes('2026-11-20T10:01:00.000000Z');
      expect(rig.failures).toEqual([]);
    });
  });
}

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  addVersion,
  type AuditFilter,
  countViews,
  createKey,
  listAudit,
  listKeys,
  revokeKey,
} from '../../../src/service/index.ts';
import { editVersion, importVersions, removeVersion } from '../../../src/service/versions/edits.ts';
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

    /** What the API wrote; the rig's own key was made by a command. */
    const written = async (filter: AuditFilter = {}) =>
      (await listAudit(rig.store, filter)).filter(({ key }) => key !== null);

    test('what commands do to keys and versions has its line, under no key', async () => {
      const { store } = rig;
      // Two commands are two processes, and never of one microsecond.
      const clock = { now: () => (rig.clock.set(rig.clock.now() + 1), rig.clock.now()) };
      const { prefix } = await createKey({ store, clock, name: 'ci', scope: 'read' });
      expect([await revokeKey({ store, clock, prefix }), await revokeKey({ store, clock, prefix })]).toEqual([
        true,
        false,
      ]);
      const added = { version: '1.0', name: 'One', releasedAtMs: 0, active: true, released: true };
      const id = await addVersion({ store, clock }, { ...added, features: [] });
      await editVersion({ store, clock }, '1.0', { name: 'First', features: [{ name: 'New' }] });
      await editVersion({ store, clock }, '9.9', { name: 'Nothing' });
      const listed = { ...added, name: 'First', features: [{ name: 'New' }] };
      await importVersions({ store, clock }, [listed, { ...listed, version: '1.1' }]);
      await removeVersion({ store, clock }, '1.0');
      const lines = (await listAudit(store)).filter(({ name }) => name !== 'test');
      expect(lines.map(({ action, kind, name, key }) => [action, kind, name, key])).toEqual([
        ['create', 'key', 'ci', null],
        ['revoke', 'key', 'ci', null],
        ['create', 'version', '1.0', null],
        ['edit', 'version', '1.0', null],
        ['create', 'version', '1.1', null],
        ['delete', 'version', '1.0', null],
      ]);
      const [made, , first, edited, , gone] = lines;
      expect(made).toMatchObject({ recordId: prefix, language: null, before: null });
      expect([first?.recordId, first?.before, gone?.after]).toEqual([id, null, null]);
      expect([edited?.before, gone?.before]).toEqual([first?.after, edited?.after]);
      expect(edited?.after).not.toBe(edited?.before);
      const ofKey = await listAudit(store, { keyPrefix: prefix });
      expect(ofKey.map(({ action }) => action)).toEqual(['create', 'revoke']);
      expect((await listAudit(store, { countMax: 1 })).map(({ action }) => action)).toEqual(['delete']);
    });

    test('each write has its line, with digests of before and after', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'en' }));
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'en', title: 'Set up' }));
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'fr', title: 'Installer' }));
      const tag = await rig.make(TAGS, tagBody());
      await rig.ask('DELETE', `${TAGS}/${tag}`);
      const lines = await written();
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
      expect(await written()).toHaveLength(1);
    });

    test('lines are found by time, key and record, the newest so many', async () => {
      const { key, prefix } = await createKey({ store: rig.store, clock: rig.clock, name: 'other' });
      const first = await rig.make(CATEGORIES, categoryBody());
      rig.clock.set(rig.clock.now() + 1000);
      await rig.ask('PUT', TAGS, tagBody(), { authorization: `Bearer ${key}` });
      const names = async (filter: AuditFilter) => (await written(filter)).map(({ name }) => name);
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

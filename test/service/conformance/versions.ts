import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createListSteps } from '../../../src/remote/writing/list-steps.ts';
import { countViews } from '../../../src/service/index.ts';
import {
  ARTICLES,
  articleBody,
  CATEGORIES,
  categoryBody,
  type OpenRig,
  type Rig,
  tagBody,
  TAGS,
} from '../support/rig.ts';

/** What tells one state of a record from another: tags and dates. */
export function versions(open: OpenRig): void {
  describe('tags and dates', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = await open();
    });
    afterEach(() => rig.close());

    const data = async (path: string) => (await rig.ask('GET', path)).body['data'];

    test('If-Match lets through the version that was read and no other', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      const path = `${ARTICLES}/${id}`;
      const etag = (await rig.ask('GET', path)).headers.get('etag') ?? '';
      const edit = (ifMatch: string) =>
        rig.ask('POST', path, articleBody({ lang: 'en' }), { 'if-match': ifMatch });
      const first = await edit(etag);
      expect(first.status).toBe(200);
      const stale = await edit(etag);
      expect([stale.status, stale.headers.get('etag')]).toEqual([412, first.headers.get('etag')]);
      // RFC 9110, 13.1.1 and 13.1.2: compared strongly in If-Match, weakly in If-None-Match.
      expect((await edit(`W/${first.headers.get('etag')}`)).status).toBe(412);
      const unlessSame = { 'if-none-match': `"a, b", W/${first.headers.get('etag')}` };
      expect((await rig.ask('POST', path, articleBody({ lang: 'en' }), unlessSame)).status).toBe(412);
      expect((await edit(`"other", ${first.headers.get('etag')}`)).status).toBe(200);
      expect((await edit('*')).status).toBe(200);
      expect((await rig.ask('DELETE', path, undefined, { 'if-match': etag })).status).toBe(412);
      expect((await rig.ask('DELETE', path, undefined, { 'if-match': '*' })).status).toBe(200);
    });

    test('a list has a tag that moves with every write that it shows, and with no other', async () => {
      const lists = [ARTICLES, CATEGORIES, TAGS];
      const shownNow = async () =>
        Promise.all(
          lists.map(async (path) => {
            const { headers, body } = await rig.ask('GET', path);
            return { path, etag: headers.get('etag') ?? '', text: JSON.stringify(body) };
          }),
        );
      const category = await rig.make(CATEGORIES, categoryBody());
      const tag = await rig.make(TAGS, tagBody());
      const article = await rig.make(ARTICLES, articleBody());
      const filed = articleBody({ lang: 'en', categories: [{ value: category }], tags: [{ value: tag }] });
      const writes: readonly (readonly [string, () => Promise<unknown>])[] = [
        ['an article is made', () => rig.make(ARTICLES, articleBody({ slug: 'b' }))],
        ['an article is filed', () => rig.ask('POST', `${ARTICLES}/${article}`, filed)],
        [
          'a translation of an article is made',
          () => rig.ask('POST', `${ARTICLES}/${article}`, { ...filed, lang: 'fr' }),
        ],
        ['a reader came', () => countViews(rig.store, article)],
        [
          'a category is moved',
          async () =>
            rig.ask('POST', `${CATEGORIES}/${category}`, {
              categoryParent: await rig.make(CATEGORIES, categoryBody({ slug: 'up' })),
            }),
        ],
        ['a category is named anew', () => rig.ask('POST', `${CATEGORIES}/${category}`, { name: 'Anew' })],
        [
          'a translation of a tag is made',
          () => rig.ask('POST', `${TAGS}/${tag}`, { lang: 'de', name: 'T', slug: 't' }),
        ],
        ['a tag is named anew', () => rig.ask('POST', `${TAGS}/${tag}`, { name: 'Anew' })],
        [
          'an article is in nothing',
          () => rig.ask('POST', `${ARTICLES}/${article}`, { ...filed, categories: [], tags: [] }),
        ],
        ['a write is refused', () => rig.ask('PUT', ARTICLES, articleBody())],
        [
          'a record is deleted',
          async () =>
            rig.ask('DELETE', `${ARTICLES}/${await rig.make(ARTICLES, articleBody({ slug: 'z' }))}`),
        ],
      ];
      for (const [what, write] of writes) {
        const before = await shownNow();
        await write();
        const after = await shownNow();
        for (const [at, { path, etag, text }] of before.entries()) {
          // The same tag: the same bytes. Other bytes: another tag.
          const isSame = after[at]?.etag === etag;
          const isRight = isSame ? after[at]?.text === text : what !== 'a write is refused';
          expect([what, path, isRight]).toEqual([what, path, true]);
          const known = await rig.ask('GET', path, undefined, { 'if-none-match': after[at]?.etag ?? '' });
          expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, {}, after[at]?.etag]);
          expect((await rig.ask('GET', path, undefined, { 'if-none-match': '"other"' })).status).toBe(200);
        }
      }
      const before = await shownNow();
      await rig.ask('POST', `${TAGS}/${tag}`, { name: 'Once more' });
      const after = await shownNow();
      expect(after.map(({ etag }, at) => etag === before[at]?.etag)).toEqual([true, true, false]);
    });

    const tagsNow = async () => {
      const tag = async (path: string) => (await rig.ask('GET', path)).headers.get('etag') ?? '';
      return { article: await tag(ARTICLES), category: await tag(CATEGORIES), tag: await tag(TAGS) };
    };
    const asking = { prefer: 'respond-async, List-Tags; wait=1' };
    const toldBy = ({ headers }: { readonly headers: Headers }) => Object.fromEntries(headers);

    test('a write tells who asks for it from which tag to which it moved each list', async () => {
      const category = await rig.make(CATEGORIES, categoryBody());
      const tag = await rig.make(TAGS, tagBody());
      const article = await rig.make(ARTICLES, articleBody());
      // In PostgreSQL, the first of each connection makes its marks, which is a move of its own.
      for (let time = 0; time < 20; time += 1) await rig.ask('POST', `${TAGS}/${tag}`, { name: 'T' }, asking);
      const filed = articleBody({ lang: 'en', categories: [{ value: category }], tags: [{ value: tag }] });
      const writes = [
        () => rig.ask('POST', `${ARTICLES}/${article}`, articleBody({ lang: 'en', title: 'Anew' }), asking),
        () => rig.ask('POST', `${ARTICLES}/${article}`, filed, asking),
        () => rig.ask('POST', `${ARTICLES}/${article}`, { ...filed, lang: 'fr' }, asking),
        () => rig.ask('POST', `${CATEGORIES}/${category}`, { name: 'Anew' }, asking),
        () => rig.ask('PUT', ARTICLES, articleBody({ slug: 'more' }), asking),
        () => rig.ask('DELETE', `${ARTICLES}/${article}`, undefined, asking),
      ];
      for (const write of writes) {
        const steps = createListSteps();
        steps.follow(await tagsNow());
        const reply = await write();
        if (reply.status >= 300) continue;
        steps.read(toldBy(reply));
        expect(steps.tags()).toEqual(await tagsNow());
      }
      const silent = await rig.ask('POST', `${TAGS}/${tag}`, { name: 'Silent' });
      expect(silent.headers.get('kb-list-tags')).toBeNull();
    });

    test('what a write tells of the lists never covers the write of somebody else', async () => {
      const ids = await Promise.all(
        Array.from({ length: 8 }, (_, n) => rig.make(ARTICLES, articleBody({ slug: `a-${n}` }))),
      );
      const edit = (id: string, title: string, headers: Readonly<Record<string, string>> = {}) =>
        rig.ask(
          'POST',
          `${ARTICLES}/${id}`,
          articleBody({ lang: 'en', slug: `a-${ids.indexOf(id)}`, title }),
          headers,
        );
      for (let round = 0; round < 12; round += 1) {
        const steps = createListSteps();
        steps.follow(await tagsNow());
        const others = round % 3;
        const writes = ids.map((id, n) => async () => {
          const isOther = n > 0 && n <= others;
          const reply = await edit(id, `${round}`, isOther ? {} : asking);
          expect(reply.status).toBe(200);
          if (!isOther) steps.read(toldBy(reply));
        });
        await Promise.all(writes.map((write) => write()));
        const isTold = steps.tags()?.article === (await tagsNow()).article;
        // Where there is one writer at a time, nothing is lost between two steps.
        const mayBeTold = others === 0 && rig.store.dialect === 'postgres' ? isTold : others === 0;
        expect(isTold).toBe(mayBeTold);
      }
    });

    test('a read of a category or tag that the client has is answered with 304', async () => {
      const id = await rig.make(TAGS, tagBody());
      const path = `${TAGS}/${id}`;
      const etag = (await rig.ask('GET', path)).headers.get('etag') ?? '';
      const read = async (at: string, tag: string) =>
        (await rig.ask('GET', at, undefined, { 'if-none-match': tag })).status;
      expect(await read(path, etag)).toBe(304);
      expect(await read(path, `"other", W/${etag}`)).toBe(304);
      expect(await read(path, '*')).toBe(304);
      expect(await read(path, '"other"')).toBe(200);
      // A copy that does not exist yet shows what the original says by then.
      const absent = (await rig.ask('GET', `${path}?lang=fr`)).headers.get('etag') ?? '';
      expect(await read(`${path}?lang=fr`, absent)).toBe(200);
      await rig.ask('POST', path, { name: 'Other' });
      expect(await read(path, etag)).toBe(200);
    });

    test('If-Match on a translation means the translation; its absence has a tag of its own', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      const path = `${ARTICLES}/${id}`;
      const body = articleBody({ lang: 'fr' });
      const absent = (await rig.ask('GET', `${path}?lang=fr`)).headers.get('etag') ?? '';
      const original = (await rig.ask('GET', path)).headers.get('etag') ?? '';
      expect((await rig.ask('POST', path, body, { 'if-match': original })).status).toBe(412);
      expect((await rig.ask('POST', path, body, { 'if-match': '*' })).status).toBe(412);
      await rig.ask('POST', path, articleBody({ lang: 'en' }));
      expect((await rig.ask('POST', path, body, { 'if-match': absent })).status).toBe(200);
      expect((await rig.ask('POST', path, body, { 'if-match': absent })).status).toBe(412);
      expect((await rig.ask('POST', path, body, { 'if-none-match': '*' })).status).toBe(412);
      const german = articleBody({ lang: 'de' });
      expect((await rig.ask('POST', path, german, { 'if-none-match': '*' })).status).toBe(200);
      const fr = (await rig.ask('GET', `${path}?lang=fr`)).headers.get('etag') ?? '';
      const edited = await rig.ask('GET', path);
      expect((await rig.ask('POST', path, body, { 'if-match': fr })).status).toBe(200);
      // The original's tag does not move with its translations.
      expect((await rig.ask('GET', path)).headers.get('etag')).toBe(edited.headers.get('etag'));
    });

    test('an original list date goes up with every write to its family, whatever the clock does, and with nothing else', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      const path = `${ARTICLES}/${id}`;
      const dates = async () => {
        const listed: string = (await rig.ask('GET', ARTICLES)).body['data'][0].last_edited_date;
        return { listed, read: (await data(path)).last_edited_Date };
      };
      /** Answers the date that the write names, or undefined where there was nothing to write. */
      const act = async (what: string) => {
        const fr = await rig.ask('GET', `${path}?lang=fr`);
        if (what === 'read' || (what === 'delete fr' && fr.body['newVersion'] === true)) return undefined;
        const written = await (what === 'delete fr'
          ? rig.ask('DELETE', `${ARTICLES}/${fr.body['data'].id}`)
          : rig.ask('POST', path, articleBody({ lang: what })));
        return written.headers.get('kb-last-edited');
      };
      const step = record({
        advanceMs: integer({ min: -100_000, max: 100_000 }),
        what: constantFrom('en', 'fr', 'de', 'delete fr', 'read'),
      });
      await assert(
        asyncProperty(array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          for (const { advanceMs, what } of steps) {
            rig.clock.set(rig.clock.now() + advanceMs);
            const before = await dates();
            const named = await act(what);
            const after = await dates();
            const wanted = named ?? before.listed;
            expect(after).toEqual({ listed: wanted, read: `${wanted.replace(' ', 'T')}Z` });
            expect(after.listed > before.listed).toBe(named !== undefined);
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}

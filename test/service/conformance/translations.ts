import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

export function translations(open: OpenRig): void {
  describe('translations', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = await open();
    });
    afterEach(() => rig.close());

    const data = async (path: string) => (await rig.ask('GET', path)).body['data'];

    test('a language without a record shows a copy of the original under its id, and writes nothing', async () => {
      const tag = await rig.make(TAGS, tagBody());
      const id = await rig.make(ARTICLES, articleBody({ tags: [{ value: tag }] }));
      const copy = await rig.ask('GET', `${ARTICLES}/${id}?lang=fr`);
      expect(copy.body['newVersion']).toBe(true);
      const original = await data(`${ARTICLES}/${id}`);
      expect(copy.body['data']).toEqual({ ...original, language: 'fr', language_parent: id });
      expect(copy.body['tags']).toMatchObject([{ label: 'CLI', value: tag }]);
      expect((await rig.ask('GET', ARTICLES)).body['data'][0].other_articles).toEqual([]);
    });

    test('an edit with lang makes a record with an id of its own and leaves the original alone', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      const before = await data(`${ARTICLES}/${id}`);
      const made = await rig.ask(
        'POST',
        `${ARTICLES}/${id}`,
        articleBody({ title: 'Installer', lang: 'fr' }),
      );
      const read = await rig.ask('GET', `${ARTICLES}/${id}?lang=fr`);
      expect(read.body['newVersion']).toBe(false);
      expect(read.body['data']).toMatchObject({ name: 'Installer', language: 'fr', language_parent: id });
      expect(read.body['data'].id).not.toBe(id);
      expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
      const after = await data(`${ARTICLES}/${id}`);
      expect(after).toEqual({ ...before, last_edited_Date: '2026-11-20T10:00:00.000001Z' });
      const own = await rig.ask('GET', `${ARTICLES}/${read.body['data'].id}`);
      expect(own.body).toEqual(read.body);
      expect((await rig.ask('GET', `${ARTICLES}/${read.body['data'].id}?lang=en`)).body['data']).toEqual(
        after,
      );
    });

    test('the same edit twice is one translation', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      const body = articleBody({ title: 'Installer', lang: 'fr' });
      await rig.ask('POST', `${ARTICLES}/${id}`, body);
      const first = await data(`${ARTICLES}/${id}?lang=fr`);
      await rig.ask('POST', `${ARTICLES}/${id}`, { ...body, lang: 'FR' });
      const second = await data(`${ARTICLES}/${id}?lang=fr`);
      expect(second).toEqual({ ...first, last_edited_Date: expect.any(String) });
      expect((await rig.ask('GET', ARTICLES)).body['data'][0].other_articles).toEqual([{ language: 'fr' }]);
    });

    test('a new translation keeps the values of the original that the edit leaves out', async () => {
      const tag = await rig.make(TAGS, tagBody());
      const id = await rig.make(
        ARTICLES,
        articleBody({
          tags: [{ value: tag }],
          seoBannerUrl: 'https://x.example/b.png',
          hideFromSearch: true,
        }),
      );
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'fr', hideFromSearch: null }));
      const fr = await rig.ask('GET', `${ARTICLES}/${id}?lang=fr`);
      expect(fr.body['data']).toMatchObject({
        seo_banner_url: 'https://x.example/b.png',
        hide_from_search: false,
      });
      expect(fr.body['tags']).toMatchObject([{ value: tag }]);
      const category = await rig.make(CATEGORIES, categoryBody({ description: 'd' }));
      await rig.ask('POST', `${CATEGORIES}/${category}`, { lang: 'fr', name: 'Débuter' });
      expect(await data(`${CATEGORIES}/${category}?lang=fr`)).toMatchObject({
        name: 'Débuter',
        slug: 'getting-started',
        description: 'd',
        language_parent: category,
      });
    });

    test.each([
      ['articles', ARTICLES, articleBody(), articleBody({ lang: 'fr' })],
      ['categories', CATEGORIES, categoryBody(), categoryBody({ lang: 'fr' })],
      ['tags', TAGS, tagBody(), tagBody({ lang: 'fr' })],
    ])(
      '%s: a translation is edited and deleted by its own id, and refuses another language',
      async (_, path, body, fr) => {
        const id = await rig.make(path, body);
        await rig.ask('POST', `${path}/${id}`, fr);
        const own = (await data(`${path}/${id}?lang=fr`)).id;
        expect((await rig.ask('POST', `${path}/${own}`, { ...fr, slug: 'autre' })).status).toBe(200);
        expect(await data(`${path}/${id}?lang=fr`)).toMatchObject({ id: own, slug: 'autre' });
        const refused = await rig.ask('POST', `${path}/${own}`, { ...fr, lang: 'de' });
        expect(refused.status).toBe(422);
        expect(refused.body['message']).toContain(`is the fr translation of ${id}`);
        const held = await rig.ask('DELETE', `${path}/${id}`);
        expect([held.status, held.body['message']]).toEqual([
          409,
          expect.stringContaining(`translations: fr (${own})`),
        ]);
        expect((await rig.ask('DELETE', `${path}/${own}`)).status).toBe(200);
        expect((await rig.ask('GET', `${path}/${id}?lang=fr`)).body['newVersion']).toBe(true);
        expect((await rig.ask('DELETE', `${path}/${id}`)).status).toBe(200);
      },
    );

    test('an edit in the default language edits the original, with or without naming it', async () => {
      const id = await rig.make(CATEGORIES, categoryBody());
      await rig.ask('POST', `${CATEGORIES}/${id}`, { name: 'One', lang: 'EN' });
      expect(await data(`${CATEGORIES}/${id}?lang=en`)).toMatchObject({ id, name: 'One', language: null });
      await rig.ask('POST', `${CATEGORIES}/${id}`, { name: 'Two' });
      expect(await data(`${CATEGORIES}/${id}`)).toMatchObject({ id, name: 'Two', language: null });
    });

    test('a code that is no language is refused, and so is one that is not enabled', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      for (const lang of ['f', 'pt_BR', '-', 'x'.repeat(40), 'fr fr']) {
        const refused = await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang }));
        expect([lang, refused.status]).toEqual([lang, 400]);
        expect((await rig.ask('GET', `${ARTICLES}/${id}?lang=${encodeURIComponent(lang)}`)).status).toBe(400);
      }
      const hint = await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'pt_BR' }));
      expect(hint.body['message']).toContain('write pt-BR');
      const few = await open({ languages: ['en', 'fr'] });
      const other = await few.make(ARTICLES, articleBody());
      const refused = await few.ask('POST', `${ARTICLES}/${other}`, articleBody({ lang: 'de' }));
      expect([refused.status, refused.body['message']]).toEqual([
        400,
        'lang: de is not a language of this knowledge base; it has en, fr',
      ]);
      expect((await few.ask('POST', `${ARTICLES}/${other}`, articleBody({ lang: 'fr' }))).status).toBe(200);
      expect((await few.ask('GET', ARTICLES)).body['languages']).toEqual(['en', 'fr']);
      await few.close();
    });

    test('one slug can stand once in each language, the default language included', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      const other = await rig.make(ARTICLES, articleBody({ slug: 'other' }));
      const taken = await rig.ask('PUT', ARTICLES, articleBody());
      expect([taken.status, taken.body['message']]).toEqual([
        409,
        `slug: "install" is the slug of Article "Install" (${id}) already`,
      ]);
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'fr' }));
      expect((await rig.ask('POST', `${ARTICLES}/${other}`, articleBody({ lang: 'fr' }))).status).toBe(409);
      expect((await rig.ask('POST', `${ARTICLES}/${other}`, articleBody({ lang: 'de' }))).status).toBe(200);
      expect((await rig.ask('POST', `${ARTICLES}/${other}`, articleBody({ lang: 'en' }))).status).toBe(409);
    });
  });
}

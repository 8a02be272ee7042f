import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkStore } from '../../../src/service/store/check.ts';
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

const LONG = { timeout: 60_000 };

export function rules(open: OpenRig): void {
  describe('rules', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = await open();
    });
    afterEach(() => rig.close());

    const data = async (path: string) => (await rig.ask('GET', path)).body['data'];
    const refusal = async (...request: Parameters<Rig['ask']>) => {
      const { status, body } = await rig.ask(...request);
      expect(Object.keys(body).sort()).toEqual(['message', 'success']);
      expect(body['success']).toBe(false);
      return [status, body['message']];
    };

    test('two spellings of one slug that nobody can tell apart are one slug', async () => {
      const [one, two] = ['caf\u00e9', 'cafe\u0301'];
      for (const [first, second] of [
        [one, two],
        [`b-${two}`, `b-${one}`],
      ] as const) {
        const id = await rig.make(TAGS, tagBody({ slug: first, name: first }));
        expect(await refusal('PUT', TAGS, tagBody({ slug: second, name: second }))).toEqual([
          409,
          `slug: ${JSON.stringify(second)} is the slug of Tag "${first}" (${id}) already`,
        ]);
        expect((await rig.ask('POST', `${TAGS}/${id}`, tagBody({ lang: 'en', slug: second }))).status).toBe(
          200,
        );
        expect((await rig.ask('GET', `${TAGS}/${id}`)).body['data'].slug).toBe(second);
      }
    });

    test('a category in use is not deleted, and the answer names what uses it', async () => {
      const parent = await rig.make(CATEGORIES, categoryBody());
      const child = await rig.make(
        CATEGORIES,
        categoryBody({ slug: 'c', name: 'Child', categoryParent: parent }),
      );
      const article = await rig.make(ARTICLES, articleBody({ categories: [{ value: parent }] }));
      expect(await refusal('DELETE', `${CATEGORIES}/${parent}`)).toEqual([
        409,
        `Category "Getting started" is in use: category "Child" (${child}), article "Install" (${article}); ` +
          'take it out there first',
      ]);
      for (let n = 0; n < 6; n += 1) {
        await rig.make(ARTICLES, articleBody({ slug: `a${n}`, categories: [{ value: child }] }));
      }
      expect((await refusal('DELETE', `${CATEGORIES}/${child}`))[1]).toContain(' and 1 more;');
      expect((await rig.ask('GET', CATEGORIES)).body['data']).toHaveLength(2);
    });

    test('a category that only a translation names is in use too', async () => {
      const category = await rig.make(CATEGORIES, categoryBody());
      const id = await rig.make(ARTICLES, articleBody());
      const fr = articleBody({ lang: 'fr', title: 'Installer', categories: [{ value: category }] });
      await rig.ask('POST', `${ARTICLES}/${id}`, fr);
      const own = (await data(`${ARTICLES}/${id}?lang=fr`)).id;
      const [status, message] = await refusal('DELETE', `${CATEGORIES}/${category}`);
      expect([status, message]).toEqual([409, expect.stringContaining(`article "Installer" (${own}, fr)`)]);
    });

    test('a tag in use is not deleted', async () => {
      const tag = await rig.make(TAGS, tagBody());
      const id = await rig.make(ARTICLES, articleBody({ tags: [{ value: tag }] }));
      const [status, message] = await refusal('DELETE', `${TAGS}/${tag}`);
      expect([status, message]).toEqual([409, expect.stringContaining(`article "Install" (${id})`)]);
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ tags: [], lang: 'en' }));
      expect((await rig.ask('DELETE', `${TAGS}/${tag}`)).status).toBe(200);
    });

    test('categories cannot stand above themselves, in any language', async () => {
      const [a, b, c] = [
        await rig.make(CATEGORIES, categoryBody({ slug: 'a', name: 'A' })),
        await rig.make(CATEGORIES, categoryBody({ slug: 'b', name: 'B' })),
        await rig.make(CATEGORIES, categoryBody({ slug: 'c', name: 'C' })),
      ];
      await rig.ask('POST', `${CATEGORIES}/${b}`, { categoryParent: a });
      await rig.ask('POST', `${CATEGORIES}/${c}`, { categoryParent: b });
      expect(await refusal('POST', `${CATEGORIES}/${a}`, { categoryParent: c })).toEqual([
        409,
        `categoryParent: "${c}" would close a cycle: "A" → "C" → "B" → "A"`,
      ]);
      expect((await refusal('POST', `${CATEGORIES}/${a}`, { categoryParent: a }))[0]).toBe(409);
      expect((await refusal('POST', `${CATEGORIES}/${a}`, { categoryParent: a, lang: 'fr' }))[0]).toBe(409);
      await rig.ask('POST', `${CATEGORIES}/${b}`, { categoryParent: a, lang: 'fr' });
      expect((await refusal('POST', `${CATEGORIES}/${a}`, { categoryParent: b, lang: 'fr' }))[0]).toBe(409);
      expect((await rig.ask('POST', `${CATEGORIES}/${b}`, { categoryParent: null })).status).toBe(200);
      expect((await rig.ask('POST', `${CATEGORIES}/${a}`, { categoryParent: c })).status).toBe(200);
    });

    test(
      'categories are at most 100 levels deep, however they get there, and no cycle is too long to be seen',
      LONG,
      async () => {
        const chain = async (name: string, length: number, top?: string) => {
          const ids: string[] = [];
          for (let level = 0; level < length; level += 1) {
            const parent = ids.at(-1) ?? top;
            const slug = `${name}-${level}`;
            const body = categoryBody({ name: slug, slug, ...(parent && { categoryParent: parent }) });
            ids.push(await rig.make(CATEGORIES, body));
          }
          return ids;
        };
        const deep = await chain('deep', 100);
        const [under, top] = [deep.at(-1), deep[0]];
        expect(
          await refusal('PUT', CATEGORIES, categoryBody({ slug: 'below', categoryParent: under })),
        ).toEqual([409, `categoryParent: under "${under}" there would be 101 levels; at most 100`]);
        const other = await chain('other', 2);
        expect(await refusal('POST', `${CATEGORIES}/${other[0]}`, { categoryParent: deep[98] })).toEqual([
          409,
          `categoryParent: under "${deep[98]}" there would be 101 levels; at most 100`,
        ]);
        expect(
          (await rig.ask('POST', `${CATEGORIES}/${other[0]}`, { categoryParent: deep[97] })).status,
        ).toBe(200);
        expect((await refusal('POST', `${CATEGORIES}/${top}`, { categoryParent: under }))[1]).toContain(
          'a cycle',
        );
        expect(await checkStore(rig.store)).toEqual([]);
        await rig.store.write((sql) =>
          sql.run('update categories set parent_id = ? where id = ?', under ?? '', top ?? ''),
        );
        expect((await checkStore(rig.store))[0]).toEqual({
          code: 'cycle',
          message: `category is its own ancestor, or below one that is: "deep-0" (${top})`,
        });
      },
    );

    test('a reference to an unknown record or to a translation is refused by its id, and nothing is written', async () => {
      const category = await rig.make(CATEGORIES, categoryBody());
      await rig.ask('POST', `${CATEGORIES}/${category}`, { lang: 'fr', name: 'Débuter' });
      const fr = (await data(`${CATEGORIES}/${category}?lang=fr`)).id;
      const asked = [
        [
          'PUT',
          ARTICLES,
          articleBody({ categories: [{ value: 'nope' }] }),
          'categories: no category has the id "nope"',
        ],
        [
          'PUT',
          ARTICLES,
          articleBody({ tags: [{ value: category }] }),
          `tags: no tag has the id "${category}"`,
        ],
        [
          'PUT',
          ARTICLES,
          articleBody({ categories: [{ value: fr }] }),
          `categories: "${fr}" is the fr translation of category ${category}; name the original`,
        ],
        [
          'PUT',
          CATEGORIES,
          categoryBody({ slug: 'x', categoryParent: 'nope' }),
          'categoryParent: no category has the id "nope"',
        ],
        [
          'POST',
          `${CATEGORIES}/${category}`,
          { categoryParent: fr },
          `categoryParent: "${fr}" is the fr translation of category ${category}; name the original`,
        ],
      ] as const;
      for (const [method, path, body, message] of asked) {
        expect(await refusal(method, path, body)).toEqual([422, message]);
      }
      expect((await rig.ask('GET', ARTICLES)).body['data']).toEqual([]);
      expect((await rig.ask('GET', CATEGORIES)).body['data']).toHaveLength(1);
    });

    test('what an edit leaves out stays, null clears', async () => {
      const tag = await rig.make(TAGS, tagBody());
      const optional = {
        tags: [{ value: tag }],
        hideFromSearch: true,
        seoBannerUrl: '/banner.png',
        articleReviewDate: '2027-01-01',
      };
      const id = await rig.make(ARTICLES, articleBody(optional));
      const before = await data(`${ARTICLES}/${id}`);
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'en' }));
      expect(await data(`${ARTICLES}/${id}`)).toEqual({ ...before, last_edited_Date: expect.any(String) });
      const cleared = { tags: [], hideFromSearch: null, seoBannerUrl: null, articleReviewDate: null };
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'en', ...cleared }));
      expect(await data(`${ARTICLES}/${id}`)).toMatchObject({
        tags_relationship: [],
        hide_from_search: false,
        seo_banner_url: null,
        article_review_date: null,
      });
      const category = await rig.make(CATEGORIES, categoryBody({ description: 'd', iconUrl: '/i.svg' }));
      await rig.ask('POST', `${CATEGORIES}/${category}`, { iconUrl: null });
      expect(await data(`${CATEGORIES}/${category}`)).toMatchObject({
        description: 'd',
        icon_url: null,
        order_by: 1,
      });
    });

    test('relations keep the order of the body, once each, and their ids over an edit', async () => {
      const [x, y] = [
        await rig.make(CATEGORIES, categoryBody({ slug: 'x', name: 'X' })),
        await rig.make(CATEGORIES, categoryBody({ slug: 'y', name: 'Y' })),
      ];
      const id = await rig.make(
        ARTICLES,
        articleBody({ categories: [{ value: y }, { value: x }, { value: y }] }),
      );
      const before = (await rig.ask('GET', `${ARTICLES}/${id}`)).body['categories'];
      expect(before.map((entry: { label: string }) => entry.label)).toEqual(['Y', 'X']);
      await rig.ask(
        'POST',
        `${ARTICLES}/${id}`,
        articleBody({ lang: 'en', categories: [{ value: x }, { value: y }] }),
      );
      const after = (await rig.ask('GET', `${ARTICLES}/${id}`)).body['categories'];
      expect(after).toEqual([before[1], before[0]]);
    });

    test('an article has many tags and links, in their order, and an unknown tag among many is named', async () => {
      const tags = [];
      for (let n = 0; n < 37; n += 1)
        tags.push(await rig.make(TAGS, tagBody({ slug: `t${n}`, name: `T${n}` })));
      const named = (ids: readonly string[]) => ids.map((value) => ({ value }));
      const content = tags.map((_, n) => `<a href="https://example.com/${n}">x</a>`).join(' ');
      const id = await rig.make(ARTICLES, articleBody({ tags: named(tags), content }));
      const tagIds = async () =>
        (await data(`${ARTICLES}/${id}`)).tags_relationship.map(({ tag_id }: { tag_id: string }) => tag_id);
      expect(await tagIds()).toEqual(tags);
      expect(await data('/api/v2/tools/link_manager')).toHaveLength(37);
      const turned = articleBody({ lang: 'en', tags: named(tags.toReversed()), content: '' });
      expect((await rig.ask('POST', `${ARTICLES}/${id}`, turned)).status).toBe(200);
      expect(await tagIds()).toEqual(tags.toReversed());
      expect(await data('/api/v2/tools/link_manager')).toEqual([]);
      const wrong = articleBody({
        slug: 'other',
        tags: named([...tags.slice(0, 20), 'no', ...tags.slice(20), 'none']),
      });
      expect(await refusal('PUT', ARTICLES, wrong)).toEqual([422, 'tags: no tag has the id "no"']);
    });

    test('the excerpt may have 160 characters, and an emoji is one', async () => {
      expect((await rig.ask('PUT', ARTICLES, articleBody({ excerpt: '😀'.repeat(160) }))).status).toBe(201);
      const long = articleBody({ slug: 'b', excerpt: '😀'.repeat(161) });
      expect(await refusal('PUT', ARTICLES, long)).toEqual([400, 'excerpt: has 161 characters; at most 160']);
    });

    test('a tag edit whose body names another id is refused', async () => {
      const id = await rig.make(TAGS, tagBody());
      expect((await rig.ask('POST', `${TAGS}/${id}`, { id, name: 'New' })).status).toBe(200);
      expect(await refusal('POST', `${TAGS}/${id}`, { id: 'other', name: 'X' })).toEqual([
        400,
        `id: is "other", but the path names "${id}"`,
      ]);
    });

    test.each([25, 26])('a list of %i records is whole, and its limit is above its length', async (count) => {
      for (let n = 0; n < count; n += 1) await rig.make(ARTICLES, articleBody({ slug: `a${n}` }));
      const list = await rig.ask('GET', ARTICLES);
      expect(list.body['data']).toHaveLength(count);
      expect(list.headers.get('x-total-count')).toBe(String(count));
      expect(list.body['limit']).toBeGreaterThan(count);
    });

    test('an id is dead for ever once its record is deleted', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      await rig.ask('DELETE', `${ARTICLES}/${id}`);
      const next = await rig.make(ARTICLES, articleBody());
      expect(next).not.toBe(id);
      expect(await refusal('GET', `${ARTICLES}/${id}`)).toEqual([404, `no article has the id "${id}"`]);
      expect((await refusal('POST', `${ARTICLES}/${id}`, articleBody({ lang: 'en' })))[0]).toBe(404);
      expect((await refusal('DELETE', `${ARTICLES}/${id}`))[0]).toBe(404);
    });
  });
}

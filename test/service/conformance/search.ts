import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexMissing, search, type SearchAsked } from '../../../src/service/index.ts';
import { searchForgiving } from '../../../src/service/search/forgive.ts';
import { suggestIn } from '../../../src/service/search/search.ts';
import { createVocabularies } from '../../../src/service/search/vocabulary.ts';
import { ARTICLES, articleBody, type Rig, type OpenRig } from '../support/rig.ts';

/** slug → [title, content]; one language a row, so that a find is never owed to another one. */
const TEXTS = {
  'zh-sync': ['同步设置', '<p>在这里设置同步。每次保存后，知识库会自动更新。费用含税。</p>'],
  'zh-price': ['价格', '<p>步骤如下：先同意条款。</p>'],
  'ja-sync': ['同期の設定', '<p>保存すると自動で同期されます。ｶﾞｲﾄﾞを参照。キーボード入力</p>'],
  'ja-form': ['申込書', '<p>同じ期間に申し込む。</p>'],
  'ko-doc': ['문서 설정', '<p>문서를 저장하면 바로 동기화됩니다.</p>'],
  'ko-other': ['계정', '<p>서류를 문의하세요.</p>'],
  'ur-doc': ['دستاویز کی ترتیب', '<p>یہاں کلیدی لفظ لکھیں۔ صفحہ ۱۲ دیکھیں۔</p>'],
  'hi-doc': ['दस्तावेज़ सेटिंग', '<p>यहाँ हिन्दी में खोज करें। पृष्ठ १२ देखें।</p>'],
  'th-doc': ['การตั้งค่าเอกสาร', '<p>บันทึกเอกสารแล้วระบบจะซิงค์อัตโนมัติ</p>'],
  'de-doc': ['Größe ändern', '<p>Die Einstellungen für Übersetzungen stehen im Menü. Straße 7.</p>'],
  'en-doc': [
    'Keep in step',
    '<p>Run <code>kbsync_sync</code>, then <b>re</b>start. C++ &amp; Node.js 20.</p>',
  ],
} as const;
type Slug = keyof typeof TEXTS;

export function searching(open: OpenRig): void {
  describe('search', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = await open();
    });
    afterEach(() => rig.close());

    const fill = () =>
      Promise.all(
        Object.entries(TEXTS).map(([slug, [title, content]]) =>
          rig.make(ARTICLES, articleBody({ slug, title, content })),
        ),
      );
    const hitsOf = async (asked: SearchAsked) => (await search(rig.store, asked)).hits;
    const slugs = async (query: string, asked: Partial<SearchAsked> = {}) =>
      (await hitsOf({ query, ...asked })).map(({ slug }) => slug).sort();

    test('finds what readers of each language type', async () => {
      await fill();
      const finds: readonly (readonly [query: string, ...slugs: Slug[]])[] = [
        ['同步', 'zh-sync'],
        ['设置同步', 'zh-sync'],
        ['税', 'zh-sync'],
        ['步', 'zh-price', 'zh-sync'],
        ['同意', 'zh-price'],
        ['同期', 'ja-sync'],
        ['自動で同期', 'ja-sync'],
        ['ガイド', 'ja-sync'],
        ['がいど'],
        ['キーボード', 'ja-sync'],
        ['同', 'ja-form', 'ja-sync', 'zh-price', 'zh-sync'],
        ['문서', 'ko-doc'],
        ['문서 저장', 'ko-doc'],
        ['동기화', 'ko-doc'],
        ['دستاویز', 'ur-doc'],
        ['كليدي', 'ur-doc'], // typed on an Arabic keyboard
        ['صفحہ 12', 'ur-doc'],
        ['दस्तावेज', 'hi-doc'], // without the dot
        ['हिन्दी खोज', 'hi-doc'],
        ['पृष्ठ १२', 'hi-doc'],
        ['เอกสาร', 'th-doc'],
        ['ซิงค์', 'th-doc'],
        ['einstellung', 'de-doc'], // the last word may be half typed
        ['GROESSE'],
        ['groß', 'de-doc'],
        ['GRÖSSE ändern', 'de-doc'],
        ['strasse', 'de-doc'],
        ['ubersetzungen', 'de-doc'],
        ['einstellung menü'], // only the last word
        ['restart', 'en-doc'],
        ['kbsync_sync', 'en-doc'],
        ['node.js', 'en-doc'],
        ['step node', 'en-doc'],
        ['ＳＴＥＰ', 'en-doc'],
        ['step missing'],
        [''],
        ['!?" OR (*) \' & | :* <-> \\ \0'],
        [`"a' ${'x'.repeat(3000)}`],
      ];
      const found = [];
      for (const [query] of finds) found.push([query, ...(await slugs(query))]);
      expect(found).toEqual(finds);
    });

    test('shows published articles of the asked language, and none that is hidden', async () => {
      const id = await rig.make(ARTICLES, articleBody({ slug: 'shown', title: 'Needle' }));
      await rig.make(ARTICLES, articleBody({ slug: 'draft', title: 'Needle', status: 'draft' }));
      await rig.make(ARTICLES, articleBody({ slug: 'hidden', title: 'Needle', hideFromSearch: true }));
      await rig.ask(
        'POST',
        `${ARTICLES}/${id}`,
        articleBody({ slug: 'nadel', title: 'Needle Nadel', lang: 'de' }),
      );
      expect(await slugs('needle')).toEqual(['shown']);
      expect(await slugs('needle', { language: 'EN' })).toEqual(['shown']);
      expect(await slugs('needle', { language: 'De' })).toEqual(['nadel']);
      expect(await slugs('needle', { language: 'fr' })).toEqual([]);
      await rig.ask(
        'POST',
        `${ARTICLES}/${id}`,
        articleBody({ slug: 'shown', title: 'Needle', lang: 'en', hideFromSearch: true }),
      );
      expect(await slugs('needle')).toEqual([]);
    });

    test('adds originals that have no translation after what is in the language, on every page of hits', async () => {
      const make = (slug: string, more = {}) =>
        rig.make(ARTICLES, articleBody({ slug, title: 'Needle', ...more }));
      const translate = (id: string, slug: string, more = {}) =>
        rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ slug, title: 'Needle', lang: 'de', ...more }));
      const translated = await make('translated');
      await make('original-1');
      await make('original-2');
      await make('hidden', { hideFromSearch: true });
      await translate(await make('begun'), 'angefangen', { status: 'draft' });
      await translate(await make('kept-out'), 'verborgen', { hideFromSearch: true });
      await translate(translated, 'nadel');
      const asked = { language: 'de', withOriginals: true, query: 'needle' };
      expect(await slugs('needle', { language: 'de' })).toEqual(['nadel']);
      const all = await hitsOf(asked);
      expect(all.map(({ slug, language }) => [slug, language])[0]).toEqual(['nadel', 'de']);
      expect(
        all
          .slice(1)
          .map(({ slug }) => slug)
          .sort(),
      ).toEqual(['begun', 'original-1', 'original-2']);
      expect(new Set(all.slice(1).map(({ language }) => language))).toEqual(new Set(['en']));
      for (const limit of [1, 2, 3]) {
        const pages = [];
        for (let offset = 0; offset < all.length; offset += limit) {
          const page = await search(rig.store, { ...asked, limit, offset });
          expect([offset, page.total]).toEqual([offset, all.length]);
          pages.push(...page.hits);
        }
        expect(pages).toEqual(all);
      }
      const typed = await rig.store.read((sql) =>
        suggestIn(sql, { ...asked, query: 'need', defaultLanguage: 'en', limit: 3 }),
      );
      expect(typed.map(({ slug }) => slug)).toEqual(all.slice(0, 3).map(({ slug }) => slug));
      expect(await slugs('needle', { withOriginals: true })).toHaveLength(5);
    });

    test('follows each write at once, and forgets what was deleted or refused', async () => {
      const id = await rig.make(ARTICLES, articleBody({ slug: 'a', title: 'Before' }));
      expect(await slugs('before')).toEqual(['a']);
      await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ slug: 'a', title: 'After', lang: 'en' }));
      expect([await slugs('before'), await slugs('after')]).toEqual([[], ['a']]);
      const refused = articleBody({ slug: 'b', title: 'After', tags: [{ value: 'nope' }] });
      expect((await rig.ask('PUT', ARTICLES, refused)).status).toBe(422);
      expect(await slugs('after')).toEqual(['a']);
      expect((await rig.ask('DELETE', `${ARTICLES}/${id}`)).status).toBe(200);
      expect(await slugs('after')).toEqual([]);
      await rig.make(ARTICLES, articleBody({ slug: 'c', title: 'Next' }));
      expect([await slugs('after'), await slugs('next')]).toEqual([[], ['c']]);
    });

    test('puts a find in the title before one in the text, and keeps to the limit', async () => {
      const filler = 'word '.repeat(20);
      for (const n of [1, 2, 3]) {
        const content = `<p>${filler} needle ${filler}</p>`;
        await rig.make(ARTICLES, articleBody({ slug: `text-${n}`, title: 'Other', content }));
      }
      await rig.make(
        ARTICLES,
        articleBody({ slug: 'title', title: 'The needle', content: `<p>${filler}</p>` }),
      );
      const hits = await hitsOf({ query: 'needle' });
      expect(hits.map(({ slug }) => slug)).toEqual(['title', 'text-1', 'text-2', 'text-3']);
      expect(hits.every(({ score }, at) => at === 0 || score <= (hits[at - 1]?.score ?? 0))).toBe(true);
      expect(await hitsOf({ query: 'needle', limit: 2 })).toEqual(hits.slice(0, 2));
      expect(await hitsOf({ query: 'needle', limit: 2, offset: 1 })).toEqual(hits.slice(1, 3));
      expect(await search(rig.store, { query: 'needle', limit: 1 })).toMatchObject({ total: hits.length });
      expect(await hitsOf({ query: 'needle', limit: -5 })).toHaveLength(1);
    });

    test('puts a title that has every word before a short text that says little else', async () => {
      const others = Array.from({ length: 30 }, (_, n) => ({
        slug: `other-${n}`,
        title: 'Other',
        content: '<p>hay</p>',
      }));
      const texts = [1, 2, 3, 4].map((n) => ({
        slug: `text-${n}`,
        title: 'Other',
        content: `<p>${'needle thread '.repeat(12)}</p>`,
      }));
      const content = `<p>${'word '.repeat(9000)}</p>`;
      for (const article of [...others, ...texts, { slug: 'title', title: 'Needle and thread', content }])
        await rig.make(ARTICLES, articleBody(article));
      for (const query of ['needle', 'thread needle'])
        expect((await hitsOf({ query })).map(({ slug }) => slug)).toEqual([
          'title',
          'text-1',
          'text-2',
          'text-3',
          'text-4',
        ]);
      expect(await search(rig.store, { query: 'needle', limit: 2, offset: 3 })).toMatchObject({
        hits: [{ slug: 'text-3' }, { slug: 'text-4' }],
        total: 5,
      });
    });

    test('shows the text around a find, with the find marked', async () => {
      const long = `<h1>Intro</h1><p>${'before '.repeat(40)}here is the <b>need</b>le&amp;thread, ${'after '.repeat(40)}</p><script>needle()</script>`;
      await rig.make(ARTICLES, articleBody({ slug: 'long', content: long, title: 'Long' }));
      const [hit] = await hitsOf({ query: 'thread need' });
      expect(hit).toMatchObject({ slug: 'long', title: 'Long', articleId: expect.any(String) });
      const shown = hit?.snippet.map(({ text, marked }) => (marked ? `[${text}]` : text)).join('');
      expect(shown).toMatch(/^… before (before )*here is the \[needle\]&\[thread\], after (after )*after …$/);
      expect(shown?.length).toBeLessThan(200);
      await rig.make(
        ARTICLES,
        articleBody({ slug: 'zh', title: 'x', content: '<p>在这里设置同步选项。</p>' }),
      );
      const [chinese] = await hitsOf({ query: '设置同步' });
      expect(chinese?.snippet).toEqual([
        { text: '在这里', marked: false },
        { text: '设置同步', marked: true },
        { text: '选项。', marked: false },
      ]);
      const [single] = await hitsOf({ query: '选' });
      expect(single?.snippet.filter(({ marked }) => marked)).toEqual([{ text: '选', marked: true }]);
      const [titled] = await hitsOf({ query: 'long' });
      expect(titled?.snippet).toEqual([{ text: 'How to install.', marked: false }]);
    });

    test('takes a text of a megabyte, and one of marks and odd characters', async () => {
      const han = Array.from({ length: 300_000 }, (_, n) =>
        String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
      );
      await rig.make(
        ARTICLES,
        articleBody({ slug: 'huge', title: 'Huge', content: `<p>起点${han.join('')}</p>` }),
      );
      expect(await slugs('起点')).toEqual(['huge']);
      const odd = '\u0301\u0301 a\u0301 \u200d 👩‍👩‍👧 ﷺ ㍻ ½ ﬁ İI ẞ \u{1d7d8} ᄒ\u1161\u11ab ｶ\uff9e';
      await rig.make(ARTICLES, articleBody({ slug: 'odd', title: odd, content: `<p>${odd}</p>` }));
      expect(await slugs('한')).toEqual(['odd']);
      expect(await slugs('平成 fi')).toEqual(['odd']);
    });

    test('indexes what was written before there was an index', async () => {
      await fill();
      const one = await slugs('同步');
      await rig.store.write((sql) => sql.run('delete from article_search'));
      expect(await slugs('同步')).toEqual([]);
      expect(await indexMissing(rig.store)).toBe(Object.keys(TEXTS).length);
      expect(await slugs('同步')).toEqual(one);
      expect(await indexMissing(rig.store)).toBe(0);
    });

    describe('that forgives', () => {
      const asked = (query: string, language = 'en') =>
        rig.store.read((sql) =>
          searchForgiving(
            sql,
            createVocabularies(() => 0),
            { query, language, defaultLanguage: 'en' },
          ),
        );
      const titles = [
        'Install the collector',
        'Configuration',
        'Sampling',
        'Span links',
        'Größe ändern',
        '同步设置',
      ];
      beforeEach(async () => {
        for (const [at, title] of titles.entries()) {
          await rig.make(
            ARTICLES,
            articleBody({ title, slug: `a-${at}`, excerpt: '', content: '<p>Text.</p>' }),
          );
        }
      });

      test.each([
        ['instal the colector', 'Install the collector', 'install the collector'],
        ['instlal', 'Install the collector', 'install'],
        ['confguratoin', 'Configuration', 'configuration'],
        ['smpling', 'Sampling', 'sampling'],
        ['span liks', 'Span links', 'span links'],
        ['grosse andern', 'Größe ändern', 'grosse andern'],
        ['grosse anderm', 'Größe ändern', 'grosse andern'],
      ])('reads %j as a slip and says so', async (query, title, meant) => {
        const result = await asked(query);
        expect(result.hits.map((hit) => hit.title)).toEqual([title]);
        expect(result.meant ?? query).toBe(meant);
      });

      test.each(['samplnig wrong here', 'spn', 'cnofguratoni', '同歩设置', '12345', 'zzzzzzzz', ''])(
        'does not guess at %j',
        async (query) => expect(await asked(query)).toEqual({ hits: [], total: 0 }),
      );

      test('leaves a query alone that finds three, and puts its own finds first else', async () => {
        for (const slug of ['one', 'two', 'three']) {
          await rig.make(ARTICLES, articleBody({ title: `Sampler ${slug}`, slug, content: '' }));
        }
        expect((await asked('sampler')).meant).toBeUndefined();
        await rig.make(ARTICLES, articleBody({ title: 'Smapler', slug: 'smapler', content: '' }));
        const { hits, meant, isInstead } = await asked('smapler');
        expect([hits[0]?.title, hits.length, meant, isInstead]).toEqual(['Smapler', 1, undefined, undefined]);
      });

      test('of a draft, a hidden article or another language knows no word', async () => {
        const secret = { title: 'Moonshot', slug: 'secret', content: '' };
        await rig.make(ARTICLES, articleBody({ ...secret, status: 'draft' }));
        await rig.make(
          ARTICLES,
          articleBody({ title: 'Sunrise', slug: 'hidden', content: '', hideFromSearch: true }),
        );
        for (const query of ['monshot', 'sunrse']) expect(await asked(query)).toEqual({ hits: [], total: 0 });
        expect((await asked('instlal', 'fr')).hits).toEqual([]);
      });
    });

    test('suggests titles while they are typed, never a text', async () => {
      await fill();
      const suggested = async (query: string) => {
        const asked = { query, defaultLanguage: 'en', limit: 3 };
        const found = await rig.store.read((sql) => suggestIn(sql, asked));
        const listed = await rig.store.read((sql) =>
          sql.all<{ readonly id: string; readonly slug: string }>('select id, slug from articles'),
        );
        return found.map(({ articleId, slug, title }) => {
          expect(listed).toContainEqual({ id: articleId, slug });
          return { slug, title };
        });
      };
      expect(await suggested('kee')).toEqual([{ slug: 'en-doc', title: 'Keep in step' }]);
      expect(await suggested('step ke')).toEqual([{ slug: 'en-doc', title: 'Keep in step' }]);
      expect(await suggested('同步')).toEqual([{ slug: 'zh-sync', title: '同步设置' }]);
      expect(await suggested('kbsync')).toEqual([]);
      expect(await suggested('')).toEqual([]);
    });
  });
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ARTICLES, articleBody, CATEGORIES, categoryBody, TAGS, tagBody } from '../service/support/rig.ts';
import { siteRig, type SiteRig } from './support/site-rig.ts';

/** Words that stand in what nobody may see yet, or no more: no answer to a stranger holds one, whatever is asked. */
const SECRET = /quokka/i;

describe('what is not published', () => {
  let rig: SiteRig;
  /** Addresses that a stranger may guess. */
  const guesses: string[] = [];
  beforeAll(async () => {
    rig = await siteRig({ searchMisses: { clock: { now: () => 0 } }, feedback: { clock: { now: () => 0 } } });
    const { billing = '', refunds = '', tag = '' } = rig.ids;
    const secretTag = await rig.make(
      TAGS,
      tagBody({ name: 'Quokka tag', slug: 'quokka-tag', description: 'quokka' }),
    );
    const secretCategory = await rig.make(
      CATEGORIES,
      categoryBody({
        name: 'Quokka topic',
        slug: 'quokka-topic',
        description: 'quokka',
        categoryParent: billing,
      }),
    );
    const text = (slug: string, values: object = {}) =>
      articleBody({
        title: `Quokka ${slug}`,
        slug: `quokka-${slug}`,
        excerpt: 'quokka',
        content: '<h2 id="quokka">Quokka</h2><p>refunds quokka</p>',
        categories: [{ value: billing }],
        tags: [{ value: tag }],
        ...values,
      });
    const draft = { status: 'draft' };
    await rig.make(ARTICLES, text('draft', draft));
    await rig.make(
      ARTICLES,
      text('filed', { ...draft, categories: [{ value: secretCategory }], tags: [{ value: secretTag }] }),
    );
    const renamed = await rig.make(ARTICLES, text('before', draft));
    await rig.ask('POST', `${ARTICLES}/${renamed}`, text('after', draft));
    const deleted = await rig.make(ARTICLES, text('deleted', draft));
    await rig.ask('DELETE', `${ARTICLES}/${deleted}`);
    // Translations nobody has published, of an article that is public, into a language that has nothing else.
    for (const lang of ['de', 'es', 'fr']) {
      const id = lang === 'fr' ? (rig.ids['invoices'] ?? '') : refunds;
      await rig.ask('POST', `${ARTICLES}/${id}`, { ...text(lang, draft), lang });
    }
    // What only such a translation would be filed under.
    await rig.ask('POST', `${CATEGORIES}/${billing}`, {
      ...categoryBody({ name: 'Quokka Abrechnung', slug: 'quokka-abrechnung', description: 'quokka' }),
      lang: 'de',
    });
    await rig.ask('POST', `${TAGS}/${tag}`, {
      ...tagBody({ name: 'Quokka Erstattung', slug: 'quokka-erstattung', description: 'quokka' }),
      lang: 'de',
    });
    // A draft whose translation is public.
    const original = await rig.make(ARTICLES, text('original', draft));
    await rig.ask('POST', `${ARTICLES}/${original}`, {
      ...articleBody({ title: 'Public', slug: 'public-fr', categories: [{ value: billing }] }),
      lang: 'fr',
    });
    for (const lang of ['en', 'fr', 'ar', 'de', 'es']) {
      for (const slug of ['draft', 'filed', 'before', 'after', 'deleted', 'de', 'es', 'fr', 'original']) {
        guesses.push(`/${lang}/articles/quokka-${slug}`, `/${lang}/articles/quokka-${slug}.md`);
      }
      guesses.push(
        `/${lang}/articles/public-fr`,
        `/${lang}/categories/quokka-topic`,
        `/${lang}/categories/quokka-abrechnung`,
        `/${lang}/categories/quokka-topic.md`,
        `/${lang}/tags/quokka-tag`,
        `/${lang}/tags/quokka-erstattung`,
        `/${lang}/tags/quokka-tag.md`,
        `/${lang}/articles/secret-plan`,
        `/${lang}/search?q=quokka`,
        `/${lang}/search?q=quokks`,
        `/${lang}/search.json?q=quo`,
        `/${lang}/search.json?q=abrechnung`,
        `/${lang}/llms.txt`,
        `/${lang}/llms-1.txt`,
        `/${lang}/llms-full.txt`,
      );
    }
    guesses.push(
      '/',
      '/en/',
      '/sitemap.xml',
      '/sitemap-1.xml',
      '/robots.txt',
      '/llms.txt',
      '/llms-full.txt',
      '/en/releases',
    );
  });
  afterAll(() => rig.close());

  /** Without what the request itself said. */
  const said = (text: string, path: string): string =>
    [path, decodeURIComponent(path), path.slice(path.lastIndexOf('/') + 1), path.replace(/.*q=/, '')]
      .reduce((left, own) => left.replaceAll(own, ''), text)
      .replaceAll(/value="[^"]*"/g, '');

  test.each(['text/html', 'text/markdown', '*/*'])(
    'is on no page that a stranger finds or guesses, asked for as %s',
    async (accept) => {
      const found: string[] = [];
      const seen = new Set(guesses);
      for (const path of seen) {
        const { status, headers, text } = await rig.visit(path, { accept });
        const told = said(text, path);
        if (SECRET.test(told))
          found.push(
            `${path}: ${status} ${SECRET.exec(told)?.input.slice(told.search(SECRET) - 80, told.search(SECRET) + 60)}`,
          );
        const location = headers.get('location') ?? '';
        if (SECRET.test(location) && !path.includes(location.replace(/.*\//, '')))
          found.push(`${path} → ${location}`);
        for (const [, next = ''] of text.matchAll(/(?:href="|\]\()(?:http:\/\/kb\.test)?(\/[^"#)\s]*)/g)) {
          if (seen.size < 2000) seen.add(next.replaceAll('&amp;', '&'));
        }
      }
      expect(found).toEqual([]);
      expect(seen.size).toBeGreaterThan(guesses.length + 10);
    },
  );

  test('is answered as what never was', async () => {
    const shape = async (slug: string): Promise<unknown> => {
      const { status, headers, text } = await rig.visit(slug);
      const name = slug.slice(slug.lastIndexOf('/') + 1);
      return [
        status,
        [...headers].filter(([key]) => key !== 'content-length'),
        text.replaceAll(name, 'NAME'),
      ];
    };
    for (const [kind, slug] of [
      ['articles', 'quokka-draft'],
      ['articles', 'quokka-before'],
      ['articles', 'quokka-deleted'],
      ['articles', 'quokka-de'],
      ['categories', 'quokka-topic'],
      ['tags', 'quokka-tag'],
    ]) {
      expect(await shape(`/en/${kind}/${slug}`)).toEqual(await shape(`/en/${kind}/quokka-nowhere`));
    }
  });

  test('every address that pages, sitemap and llms.txt name is there', async () => {
    const dead: string[] = [];
    const seen = new Set(['/en/', '/sitemap.xml', '/llms.txt', '/fr/llms.txt']);
    for (const path of seen) {
      const { status, text } = await rig.visit(path);
      if (status >= 400) dead.push(path);
      for (const [, next = ''] of text.matchAll(
        /(?:href="|\]\(|<loc>)(?:http:\/\/kb\.test)?(\/[^"#)<\s]*)/g,
      )) {
        if (seen.size < 2000) seen.add(next.replaceAll('&amp;', '&'));
      }
    }
    expect(dead).toEqual([]);
  });
});

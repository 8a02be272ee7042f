import { afterAll, beforeAll, expect, test } from 'vitest';
import { ARTICLES, articleBody, CATEGORIES, categoryBody, tagBody, TAGS } from '../../service/support/rig.ts';
import { siteRig, type SiteRig } from '../support/site-rig.ts';

let rig: SiteRig;
const TOPIC = 80;

beforeAll(async () => {
  rig = await siteRig();
  const topic = await rig.make(CATEGORIES, categoryBody({ name: 'Glossary', slug: 'glossary' }));
  const tag = await rig.make(TAGS, tagBody({ name: 'Term', slug: 'term' }));
  for (let at = 0; at < TOPIC; at += 1) {
    const number = String(at).padStart(2, '0');
    await rig.make(
      ARTICLES,
      articleBody({
        title: `Term ${number}`,
        slug: `term-${number}`,
        ordering: at,
        categories: [{ value: topic }],
        tags: at >= 40 && at < 44 ? [{ value: tag }] : [],
      }),
    );
  }
});
afterAll(() => rig.close());

const treeOf = (text: string): string => /<nav class="tree"[^]*?<\/nav>/.exec(text)?.[0] ?? '';
const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/href="\/en\/articles\/([^"]+)"/g)].map(([, slug]) => slug ?? '');

test('the tree shows the articles around the one that is read, and the way to all', async () => {
  const tree = treeOf((await rig.visit('/en/articles/term-42')).text);
  const links = linksIn(tree);
  expect([links.length, links[0], links.at(-1)]).toEqual([30, 'term-27', 'term-56']);
  expect(tree).toMatch(/href="\/en\/categories\/glossary">80 articles<\/a>/);
  expect(linksIn(treeOf((await rig.visit('/en/articles/term-79')).text)).at(-1)).toBe('term-79');
  expect(linksIn(treeOf((await rig.visit('/en/articles/term-00')).text))[0]).toBe('term-00');
});

test('what stands before and behind an article is not also related to it', async () => {
  const { text } = await rig.visit('/en/articles/term-42');
  const related = /<section class="related">[^]*?<\/section>/.exec(text)?.[0] ?? '';
  expect(linksIn(related)).toEqual(['term-40']);
});

test('a topic says how many articles are in and below each topic under it, each counted once', async () => {
  const { text } = await rig.visit('/en/categories/billing');
  expect(text).toMatch(/Taxes<\/a\s*>[^]*?<p class="rest">\s*1 article\s*<\/p>/);
});

test('the tags say how many articles have them; one that has none in the language is not shown', async () => {
  expect((await rig.visit('/en/tags/')).text).toMatch(/Term <span class="number"[^>]*>4<\/span><\/a/);
  const french = await rig.make(TAGS, tagBody({ name: 'Seulement', slug: 'seulement' }));
  await rig.ask('POST', `${ARTICLES}/${rig.ids['invoices']}`, {
    ...articleBody({ title: 'Factures', slug: 'factures', ordering: 0, tags: [{ value: french }] }),
    lang: 'fr',
  });
  expect((await rig.visit('/fr/tags/')).text).toContain('Seulement');
  expect((await rig.visit('/en/tags/')).text).not.toContain('Seulement');
});

test('a description that is the start of the text is not shown again above it', async () => {
  const long = '<p>Bills &amp; <em>refunds</em>, and who pays\nthem. More.</p>';
  const start = 'Bills & refunds, and who pays…';
  const other = 'What you pay';
  for (const [slug, description] of Object.entries({ start, other })) {
    const topic = await rig.make(
      CATEGORIES,
      categoryBody({ name: slug, slug, description, longDescription: long }),
    );
    await rig.make(
      ARTICLES,
      articleBody({ title: `In ${slug}`, slug: `in-${slug}`, categories: [{ value: topic }] }),
    );
  }
  const leadOf = async (slug: string) =>
    /<p class="lead">([^<]*)/.exec((await rig.visit(`/en/categories/${slug}`)).text)?.[1];
  expect([await leadOf('start'), await leadOf('other')]).toEqual([undefined, other]);
  expect((await rig.visit('/en/categories/start')).text).toContain('name="description" content="Bills &amp;');
  expect((await rig.visit('/en/categories/start.md')).text).not.toContain('pays…');
});

test('a page that is missing names the topics', async () => {
  const { status, text } = await rig.visit('/en/articles/term-999');
  expect(status).toBe(404);
  expect(text).toMatch(/<h2>Topics<\/h2>[^]*Glossary/);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { ARTICLES, articleBody } from '../../service/support/rig.ts';
import { siteRig, type SiteRig } from '../support/site-rig.ts';

const DAY_MS = 86_400_000;
const SENTENCE = 'L’original de cette traduction a été modifié depuis';
let rig: SiteRig;
let startMs: number;
beforeEach(async () => {
  rig = await siteRig();
  startMs = rig.clock.now();
});
afterEach(() => rig.close());

/** Edits the article about refunds in a language, so many days after it was made. */
async function edit(days: number, lang: 'en' | 'fr', values: object = {}): Promise<void> {
  rig.clock.set(startMs + days * DAY_MS);
  const titles = { en: ['Refunds', 'refunds'], fr: ['Remboursements', 'remboursements'] } as const;
  const [title, slug] = titles[lang];
  const reply = await rig.ask('POST', `${ARTICLES}/${rig.ids['refunds']}`, {
    ...articleBody({ title, slug, content: `<p>${lang} ${days}</p>`, ...values }),
    lang,
  });
  expect(reply.status).toBe(200);
}

const french = async () => (await rig.visit('/fr/articles/remboursements')).text;

test('a translation says so if the words of its original changed a day later or more, and names the day', async () => {
  expect(await french()).not.toContain(SENTENCE);
  await edit(1.1, 'en');
  const text = await french();
  expect(text).toContain(`${SENTENCE}, le 21 novembre 2026.`);
  expect(text).toMatch(/<a href="\/en\/articles\/refunds" hreflang="en" lang="en"\s*>English<\/a/);
  expect((await rig.visit('/en/articles/refunds')).text).not.toContain(SENTENCE);
  await edit(1.2, 'fr');
  expect(await french()).not.toContain(SENTENCE);
});

test('what was edited within a day was edited together, in whatever order', async () => {
  await edit(5, 'fr');
  await edit(5.9, 'en');
  expect(await french()).not.toContain(SENTENCE);
  await edit(6.1, 'en');
  expect(await french()).toContain(SENTENCE);
});

test('other fields, other markup, and an edit of another translation change no words of the original', async () => {
  await edit(1, 'en', { content: '<p>Now.</p>' });
  await edit(2, 'fr');
  await edit(9, 'en', { content: '<div><p id="x">Now.</p></div>', ordering: 7, excerpt: 'Other.' });
  rig.clock.set(startMs + 10 * DAY_MS);
  await rig.ask('POST', `${ARTICLES}/${rig.ids['refunds']}`, {
    ...articleBody({ title: 'استرداد', slug: 'istirdad', content: '<p>جديد</p>' }),
    lang: 'ar',
  });
  expect(await french()).not.toContain(SENTENCE);
});

test('of an original that is no longer published, and of a time that is not known, nothing is said', async () => {
  await edit(5, 'en');
  expect(await french()).toContain(SENTENCE);
  await rig.store.write((sql) =>
    sql.run('update article_search set words_at = null where article_id = ?', rig.ids['refunds'] ?? ''),
  );
  await edit(6, 'en', { content: '<p>en 5</p>', ordering: 9 });
  // The time of an edit that left the words is not theirs.
  expect(await french()).toContain('<h1>Remboursements');
  await edit(7, 'en', { status: 'draft' });
  expect(await french()).not.toContain(SENTENCE);
});

test('a site can be told not to say so', async () => {
  const silent = await siteRig({ tellsOutdated: false });
  silent.clock.set(silent.clock.now() + 3 * DAY_MS);
  await silent.ask('POST', `${ARTICLES}/${silent.ids['refunds']}`, {
    ...articleBody({ title: 'Refunds', slug: 'refunds', content: '<p>New.</p>' }),
    lang: 'en',
  });
  expect((await silent.visit('/fr/articles/remboursements')).text).not.toContain(SENTENCE);
  await silent.close();
});

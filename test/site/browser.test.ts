import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ARTICLES, articleBody, CATEGORIES, categoryBody } from '../service/support/rig.ts';
import { axeFindings, hasBrowser, launch, REASON_WITHOUT_BROWSER, visitor } from './support/browser.ts';
import { exampleSite, type ExampleSite } from './support/example-site.ts';
import { HOSTILE, HOSTILE_MATRIX } from './support/hostile.ts';
import { bodyDraft } from '../../src/site/text/body-draft.ts';
import { inWords } from '../../src/site/text/write-tree.ts';
import { harmfulIn } from './support/harmful.ts';

if (!hasBrowser) console.log(REASON_WITHOUT_BROWSER);

interface Place {
  readonly top: number;
  readonly bottom: number;
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  let site: ExampleSite;
  let browser: Browser;

  beforeAll(async () => {
    [site, browser] = await Promise.all([exampleSite(), launch()]);
    await site.write('POST', `${ARTICLES}/${await site.idOf('Install Lumen')}`, {
      ...articleBody({
        title: 'تثبيت لومن',
        slug: 'tathbit',
        excerpt: 'كيف تثبّت لومن.',
        content:
          '<h2 id="pc">على الحاسوب</h2><p>نزّل التطبيق.</p><h2>على الهاتف</h2><pre><code>npm i lumen</code></pre>',
      }),
      lang: 'ar',
    });
    await site.write(
      'PUT',
      ARTICLES,
      articleBody({ title: 'Hostile', slug: 'hostile', content: HOSTILE.join('\n') }),
    );
    await site.write('PUT', ARTICLES, articleBody({ title: 'Gone', slug: 'gone', content: '<p>x</p>' }));
    await site.write('DELETE', `${ARTICLES}/${await site.idOf('Gone')}`);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test('a reader goes from the start page to an article and on, in English', async () => {
    const { page, complaints } = await visitor(browser);
    await page.goto(site.url);
    expect(new URL(page.url()).pathname).toBe('/en/');
    await page.getByRole('link', { name: 'Getting started', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: 'Install Lumen' }).first().click();
    await page.getByRole('link', { name: /^Next/ }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Your first note');
    expect(await page.getByRole('navigation', { name: 'Path' }).textContent()).toContain('Getting started');
    expect(complaints).toEqual([]);
  });

  test('the text of a category keeps its distance from the topics below, and blocks in it from each other', async () => {
    const parent = await site.write(
      'PUT',
      CATEGORIES,
      categoryBody({
        name: 'Welcome',
        slug: 'welcome',
        longDescription:
          '<p>One.</p><div><a href="/en/">Two</a></div><p>Three.</p><div><a href="/en/">Four</a></div>',
      }),
    );
    const inside = await site.write(
      'PUT',
      CATEGORIES,
      categoryBody({ name: 'Inside', slug: 'inside', categoryParent: parent }),
    );
    await site.write(
      'PUT',
      ARTICLES,
      articleBody({ title: 'Deep', slug: 'deep', categories: [{ value: inside }] }),
    );
    const { page } = await visitor(browser);
    await page.goto(`${site.url}/en/categories/welcome`);
    const places = await page
      .locator('.text > *, .cards')
      .evaluateAll((each) => each.map((one) => one.getBoundingClientRect().toJSON() as Place));
    const gaps = places.slice(1).map(({ top }, index) => top - (places[index]?.bottom ?? 0));
    expect(gaps).toHaveLength(4);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(16);
  });

  test('the language menu keeps the article: French, German, and back', async () => {
    const { page } = await visitor(browser);
    await page.goto(`${site.url}/en/articles/turn-on-sync`);
    await page.locator('summary', { hasText: 'English' }).click();
    await page.getByRole('link', { name: 'Français' }).click();
    expect(new URL(page.url()).pathname).toBe('/fr/articles/activer-la-synchronisation');
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    await page.locator('summary', { hasText: 'Français' }).click();
    await page.getByRole('link', { name: /^Deutsch/ }).click();
    expect(await page.locator('.notice').textContent()).toContain(
      'Diese Seite gibt es noch nicht auf Deutsch',
    );
    expect(await page.locator('main').getAttribute('lang')).toBe('en');
    await page.locator('summary', { hasText: 'Deutsch' }).click();
    await page.getByRole('link', { name: 'English' }).first().click();
    expect(new URL(page.url()).pathname).toBe('/en/articles/turn-on-sync');
  });

  test('in Arabic the page runs from right to left and its code from left to right', async () => {
    const { page } = await visitor(browser, { locale: 'ar' });
    await page.goto(site.url);
    expect(new URL(page.url()).pathname).toBe('/ar/');
    await page.getByRole('link', { name: 'تثبيت لومن' }).first().click();
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    const contents = await page.locator('.contents.side').boundingBox();
    const text = await page.locator('main').boundingBox();
    expect(contents?.x ?? 0).toBeLessThan(text?.x ?? 0);
    const direction = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
    expect([await direction('main'), await direction('pre')]).toEqual(['rtl', 'ltr']);
    // A bracket is mirrored in a text from right to left, unless its own direction is set.
    const signs =
      await page.evaluate(`[['.crumbs li', '::after'], ['.prev small', '::before'], ['.next small', '::after']]
      .map(([selector, part]) => [document.querySelector(selector), part])
      .filter(([element]) => element !== null)
      .map(([element, part]) => getComputedStyle(element, part))
      .map(({ content, direction }) => content.slice(1, 2) + ' ' + direction)`);
    expect(signs).toContain('‹ ltr');
    expect(signs).not.toContain('‹ rtl');
    expect(signs).not.toContain('› rtl');
  });

  test('search starts with the slash, marks what it found and leads there', async () => {
    const { page } = await visitor(browser);
    await page.goto(`${site.url}/en/articles/install`);
    await page.keyboard.press('/');
    await page.keyboard.type('offline');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/en/search?q=offline');
    expect(await page.getByRole('status').textContent()).toMatch(/^Results for “offline”: \d+$/);
    expect(await page.locator('.hits mark').count()).toBeGreaterThan(0);
    await page.locator('.hits a').first().click();
    expect(new URL(page.url()).pathname).toMatch(/^\/en\/articles\//);
  });

  test('the first Tab is the skip link, which leads to the text', async () => {
    const { page } = await visitor(browser);
    await page.goto(`${site.url}/en/articles/install`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('site-main');
  });

  test('Escape closes a menu and gives the focus back', async () => {
    const { page } = await visitor(browser);
    await page.goto(`${site.url}/en/`);
    const menu = page.locator('details.theme');
    await menu.locator('summary').click();
    await page.keyboard.press('Escape');
    expect(await menu.getAttribute('open')).toBeNull();
    expect(await page.evaluate('document.activeElement.matches(".theme summary")')).toBe(true);
  });

  test('colours change at once and stay at the next page', async () => {
    const { page } = await visitor(browser, { colorScheme: 'light' });
    const paper = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await page.goto(`${site.url}/en/`);
    const light = await paper();
    await page.locator('details.theme summary').click();
    await page.getByRole('button', { name: 'Dark' }).click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.goto(`${site.url}/en/articles/install`);
    expect(await paper()).toBe(dark);
  });

  test('the contents show the part that is being read, and a heading is not under the header', async () => {
    const { page } = await visitor(browser);
    await page.goto(`${site.url}/en/articles/write-in-markdown`);
    await page.locator('.contents.side a').last().click();
    await page.locator('.contents.side li:last-child a[aria-current]').waitFor();
    const top = await page.evaluate("document.querySelector(':target').getBoundingClientRect().top");
    const header = await page.evaluate("document.querySelector('.top').getBoundingClientRect().bottom");
    expect(Number(top)).toBeGreaterThan(Number(header));
  });

  test('code is copied as it is', async () => {
    const { page, context } = await visitor(browser);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.url });
    await page.goto(`${site.url}/en/articles/write-in-markdown`);
    await page.locator('.code').first().hover();
    await page.locator('.copy').first().click();
    await page.locator('.copy', { hasText: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      'def soup(leeks, beans):\n    return',
    );
  });

  test.each([true, false])(
    '“Was this page helpful?” is answered by keyboard, with script: %s',
    async (javaScriptEnabled) => {
      const visit = await visitor(browser, { javaScriptEnabled });
      const { page, complaints } = visit;
      await page.goto(`${site.url}/en/articles/turn-on-sync`);
      expect(await page.getByText('Thank you for your answer.').isVisible()).toBe(false);
      await page.getByRole('button', { name: javaScriptEnabled ? 'Yes' : 'No', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Thank you for your answer.').waitFor();
      expect(page.url()).toBe(`${site.url}/en/articles/turn-on-sync#site-thanks`);
      await page.getByRole('button', { name: 'Yes', exact: true }).waitFor({ state: 'hidden' });
      expect(await visit.context.cookies()).toEqual([]);
      expect(complaints).toEqual([]);
      // axe is a script.
      expect(javaScriptEnabled ? await axeFindings(visit) : []).toEqual([]);
    },
  );

  test('a form on a page of another site answers nothing', async () => {
    const { page } = await visitor(browser);
    await page.route('http://other.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${site.url}/_site/feedback"><input name="article" value="x"><input name="answer" value="yes"></form>`,
      }),
    );
    await page.goto('http://other.example/');
    const [reply] = await Promise.all([
      page.waitForResponse(`${site.url}/_site/feedback`),
      page.evaluate('document.forms[0].submit()'),
    ]);
    expect(reply.status()).toBe(403);
  });

  test('everything works without script: search, language, colours', async () => {
    const { page } = await visitor(browser, { javaScriptEnabled: false });
    await page.goto(`${site.url}/en/articles/install`);
    await page.locator('#site-query').fill('markdown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/en/search?q=markdown');
    expect(await page.locator('.hits a').count()).toBeGreaterThan(0);
    await page.goto(`${site.url}/en/articles/install`);
    await page.locator('details.theme summary').click();
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(new URL(page.url()).pathname).toBe('/en/articles/install');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.locator('summary', { hasText: 'English' }).click();
    await page.getByRole('link', { name: 'Deutsch' }).click();
    expect(new URL(page.url()).pathname).toBe('/de/articles/installieren');
    expect(await page.locator('.copy').count()).toBe(0);
  });

  const PAGES = [
    '/en/',
    '/ar/',
    '/en/categories/notes',
    '/en/articles/write-in-markdown',
    '/ar/articles/tathbit',
    '/de/articles/turn-on-sync',
    '/en/search?q=notes',
    '/en/search?q=zzzz',
    '/en/tags/',
    '/en/tags/files',
    '/en/releases',
    '/en/articles/instal',
    '/en/articles/gone',
    '/ar/categories/notes',
    '/ar/search?q=notes',
    '/ar/tags/files',
    '/ar/releases',
    '/ar/articles/nowhere',
  ];

  test.each(PAGES)('axe finds nothing on %s, in the light and in the dark', async (path) => {
    const reader = await visitor(browser, { colorScheme: 'light' });
    await reader.page.goto(site.url + path);
    const light = await axeFindings(reader);
    await reader.page.emulateMedia({ colorScheme: 'dark' });
    expect([light, await axeFindings(reader)]).toEqual([[], []]);
    await reader.context.close();
  });

  test.each(PAGES)('%s fits a phone, and neither axe nor the browser complains', async (path) => {
    const reader = await visitor(browser, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    const { page, complaints, context } = reader;
    await page.goto(site.url + path);
    const excess = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    const dark = await axeFindings(reader);
    await page.emulateMedia({ colorScheme: 'light' });
    expect([excess, complaints, dark, await axeFindings(reader)]).toEqual([0, [], [], []]);
    await context.close();
  });

  test('a text of another direction stands on the side of its title', async () => {
    const { page, context } = await visitor(browser);
    await page.goto(`${site.url}/ar/`);
    const side = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).textAlign`);
    expect([
      await side('.card > p[lang=en]'),
      await side('.articles p, .card > p'),
      await side('.card li a[lang=en]'),
    ]).toEqual(['right', 'right', 'right']);
    await context.close();
  });

  test('a sentence in a wide table stands in few lines, and a list of tasks inside another one is set in', async () => {
    const cells = ['Enterprise', 'unlimited', 'unlimited', 'on request', 'Community', 'everywhere', 'always'];
    const sentence = 'With an agreement on availability and shared folders';
    const row = `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}<td id="cell">${sentence}</td></tr>`;
    const task = (id: string, rest = ''): string =>
      `<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled><span id="${id}">x</span>${rest}</li></ul>`;
    const content = `<table><tbody>${row}</tbody></table>${task('outer', task('inner'))}`;
    await site.write('PUT', ARTICLES, articleBody({ title: 'Wide', slug: 'wide', content }));
    const { page } = await visitor(browser);
    await page.goto(`${site.url}/en/articles/wide`);
    const cell = await page.locator('#cell').boundingBox();
    expect(cell?.width).toBeGreaterThan(150);
    const [outer, inner] = [
      await page.locator('#outer').boundingBox(),
      await page.locator('#inner').boundingBox(),
    ];
    expect((inner?.x ?? 0) - (outer?.x ?? 0)).toBeGreaterThan(15);
  });

  test('two cards fill their row, and on paper a closed part is open', async () => {
    const { page } = await visitor(browser);
    await page.goto(`${site.url}/en/`);
    const width = await page.evaluate(`{
      const cards = document.querySelector('.cards');
      for (const card of [...cards.children].slice(2)) card.remove();
      cards.lastElementChild.getBoundingClientRect().width / cards.clientWidth;
    }`);
    expect(width).toBeGreaterThan(0.45);
    const content = '<details><summary>More</summary><p id="inside">Hidden until it is opened.</p></details>';
    await site.write('PUT', ARTICLES, articleBody({ title: 'Folded', slug: 'folded', content }));
    await page.goto(`${site.url}/en/articles/folded`);
    const isSeen = (): Promise<boolean> =>
      page.locator('#inside').evaluate((part) => part.checkVisibility({ contentVisibilityAuto: true }));
    expect(await isSeen()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await isSeen()).toBe(true);
  });

  test('titles are suggested while a reader types, reached by keyboard and by pointer, and Enter still searches', async () => {
    const visiting = await visitor(browser);
    const { page, complaints, context } = visiting;
    await page.goto(`${site.url}/en/`);
    const field = page.getByRole('combobox');
    await field.pressSequentially('inst');
    await page.getByRole('option', { name: 'Install Lumen' }).waitFor();
    expect(await axeFindings(visiting)).toEqual([]);
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await field.press('ArrowDown');
    const active = await field.getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true');
    await field.press('Escape');
    expect(await page.getByRole('listbox').count()).toBe(0);
    await field.fill('instlal');
    await page.getByRole('option', { name: 'Install Lumen' }).click();
    await page.waitForURL('**/en/articles/install');
    const small = page.getByRole('combobox');
    await small.pressSequentially('instlal');
    await page.getByRole('option').first().waitFor();
    await small.press('Enter');
    await page.waitForURL('**/en/search?q=instlal');
    expect(await page.locator('.notice').textContent()).toContain(
      'Nothing was found for “instlal”. These are results for “install”.',
    );
    expect(complaints).toEqual([]);
    await context.close();
  });

  test.each([320, 390])('a long name leaves room for the tools of a phone %i px wide', async (width) => {
    const { page, context } = await visitor(browser, { viewport: { width, height: 740 } });
    await page.goto(`${site.url}/en/articles/install`);
    await page.evaluate(
      "document.querySelector('.brand span').textContent = 'OpenTelemetryDocumentation for everybody'",
    );
    const [name, tools] = [page.locator('.brand span'), page.locator('.tools')];
    const [left, right] = [await name.boundingBox(), await tools.boundingBox()];
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0);
    expect((right?.x ?? 0) + (right?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(await page.locator('.tool.find').getAttribute('href')).toBe('/en/search');
    await context.close();
  });

  test.each([390, 1100])('a reader with %i px reaches the other articles of the topic', async (width) => {
    const { page, context } = await visitor(browser, { viewport: { width, height: 740 } });
    await page.goto(`${site.url}/en/articles/install`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page
      .getByRole('navigation', { name: 'Topics' })
      .getByRole('link', { name: 'Your first note' })
      .click();
    await page.waitForURL('**/en/articles/first-note');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Your first note');
    await context.close();
  });

  test(`${HOSTILE_MATRIX.length} hostile texts run nothing, and leave nothing that could`, async () => {
    const { page, context } = await visitor(browser, { bypassCSP: true });
    await page.goto(`${site.url}/en/tags/`);
    const words = { linkToHeading: 'Link', table: 'Table', done: 'Done', toDo: 'To do' };
    const shown = HOSTILE_MATRIX.map((text) => {
      const { pieces, blocks } = bodyDraft(text);
      return inWords(pieces.map((piece, at) => (blocks[at - 1]?.plain ?? '') + piece).join(''), words);
    });
    const harm = await page.evaluate(harmfulIn, shown);
    expect(harm.map(({ at, what }) => ({ text: HOSTILE_MATRIX[at], shown: shown[at], what }))).toEqual([]);
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    expect(new URL(page.url()).pathname).toBe('/en/tags/');
    await context.close();
  });

  test.each([true, false])('a hostile article runs nothing (with the policy: %s)', async (hasPolicy) => {
    const { page } = await visitor(browser, { bypassCSP: !hasPolicy });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${site.url}/en/articles/hostile`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^\s*Hostile\s*$/);
    for (const link of await page.locator('.bait').all()) await link.click({ force: true, timeout: 2000 });
    await page.locator('main').hover();
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    expect(requests.filter((url) => url.includes('evil.test'))).toEqual([]);
    expect(new URL(page.url()).pathname).toBe('/en/articles/hostile');
  });
});

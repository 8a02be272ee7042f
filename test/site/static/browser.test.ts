import { mkdtemp, rm } from 'node:fs/promises';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../../cli/support/fake-world.ts';
import { axeFindings, hasBrowser, launch, REASON_WITHOUT_BROWSER, visitor } from '../support/browser.ts';

if (!hasBrowser) console.log(REASON_WITHOUT_BROWSER);

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  svg: 'image/svg+xml',
};

/** As any server of files: a folder is its index.html, with a slash at its end. */
function serveFiles(folder: string): Server {
  return createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const file = join(folder, decodeURIComponent(pathname));
    const isFolder = existsSync(file) && statSync(file).isDirectory();
    if (isFolder && !pathname.endsWith('/')) {
      response.writeHead(301, { location: `${pathname}/${search}` }).end();
      return;
    }
    const wanted = isFolder ? join(file, 'index.html') : file;
    const isThere = existsSync(wanted);
    const shown = isThere ? wanted : join(folder, '404.html');
    response.writeHead(isThere ? 200 : 404, {
      'content-type': TYPES[/\w+$/.exec(shown)?.[0] ?? ''] ?? 'text/plain',
    });
    createReadStream(shown).pipe(response);
  });
}

describe.skipIf(!hasBrowser)('a built site, on a server of files', () => {
  let world: FakeWorld;
  let folder: string;
  let server: Server;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    world = await fakeWorld({
      'content/en/categories/billing.md': '---\nname: Billing\n---\n',
      'content/en/articles/billing/refunds.md':
        '---\ntitle: Refunds\nexcerpt: When money comes back.\n---\n\n## Delays\n\nA bank transfer takes five days.\n\n## Amounts\n\nAll of it.\n',
      'content/en/articles/billing/invoices.md': '---\ntitle: Invoices\n---\n\nEach month, for Zoë too.\n',
      'content/ja/articles/billing/refunds.md':
        '---\ntitle: 返金について\nslug: henkin\n---\n\n銀行振込は五日かかります。\n',
      'content/tr/articles/billing/invoices.md':
        '---\ntitle: Işıklı faturalar\nslug: isikli\n---\n\nHer ay; ıslak imza gerekmez.\n',
      'content/tr/categories/billing.md': '---\nname: iadeler\nslug: iadeler\n---\n',
    });
    folder = await mkdtemp(join(tmpdir(), 'kbsync-built-'));
    const { exit, stderr } = await world.run('build', '--out', folder);
    if (exit !== 0) throw new Error(stderr);
    server = serveFiles(folder);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await world?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a reader comes in at the root, and every link leads to a page', async () => {
    const { page, complaints } = await visitor(browser);
    await page.goto(url);
    await page.waitForURL('**/en/');
    await page.getByRole('link', { name: 'Billing', exact: true }).first().click();
    await page.getByRole('main').getByRole('link', { name: 'Refunds' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Refunds');
    expect((await page.goto(`${url}/en/articles/none`))?.status()).toBe(404);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['en', 'bank trans', ['Refunds']],
    ['en', 'zoe', ['Invoices']],
    ['ja', '振込', ['返金について']],
    ['tr', 'IŞIKLI', ['Işıklı faturalar']],
    ['tr', 'ISLAK', ['Işıklı faturalar']],
    ['en', 'nowhere', []],
  ])('%s: “%s” finds %s', async (language, query, titles) => {
    const visit = await visitor(browser);
    await visit.page.goto(`${url}/${language}/search?q=${encodeURIComponent(query)}`);
    await visit.page.getByRole('status').waitFor();
    expect(await visit.page.locator('.hits a').allTextContents()).toEqual(titles);
    expect(await visit.page.locator('.topics').count()).toBe(titles.length > 0 ? 0 : 1);
    expect(await axeFindings(visit)).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  test('a topic without a picture has its first letter as its language writes capitals', async () => {
    const { page } = await visitor(browser);
    await page.goto(`${url}/tr/`);
    expect(await page.locator('.card .tile').allTextContents()).toEqual(['İ']);
  });

  test.each([
    ['invocies', ['Invoices'], 'Nothing was found for “invocies”. These are results for “invoices”.'],
    ['trnsfer', [], ''],
    [
      'refunds mnoey',
      ['Refunds'],
      'Nothing was found for “refunds mnoey”. These are results for “refunds money”.',
    ],
    ['transfer', ['Refunds'], ''],
    ['monez', ['Refunds'], 'Nothing was found for “monez”. These are results for “money”.'],
    ['$& invoicez', ['Invoices'], 'Nothing was found for “$& invoicez”. These are results for “invoices”.'],
    ['2o25', [], ''],
    ['???', [], ''],
  ])('a search for %s finds %j', async (query, titles, notice) => {
    const { page } = await visitor(browser);
    await page.goto(`${url}/en/search/?q=${encodeURIComponent(query)}`);
    await page.locator('main .count').waitFor();
    expect(await page.locator('.hits a').allTextContents()).toEqual(titles);
    expect(await page.locator('main .notice').allTextContents()).toEqual(notice === '' ? [] : [notice]);
    // The number is that of the query whose results stand below.
    const asked = /results for “(.+)”/.exec(notice)?.[1] ?? query;
    expect(await page.locator('main .count').textContent()).toContain(`“${asked}”`);
  });

  test.each([
    ['is gone', { status: 404, body: 'Not found' }],
    ['is cut', { status: 200, body: '{"index":[{"title":"Ref' }],
    ['says something else', { status: 200, body: '{}' }],
  ])(
    'the page says that the search failed, not that nothing was found, if the index %s',
    async (_, reply) => {
      const { page } = await visitor(browser);
      await page.route('**/search-index.json', (route) => route.fulfill(reply));
      await page.goto(`${url}/en/search/?q=refunds`);
      await page.locator('main .count').waitFor();
      expect(await page.locator('main .count').textContent()).toBe('Something failed');
      expect(await page.locator('main').textContent()).not.toContain('Nothing was found');
      expect(await page.locator('main .count ~ .topics').count()).toBe(1);
    },
  );

  test('a pasted text is answered at once, though the site has many words', async () => {
    const word = (n: number): string => ((n * 2_654_435_761) % 26 ** 7).toString(26);
    const entry = (n: number) => ({
      title: word(n),
      about: Array.from({ length: 25 }, (_, at) => word(n * 25 + at)).join(' '),
      path: '/',
      topic: '',
      words: '',
    });
    const index = Array.from({ length: 1_000 }, (_, n) => entry(n + 1));
    const { page } = await visitor(browser);
    await page.route('**/search-index.json', (route) => route.fulfill({ json: { index } }));
    const words = Array.from({ length: 300 }, (_, n) => word(1_000_003 + n));
    await page.goto(`${url}/en/search/?q=${words.join('+')}`);
    await page.locator('main .count').waitFor({ timeout: 10_000 });
    expect(await page.locator('.hits a').count()).toBe(0);
  });

  test('titles are suggested, and colours stay, though nothing answers but files', async () => {
    const { page } = await visitor(browser, { colorScheme: 'light' });
    await page.goto(`${url}/en/articles/refunds`);
    await page.keyboard.press('/');
    await page.keyboard.type('inv');
    await page.getByRole('option', { name: 'Invoices' }).click();
    await page.waitForURL('**/en/articles/invoices/');
    await page.locator('details.theme summary').click();
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.goto(`${url}/en/`);
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });
});

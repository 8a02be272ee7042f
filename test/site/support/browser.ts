import { existsSync } from 'node:fs';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Whether a browser is at hand; the tests that need one say so and are skipped where there is none. */
export const hasBrowser = existsSync(CHROMIUM);

export const REASON_WITHOUT_BROWSER = `skipped: no browser at ${CHROMIUM} (apt-get install chromium)`;

export function launch(): Promise<Browser> {
  const quiet = ['quic', 'background-networking', 'component-update', 'sync'].map(
    (name) => `--disable-${name}`,
  );
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet],
  });
}

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained about: refused scripts and styles, errors in scripts. */
  readonly complaints: readonly string[];
}

/** A reader with an empty profile. No picture from elsewhere is loaded: there is no network in tests. */
export async function visitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  await page.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) =>
      route.fulfill({
        status: 200,
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      }),
  );
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A 404 page is a failed load to the console.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  return { page, context, complaints };
}

/** What axe finds wrong, as `rule: element`; it is put in past the page's policy, as a debugger is. */
export async function axeFindings({ page }: Visitor): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`);
}

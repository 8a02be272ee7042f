import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyOf } from '../../src/model/key.ts';
import type { Change } from '../../src/plan/plan.ts';
import { planPage } from '../../src/plan-page/page.ts';
import { EVERYTHING, NOTHING } from '../cli/support/sample-plan.ts';
import { hasBrowser, launch, REASON_WITHOUT_BROWSER } from '../site/support/browser.ts';

if (!hasBrowser) console.log(REASON_WITHOUT_BROWSER);

describe.skipIf(!hasBrowser)('the plan as a page, in a browser', () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-plan-page-'));
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const change = (at: number): Change => ({
    action: at % 3 === 0 ? 'create' : 'update',
    kind: 'article',
    key: keyOf('article', `page-${at}`, at % 2 === 0 ? 'en' : 'ur'),
    lang: at % 2 === 0 ? 'en' : 'ur',
    slug: `page-${at}`,
    name: `Page ${at}`,
    fields: [{ field: 'content', words: { added: 1, removed: 1 } }],
  });
  const body = (word: string): string => `<h2>Head</h2>${`<p>A paragraph of ${word} words.</p>`.repeat(12)}`;

  async function opened(count: number) {
    const file = join(folder, `plan-${count}.html`);
    const changes = Array.from({ length: count }, (_, at) => change(at));
    const page = planPage({
      plan: { ...NOTHING, changes, conflicts: EVERYTHING.conflicts },
      textsOf: () => ({ before: { content: body('old') }, after: { content: body('new') } }),
      labelOf: (id) => id,
      pageOf: (_, lang, slug) => `https://help.acme.test/${lang}/${slug}`,
      resolving: () => 'kbsync resolve',
      problems: [],
      baseUrl: 'https://help.acme.test',
      facts: [],
      sum: '',
    });
    writeFileSync(file, page);
    const context = await browser.newContext({ offline: true, viewport: { width: 1280, height: 800 } });
    const tab = await context.newPage();
    const complaints: string[] = [];
    tab.on('pageerror', (error) => complaints.push(error.message));
    tab.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const asked: string[] = [];
    tab.on('request', (request) => asked.push(request.url()));
    await tab.goto(`file://${file}`);
    return { tab, complaints, asked, context };
  }

  test('works without a network, filters, goes from change to change with j and k, and opens all on paper', async () => {
    const { tab, complaints, asked, context } = await opened(40);
    const shown = () => tab.locator('details.card:visible').count();
    expect(await shown()).toBe(40 + EVERYTHING.conflicts.length);
    await tab.selectOption('select[name=lang]', 'ur');
    expect(await shown()).toBe(20);
    await tab.selectOption('select[name=action]', 'create');
    expect(await shown()).toBe(7);
    await tab.fill('input[name=text]', 'page-15');
    expect(await shown()).toBe(1);
    await tab.fill('input[name=text]', '');
    await tab.locator('h1').click();
    await tab.keyboard.press('j');
    expect(await tab.locator('details.card:focus-within').getAttribute('id')).toBe('article/page-3@ur');
    await tab.keyboard.press('j');
    await tab.keyboard.press('k');
    expect(await tab.locator('details.card:focus-within').getAttribute('id')).toBe('article/page-3@ur');
    expect(await tab.locator('details.card[id="article/page-3@ur"] [dir=rtl] ins').first().isVisible()).toBe(
      true,
    );
    await tab.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await tab.locator('details.card:not([open])').count()).toBe(0);
    expect([complaints, asked.filter((url) => !url.startsWith('file:'))]).toEqual([[], []]);
    await context.close();
  });

  test('finds one of 2,000 changes by a word', async () => {
    const { tab, complaints, context } = await opened(2000);
    const filterMs = await tab.evaluate<number>(`(() => {
      const field = document.querySelector('input[name=text]');
      field.value = 'page-1999';
      const startMs = performance.now();
      field.dispatchEvent(new Event('input', { bubbles: true }));
      document.body.getBoundingClientRect();
      return performance.now() - startMs;
    })()`);
    expect(await tab.locator('details.card:visible').count()).toBe(1);
    expect(complaints).toEqual([]);
    if (process.env['KBSYNC_FIGURES'] !== undefined)
      process.stdout.write(`filter of 2,000: ${filterMs.toFixed(0)} ms\n`);
    await context.close();
  });
});

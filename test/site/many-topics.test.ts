import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ARTICLES, articleBody, CATEGORIES, categoryBody } from '../service/support/rig.ts';
import { hasBrowser, launch, REASON_WITHOUT_BROWSER, visitor } from './support/browser.ts';
import { exampleSite, type ExampleSite } from './support/example-site.ts';

if (!hasBrowser) console.log(REASON_WITHOUT_BROWSER);

const TOPICS = 60;

describe.skipIf(!hasBrowser)('among many topics', () => {
  let site: ExampleSite;
  let browser: Browser;

  beforeAll(async () => {
    [site, browser] = await Promise.all([exampleSite(), launch()]);
    for (let n = 0; n < TOPICS; n += 1) {
      const topic = await site.write(
        'PUT',
        CATEGORIES,
        categoryBody({ name: `Topic ${n}`, slug: `topic-${n}`, priority: n + 10 }),
      );
      await site.write(
        'PUT',
        ARTICLES,
        articleBody({ title: `Short ${n}`, slug: `short-${n}`, categories: [{ value: topic }] }),
      );
    }
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test('a short article stands right below its path', async () => {
    const { page, context } = await visitor(browser, { viewport: { width: 1280, height: 1400 } });
    await page.goto(`${site.url}/en/articles/short-1`);
    const [path, title] = [
      await page.locator('.crumbs ol').boundingBox(),
      await page.locator('h1').boundingBox(),
    ];
    expect((title?.y ?? 0) - (path?.y ?? 0) - (path?.height ?? 0)).toBeLessThan(40);
    await context.close();
  });

  test('the place of the page is in sight, beside it and in the drawer of a phone', async () => {
    const at = `${site.url}/en/articles/short-${TOPICS - 2}`;
    const inSight = `(() => {
      const tree = document.querySelector('.tree').getBoundingClientRect();
      const here = document.querySelector('.tree [aria-current]').getBoundingClientRect();
      return here.top >= tree.top && here.bottom <= Math.min(tree.bottom, innerHeight);
    })()`;
    for (const width of [1280, 390]) {
      const { page, context } = await visitor(browser, { viewport: { width, height: 700 } });
      await page.goto(at);
      if (width === 390) await page.getByRole('button', { name: 'Menu' }).click();
      await expect.poll(() => page.evaluate(inSight)).toBe(true);
      await context.close();
    }
  });

  test.each([390, 1280])('a title that is one long word breaks, at %i px', async (width) => {
    const title = 'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE_AND_OTHER_VARIABLES';
    const topic = await site.write(
      'PUT',
      CATEGORIES,
      categoryBody({ name: title, slug: `long-${width}`, priority: 90 }),
    );
    const slug = `long-title-${width}`;
    await site.write('PUT', ARTICLES, articleBody({ title, slug, categories: [{ value: topic }] }));
    const { page, context } = await visitor(browser, { viewport: { width, height: 700 } });
    const wide: string[] = [];
    for (const path of [
      '/en/',
      `/en/articles/${slug}`,
      `/en/categories/long-${width}`,
      '/en/search?q=otel',
    ]) {
      await page.goto(site.url + path);
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      const outside =
        await page.evaluate(`[...document.querySelectorAll('main *, .crumbs *')].filter((one) => {
        const { right } = one.getBoundingClientRect();
        const { right: edge } = one.closest('main, .crumbs').getBoundingClientRect();
        return right > edge + 1 && one.closest('pre, .table, .sr-only, .hero') === null;
      }).map(({ outerHTML }) => outerHTML.slice(0, 60))`);
      if (Number(excess) > 0 || (outside as readonly string[]).length > 0)
        wide.push(`${path} ${String(outside)}`);
    }
    expect(wide).toEqual([]);
    await context.close();
  });

  test('a wide table is printed whole', async () => {
    const cells = Array.from({ length: 12 }, (_, n) => `<td><code>some.long.setting.name.${n}</code></td>`);
    await site.write(
      'PUT',
      ARTICLES,
      articleBody({ title: 'Wide', slug: 'wide', content: `<table><tr>${cells.join('')}</tr></table>` }),
    );
    const { page, context } = await visitor(browser, { viewport: { width: 720, height: 900 } });
    await page.emulateMedia({ media: 'print' });
    await page.goto(`${site.url}/en/articles/wide`);
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(excess).toBeLessThanOrEqual(0);
    expect(
      await page.evaluate("document.querySelector('.table').scrollWidth - innerWidth"),
    ).toBeLessThanOrEqual(0);
    await context.close();
  });
});

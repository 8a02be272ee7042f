import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launch, REASON_WITHOUT_BROWSER, visitor } from '../../../site/support/browser.ts';
import { SMALL } from '../../support/fake-world.ts';
import { png } from '../../../service/support/pictures.ts';
import { liveWorld, type LiveWorld, type Running } from '../../support/live-world.ts';

const INSTALL = 'content/en/articles/install.md';
const LONG = `${SMALL[INSTALL]}\n${'A line to scroll over.\n\n'.repeat(120)}`;
/** Twenty saves give figures; five show the same. */
const WANTS_FIGURES = process.env['KBSYNC_FIGURES'] !== undefined;
const ROUNDS = WANTS_FIGURES ? 20 : 5;

let world: LiveWorld;
afterEach(() => world.close());

async function started(
  ...flags: readonly string[]
): Promise<{ readonly run: Running; readonly url: string }> {
  world = await liveWorld({ ...SMALL, [INSTALL]: LONG });
  const run = world.start('dev', '--port', '0', '--no-open', ...flags);
  await run.until(/5 files at .*Ctrl-C ends/);
  return { run, url: /at (http:\S+)\/;/.exec(run.stdout())?.[1] ?? '' };
}

test('serves the files as pages, sends nothing anywhere, and leaves the state of the real service alone', async () => {
  const { run, url } = await started();
  const page = await (await fetch(`${url}/en/articles/install`)).text();
  expect(page).toContain('Run it on your machine.');
  expect(page).toContain('/_site/live.js');
  expect(world.sent).toEqual([]);
  expect(await world.read('.kbsync/dev.url')).toBe(`${url}/\n`);
  expect(await run.interrupt()).toBe(0);
  await expect(world.read('.kbsync/state.json')).rejects.toThrow('ENOENT');
  await expect(fetch(`${url}/en/`)).rejects.toThrow('fetch failed');
  expect(await world.read('.kbsync/dev.url')).toBe('');
});

test('a second start shows the same from its own database', async () => {
  const { run } = await started();
  await run.interrupt();
  const again = world.start('dev', '--port', '0', '--no-open');
  await again.until(/5 files at/);
  const url = /at (http:\S+)\/;/.exec(again.stdout())?.[1] ?? '';
  expect(await (await fetch(`${url}/en/articles/update`)).text()).toContain('install');
});

test('a page whose file is gone stays in the preview, and the line says how to begin anew', async () => {
  const { run } = await started();
  await world.remove('content/en/articles/update.md');
  await run.until(
    /- update@en {2}still in the preview; it begins anew if you stop, delete \.kbsync\/dev\.db and/,
  );
  await run.interrupt();
  await world.remove('.kbsync/dev.db');
  const again = world.start('dev', '--port', '0', '--no-open');
  await again.until(/4 files at/);
  const url = /at (http:\S+)\/;/.exec(again.stdout())?.[1] ?? '';
  const found = ['install', 'update'].map(async (name) => (await fetch(`${url}/en/articles/${name}`)).status);
  expect(await Promise.all(found)).toEqual([200, 404]);
});

if (!hasBrowser) console.log(REASON_WITHOUT_BROWSER);

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  const shows = (page: Page, text: string) => page.getByText(text).waitFor();

  test('a folder with images and no settings for them shows them', async () => {
    world = await liveWorld({
      ...SMALL,
      'content/assets/a.png': png(40, 30),
      'content/assets/b.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><path d="M0 0h20v10z"/></svg>',
      [INSTALL]: `${SMALL[INSTALL]}\n![A](../../assets/a.png) ![B](../../assets/b.svg)\n`,
    });
    const run = world.start('dev', '--port', '0', '--no-open');
    await run.until(/5 files at .*Ctrl-C ends/);
    const url = /at (http:\S+)\/;/.exec(run.stdout())?.[1] ?? '';
    const { page, complaints } = await visitor(browser);
    await page.goto(`${url}/en/articles/install`);
    const images = () =>
      page.evaluate(
        `Array.from(document.querySelectorAll('main img'), (img) => [img.alt, img.complete, img.naturalWidth, img.width, img.height])`,
      );
    await expect.poll(images, { timeout: 60_000 }).toEqual([
      ['A', true, 40, 40, 30],
      ['B', true, 20, 20, 10],
    ]);
    await world.write('content/assets/a.png', png(60, 20));
    await page.locator('main img[width="60"]').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a save is painted, and the page stays where it was scrolled to', async () => {
    const { url } = await started();
    const { page, complaints } = await visitor(browser);
    await page.goto(`${url}/en/articles/install`);
    await page.evaluate('scrollTo(0, 1500)');
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const startMs = performance.now();
      await world.write(INSTALL, LONG.replace('your machine', `machine ${round} of ${ROUNDS}`));
      await shows(page, `machine ${round} of ${ROUNDS}`);
      times.push(performance.now() - startMs);
      await expect.poll(() => page.evaluate('scrollY')).toBe(1500);
    }
    expect(complaints).toEqual([]);
    const sorted = times.toSorted((a, b) => a - b);
    if (WANTS_FIGURES)
      process.stdout.write(
        `save to painted: median ${sorted[9]?.toFixed(0)} ms, p95 ${sorted[18]?.toFixed(0)} ms\n`,
      );
  });

  test('a fault shows as an overlay with its place, over the last good version, and goes when it is repaired', async () => {
    const { url } = await started();
    const { page, complaints } = await visitor(browser);
    await page.goto(`${url}/en/articles/install`);
    await world.write(INSTALL, LONG.replace('tags: [cli]', 'tags: [clo]'));
    const overlay = page.locator('#kbsync-problems');
    await overlay.waitFor();
    expect(await overlay.innerText()).toContain(
      'content/en/articles/install.md:4:8 no tag file defines `clo`',
    );
    await page.reload();
    await overlay.waitFor();
    expect(await page.innerText('main')).toContain('Run it on your machine.');
    await world.write(INSTALL, LONG);
    await overlay.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('--no-overlay and --no-live-reload leave the page alone', async () => {
    const { run, url } = await started('--no-overlay', '--no-live-reload');
    const { page } = await visitor(browser);
    await page.goto(`${url}/en/articles/install`);
    await world.write(INSTALL, LONG.replace('tags: [cli]', 'tags: [clo]'));
    await run.until(/what is published stays/);
    await world.write(INSTALL, LONG.replace('your machine', 'another'));
    await run.until(/~ install@en/);
    expect(await page.locator('#kbsync-problems').count()).toBe(0);
    expect(await page.innerText('main')).toContain('Run it on your machine.');
  });
});

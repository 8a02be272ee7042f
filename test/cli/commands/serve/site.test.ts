import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realFiles } from '../../../../src/machine/machine.ts';
import { openSqlite, type Store, systemClock } from '../../../../src/service/index.ts';
import type { SiteFlags } from '../../../../src/cli/commands/serve/command.ts';
import { withSite } from '../../../../src/cli/commands/serve/site.ts';

let store: Store;
beforeEach(() => {
  store = openSqlite({ file: ':memory:' });
});
afterEach(() => store.close());

async function answered(flags: Partial<SiteFlags>, path: string) {
  const api = { fetch: async () => new Response('the API', { status: 404 }) };
  const app = await withSite(
    api,
    { site: true, ...flags },
    {
      store,
      clock: systemClock,
      languages: ['en', 'fr'],
      root: import.meta.dirname,
      files: realFiles,
      onFailure: () => undefined,
    },
  );
  return app.fetch(new Request(`http://kb.test${path}`));
}

const answer = async (flags: Partial<SiteFlags>, path = '/en/'): Promise<string> =>
  (await answered(flags, path)).text();

describe('the reading site of serve', () => {
  test('stands beside the API, unless --no-site', async () => {
    expect(await answer({})).toContain('<h1><bdi>Help</bdi></h1>');
    expect(await answer({}, '/api/v2/articles')).toBe('the API');
    expect(await answer({ site: false })).toBe('the API');
  });

  test('takes its name, address and languages from the flags', async () => {
    const text = await answer({
      siteName: 'Acme <Help>',
      siteUrl: 'https://help.acme.test/',
      accent: '#c03',
    });
    expect(text).toContain('<h1><bdi>Acme &lt;Help&gt;</bdi></h1>');
    expect(text).toContain('<link rel="canonical" href="https://help.acme.test/en/"');
    expect(text).toContain('hreflang="fr"');
  });

  test('shows logo, intro, links and footer; a link of another scheme is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kbsync-logo-'));
    const logo = join(folder, 'logo.bin');
    writeFileSync(logo, '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>');
    const text = await answer({
      logo,
      siteIntro: 'Ask us <anything>',
      link: ['Status=https://status.acme.test/?a=b'],
      footer: '© Acme',
      footerLink: ['Write to us=mailto:help@acme.test'],
    });
    const path = /<img\s+src="(\/_site\/logo\.[0-9a-f]{12}\.svg)"/.exec(text)?.[1] ?? '';
    expect(await answer({ logo }, path)).toContain('<svg');
    expect(text).toContain('<p><bdi>Ask us &lt;anything&gt;</bdi></p>');
    expect(text).toContain('<a href="https://status.acme.test/?a=b">Status</a>');
    expect(text).toContain('<bdi>© Acme</bdi>');
    expect(text).toContain('<a href="mailto:help@acme.test">Write to us</a>');
    rmSync(folder, { recursive: true });
  });

  test.each([
    [{ logo: 'missing.svg' }, '--logo: `'],
    [{ logo: import.meta.filename }, 'is no picture that every browser shows'],
    [{ link: ['Status'] }, '--link: `Status` is not a text and an address'],
    [{ link: ['Run=javascript:alert(1)'] }, '--link: `javascript:alert(1)` is no address for a link'],
    [{ footerLink: ['Home=//evil.test'] }, '--footer-link: `//evil.test` is no address for a link'],
    [{ accent: 'red;}' }, '--accent: `red;}` is not a colour'],
    [{ siteUrl: 'help.acme.test' }, '--site-url: `help.acme.test` is not an address without a path'],
    [{ siteUrl: 'https://acme.test/help' }, 'is not an address without a path'],
    [{ siteUrl: 'ftp://acme.test' }, 'is not an address without a path'],
  ])('%j makes no sense', async (flags, message) => {
    await expect(answer(flags)).rejects.toThrow(message);
  });
});

test('readers are asked whether an article helped, unless --no-feedback', async () => {
  await store.write((sql) =>
    sql.run(`insert into users values ('u', 'ada', 'Ada', 'Byron', 'ada@example.com')`),
  );
  await store.write((sql) =>
    sql.run(
      `insert into articles (id, site_id, version, created_at, edited_at, created_by, name, slug, status, order_by,
         hide_from_search, excerpt, summary, content)
       values ('a1', ?, 1, 1, 1, 'u', 'Install', 'install', 'published', 1, 0, '', '', '<p>Run it.</p>')`,
      store.knowledgeBase.id,
    ),
  );
  const path = '/en/articles/install';
  expect(await answer({}, path)).toContain('Was this page helpful?');
  expect(await answer({ feedback: false }, path)).not.toContain('helpful');
});

describe('--redirects', () => {
  const withMap = async (text: string, path: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'kbsync-map-'));
    const file = join(folder, 'map.csv');
    writeFileSync(file, text);
    try {
      return await answered({ redirects: [file] }, path);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test('leads old addresses to where they are now', async () => {
    const { status, headers } = await withMap('from,to\r\n/old,/en/tags/\r\n', '/old');
    expect([status, headers.get('location')]).toEqual([301, '/en/tags/']);
  });

  test.each([
    ['a,b\r\n/old,/new\r\n', 'has no columns `from` and `to`'],
    ['from,to\r\n/old,javascript:alert(1)\r\n', 'leads `/old` to `javascript:alert(1)`'],
    ['from,to\r\n/old,//evil.example/x\r\n', 'leads `/old` to `//evil.example/x`'],
    ['from,to\r\n/old,/\\evil.example\r\n', 'must begin with one / or with https://'],
    ['from,to\r\n/old,/x/..//evil.example\r\n', 'must begin with one / or with https://'],
  ])('refuses a file that is no map: %j', async (text, why) => {
    await expect(withMap(text, '/old')).rejects.toThrow(why);
    await expect(answered({ redirects: ['no-such.csv'] }, '/old')).rejects.toThrow('is not there');
  });
});

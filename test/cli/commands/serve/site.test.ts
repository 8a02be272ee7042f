import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqlite, type Store } from '../../../../src/service/index.ts';
import type { SiteFlags } from '../../../../src/cli/commands/serve/command.ts';
import { withSite } from '../../../../src/cli/commands/serve/site.ts';

let store: Store;
beforeEach(() => {
  store = openSqlite({ file: ':memory:' });
});
afterEach(() => store.close());

async function answer(flags: Partial<SiteFlags>, path = '/en/') {
  const api = { fetch: async () => new Response('the API', { status: 404 }) };
  const app = await withSite(
    api,
    { site: true, ...flags },
    { store, languages: ['en', 'fr'], onFailure: () => undefined },
  );
  return (await app.fetch(new Request(`http://kb.test${path}`))).text();
}

describe('the reading site of serve', () => {
  test('stands beside the API, unless --no-site', async () => {
    expect(await answer({})).toContain('<h1>Help</h1>');
    expect(await answer({}, '/api/v2/articles')).toBe('the API');
    expect(await answer({ site: false })).toBe('the API');
  });

  test('takes its name, address and languages from the flags', async () => {
    const text = await answer({
      siteName: 'Acme <Help>',
      siteUrl: 'https://help.acme.test/',
      accent: '#c03',
    });
    expect(text).toContain('<h1>Acme &lt;Help&gt;</h1>');
    expect(text).toContain('<link rel="canonical" href="https://help.acme.test/en/"');
    expect(text).toContain('hreflang="fr"');
  });

  test.each([
    [{ accent: 'red;}' }, '--accent: `red;}` is not a colour'],
    [{ siteUrl: 'help.acme.test' }, '--site-url: `help.acme.test` is not an address without a path'],
    [{ siteUrl: 'https://acme.test/help' }, 'is not an address without a path'],
    [{ siteUrl: 'ftp://acme.test' }, 'is not an address without a path'],
  ])('%j makes no sense', async (flags, message) => {
    await expect(answer(flags)).rejects.toThrow(message);
  });
});

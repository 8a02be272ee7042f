import { afterEach, expect, test } from 'vitest';
import { redirectsFrom } from '../../../src/model/address/redirect.ts';
import { openSqlite } from '../../../src/service/index.ts';
import { createSite } from '../../../src/site/create-site.ts';
import { oldAddresses, withOldAddresses } from '../../../src/site/http/old-addresses.ts';
import { siteBeside } from '../../../src/site/with-service.ts';
import { ARTICLES, articleBody, rig, type Rig } from '../../service/support/rig.ts';

let service: Rig | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function opened(csv: string) {
  const store = openSqlite({ file: ':memory:' });
  const made = await rig(store);
  service = made;
  const api = { fetch: async () => new Response('{}', { status: 404 }) };
  const site = createSite({ store, languages: ['en', 'fr'] });
  const app = withOldAddresses(siteBeside(api, site), {
    given: oldAddresses(
      redirectsFrom(`from,to,kind,lang\r\n${csv.trim().replaceAll('\n', '\r\n')}\r\n`) ?? [],
    ),
  });
  return {
    make: (slug: string) => made.make(ARTICLES, articleBody({ slug })),
    rename: (id: string, slug: string) =>
      made.ask('POST', `${ARTICLES}/${id}`, { ...articleBody({ slug }), lang: 'en' }),
    remove: (id: string) => made.ask('DELETE', `${ARTICLES}/${id}`),
    visit: async (path: string, method = 'GET') => {
      const response = await app.fetch(new Request(`https://help.test${path}`, { method }));
      await response.text();
      const to = response.headers.get('location');
      return to === null ? String(response.status) : `${response.status} ${to}`;
    },
  };
}

test('an address of the old site leads to its page, with the slash, the escapes and the query that it comes with', async () => {
  const { make, visit } = await opened(`
https://old.example.com/hc/en-us/articles/7-Refunds,/en/articles/refunds
/caf%C3%A9,/en/articles/refunds#money
/?p=12,/en/articles/refunds
/blog,https://blog.example.com/new`);
  await make('refunds');
  expect(await visit('/hc/en-us/articles/7-Refunds')).toBe('301 /en/articles/refunds');
  expect(await visit('/hc/en-us/articles/7-Refunds/', 'HEAD')).toBe('301 /en/articles/refunds');
  expect(await visit('/hc/en-us/articles/7-Refunds?utm=x')).toBe('301 /en/articles/refunds?utm=x');
  expect(await visit('/caf%c3%a9')).toBe('301 /en/articles/refunds#money');
  expect(await visit('/?p=12')).toBe('301 /en/articles/refunds');
  expect(await visit('/?p=13')).toContain('302 ');
  expect(await visit('/')).toContain('302 ');
  expect(await visit('/blog')).toBe('301 https://blog.example.com/new');
  expect(await visit('/hc/en-us/articles/8-Other')).toBe('404');
  expect(await visit('/hc/en-us/articles/7-Refunds', 'POST')).not.toContain('301');
});

test('a query is found as browsers ask for it, and a lone ? is none', async () => {
  const { make, visit } = await opened(`
/wiki?title=Über uns,/en/articles/refunds
/wiki?title=Caf%C3%A9,/en/articles/refunds
/lone?,/en/articles/refunds`);
  await make('refunds');
  for (const path of ['/wiki?title=%C3%9Cber%20uns', '/wiki?title=Caf%c3%a9', '/lone'])
    expect(await visit(path)).toBe('301 /en/articles/refunds');
  expect(await visit('/wiki?title=Other')).toBe('404');
});

test('it is one hop, whatever became of the page since, and whatever lines lead to lines', async () => {
  const { make, rename, remove, visit } = await opened(`
/a,/b
/b,/en/articles/refunds
/round,/trip
/trip,/round
/lost,/en/articles/never`);
  const id = await make('refunds');
  await rename(id, 'money-back');
  for (const path of ['/a', '/b']) expect(await visit(path)).toBe('301 /en/articles/money-back');
  for (const path of ['/round', '/trip']) expect(await visit(path)).toBe('404');
  expect(await visit('/en/articles/refunds')).toBe('301 /en/articles/money-back');
  // A line may lead to a page that is gone; that page says so.
  expect(await visit('/lost')).toBe('301 /en/articles/never');
  await remove(id);
  expect([await visit('/a'), await visit('/en/articles/money-back')]).toEqual([
    '301 /en/articles/refunds',
    '410',
  ]);
});

test('a page that is there has its address, and so has the API', async () => {
  const { make, visit } = await opened(`
/en/articles/new,/en/articles/refunds
/,/en/articles/refunds
/api/v2/articles,/en/articles/refunds
/en/articles/gone,/en/articles/refunds`);
  await make('refunds');
  const gone = await make('gone');
  expect(await visit('/en/articles/gone')).toBe('200');
  await make('new');
  expect(await visit('/en/articles/new')).toBe('200');
  expect(await visit('/')).not.toContain('refunds');
  expect(await visit('/api/v2/articles')).toBe('404');
  expect(gone).not.toBe('');
});

test('where the site leads by language, or for today alone, a reader is led by the site', async () => {
  const { make, visit } = await opened('/old-home,/');
  await make('refunds');
  expect(await visit('/')).toMatch(/^302 /);
  expect(await visit('/old-home')).toBe('301 /');
});

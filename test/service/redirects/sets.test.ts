import { afterAll, describe, expect, test } from 'vitest';
import { openPostgres, openSqlite, type Store } from '../../../src/service/index.ts';
import { StoreError } from '../../../src/service/store/store.ts';
import { createSite } from '../../../src/site/create-site.ts';
import { keptAddresses, withOldAddresses } from '../../../src/site/http/old-addresses.ts';
import { siteBeside } from '../../../src/site/with-service.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { ARTICLES, articleBody, rig } from '../support/rig.ts';

interface Line {
  readonly from: string;
  readonly to: string;
  readonly key?: string;
}

async function opened(store: Store) {
  const service = await rig(store, { redirects: true });
  const site = createSite({ store, languages: ['en', 'fr'] });
  const app = withOldAddresses(siteBeside({ fetch: (request, from) => service.send(request, from) }, site), {
    kept: keptAddresses(store),
  });
  const setOf = (repository: string): string =>
    `/api/v2/redirects?repository=${encodeURIComponent(repository)}`;
  return {
    ask: service.ask,
    clock: service.clock,
    make: (path: string, body: object) => service.make(path, body),
    close: () => service.close(),
    put: (repository: string, redirects: readonly Line[], tag = 'a1') =>
      service.ask('PUT', setOf(repository), { tag, redirects }),
    get: (repository: string) => service.ask('GET', setOf(repository)),
    told: async () => (await service.ask('GET', '/api/v2/tags', undefined)).headers.get('kb-redirect-sets'),
    edit: (id: string, slug: string) =>
      service.ask('POST', `${ARTICLES}/${id}`, { ...articleBody({ slug }), lang: 'en' }),
    visit: async (address: string): Promise<string> => {
      const response = await app.fetch(
        new Request(`https://help.test${address}`, { headers: { accept: 'text/html' } }),
      );
      await response.text();
      const to = response.headers.get('location');
      return to === null ? String(response.status) : `${response.status} ${to}`;
    },
  };
}

function laws(name: string, open: () => Promise<Store>): void {
  describe(`sets of old addresses over ${name}`, () => {
    test('a set is replaced as a whole, told by each list, and gone when it is empty', async () => {
      const { put, get, told, ask, close } = await opened(await open());
      expect(await told()).toBe('');
      const first = [
        { from: '/a', to: '/en/articles/a', key: 'article/a@en' },
        { from: '/b?p=1', to: 'https://other.test/b' },
      ];
      expect(await put('acme/docs', first, '3f2a')).toMatchObject({
        status: 200,
        body: { data: { claimed: [] } },
      });
      expect((await get('acme/docs')).body['data']).toEqual({
        repository: 'acme/docs',
        tag: '3f2a',
        redirects: first,
      });
      expect(await told()).toBe('acme/docs=3f2a');
      const list = await ask('GET', '/api/v2/articles');
      const again = await ask('GET', '/api/v2/articles', undefined, {
        'if-none-match': list.headers.get('etag') ?? '',
      });
      expect([again.status, again.headers.get('kb-redirect-sets')]).toEqual([304, 'acme/docs=3f2a']);
      const second = [{ from: '/a', to: '/en/articles/c' }];
      const written = await put('acme/docs', second, '90bc');
      expect(written.headers.get('kb-redirect-sets')).toBe('acme/docs=90bc');
      expect((await get('acme/docs')).body['data'].redirects).toEqual(second);
      await put('acme/docs', [], '77');
      expect(await told()).toBe('');
      expect((await get('acme/docs')).body['data']).toEqual({
        repository: 'acme/docs',
        tag: '',
        redirects: [],
      });
      await close();
    });

    test('an old address leads in one hop to its page of today; a page that is there has its address', async () => {
      const { put, make, edit, ask, visit, close } = await opened(await open());
      const id = await make(ARTICLES, articleBody({ slug: 'fax' }));
      await put('docs', [
        { from: '/old/fax', to: '/en/articles/fax#send' },
        { from: '/café', to: '/en/articles/fax' },
        { from: '/en/articles/mail', to: '/en/articles/fax' },
        { from: '/chain', to: '/old/fax' },
        { from: '/absolute', to: 'https://help.test/old/fax' },
        { from: '/elsewhere?id=2', to: 'https://other.test/x' },
        { from: '/dead', to: '/en/articles/nothing' },
        { from: '/?p=12', to: '/en/articles/fax' },
      ]);
      await edit(id, 'telefax');
      await edit(id, 'fax-2');
      expect(await visit('/old/fax/')).toBe('301 /en/articles/fax-2#send');
      expect(await visit('/caf%C3%A9?utm=x')).toBe('301 /en/articles/fax-2?utm=x');
      expect(await visit('/chain')).toBe('301 /en/articles/fax-2#send');
      expect(await visit('/absolute')).toBe('301 /en/articles/fax-2#send');
      expect(await visit('/elsewhere?id=2')).toBe('301 https://other.test/x');
      expect(await visit('/elsewhere')).toBe('404');
      expect(await visit('/?p=12')).toBe('301 /en/articles/fax-2');
      expect(await visit('/?p=13')).toBe('302 /en/');
      expect(await visit('/dead')).toBe('404');
      expect(await visit('/en/articles/mail')).toBe('301 /en/articles/fax-2');
      const mail = await make(ARTICLES, articleBody({ slug: 'mail' }));
      expect(await visit('/en/articles/mail')).toBe('200');
      await ask('DELETE', `${ARTICLES}/${mail}`);
      expect(await visit('/en/articles/mail')).toBe('301 /en/articles/fax-2');
      await ask('DELETE', `${ARTICLES}/${id}`);
      expect(await visit('/old/fax')).toBe('404');
      expect(await visit('/en/articles/mail')).toBe('410');
      await close();
    });

    test('an address that two repositories claim stays with the first, and neither changes the set of the other', async () => {
      const { put, get, make, clock, visit, close } = await opened(await open());
      for (const slug of ['one', 'two']) await make(ARTICLES, articleBody({ slug }));
      await put('first', [{ from: '/both', to: '/en/articles/one' }]);
      clock.set(clock.now() + 1000);
      const claimed = await put('second', [
        { from: '/both', to: '/en/articles/two' },
        { from: '/own', to: '/en/articles/two' },
      ]);
      expect(claimed.body['data'].claimed).toEqual([{ from: '/both', by: 'first' }]);
      expect(await visit('/both')).toBe('301 /en/articles/one');
      expect(await visit('/own')).toBe('301 /en/articles/two');
      // A circle of two sets ends.
      await put('first', [
        { from: '/both', to: '/en/articles/one' },
        { from: '/x', to: '/y' },
      ]);
      await put('second', [
        { from: '/both', to: '/en/articles/two' },
        { from: '/y', to: '/x' },
      ]);
      expect(await visit('/x')).toBe('404');
      await put('first', []);
      expect(await visit('/both')).toBe('301 /en/articles/two');
      expect((await get('second')).body['data'].redirects).toHaveLength(2);
      await close();
    });

    test.each<[string, readonly Line[], string]>([
      [
        'two lines of one address',
        [
          { from: '/a', to: '/b' },
          { from: '/a', to: '/c' },
        ],
        'redirects.1: /a is the old',
      ],
      [
        'a circle',
        [
          { from: '/z', to: '/a' },
          { from: '/a', to: '/b/' },
          { from: '/b', to: '/a' },
        ],
        'back to itself',
      ],
      [
        'itself',
        [
          { from: '/a', to: '/a?x=1#y' },
          { from: '/a?x=1', to: '/a' },
        ],
        'back to itself',
      ],
      [
        'another host by trick',
        [{ from: '/a', to: '//evil.test/' }],
        'redirects.0.to: must begin with one /',
      ],
      ['a program', [{ from: '/a', to: 'javascript:alert(1)' }], 'redirects.0.to: must begin with'],
      ['a slash at the end', [{ from: '/a/', to: '/b' }], 'redirects.0.from: must be without a slash'],
      ['no path', [{ from: 'a', to: '/b' }], 'redirects.0.from: must begin with one /'],
      [
        'too long',
        [{ from: `/${'é'.repeat(600)}`, to: '/b' }],
        'redirects.0.from: is longer than 1000 bytes',
      ],
    ])('is refused with the line, and the set stays: %s', async (_, redirects, words) => {
      const { put, get, close } = await opened(await open());
      await put('docs', [{ from: '/kept', to: '/en/articles/x' }]);
      const reply = await put('docs', redirects);
      expect([reply.status, reply.body['message']]).toEqual([400, expect.stringContaining(words)]);
      expect((await get('docs')).body['data'].redirects).toEqual([{ from: '/kept', to: '/en/articles/x' }]);
      await close();
    });
  });
}

laws('SQLite', () => Promise.resolve(openSqlite({ file: ':memory:' })));

describe.skipIf(postgresMissing() !== undefined)('PostgreSQL', () => {
  let server: PostgresServer | undefined;
  afterAll(() => server?.remove());
  laws('PostgreSQL', async () => {
    server ??= await startPostgres();
    return openPostgres({ url: await server.freshUrl() });
  });
});

test('a key that may only read changes no set; names that no repository has are refused', async () => {
  const { ask, get, close } = await opened(openSqlite({ file: ':memory:' }));
  expect((await get('no name')).status).toBe(400);
  expect((await ask('GET', '/api/v2/redirects')).body['message']).toContain('repository: is needed');
  expect((await ask('POST', '/api/v2/redirects?repository=a', {})).status).toBe(405);
  await close();
});

test('while the store cannot be read, an address that may lead on is answered with 503 and not with 404', async () => {
  const nothing = { fetch: async () => new Response('', { status: 404 }) };
  const app = withOldAddresses(nothing, {
    kept: () => Promise.reject(new StoreError('busy', 'test: busy')),
  });
  const answer = await app.fetch(new Request('https://help.test/old'));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});

test('a list tells at most 2,000 characters of sets, and that there are more', async () => {
  const { put, told, close } = await opened(openSqlite({ file: ':memory:' }));
  for (let index = 0; index < 40; index += 1)
    await put(`${index}-${'r'.repeat(60)}`, [{ from: '/a', to: '/b' }]);
  const text = (await told()) ?? '';
  expect(text.length).toBeLessThan(2010);
  expect(text.endsWith(', *')).toBe(true);
  await close();
});

test('a service without a help centre keeps no sets and tells of none', async () => {
  const service = await rig(openSqlite({ file: ':memory:' }));
  const list = await service.ask('GET', '/api/v2/tags');
  expect(list.headers.get('kb-redirect-sets')).toBeNull();
  expect(list.headers.get('kb-capabilities')).not.toContain('redirect-sets');
  expect((await service.ask('GET', '/api/v2/redirects?repository=a')).status).toBe(404);
  await service.close();
});

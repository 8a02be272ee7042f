import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteRig, type SiteRig } from '../support/site-rig.ts';

let rig: SiteRig;
beforeAll(async () => {
  rig = await siteRig({ previewToken: 'sesame', origin: 'https://help.example.com' });
});
afterAll(() => rig.close());

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-06-18',
};

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  rig.site.fetch(
    new Request('https://help.example.com/mcp', {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
    '203.0.113.7',
  );

async function ask(method: string, params: object = {}): Promise<unknown> {
  const response = await post({ jsonrpc: '2.0', id: 1, method, params });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  return response.json();
}

async function call(
  name: string,
  input: object,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { result } = (await ask('tools/call', { name, arguments: input })) as {
    readonly result: { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
  };
  return { text: result.content[0]?.text ?? '', isError: result.isError === true };
}

describe('the protocol', () => {
  test('a client that begins learns name and tools, in its own version where it is known', async () => {
    const begun = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    expect(await ask('initialize', { ...begun, protocolVersion: '2025-03-26' })).toMatchObject({
      result: {
        protocolVersion: '2025-03-26',
        serverInfo: { name: 'Acme Help' },
        capabilities: { tools: {} },
      },
    });
    expect(await ask('initialize', { ...begun, protocolVersion: '2099-01-01' })).toMatchObject({
      result: { protocolVersion: '2025-11-25' },
    });
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    expect(await ask('ping')).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await ask('tools/list')).toMatchObject({
      result: { tools: [{ name: 'search' }, { name: 'get_page' }, { name: 'list_pages' }] },
    });
  });

  test.each([
    ['no JSON', '{', 400, -32_700],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], 400, -32_600],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32_600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'resources/list' }, 200, -32_601],
    [
      'an unknown tool',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'drop' } },
      200,
      -32_602,
    ],
  ])('%s is a fault', async (_, body, status, code) => {
    const response = await post(body);
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
  });

  test('a page of another origin, an unknown version, a long body and GET are refused', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await post(ping, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(ping, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await post({ ...ping, params: { text: 'x'.repeat(40_000) } })).status).toBe(413);
    expect((await rig.visit('/mcp')).status).toBe(405);
  });
});

describe('the tools', () => {
  test('search finds public articles and says where they are', async () => {
    const { text, isError } = await call('search', { query: 'refunds' });
    expect(isError).toBe(false);
    expect(text).toContain('[Refunds](https://help.example.com/en/articles/refunds)');
    expect((await call('search', { query: 'délais', language: 'FR' })).text).toContain(
      '/fr/articles/remboursements',
    );
    expect((await call('search', { query: 'zzzz' })).text).toContain('Nothing was found');
  });

  test('a page is Markdown, by path, by address, and by the slug of another language', async () => {
    for (const path of [
      '/en/articles/refunds',
      'https://help.example.com/en/articles/refunds',
      '/en/articles/refunds.md',
    ]) {
      expect(await call('get_page', { path })).toMatchObject({
        isError: false,
        text: expect.stringContaining('Refunds take 5 days.'),
      });
    }
    expect((await call('get_page', { path: '/fr/articles/refunds' })).text).toContain('Cinq jours.');
    expect((await call('get_page', { path: '/en/' })).text).toContain('Billing');
  });

  test.each([
    '/en/articles/secret-plans',
    '/en/articles/secret-plans.md',
    '/en/articles/secret-plans?preview=sesame',
    '/en/articles/old-terms',
    '/en/articles/old-terms.md',
    '/en/search?q=refunds',
    '/api/v2/articles',
    '/_site/theme',
    '/mcp',
    'https://evil.example/en/articles/refunds',
    '//evil.example/en/',
  ])('no tool gives %s', async (path) => {
    expect((await call('get_page', { path })).isError).toBe(true);
  });

  test('no list and no search names a draft or what is hidden', async () => {
    const { text } = await call('list_pages', {});
    expect(text).toContain('/en/articles/refunds.md');
    for (const word of ['secret-plans', 'old-terms']) expect(text).not.toContain(word);
    expect((await call('search', { query: 'secret plans' })).text).not.toContain('secret-plans');
    expect((await call('search', { query: 'old terms' })).text).not.toContain('old-terms');
    expect((await call('list_pages', { part: 9 })).isError).toBe(true);
  });

  test.each([
    ['search', {}],
    ['search', { query: 'x'.repeat(201) }],
    ['search', { query: 'x', limit: 21 }],
    ['search', { query: 'x', language: 'xx' }],
    ['get_page', { path: 7 }],
    ['list_pages', { language: 'xx' }],
  ])('%s says what is wrong with %j', async (name, input) => {
    expect((await call(name, input)).isError).toBe(true);
  });
});

test('who asks without end waits', async () => {
  const small = await siteRig({ searchesPerMinute: 3, now: () => 0 });
  const ask = () =>
    small.site.fetch(
      new Request('http://kb.test/mcp', {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      }),
      '203.0.113.9',
    );
  const statuses = [];
  for (let at = 0; at < 4; at += 1) statuses.push((await ask()).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  await small.close();
});

import { parseBaseUrl } from '../../src/remote/address.ts';
import { expect, test } from 'vitest';
import type { Kind } from '../../src/model/key.ts';
import { idOfLocation, recordPath } from '../../src/remote/wire/paths.ts';
import type { Send } from '../../src/remote/remote.ts';
import { links, reviews, fields, versions } from './support/replies.ts';
import { API_KEY, failureOf, json, rig } from './support/support.ts';

interface Sent {
  readonly line: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Answers every request with `reply` and keeps what was sent. */
function recorder(reply: () => Response): { readonly send: Send; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    send: async (request) => {
      const text = await request.text();
      sent.push({
        line: `${request.method} ${request.url}`,
        headers: request.headers,
        body: text === '' ? null : JSON.parse(text),
      });
      return reply();
    },
  };
}

const done =
  (headers: Record<string, string> = {}, rest: object = {}): (() => Response) =>
  () =>
    json({ success: true, message: 'done', ...rest }, { headers });

test('every request carries the key and the content type, and goes below the path prefix', async () => {
  const { send, sent } = recorder(done());
  const { remote } = rig({ send, address: parseBaseUrl('https://example.com/kb/') });
  await remote.create('tag', fields.tag, {});
  await remote.edit('article', 'a/1 ?', 'en', fields.article, {});
  await remote.remove('category', 'c#1', {});
  expect(sent.map(({ line }) => line)).toEqual([
    'PUT https://example.com/kb/api/v2/tags',
    'POST https://example.com/kb/api/v2/articles/a%2F1%20%3F',
    'DELETE https://example.com/kb/api/v2/categories/c%231',
  ]);
  for (const { headers } of sent) {
    expect(headers.get('authorization')).toBe(`Bearer ${API_KEY}`);
    expect(headers.get('content-type')).toBe('application/json');
  }
  expect(remote.requests()).toBe(3);
});

test('a create sends references as objects and leaves nulls out', async () => {
  const { send, sent } = recorder(done());
  const { remote } = rig({ send });
  await remote.create('article', { ...fields.article, seoBannerUrl: null, hideFromSearch: false }, {});
  expect(sent[0]?.body).toEqual({
    title: 'Install',
    slug: 'install',
    categories: [{ value: 'c1' }],
    tags: [{ value: 't1' }],
    excerpt: '',
    ordering: 0,
    status: 'draft',
    content: '<p>x</p>',
    hideFromSearch: false,
  });
});

test('an edit sends exactly the fields given, nulls as nulls, and the language; a tag its id too', async () => {
  const { send, sent } = recorder(done());
  const { remote } = rig({ send });
  await remote.edit(
    'article',
    'a1',
    'fr',
    { ...fields.article, seoBannerUrl: null, articleReviewDate: null },
    {},
  );
  await remote.edit('category', 'c1', 'en', { name: 'Start', categoryParent: null }, {});
  await remote.edit('tag', 't1', 'de', fields.tag, {});
  expect(sent.map(({ body }) => body)).toMatchObject([
    { lang: 'fr', seoBannerUrl: null, articleReviewDate: null },
    { name: 'Start', categoryParent: null, lang: 'en' },
    { ...fields.tag, id: 't1', lang: 'de' },
  ]);
  expect(Object.keys(Object(sent[1]?.body))).toEqual(['name', 'categoryParent', 'lang']);
});

test('If-Match and Idempotency-Key are sent when given', async () => {
  const { send, sent } = recorder(done());
  const { remote } = rig({ send });
  await remote.edit('tag', 't1', 'en', fields.tag, { ifMatch: '"7"' });
  await remote.create('tag', fields.tag, { idempotencyKey: 'op-1' });
  await remote.remove('tag', 't1', {});
  expect(sent.map(({ headers }) => [headers.get('if-match'), headers.get('idempotency-key')])).toEqual([
    ['"7"', null],
    [null, 'op-1'],
    [null, null],
  ]);
});

test.each([
  [
    'a status that the documentation does not know',
    'article',
    { ...fields.article, status: 'archived' },
    'status',
  ],
  ['an empty title', 'article', { ...fields.article, title: '' }, 'title'],
  ['a field that is missing', 'article', { title: 'x' }, 'slug'],
  ['a field that the kind does not have', 'tag', { ...fields.tag, colour: 'red' }, 'colour'],
] as const)('%s is refused before it is sent', async (_name, kind, values, field) => {
  const { send, sent } = recorder(done());
  const { remote } = rig({ send });
  for (const call of [remote.create(kind, values, {}), remote.edit(kind, 'x', 'en', values, {})]) {
    const error = await call.then(
      () => undefined,
      (error: unknown) => error,
    );
    // A tag's or category's edit may leave fields out (gap), an article's may not.
    expect(error).toMatchObject({
      code: 'rejected',
      status: undefined,
      message: expect.stringContaining('not sent'),
    });
    expect(String(error)).toContain(field);
  }
  expect(sent).toEqual([]);
});

test.each(['', '.', '..', '\ud800'])('the id %j cannot be addressed, so nothing is sent', async (id) => {
  const { send, sent } = recorder(done());
  const { remote } = rig({ send });
  expect((await failureOf(remote.remove('article', id, {}))).code).toBe('rejected');
  expect((await failureOf(remote.read('article', id))).code).toBe('rejected');
  expect(sent).toEqual([]);
});

test.each([
  ['https://kb.example.com/api/v2/articles/a9', 'a9'],
  ['/api/v2/articles/a9', 'a9'],
  ['/api/v2/articles/a9/', 'a9'],
  ['articles/a9', 'a9'],
  ['/kb/api/v2/articles/a%2F9', 'a/9'],
  ['http://internal:3000/api/v2/articles/a9?x=1', 'a9'],
  ['/api/v2/articles', undefined],
  ['/api/v2/articles/', undefined],
  ['/api/v2/tags/a9', undefined],
  ['/help/articles/install', undefined],
  ['/api/v2/articles/a9/versions', undefined],
  ['/api/v2/articles/%E0%A4', undefined],
  ['http://[', undefined],
  ['', undefined],
])('the Location %j names the id %j', (location, id) => {
  expect(idOfLocation('article', location, 'https://kb.example.com/api/v2/articles')).toBe(id);
});

test('ids survive the way into an address and back', () => {
  for (const id of ['a1', 'a/b', '?', '#', '%41', 'é', 'a b', '😀', '__proto__', '...']) {
    expect(idOfLocation('tag', recordPath('tag', id), 'https://x.example/')).toBe(id);
  }
});

test.each<[string, Record<string, string>, object, string | undefined]>([
  ['Location', { location: '/api/v2/tags/t9' }, {}, 't9'],
  ['data.id', {}, { data: { id: 't9' } }, 't9'],
  ['a number in data.id', {}, { data: { id: 9 } }, '9'],
  ['id', {}, { id: 't9' }, 't9'],
  ['both, alike', { location: '/api/v2/tags/t9' }, { data: { id: 't9' } }, 't9'],
  ['both, not alike', { location: '/api/v2/tags/t9' }, { data: { id: 't8' } }, undefined],
  ['neither', {}, {}, undefined],
  ['no text', {}, { data: { id: null }, id: '' }, undefined],
  ['a number of 64 bits', {}, { id: 2 ** 53 }, '9007199254740992'],
  ['a number that lost digits', {}, { id: 1e21 }, undefined],
  ['data that is no object', {}, { data: 'made' }, undefined],
])('the id of a new record comes from %s', async (_name, headers, rest, id) => {
  const { remote } = rig({ send: recorder(done(headers, rest)).send });
  expect((await remote.create('tag', fields.tag, {})).id).toBe(id);
  // Nobody has seen yet that it is the id of the new record.
  expect(remote.capabilities().location).toBeUndefined();
});

test('what the service tells of a write is handed on', async () => {
  const { remote } = rig({
    send: recorder(
      done({ 'KB-Last-Edited': '2026-01-01 00:00:00.000001', ETag: '"8"', 'KB-Capabilities': 'last-edited' }),
    ).send,
  });
  const written = { lastEdited: '2026-01-01 00:00:00.000001', etag: '"8"' };
  expect(await remote.edit('article', 'a1', 'en', fields.article, {})).toEqual(written);
  expect(await remote.create('article', fields.article, {})).toEqual(written);
  expect(remote.capabilities()).toEqual({ 'last-edited': 'yes' });
});

test('the tools are handed on as they are, the count in the query', async () => {
  const byPath: Readonly<Record<string, object>> = {
    '/api/v2/versions?count=3': versions,
    '/api/v2/tools/link_manager': links,
    '/api/v2/tools/review_dates': reviews,
  };
  const { remote } = rig({
    send: (request) =>
      Promise.resolve(json(byPath[new URL(request.url).pathname + new URL(request.url).search])),
  });
  expect(await remote.tool('versions', { count: 3 })).toEqual(versions.data);
  expect(await remote.tool('links')).toEqual(links.data);
  expect(await remote.tool('reviews')).toEqual(reviews.data);
  expect(await remote.sideArticleIds()).toEqual(new Set(['a7', 'a8']));
  expect(remote.requests()).toBe(5);
});

test.each<[Kind]>([['article'], ['category'], ['tag']])(
  '%s: the request is named in its error, with the reason of the service',
  async (kind) => {
    const no = (): Response =>
      json({ success: false, message: `no\u001b[2J ${API_KEY} ${'x'.repeat(500)}` }, { status: 422 });
    const { remote } = rig({ send: recorder(no).send });
    const error = await failureOf(remote.remove(kind, 'x', {}));
    expect(error.request).toMatch(/^DELETE \/api\/v2\/[a-z]+\/x$/);
    expect(error.message).toMatch(
      /^DELETE \/api\/v2\/[a-z]+\/x: the service refused it \(422\): no\\x1B\[2J \[key\] xxx/,
    );
    expect(error.serviceMessage).toHaveLength(300);
    expect(error.status).toBe(422);
  },
);

test.each([
  ['https://new.example.com/api/v2/tags', 'set baseUrl to https://new.example.com'],
  ['/kb/api/v2/tags', 'set baseUrl to https://kb.example.com/kb'],
  ['https://sso.example.com/login?next=1', 'https://sso.example.com'],
  ['https://user:pa55@sso.example.com/', 'a login page'],
])('a redirect to %s names the way out', async (location, words) => {
  const { remote } = rig({
    send: () => Promise.resolve(new Response(null, { status: 302, headers: { location } })),
  });
  const error = await failureOf(remote.create('tag', fields.tag, {}));
  expect(error.code).toBe('redirect');
  expect(error.message).toContain(words);
  expect(error.message).not.toContain('pa55');
});

test('a transport that follows redirects after all is caught', async () => {
  const followed = (): Response =>
    Object.defineProperty(json({ success: true }), 'redirected', { value: true });
  const { remote } = rig({ send: () => Promise.resolve(followed()) });
  expect((await failureOf(remote.create('tag', fields.tag, {}))).code).toBe('redirect');
});

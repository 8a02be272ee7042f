import { afterEach, describe, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

let rig: Rig;
afterEach(() => rig.close());

const DOCS = {
  'category/guide@en': {},
  'tag/cli@en': {},
  'article/install@en': { fields: { categories: ['category/guide'] } },
  'article/install@fr': { fields: { categories: ['category/guide'] } },
  'article/upgrade@en': { fields: { categories: ['category/guide'] } },
} as const;

type Reply = { readonly data?: Record<string, unknown>; newVersion?: boolean };

/** The text of the API and nothing more, and of each single read what `change` makes of it. */
const plain =
  (change: (reply: Reply, lang: string | null) => object | undefined = () => undefined) =>
  (send: Send): Send =>
  async (request) => {
    const headers = new Headers(request.headers);
    for (const name of ['If-Match', 'If-None-Match', 'Idempotency-Key']) headers.delete(name);
    const body = request.method === 'GET' ? null : await request.text();
    const { method, url } = request;
    const response = await send(new Request(url, { method, headers, body: body === '' ? null : body }));
    for (const name of [
      'KB-Capabilities',
      'KB-Last-Edited',
      'X-Total-Count',
      'Location',
      'ETag',
      'KB-Default-Language',
    ])
      response.headers.delete(name);
    const { pathname, searchParams } = new URL(url);
    if (method !== 'GET' || !/^\/api\/v2\/(articles|categories|tags)\/./.test(pathname) || !response.ok)
      return response;
    const reply = (await response.json()) as Reply;
    const changed = change(reply, searchParams.get('lang'));
    if (changed !== undefined && 'status' in changed)
      return Response.json({ success: false, message: 'no such translation' }, { status: 404 });
    return Response.json(changed ?? reply);
  };

const creates = (): number => rig.sent.filter(({ method }) => method === 'PUT').length;
const withLanguage = (reply: Reply, language: string | null): object => ({
  ...reply,
  data: { ...reply.data, language },
});

const SIGNS: Readonly<Record<string, (send: Send) => Send>> = {
  'kbsync serve': (send) => send,
  'a service that does what the text says and no more': plain(),
  'a service that shows the language of its originals': plain((reply, lang) =>
    lang === null || lang === 'fr' ? withLanguage(reply, 'fr') : undefined,
  ),
  'a service that shows the language of its originals, and ignores ?lang=': plain((reply) => ({
    ...withLanguage(reply, 'fr'),
    newVersion: false,
  })),
  'a service that has no such page where a translation is missing': plain((reply) =>
    reply.newVersion === true ? { status: 404 } : undefined,
  ),
};

const WORDS =
  /^the service keeps category\/guide@en in fr, and the default language here is en; .*`defaultLanguage: fr`/;

describe.each(Object.entries(SIGNS))('originals in another language than ours: %s', (_, wrap) => {
  test('stops a first sync before the second original, and each run after it before anything', async () => {
    rig = await createRig({ defaultLanguage: 'fr' });
    rig.wrap = wrap;
    const first = await rig.sync(desiredState(DOCS));
    expect(first.results.map(({ key, outcome }) => `${outcome} ${key}`)).toEqual([
      'done category/guide@en',
      'skipped tag/cli@en',
      'skipped article/install@en',
      'skipped article/upgrade@en',
      'skipped article/install@fr',
    ]);
    expect(first.results[1]?.message).toBe('not sent, because the service keeps category/guide@en in fr');
    expect(rig.events).toContainEqual({ type: 'note', text: expect.stringMatching(WORDS) as string });
    for (const clone of [false, true]) {
      if (clone) rig.forget();
      const next = await rig.sync(desiredState(DOCS));
      expect(next.plan.refusals).toMatchObject([
        { code: 'other-originals', message: expect.stringMatching(WORDS) as string },
      ]);
    }
    expect(creates()).toBe(1);
  });
});

/** Of each, the originals are in our language, or nothing tells. */
const NO_SIGNS: Readonly<Record<string, (send: Send) => Send>> = {
  'knows no default language': plain((reply, lang) =>
    lang === null ? undefined : { ...reply, newVersion: true },
  ),
  'shows the original wherever a translation is missing': plain((reply) => ({
    ...withLanguage(reply, null),
    newVersion: false,
  })),
  'refuses its default language': plain((reply, lang) => (lang === 'en' ? { status: 404 } : reply)),
  'shows a region of our language': plain((reply, lang) =>
    lang === null ? withLanguage(reply, 'en-US') : reply,
  ),
  'refuses ?lang=': plain((_, lang) => (lang === null ? undefined : { status: 404 })),
};

test.each(Object.entries(NO_SIGNS))('goes on with a service that %s', async (_, wrap) => {
  rig = await createRig({ languages: ['en', 'fr', 'de'] });
  rig.wrap = wrap;
  const { 'article/install@fr': _fr, ...originals } = DOCS;
  const first = await rig.sync(desiredState(originals));
  expect(first.summary).toMatchObject({ created: 4, failed: 0, pending: 0, skipped: 0 });
  expect(creates()).toBe(4);
});

test('reads the first original of a first sync once, and no other', async () => {
  rig = await createRig();
  await rig.sync(desiredState(DOCS));
  const { sent } = rig;
  const later = sent.length;
  await rig.sync(desiredState({ ...DOCS, 'article/new@en': { fields: { categories: ['category/guide'] } } }));
  const asked = (calls: readonly { readonly path: string }[]) =>
    calls.filter(({ path }) => path.endsWith('?lang=en'));
  expect([asked(sent.slice(0, later)).length, asked(sent.slice(later)).length]).toEqual([1, 0]);
});

test('a first original that is refused proves nothing, so the next one does', async () => {
  rig = await createRig({ defaultLanguage: 'fr' });
  rig.wrap = (send) => (request) =>
    request.method === 'PUT' && new URL(request.url).pathname.endsWith('/categories')
      ? Promise.resolve(Response.json({ success: false, message: 'no' }, { status: 403 }))
      : send(request);
  const first = await rig.sync(desiredState({ 'category/a@en': {}, 'tag/a@en': {}, 'tag/b@en': {} }));
  expect(first.results.map(({ outcome }) => outcome)).toEqual(['failed', 'done', 'skipped']);
});

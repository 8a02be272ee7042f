import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { desiredState } from '../support/desired.ts';
import { plain } from '../support/odd-services/headers.ts';
import { oddService } from '../support/odd-services/odd-services.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

const BODY = '<ul><li>One</li><li>Two</li></ul><p>See <a href="/articles/other">it</a>.</p>';
const docs = (body = BODY) =>
  desiredState({
    'article/alone@en': { body },
    'article/both@en': { body },
    'article/both@fr': { body },
  });

/** Takes lists apart, and writes addresses in full. */
const rewritten = (html: string): string =>
  html
    .replaceAll(/<\/?ul>/g, '')
    .replaceAll(/<(\/?)li>/g, '<$1div>')
    .replaceAll('href="/', 'href="https://help.example/');

let rig: Rig;
/** Whether an editor changes a link of each page meanwhile. */
let edits: boolean;
let isEdited: boolean;
beforeEach(async () => {
  rig = await createRig({ languages: ['en', 'fr'] });
  edits = false;
  isEdited = false;
  const odd: (send: Send) => Send = (send) => async (request) => {
    if (request.method === 'GET') return send(request);
    const body = (await request.json()) as { readonly content: string };
    const { url, method, headers } = request;
    const text = JSON.stringify({ ...body, content: rewritten(body.content) });
    const response = await send(new Request(url, { method, headers, body: text }));
    // A translation takes so long that its original is read back late.
    if (method === 'POST') {
      rig.clock.advance(20_000);
      isEdited = edits;
    }
    return response;
  };
  const edited: (send: Send) => Send = (send) => async (request) => {
    const response = await send(request);
    if (request.method !== 'GET' || !isEdited || !/articles\/[^/]+$/.test(new URL(request.url).pathname))
      return response;
    const text = await response.text();
    return new Response(text.replaceAll('help.example/articles/other', 'help.example/articles/another'), {
      headers: response.headers,
    });
  };
  rig.wrap = oddService([plain(), () => odd, () => edited], { now: rig.clock.now, harm: [] });
});
afterEach(() => rig.close());

test('a service that writes other markup does so with records that are read back late, too', async () => {
  const first = await rig.sync(docs());
  expect(first.summary).toMatchObject({ created: 3, failed: 0 });
  expect((await rig.sync(docs())).summary).toMatchObject({ drift: 0, unchanged: 3 });
  const other = docs(BODY.replace('Two', 'Three'));
  await rig.sync(other);
  expect((await rig.sync(other)).summary).toMatchObject({ drift: 0, conflict: 0, unchanged: 3 });
});

test('a link that somebody changed before the read is an edit', async () => {
  edits = true;
  await rig.sync(docs());
  const { plan } = await rig.sync(docs());
  expect(plan.drift.map(({ key, fields }) => `${key} ${fields.map(({ field }) => field).join()}`)).toContain(
    'article/both@en content',
  );
});

test('an edit that is shown a second later is read back then', async () => {
  const files = (body: string) => desiredState({ 'article/alone@en': { body } });
  await rig.sync(files(BODY));
  const odd = rig.wrap;
  let before: { readonly text: string; readonly untilMs: number } | undefined;
  rig.wrap = (send) => async (request) => {
    const isRead = request.method === 'GET' && /articles\/[^/?]+$/.test(request.url);
    if (isRead && before !== undefined && rig.clock.now() < before.untilMs)
      return new Response(before.text, { headers: { 'content-type': 'application/json' } });
    if (request.method !== 'POST') return odd(send)(request);
    const { url, headers } = request;
    const text = await (await odd(send)(new Request(url, { headers }))).text();
    const response = await odd(send)(request);
    before = { text, untilMs: rig.clock.now() + 1200 };
    return response;
  };
  const edited = files(BODY.replace('Two', 'Three'));
  await rig.sync(edited);
  rig.clock.advance(60_000);
  expect((await rig.sync(edited)).summary).toMatchObject({ drift: 0, conflict: 0, unchanged: 1 });
});

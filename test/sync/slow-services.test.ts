import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { desiredState } from '../support/desired.ts';
import { plain } from '../support/odd-services/headers.ts';
import { oddService } from '../support/odd-services/odd-services.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

const NAMES = ['faq', 'install', 'plain', 'upgrade'];
const FILES = desiredState(
  Object.fromEntries(NAMES.flatMap((name) => ['en', 'fr'].map((lang) => [`article/${name}@${lang}`, {}]))),
);
const WRITE_MS = 900;

let rig: Rig;
beforeEach(async () => {
  rig = await createRig({ languages: ['en', 'fr'] });
});
afterEach(() => rig.close());

function serve(odd: (send: Send) => Send): void {
  const slow: (send: Send) => Send = (send) => (request) => {
    if (request.method !== 'GET') rig.clock.advance(WRITE_MS);
    return send(request);
  };
  rig.wrap = oddService([plain(), () => odd, () => slow], { now: rig.clock.now, harm: [] });
}

interface Read {
  readonly newVersion: boolean;
  readonly data: { readonly id: string; readonly name: string; readonly content: string };
}

/** A language that a record does not have shows the original, and nothing says so. */
const fallingBack: (send: Send) => Send = (send) => async (request) => {
  const response = await send(request);
  if (request.method !== 'GET' || !request.url.includes('?lang=')) return response;
  const read = (await response.json()) as Read;
  const original = { ...read.data, language: null, language_parent: null };
  const answer = read.newVersion ? { ...read, newVersion: false, data: original } : read;
  return Response.json(answer, { headers: { 'Content-Type': 'application/json' } });
};

/** The first edit in a language makes a copy of the original, whatever it says. */
const copying: (send: Send) => Send = (send) => async (request) => {
  const url = new URL(request.url);
  if (request.method !== 'POST') return send(request);
  const body = (await request.clone().json()) as { readonly lang: string };
  const { headers } = request;
  const now = (await (await send(new Request(`${url.href}?lang=${body.lang}`, { headers }))).json()) as Read;
  if (body.lang === 'en' || !now.newVersion) return send(request);
  const copy = { ...body, title: now.data.name, content: now.data.content };
  return send(new Request(url, { method: 'POST', headers, body: JSON.stringify(copy) }));
};

async function texts(): Promise<readonly string[]> {
  const { items } = await rig.editor().list('article');
  const reads = await Promise.all(items.map(({ id }) => rig.editor().read('article', id, 'fr')));
  return reads
    .map((read) => (read.state === 'found' ? String(read.record.fields['title']) : read.state))
    .toSorted();
}

test('makes every translation in one run, however long the run takes, where a missing language shows the original', async () => {
  serve(fallingBack);
  // An edited translation: by reading it, the second run learns that the service shows translations.
  await rig.sync(desiredState({ 'article/faq@en': {}, 'article/faq@fr': { body: '<p>Avant.</p>' } }));
  const report = await rig.sync(FILES);
  expect(report.results.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
  expect(await texts()).toEqual(NAMES.map((name) => `${name} in fr`));
});

test('fills every copy of an original, however long the run takes', async () => {
  serve(copying);
  const report = await rig.sync(FILES);
  expect(report.results.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
  expect(await texts()).toEqual(NAMES.map((name) => `${name} in fr`));
});

test('a copy that is not filled has failed, and the next run fills it', async () => {
  let isRefused = false;
  const refusing: (send: Send) => Send = (send) => async (request) => {
    if (request.method !== 'POST' || !isRefused) {
      const response = await copying(send)(request);
      if (request.method === 'POST') isRefused = true;
      return response;
    }
    return Response.json({ success: false, message: 'It is locked.' }, { status: 423 });
  };
  const one = desiredState({ 'article/install@en': {}, 'article/install@fr': {} });
  serve(refusing);
  const report = await rig.sync(one);
  expect(report.results.find(({ key }) => key === 'article/install@fr')).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining(
      'the service made it as a copy of its original and does not have its own text yet: ',
    ),
  });
  expect(await texts()).toEqual(['install in en']);
  isRefused = false;
  serve(copying);
  const next = await rig.sync(one);
  expect(next.results).toMatchObject([{ key: 'article/install@fr', action: 'update', outcome: 'done' }]);
  expect(await texts()).toEqual(['install in fr']);
});

test.each([
  ['before its answer is read', 'POST'],
  ['after it', 'read-back'],
])('fills a copy that a run left which died %s', async (_, when) => {
  const one = desiredState({ 'article/install@en': {}, 'article/install@fr': {} });
  let hasMade = false;
  const dying: (send: Send) => Send = (send) => async (request) => {
    if (hasMade) throw new Error('down');
    const response = await copying(send)(request);
    if (request.method !== 'POST') return response;
    hasMade = true;
    if (when === 'POST') throw new Error('down');
    return response;
  };
  serve(dying);
  await rig.sync(one).catch(() => undefined);
  expect(await texts()).toEqual(['install in en']);
  serve(copying);
  rig.clock.advance(120_000);
  const next = await rig.sync(one);
  expect(next.plan.conflicts).toEqual([]);
  expect(await texts()).toEqual(['install in fr']);
});

/** A cache that shows each record as it was before the write, so many times. */
function remembering(times: number): (send: Send) => Send {
  const kept = new Map<string, { readonly text: string; left: number }>();
  return (send) => async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET') {
      const old = kept.get(pathname);
      if (old === undefined || old.left === 0) return send(request);
      old.left -= 1;
      return new Response(old.text, { headers: { 'Content-Type': 'application/json' } });
    }
    const shown = await send(new Request(request.url, { headers: request.headers }));
    const response = await send(request);
    if (request.method === 'POST' && shown.ok) kept.set(pathname, { text: await shown.text(), left: times });
    return response;
  };
}

const RENAMED = desiredState({ 'article/faq@en': { fields: { slug: 'questions' } } });

test('an earlier slug that a cache shows for a moment after an edit is no failure', async () => {
  serve((send) => send);
  await rig.sync(desiredState({ 'article/faq@en': {} }));
  serve(remembering(3));
  const report = await rig.sync(RENAMED);
  expect(report.results).toMatchObject([{ key: 'article/faq@en', outcome: 'done' }]);
  const { summary, plan } = await rig.sync(RENAMED);
  expect([summary, plan.drift]).toMatchObject([{ unchanged: 1, failed: 0 }, []]);
});

test('an earlier slug that stays is told as what it may be', async () => {
  serve((send) => send);
  await rig.sync(desiredState({ 'article/faq@en': {} }));
  serve(remembering(1000));
  const [result] = (await rig.sync(RENAMED)).results;
  expect(result).toMatchObject({ outcome: 'failed' });
  expect(result?.message).toContain('still shows the slug "faq" instead of "questions"');
  expect(result?.message).toContain('or a cache shows what was there before; the next run looks again');
  serve((send) => send);
  expect((await rig.sync(RENAMED)).summary).toMatchObject({ unchanged: 1, failed: 0 });
});

test('a cache that answers with its old list once more, however old, does not make a lost create go out twice', async () => {
  const kept = new Map<string, string>();
  let isDown = false;
  const stale: (send: Send) => Send = (send) => async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'PUT') {
      await send(request);
      isDown = true;
    }
    if (isDown) return new Response('gone', { status: 504 });
    if (request.method !== 'GET' || !pathname.endsWith('s')) return send(request);
    const now = await (await send(request)).text();
    const before = kept.get(pathname) ?? now;
    kept.set(pathname, now);
    return new Response(before, { headers: { 'Content-Type': 'application/json' } });
  };
  serve(stale);
  const one = desiredState({ 'article/faq@en': {} });
  await rig.sync(one);
  rig.clock.advance(3_600_000);
  isDown = false;
  expect((await rig.sync(one)).summary).toMatchObject({ pending: 0, created: 0, unchanged: 1 });
  expect((await rig.editor().list('article')).items).toHaveLength(1);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { plain } from '../support/odd-services/headers.ts';
import { oddService } from '../support/odd-services/odd-services.ts';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

/** Asked for a language that there is none of, it shows the original and says nothing of that. */
const showingOriginals: (send: Send) => Send = (send) => async (request) => {
  const response = await send(request);
  const url = new URL(request.url);
  if (request.method !== 'GET' || !url.searchParams.has('lang')) return response;
  const { newVersion } = (await response.clone().json()) as { readonly newVersion?: boolean };
  if (newVersion !== true) return response;
  url.searchParams.delete('lang');
  return send(new Request(url, request));
};

const losing =
  (how: 'answer' | 'request'): ((send: Send) => Send) =>
  (send) =>
  async (request) => {
    if (request.method !== 'DELETE') return send(request);
    if (how === 'answer') await send(request);
    return new Response('<h1>Bad Gateway</h1>', { status: 502 });
  };

const BOTH = { 'article/a@en': {}, 'article/a@fr': {}, 'article/b@en': {}, 'article/b@fr': {} } as const;
const LEFT = { 'article/a@en': {}, 'article/b@en': {}, 'article/b@fr': {} } as const;

let rig: Rig;
const through = (...layers: readonly ((send: Send) => Send)[]): void => {
  rig.wrap = oddService([plain(), ...[showingOriginals, ...layers].map((layer) => () => layer)], {
    now: rig.clock.now,
    harm: [],
  });
};
beforeEach(async () => {
  rig = await createRig();
  through();
  await rig.sync(desiredState(BOTH));
});
afterEach(() => rig.close());

const languages = async (): Promise<readonly (readonly string[])[]> =>
  (await rig.editor().list('article')).items.map((item) => item.languages);

test('a translation’s delete without an answer is done where the list names it no longer, though the original is shown', async () => {
  through(losing('answer'));
  const report = await rig.sync(desiredState(LEFT), { prune: true });
  expect(report.summary).toMatchObject({ deleted: 1, failed: 0 });
  expect(await languages()).toEqual([[], ['fr']]);
  through();
  expect((await rig.sync(desiredState(LEFT), { prune: true })).plan.kept).toEqual([]);
});

test('a translation’s delete that did not arrive is sent by the next run', async () => {
  through(losing('request'));
  const report = await rig.sync(desiredState(LEFT), { prune: true });
  expect(report.summary).toMatchObject({ deleted: 0, pending: 1 });
  through();
  expect((await rig.sync(desiredState(LEFT), { prune: true })).summary).toMatchObject({ deleted: 1 });
  expect(await languages()).toEqual([[], ['fr']]);
});

test('a translation’s delete behind which the network is gone: the next run takes it for done', async () => {
  let isDead = false;
  through((send) => async (request) => {
    if (isDead) throw new Error('no network');
    const response = await send(request);
    isDead = request.method === 'DELETE';
    return isDead ? new Response('', { status: 502 }) : response;
  });
  await rig.sync(desiredState(LEFT), { prune: true });
  through();
  const report = await rig.sync(desiredState(LEFT), { prune: true });
  expect(report.plan.kept).toEqual([]);
  expect(report.summary).toMatchObject({ deleted: 0, unchanged: 3 });
  expect(await languages()).toEqual([[], ['fr']]);
});

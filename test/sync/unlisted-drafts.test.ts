import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { createSync } from '../../src/sync/create-sync.ts';
import { keyOf } from '../../src/model/key.ts';
import { LATE_MS } from '../../src/sync/survey/pending.ts';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

interface Row {
  readonly status: string;
}

const HEADERS = ['KB-Capabilities', 'KB-Last-Edited', 'X-Total-Count', 'Location', 'ETag'];

/** A service that says nothing of itself; `shows`: whether a row of its article list is shown. */
const listing =
  (shows: (row: Row) => boolean): ((send: Send) => Send) =>
  (send) =>
  async (request) => {
    const response = await send(request);
    const headers = new Headers(response.headers);
    for (const name of HEADERS) headers.delete(name);
    const isList = request.method === 'GET' && new URL(request.url).pathname.endsWith('/articles');
    if (!isList) return new Response(response.body, { status: response.status, headers });
    const list = (await response.json()) as { data: readonly Row[] };
    return Response.json({ ...list, data: list.data.filter(shows) });
  };

const published = listing(({ status }) => status === 'published');
const all = listing(() => true);

const FILES = {
  'article/install@en': {},
  'article/upgrade@en': {},
  'article/coming@en': { fields: { status: 'draft' } },
} as const;
const MORE = { ...FILES, 'article/later@en': { fields: { status: 'draft' } } } as const;

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
});
afterEach(() => rig.close());

async function names(): Promise<readonly string[]> {
  return (await rig.editor().list('article')).items.map(({ name }) => name).sort();
}

const puts = (): number => rig.sent.filter(({ method }) => method === 'PUT').length;

describe('a service whose lists leave drafts out', () => {
  beforeEach(async () => {
    rig.wrap = published;
    await rig.sync(desiredState(FILES));
    rig.forget();
  });

  test('gets no draft of a clone without a state a second time, in no later run either', async () => {
    const before = puts();
    const first = await rig.sync(desiredState(FILES));
    expect(first.plan.blocked.map(({ key }) => key)).toEqual(['article/coming@en']);
    expect(first.plan.blocked[0]?.message).toContain('it may leave drafts out');
    expect(first.plan.refusals).toEqual([]);
    const second = await rig.sync(desiredState(FILES));
    expect(second.plan.blocked.map(({ key }) => key)).toEqual(['article/coming@en']);
    expect(puts()).toBe(before);
    expect(await names()).toEqual(['coming in en', 'install in en', 'upgrade in en']);
  });

  test('gets what is published all the same', async () => {
    const report = await rig.sync(desiredState({ ...FILES, 'article/new@en': {} }));
    expect(report.summary).toMatchObject({ created: 1 });
  });

  test('gets a draft of which somebody says that it is new', async () => {
    rig.wrap = all;
    const report = await rig.sync(desiredState(MORE), { allow: new Set(['incomplete-list']) });
    expect(report.summary).toMatchObject({ created: 1 });
  });
});

test('what somebody says of earlier runs does not send twice what this run has sent', async () => {
  rig.wrap = published;
  const files = desiredState(MORE);
  await rig.sync(desiredState({ 'article/install@en': {} }));
  await rig.open({ allow: new Set(['incomplete-list']) }, async (options) => {
    // As `--wait` and `watch` go on: one process, several runs.
    const sync = createSync(options);
    const first = await sync.sync(files);
    expect(first.summary.pending).toBe(2);
    const sent = puts();
    rig.clock.advance(LATE_MS);
    const second = await sync.sync(files);
    expect(second.plan.blocked.map(({ key, reason }) => [key, reason])).toEqual([
      ['article/coming@en', 'pending'],
      ['article/later@en', 'pending'],
    ]);
    expect(puts()).toBe(sent);
  });
});

test('a service whose lists show drafts gets a new one from a clone without a state', async () => {
  rig.wrap = all;
  await rig.sync(desiredState(FILES));
  rig.forget();
  const report = await rig.sync(desiredState(MORE));
  expect(report.summary).toMatchObject({ created: 1, unchanged: 3 });
});

test('a first sync makes its drafts, and the next run with its state a new one', async () => {
  rig.wrap = all;
  await rig.sync(desiredState({ 'article/install@en': {} }));
  const report = await rig.sync(desiredState(MORE));
  expect(report.summary).toMatchObject({ created: 3 });
});

describe('a create of a draft that no list shows and no answer names', () => {
  const LATER = { ...FILES, 'article/new@en': {} } as const;
  const WHY = expect.stringContaining('the list of articles shows no draft at all, so it may exist');

  test('waits alone: what is published is made, and the draft is not sent again', async () => {
    rig.wrap = published;
    await rig.sync(desiredState(FILES));
    rig.clock.advance(120_000);
    const report = await rig.sync(desiredState(LATER));
    expect(report.summary).toMatchObject({ created: 1, pending: 1 });
    expect(report.plan.blocked).toMatchObject([{ key: 'article/coming@en', message: WHY }]);
    expect(await names()).toEqual(['coming in en', 'install in en', 'new in en', 'upgrade in en']);
  });

  test('is not sent again where its answer was lost', async () => {
    const losing: (send: Send) => Send = (send) => async (request) => {
      const response = await published(send)(request);
      const isDraft = request.method === 'PUT' && (await names()).includes('coming in en');
      return isDraft ? new Response('<h1>oops</h1>', { status: 500 }) : response;
    };
    rig.wrap = published;
    await rig.sync(desiredState({ 'article/install@en': {}, 'article/upgrade@en': {} }));
    rig.wrap = losing;
    await rig.sync(desiredState(FILES));
    rig.wrap = published;
    rig.clock.advance(120_000);
    const report = await rig.sync(desiredState(FILES));
    expect(report.plan.blocked).toMatchObject([{ key: 'article/coming@en', message: WHY }]);
    expect(await names()).toEqual(['coming in en', 'install in en', 'upgrade in en']);
  });

  test('is sent again when somebody says that it is not there', async () => {
    rig.wrap = published;
    await rig.sync(desiredState(FILES));
    rig.clock.advance(120_000);
    const item = (await rig.editor().list('article')).items.find(({ name }) => name === 'coming in en');
    await rig.editor().remove('article', item?.id ?? '', {});
    const report = await rig.sync(desiredState(FILES), { allow: new Set(['incomplete-list']) });
    expect(report.results).toMatchObject([{ key: 'article/coming@en', action: 'create' }]);
    expect(await names()).toEqual(['coming in en', 'install in en', 'upgrade in en']);
  });
});

test('a job that vouches for the lists in every run sends a draft that no list shows again once, and then asks for its name', async () => {
  rig.wrap = published;
  const allow = new Set(['incomplete-list'] as const);
  // A service that takes one slug for many records.
  const again = (text: string) =>
    desiredState({ ...FILES, 'article/coming@en': { fields: { status: 'draft', slug: text } } });
  await rig.sync(again('one'));
  rig.clock.advance(2 * LATE_MS);
  await rig.sync(again('two'), { allow });
  expect(puts()).toBe(4);
  for (const slug of ['three', 'four']) {
    rig.clock.advance(2 * LATE_MS);
    const { plan } = await rig.sync(again(slug), { allow });
    expect(plan.blocked[0]?.message).toContain(
      'only if it is not there: --assume-complete --only article/coming@en sends it once more (a run with --assume-complete has sent it again already)',
    );
    expect(puts()).toBe(4);
  }
  rig.clock.advance(2 * LATE_MS);
  const only = { keys: new Set([keyOf('article', 'coming', 'en')]), what: 'part' } as const;
  await rig.sync(again('five'), { allow, only });
  expect(puts()).toBe(5);
});

describe('a service that makes a draft of each create and lists no drafts', () => {
  const FILED = {
    'category/start@en': {},
    'tag/cli@en': {},
    'article/install@en': { fields: { categories: ['category/start'] } },
    'article/upgrade@en': { fields: { categories: ['category/start'] } },
  } as const;
  const TAGGED = {
    ...FILED,
    'article/install@en': { fields: { tags: ['tag/cli'] } },
    'article/upgrade@en': {},
  } as const;
  const ARTICLES = ['install in en', 'upgrade in en'];

  const drafting: (send: Send) => Send = (send) => async (request) => {
    if (request.method !== 'PUT' || !request.url.endsWith('/articles')) return published(send)(request);
    const body = (await request.json()) as object;
    const { url, headers } = request;
    return published(send)(
      new Request(url, { method: 'PUT', headers, body: JSON.stringify({ ...body, status: 'draft' }) }),
    );
  };

  test.each([
    [
      'in a category that a clone finds again',
      FILED,
      'category/start has an article that is not in the list',
    ],
    ['behind a tag that a clone finds again', TAGGED, 'article/install@en is there as a draft'],
  ])('gets no article a second time that is %s', async (_where, files, why) => {
    rig.wrap = drafting;
    await rig.sync(desiredState(files));
    expect(await names()).toEqual(ARTICLES);
    rig.forget();
    const report = await rig.sync(desiredState(files));
    expect(report.plan.refusals).toMatchObject([
      { code: 'list-incomplete', message: expect.stringContaining(why), flag: '--assume-complete' },
    ]);
    expect(await names()).toEqual(ARTICLES);
  });

  test.each([
    ['in a category', FILED],
    ['beside one with a tag', TAGGED],
  ])('gets no create a second time whose answer was lost and which is %s', async (_where, files) => {
    let isLosing = true;
    rig.wrap = (send) => async (request) => {
      const response = await drafting(send)(request);
      const isLost = isLosing && request.method === 'PUT' && request.url.endsWith('/articles');
      return isLost ? new Response('<h1>oops</h1>', { status: 500 }) : response;
    };
    await rig.sync(desiredState(files));
    isLosing = false;
    rig.clock.advance(120_000);
    const report = await rig.sync(desiredState(files));
    expect(report.plan.blocked.map(({ key }) => key)).toContain('article/upgrade@en');
    expect(await names()).toEqual(ARTICLES);
  });
});

test('a clone makes its new article where those that its categories hold are listed', async () => {
  rig.wrap = all;
  const files = {
    'category/start@en': {},
    'category/start/deep@en': { fields: { categoryParent: 'category/start' } },
    'article/install@en': { fields: { categories: ['category/start/deep'] } },
  } as const;
  await rig.sync(desiredState(files));
  rig.forget();
  const report = await rig.sync(desiredState({ ...files, 'article/new@en': {} }));
  expect(report.summary).toMatchObject({ created: 1 });
});

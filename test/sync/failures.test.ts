import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { familyFrom } from '../../src/model/key.ts';
import type { DesiredState } from '../../src/model/record.ts';
import type { SyncReport } from '../../src/sync/report.ts';
import { LATE_MS } from '../../src/sync/survey/pending.ts';
import { desiredState } from '../support/desired.ts';
import type { Fault, FaultFor } from '../support/faults.ts';
import { faulty } from '../support/faults.ts';
import { plain } from '../support/odd-services/headers.ts';
import { oddService } from '../support/odd-services/odd-services.ts';
import { commentsStripped } from '../support/odd-services/text.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
});
afterEach(() => rig.close());

const ONE = { 'article/install@en': {} } as const;
const TWO = {
  'category/guide@en': {},
  'article/install@en': { fields: { categories: ['category/guide'] } },
  'article/install@fr': {},
} as const;

function failing(faultFor: FaultFor): void {
  rig.wrap = (send) => faulty(send, faultFor);
}

/** One wrapper for the whole run, so that its count goes on. */
function failOnce(method: string, path: RegExp, fault: Fault): void {
  let done = false;
  failing(({ method: sent, url }) => {
    if (done || sent !== method || !path.test(new URL(url).pathname)) return undefined;
    done = true;
    return fault;
  });
}

async function names(kind: 'article' | 'category' | 'tag' = 'article'): Promise<readonly string[]> {
  return (await rig.editor().list(kind)).items.map(({ name }) => name);
}

function puts(): number {
  return rig.sent.filter(({ method }) => method === 'PUT').length;
}

function outcomes(report: SyncReport): Readonly<Record<string, string>> {
  return Object.fromEntries(report.results.map(({ key, outcome }) => [key, outcome]));
}

const HTML = '<!doctype html><title>Bad gateway</title>';
const UNCLEAR: readonly (readonly [string, Fault])[] = [
  ['the connection breaks after the service carried it out', { how: 'lost-after' }],
  [
    'the service carries it out and answers 500',
    { how: 'answer-after', status: 500, body: '{"success":false,"message":"boom"}' },
  ],
  [
    'the service carries it out and a proxy answers 502 with HTML',
    { how: 'answer-after', status: 502, body: HTML, type: 'text/html' },
  ],
  [
    'the service carries it out and a proxy answers 200 with HTML',
    { how: 'answer-after', status: 200, body: HTML, type: 'text/html' },
  ],
  [
    'the service carries it out and the body is cut',
    { how: 'answer-after', status: 200, body: '{"success":tr' },
  ],
  ['the service carries it out and answers 504', { how: 'answer-after', status: 504, body: '' }],
];

describe('a create whose answer is unclear', () => {
  for (const [what, fault] of UNCLEAR) {
    test(`is looked up and never repeated: ${what}`, async () => {
      failOnce('PUT', /articles$/, fault);
      const report = await rig.sync(desiredState(ONE));
      expect(puts()).toBe(1);
      expect(outcomes(report)).toEqual({ 'article/install@en': 'done' });
      expect(await names()).toEqual(['install in en']);
      rig.wrap = (send) => send;
      expect((await rig.sync(desiredState(ONE))).requests).toBe(3);
    });
  }

  for (const [what, sketch, moved] of [
    ['says so', { fields: { title: 'Set up', slug: 'set-up' }, body: '<p>All new.</p>' }, true],
    [
      'has its title still',
      { fields: { title: 'install in en', slug: 'set-up' }, body: '<p>All new.</p>' },
      false,
    ],
    [
      'has its address still',
      { fields: { title: 'Set up', slug: 'install' }, body: '<p>All new.</p>' },
      false,
    ],
  ] as const) {
    test(`is followed to another name of its file, which ${what}: late or never, the page is made once`, async () => {
      for (const isLate of [true, false]) {
        let arrive = (): Promise<unknown> => Promise.resolve();
        rig.wrap = (send) => (request) => {
          if (request.method !== 'PUT') return send(request);
          const held = request.clone();
          arrive = () => send(held);
          return faulty(send, () => ({ how: 'lost-before' }))(request);
        };
        await rig.sync(desiredState(ONE));
        rig.wrap = (send) => send;
        const files: DesiredState = {
          ...desiredState({ 'article/set-up@en': sketch }),
          ...(moved
            ? { moved: new Map([[familyFrom('article', 'install'), familyFrom('article', 'set-up')]]) }
            : {}),
        };
        const second = await rig.sync(files);
        expect(second.plan.blocked).toMatchObject([{ key: 'article/set-up@en', reason: 'pending' }]);
        if (isLate) await arrive();
        rig.clock.advance(LATE_MS);
        const third = await rig.sync(files, { onConflict: 'local', adopt: 'local' });
        expect(third.plan.blocked).toEqual([]);
        expect(await names()).toEqual([sketch.fields.title]);
        expect((await rig.sync(files)).requests).toBe(3);
        await rig.close();
        rig = await createRig();
      }
    });
  }

  test('of which the file is gone does not keep another file of its title from the page that was made for that one', async () => {
    const overview = (slug: string) => ({ fields: { title: 'Overview', slug }, body: `<p>Of ${slug}.</p>` });
    let lost = false;
    failing(({ method, url }) => {
      if (method === 'PUT' && url.endsWith('/articles')) {
        lost = true;
        return { how: 'lost-after' };
      }
      // Nor can the run look for them.
      return lost ? { how: 'answer', status: 503, body: '{"success":false,"message":"busy"}' } : undefined;
    });
    await rig.sync(desiredState({ 'article/a@en': overview('of-a'), 'article/b@en': overview('of-b') }));
    rig.wrap = (send) => send;
    rig.clock.advance(LATE_MS);
    const { plan } = await rig.sync(desiredState({ 'article/b@en': overview('of-b') }));
    expect([plan.changes, plan.blocked, plan.conflicts]).toEqual([[], [], []]);
    expect(await names()).toEqual(['Overview', 'Overview']);
  });

  test('of which the file is gone takes no other page for it, if two new files have its title', async () => {
    failOnce('PUT', /articles$/, { how: 'lost-before' });
    await rig.sync(desiredState(ONE));
    rig.wrap = (send) => send;
    const twice = { fields: { title: 'install in en' } };
    const { plan } = await rig.plan(desiredState({ 'article/a@en': twice, 'article/b@en': twice }));
    expect([plan.blocked, plan.changes.map(({ key }) => key)]).toEqual([
      [],
      ['article/a@en', 'article/b@en'],
    ]);
  });

  test('and which never arrived is pending, waits out the settle time, and is then made once', async () => {
    failOnce('PUT', /articles$/, { how: 'lost-before' });
    const first = await rig.sync(desiredState(ONE));
    expect(outcomes(first)).toEqual({ 'article/install@en': 'pending' });
    rig.wrap = (send) => send;
    const second = await rig.sync(desiredState(ONE));
    expect(second.plan.blocked).toMatchObject([{ key: 'article/install@en', reason: 'pending' }]);
    expect(second.summary.pending).toBe(1);
    rig.clock.advance(LATE_MS);
    const third = await rig.sync(desiredState(ONE));
    expect(third.summary).toMatchObject({ created: 1, pending: 0 });
    expect(await names()).toEqual(['install in en']);
    expect((await rig.sync(desiredState(ONE))).requests).toBe(3);
  });

  test('and which may still arrive is not forgotten because somebody has made a record of its name', async () => {
    failOnce('PUT', /articles$/, { how: 'lost-before' });
    await rig.sync(desiredState(ONE));
    rig.wrap = (send) => send;
    const theirs = { title: 'install in en', slug: 'install', content: '<p>theirs</p>' };
    await rig
      .editor()
      .create('article', { ...theirs, excerpt: '', ordering: 0, status: 'published', categories: [] }, {});
    const second = await rig.sync(desiredState(ONE));
    expect(second.plan.conflicts).toMatchObject([{ key: 'article/install@en' }]);
    const [row] = (await rig.editor().list('article')).items;
    await rig.editor().remove('article', row?.id ?? '', {});
    const third = await rig.sync(desiredState(ONE));
    expect(third.plan.blocked).toMatchObject([{ key: 'article/install@en', reason: 'pending' }]);
    expect(puts()).toBe(1);
    rig.clock.advance(LATE_MS);
    expect((await rig.sync(desiredState(ONE))).summary).toMatchObject({ created: 1, pending: 0 });
  });

  test('and which cannot even be looked up is pending, and found by the next run', async () => {
    let lost = false;
    failing(({ method }) => {
      if (method === 'PUT') {
        lost = true;
        return { how: 'lost-after' };
      }
      return lost ? { how: 'answer', status: 503, body: '{"success":false,"message":"busy"}' } : undefined;
    });
    const first = await rig.sync(desiredState(ONE));
    expect(outcomes(first)).toEqual({ 'article/install@en': 'pending' });
    rig.wrap = (send) => send;
    const second = await rig.sync(desiredState(ONE));
    expect(second.summary).toMatchObject({ created: 0, unchanged: 1, pending: 0 });
    expect(puts()).toBe(1);
    expect(await names()).toEqual(['install in en']);
  });

  test('and of which the file is gone costs no later run a read: the list names what it may have made', async () => {
    let lost = false;
    failing(({ method, url }) => {
      if (method === 'PUT' && url.endsWith('/articles')) {
        lost = true;
        return { how: 'lost-after' };
      }
      return lost ? { how: 'answer', status: 503, body: '{"success":false,"message":"busy"}' } : undefined;
    });
    const { 'category/guide@en': guide, 'article/install@en': install } = TWO;
    await rig.sync(desiredState({ 'category/guide@en': guide, 'article/install@en': install }));
    rig.wrap = (send) => send;
    rig.clock.advance(LATE_MS);
    const rest = desiredState({ 'category/guide@en': guide });
    await rig.sync(rest);
    expect((await rig.sync(rest)).requests).toBe(3);
    expect(await names()).toEqual(['install in en']);
  });

  test('holds up what stands on it, and only that', async () => {
    failOnce('PUT', /categories$/, { how: 'lost-before' });
    const report = await rig.sync(desiredState({ ...TWO, 'article/free@en': {} }));
    expect(outcomes(report)).toEqual({
      'category/guide@en': 'pending',
      'article/install@en': 'skipped',
      'article/install@fr': 'skipped',
      'article/free@en': 'done',
    });
  });
});

describe('a create that the service refuses', () => {
  test('fails with the message of the service, and the next run tries again', async () => {
    failOnce('PUT', /articles$/, {
      how: 'answer',
      status: 422,
      body: '{"success":false,"message":"the title is too loud"}',
    });
    const report = await rig.sync(desiredState(ONE));
    expect(report.results).toMatchObject([{ outcome: 'failed' }]);
    expect(report.results[0]?.message).toContain('the title is too loud');
    rig.wrap = (send) => send;
    expect((await rig.sync(desiredState(ONE))).summary).toMatchObject({ created: 1 });
  });

  test('is sent again only where it provably never left', async () => {
    failOnce('PUT', /articles$/, { how: 'refused' });
    const report = await rig.sync(desiredState(ONE));
    expect(outcomes(report)).toEqual({ 'article/install@en': 'done' });
    expect(await names()).toEqual(['install in en']);
  });
});

describe('an edit whose answer is unclear', () => {
  for (const [what, fault] of [
    ...UNCLEAR,
    ['the connection breaks before it arrives', { how: 'lost-before' }] as const,
  ]) {
    test(`is read before it is repeated: ${what}`, async () => {
      await rig.sync(desiredState(TWO));
      const changed = { ...TWO, 'article/install@en': { ...TWO['article/install@en'], body: '<p>new</p>' } };
      failOnce('POST', /articles\//, fault);
      const report = await rig.sync(desiredState(changed));
      expect(outcomes(report)).toEqual({ 'article/install@en': 'done' });
      rig.wrap = (send) => send;
      await rig.sync(desiredState(changed));
      expect((await rig.sync(desiredState(changed))).requests).toBe(3);
    });
  }

  test('does not overwrite an edit that landed between the tries', async () => {
    await rig.sync(desiredState(TWO));
    const { items } = await rig.editor().list('article');
    const id = items[0]?.id ?? '';
    let done = false;
    rig.wrap = (send) => async (request) => {
      if (done || request.method !== 'POST') return send(request);
      done = true;
      const read = await rig.editor().read('article', id);
      if (read.state !== 'found') throw new Error('the article is there');
      const all = Object.fromEntries(
        Object.entries({ ...read.record.fields, content: '<p>theirs</p>' }).filter(
          ([, value]) => value !== null,
        ),
      );
      await rig.editor().edit('article', id, 'en', all, {});
      return faulty(send, () => ({ how: 'lost-before' }))(request);
    };
    const changed = { ...TWO, 'article/install@en': { ...TWO['article/install@en'], body: '<p>ours</p>' } };
    const report = await rig.sync(desiredState(changed));
    expect(outcomes(report)).toEqual({ 'article/install@en': 'skipped' });
    const read = await rig.editor().read('article', id);
    expect(read).toMatchObject({ record: { fields: { content: '<p>theirs</p>' } } });
    rig.wrap = (send) => send;
    expect((await rig.sync(desiredState(changed))).plan.conflicts).toMatchObject([{ code: 'both-changed' }]);
  });
});

describe('a delete', () => {
  test('whose answer is lost is done when the record is gone', async () => {
    await rig.sync(desiredState({ ...TWO, 'article/old@en': {} }));
    failOnce('DELETE', /articles/, { how: 'lost-after' });
    const report = await rig.sync(desiredState(TWO), { prune: true });
    expect(outcomes(report)).toEqual({ 'article/old@en': 'done' });
    expect(await names()).toEqual(['install in en']);
  });

  test('is not sent after anything failed', async () => {
    await rig.sync(desiredState({ ...TWO, 'article/old@en': {} }));
    failOnce('PUT', /articles/, { how: 'answer', status: 422, body: '{"success":false,"message":"no"}' });
    const report = await rig.sync(desiredState({ ...TWO, 'article/new@en': {} }), { prune: true });
    expect(outcomes(report)).toEqual({ 'article/new@en': 'failed', 'article/old@en': 'skipped' });
    expect([...(await names())].sort()).toEqual(['install in en', 'old in en']);
  });

  test('that is refused holds what its record belongs to, and no more', async () => {
    const gone = {
      'category/guide@en': {},
      'category/part@en': {},
      'tag/old@en': {},
      'article/install@en': { fields: { categories: ['category/guide'], tags: ['tag/old'] } },
      'article/install@fr': {},
      'article/other@en': { fields: { categories: ['category/part'], tags: [] } },
    } as const;
    await rig.sync(desiredState({ ...gone, 'article/stays@en': {} }));
    const own = (await rig.editor().list('article')).items.find(({ name }) => name === 'install in en');
    const read = await rig.editor().read('article', own?.id ?? '', 'fr');
    const id = read.state === 'found' ? read.record.ownId : '';
    failing(({ method, url }) =>
      method === 'DELETE' && url.endsWith(`/${id}`)
        ? { how: 'answer', status: 422, body: '{"success":false,"message":"not this one"}' }
        : undefined,
    );
    const report = await rig.sync(desiredState({ 'article/stays@en': {} }), {
      prune: true,
      maxDelete: 10,
    });
    expect(outcomes(report)).toEqual({
      'article/install@fr': 'failed',
      'article/install@en': 'skipped',
      'category/guide@en': 'skipped',
      'tag/old@en': 'skipped',
      'article/other@en': 'done',
      'category/part@en': 'done',
    });
    expect(report.results.find(({ key }) => key === 'article/install@en')?.message).toBe(
      'kept: article/install@fr stays, and it belongs to this record',
    );
    expect([...(await names())].toSorted()).toEqual(['install in en', 'stays in en']);
    rig.wrap = (send) => send;
    const again = await rig.sync(desiredState({ 'article/stays@en': {} }), { prune: true, maxDelete: 10 });
    expect(again.summary).toMatchObject({ deleted: 4, skipped: 0 });
    expect([await names('category'), await names('tag')]).toEqual([[], []]);
  });

  test('whose end is unclear holds all others', async () => {
    await rig.sync(desiredState({ ...TWO, 'article/old@en': {} }));
    failing(({ method }) => (method === 'DELETE' ? { how: 'lost-before' } : undefined));
    const report = await rig.sync(desiredState({ 'article/stays@en': {} }), { prune: true, maxDelete: 10 });
    expect(outcomes(report)).toEqual({
      'article/stays@en': 'done',
      'article/install@fr': 'pending',
      'article/install@en': 'skipped',
      'article/old@en': 'skipped',
      'category/guide@en': 'skipped',
    });
  });

  test('is not planned beside a conflict', async () => {
    await rig.sync(desiredState({ ...TWO, 'article/old@en': {} }));
    await rig
      .editor()
      .remove(
        'article',
        (await rig.editor().list('article')).items.find(({ name }) => name === 'old in en')?.id ?? '',
        {},
      );
    await rig.sync(desiredState({ ...TWO, 'article/kept@en': {}, 'article/old@en': {} }));
    const report = await rig.sync(desiredState({ ...TWO, 'article/old@en': {} }), { prune: true });
    expect(report.plan.conflicts.length).toBe(1);
    expect(report.plan.kept).toMatchObject([{ key: 'article/kept@en', reason: 'unsettled' }]);
  });
});

describe('a failure that holds for every request', () => {
  test('of the lists stops the run before anything is written', async () => {
    failing(() => ({ how: 'answer', status: 401, body: '{"success":false,"message":"unknown key"}' }));
    await expect(rig.sync(desiredState(ONE))).rejects.toMatchObject({ code: 'unauthorized' });
    expect(puts()).toBe(0);
  });

  test('in the middle stops sending and keeps what was done', async () => {
    let writes = 0;
    failing(({ method }) => {
      if (method === 'GET') return undefined;
      writes += 1;
      return writes > 1
        ? { how: 'answer', status: 401, body: '{"success":false,"message":"the key was revoked"}' }
        : undefined;
    });
    const report = await rig.sync(desiredState(TWO));
    expect(outcomes(report)).toEqual({
      'category/guide@en': 'done',
      'article/install@en': 'failed',
      'article/install@fr': 'skipped',
    });
    rig.wrap = (send) => send;
    expect((await rig.sync(desiredState(TWO))).summary).toMatchObject({ created: 2, unchanged: 1 });
  });

  test('an interrupt leaves the rest unsent and the state true', async () => {
    const abort = new AbortController();
    rig.wrap = (send) => async (request) => {
      const response = await send(request);
      if (request.method === 'PUT') abort.abort();
      return response;
    };
    const report = await rig.sync(desiredState(TWO), {}, abort.signal);
    expect(report.interrupted).toBe(true);
    expect(outcomes(report)['article/install@en']).toBe('skipped');
    rig.wrap = (send) => send;
    await rig.sync(desiredState(TWO));
    expect(await names('category')).toEqual(['guide in en']);
    expect((await rig.sync(desiredState(TWO))).requests).toBe(3);
  });
});

describe('lists that lie', () => {
  const cut = (items: number) => {
    rig.wrap = (send) => async (request) => {
      const response = await send(request);
      response.headers.delete('KB-Capabilities');
      if (request.method !== 'GET' || !new URL(request.url).pathname.endsWith('/articles')) return response;
      const body = (await response.json()) as { data: unknown[]; limit: number };
      return Response.json({ ...body, data: body.data.slice(0, items), limit: items });
    };
  };

  test('stop a fresh clone before the first create', async () => {
    const docs = Object.fromEntries('abcdefghijkl'.split('').map((name) => [`article/${name}@en`, {}]));
    await rig.sync(desiredState(docs));
    rig.forget();
    cut(11);
    const report = await rig.sync(desiredState(docs));
    expect(report.plan.refusals.length + report.plan.blocked.length).toBeGreaterThan(0);
    expect(report.summary.created).toBe(0);
  });

  test('do not make known records seem gone', async () => {
    const docs = { 'article/a@en': {}, 'article/b@en': {}, 'article/c@en': {} };
    await rig.sync(desiredState(docs));
    cut(2);
    const report = await rig.sync(desiredState(docs), { prune: true });
    expect(report.summary).toMatchObject({ unchanged: 3, created: 0, deleted: 0, conflict: 0 });
  });

  test('an empty list where records are known refuses', async () => {
    await rig.sync(desiredState(TWO));
    rig.wrap = (send) => async (request) => {
      const response = await send(request);
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' || !/(articles|categories|tags)$/.test(pathname)) return response;
      const body = (await response.json()) as object;
      return Response.json({ ...body, data: [] });
    };
    const report = await rig.sync(desiredState(TWO));
    expect(report.plan.refusals).toMatchObject([{ code: 'remote-empty' }]);
  });
});

describe('an edit that a run could not tell of is told by the next one', () => {
  async function editFrench(title: string): Promise<void> {
    const id = (await rig.editor().list('article')).items[0]?.id ?? '';
    const read = await rig.editor().read('article', id, 'fr');
    if (read.state !== 'found') throw new Error('no French article');
    const fields = Object.fromEntries(
      Object.entries(read.record.fields).filter(([, value]) => value !== null),
    );
    await rig.editor().edit('article', id, 'fr', { ...fields, title }, {});
  }

  const drift = ({ plan }: SyncReport) => plan.drift.map(({ key }) => key);
  const { 'article/install@fr': _, ...LESS } = TWO;
  const MORE = {
    ...LESS,
    'article/install@en': { fields: { ...LESS['article/install@en'].fields, title: 'Now' } },
  };

  for (const [what, files] of [
    ['and nothing was written', LESS],
    ['and its original was written', MORE],
  ] as const) {
    test(`because its file was away and its read failed, ${what}`, async () => {
      await rig.sync(desiredState(TWO));
      await editFrench('theirs');
      failing(({ url }) =>
        url.includes('lang=fr')
          ? { how: 'answer', status: 503, body: '{"success":false,"message":"busy"}' }
          : undefined,
      );
      const report = await rig.sync(desiredState(files));
      expect(report.plan.kept).toMatchObject([{ key: 'article/install@fr', reason: 'unreadable' }]);
      rig.wrap = (send) => send;
      const back = await rig.sync(desiredState({ ...files, 'article/install@fr': {} }));
      expect(drift(back)).toEqual(['article/install@fr']);
    });
  }

  test('because it died after reading it, and the file went back', async () => {
    const guide = (description: string) => ({ 'category/guide@en': { fields: { description } } });
    await rig.sync(desiredState({ ...guide('ours'), ...ONE }));
    const id = (await rig.editor().list('category')).items[0]?.id ?? '';
    const read = await rig.editor().read('category', id);
    if (read.state !== 'found') throw new Error('no category');
    const fields = Object.fromEntries(
      Object.entries(read.record.fields).filter(([, value]) => value !== null),
    );
    await rig.editor().edit('category', id, 'en', { ...fields, description: 'theirs' }, {});
    rig.wrap = (send) => (request) => {
      if (request.method === 'PUT') rig.base.disk.crashAtStep(rig.base.disk.steps() + 1);
      return send(request);
    };
    const more = { ...ONE, 'article/other@en': {} };
    await expect(rig.sync(desiredState({ ...guide('next'), ...more }))).rejects.toThrow(
      'the process is dead',
    );
    rig.base.kill();
    rig.wrap = (send) => send;
    expect(drift(await rig.sync(desiredState({ ...guide('ours'), ...more })))).toEqual(['category/guide@en']);
  });
});

test.each(UNCLEAR)(
  'a page of another title, slug and text, without a stamp, is known as ours: %s',
  async (_, fault) => {
    const stripping = oddService([plain(), commentsStripped], { now: rig.clock.now, harm: [] });
    rig.wrap = stripping;
    await rig.sync(desiredState(ONE));
    let isLost = false;
    const losing = (send: Parameters<typeof stripping>[0]) =>
      faulty(send, ({ method }) => {
        if (isLost || method !== 'POST') return undefined;
        isLost = true;
        return fault;
      });
    rig.wrap = (send) => losing(stripping(send));
    const fields = { title: 'Set it up', slug: 'set-up' };
    const renamed = desiredState({ 'article/install@en': { fields, body: '<p>All other words.</p>' } });
    const report = await rig.sync(renamed);
    expect(outcomes(report)).toEqual({ 'article/install@en': 'done' });
    const next = await rig.sync(renamed);
    expect(next.plan).toMatchObject({ changes: [], conflicts: [], blocked: [] });
    expect(await names()).toEqual(['Set it up']);
  },
);

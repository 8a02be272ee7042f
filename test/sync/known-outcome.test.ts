import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LoadedBase } from '../../src/base/base.ts';
import { keyOf } from '../../src/model/key.ts';
import { mapOnDemand } from '../../src/content/reading/map-on-demand.ts';
import type { BaseRecord, DesiredState } from '../../src/model/record.ts';
import { focusedSurvey } from '../../src/sync/survey/focused-survey.ts';
import type { KnownOutcome } from '../../src/sync/outcome/known-outcome.ts';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

const DOCS = {
  'category/guide@en': {},
  'tag/cli@en': {},
  'article/install@en': { fields: { categories: ['category/guide'], tags: ['tag/cli'] } },
  'article/install@fr': { fields: { categories: ['category/guide'] } },
} as const;

let rig: Rig;
let kept: KnownOutcome | undefined;
let reads: number;
beforeEach(async () => {
  rig = await createRig();
  kept = undefined;
  reads = 0;
  rig.outcomes = {
    read: () => {
      reads += 1;
      return kept;
    },
    write: (outcome) => (kept = outcome),
  };
});
afterEach(() => rig.close());

/** The same files, in which nobody may look at a record: the run must know its end without that. */
function unseen() {
  const desired = desiredState(DOCS);
  return {
    ...desired,
    get records(): never {
      throw new Error('a record was looked at');
    },
  };
}

async function inStep(): Promise<void> {
  await rig.sync(desiredState(DOCS));
  expect(kept).toBeUndefined();
  await rig.sync(desiredState(DOCS));
  expect(kept).toMatchObject({ unchanged: 4, unmanaged: [] });
}

describe('a run whose inputs are those of a run that found everything in sync', () => {
  test('ends as that one did, with three requests, and compares no record', async () => {
    await inStep();
    const report = await rig.sync(unseen());
    expect(report.summary).toMatchObject({ unchanged: 4, created: 0, updated: 0, conflict: 0, drift: 0 });
    expect(report.requests).toBe(3);
    expect(reads).toBe(3);
    const { plan, requests } = await rig.plan(unseen());
    expect([plan.unchanged, plan.changes, requests]).toEqual([4, [], 3]);
  });

  test('is told by three 304s where the service keeps tags for its lists: nothing is received', async () => {
    await inStep();
    let bytes = 0;
    const statuses: number[] = [];
    rig.wrap = (send) => async (request) => {
      const answer = await send(request);
      statuses.push(answer.status);
      const text = await answer.clone().text();
      bytes += text.length + [...answer.headers].join('').length;
      return answer;
    };
    expect((await rig.sync(unseen())).summary.unchanged).toBe(4);
    expect(statuses).toEqual([304, 304, 304]);
    expect(bytes).toBeLessThan(2000);
  });

  test('reads all lists in full before it decides anything, if one of them changed', async () => {
    await inStep();
    const { items } = await rig.editor().list('tag');
    await rig.editor().edit('tag', items[0]?.id ?? '', 'en', { name: 'Theirs' }, {});
    const seen: string[] = [];
    rig.wrap = (send) => async (request) => {
      const answer = await send(request);
      seen.push(`${answer.status} ${new URL(request.url).pathname}`);
      return answer;
    };
    const report = await rig.sync(desiredState(DOCS));
    expect(report.plan.drift.map(({ key }) => key)).toEqual(['tag/cli@en']);
    expect(seen.slice(0, 3).sort()).toEqual([
      '200 /api/v2/tags',
      '304 /api/v2/articles',
      '304 /api/v2/categories',
    ]);
    // Each list is sent once in this run.
    expect(seen.slice(3, 5).sort()).toEqual(['200 /api/v2/articles', '200 /api/v2/categories']);
    expect(seen.slice(5).every((each) => /^200 .*\/tags\/[^/]+$/.test(each))).toBe(true);
  });

  test.each([
    ['never change', () => '"same"'],
    ['change with every answer', () => `"${Math.random()}"`],
    ['are weak', () => 'W/"same"'],
  ])('asks no service for 304 whose tags %s and are no promise', async (_name, tagNow) => {
    const conditions: (string | null)[] = [];
    rig.wrap = (send) => async (request) => {
      if (request.method === 'GET') conditions.push(request.headers.get('if-none-match'));
      const answer = await send(request);
      const headers = new Headers(answer.headers);
      headers.set('ETag', tagNow());
      const said = headers.get('KB-Capabilities') ?? '';
      headers.set('KB-Capabilities', said.replace(', list-etag', ''));
      return new Response(await answer.text(), { status: answer.status, headers });
    };
    await inStep();
    expect(kept?.tags).toBeUndefined();
    await rig.sync(unseen());
    expect(new Set(conditions)).toEqual(new Set([null]));
  });

  test('stands on lists that were sent in this run, also where a tag promises to move and does not', async () => {
    await inStep();
    for (const kind of ['category', 'tag'] as const) {
      const { items } = await rig.editor().list(kind);
      await rig.editor().edit(kind, items[0]?.id ?? '', 'en', { name: 'Theirs' }, {});
    }
    rig.wrap = (send) => (request) =>
      request.headers.has('if-none-match') && !request.url.endsWith('/tags')
        ? Promise.resolve(new Response(null, { status: 304 }))
        : send(request);
    const { plan } = await rig.plan(desiredState(DOCS), { prune: true });
    expect(plan.drift.map(({ key }) => key).sort()).toEqual(['category/guide@en', 'tag/cli@en']);
  });

  test('is a whole run again once a list shows anything else', async () => {
    await inStep();
    const { items } = await rig.editor().list('article');
    const read = await rig.editor().read('article', items[0]?.id ?? '');
    if (read.state !== 'found') throw new Error('no article');
    const { fields, stamp } = read.record;
    const told = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    const content = `${String(fields['content'])}\n${stamp ?? ''}`;
    await rig.editor().edit('article', read.record.id, 'en', { ...told, content, title: 'Theirs' }, {});
    const report = await rig.sync(desiredState(DOCS));
    expect(report.plan.drift.map(({ key }) => key)).toEqual(['article/install@en']);
    expect((await rig.sync(desiredState(DOCS))).plan.drift.length).toBe(1);
  });

  test('is a whole run again when the total of a list is another', async () => {
    await inStep();
    rig.wrap = (send) => async (request) => {
      const whole = new Request(request);
      whole.headers.delete('if-none-match');
      const answer = await send(whole);
      const headers = new Headers(answer.headers);
      if (new URL(request.url).pathname.endsWith('/articles')) headers.set('X-Total-Count', '7');
      return new Response(await answer.text(), { status: answer.status, headers });
    };
    await expect(rig.sync(unseen())).rejects.toThrow('a record was looked at');
  });

  test('is a whole run again when the service says of itself something else', async () => {
    rig.wrap = (send) => async (request) => {
      const answer = await send(request);
      const headers = new Headers(answer.headers);
      headers.delete('KB-Capabilities');
      return new Response(await answer.text(), { status: answer.status, headers });
    };
    for (let run = 0; run < 4; run += 1) await rig.sync(desiredState(DOCS));
    expect((await rig.sync(unseen())).summary.unchanged).toBe(4);
    rig.wrap = (send) => send;
    await expect(rig.sync(unseen())).rejects.toThrow('a record was looked at');
  });

  test('fails as any run does when the list is not an answer of the API', async () => {
    await inStep();
    rig.wrap = () => () =>
      Promise.resolve(new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    await expect(rig.sync(unseen())).rejects.toThrow('it is an HTML page');
  });
});

describe('a run in which some files were edited since all was in sync', () => {
  const EDITED = { ...DOCS, 'article/install@en': { ...DOCS['article/install@en'], body: '<p>New</p>' } };

  /** All was in sync, and then the text of one article changed. */
  async function edited(files = desiredState(EDITED)): Promise<DesiredState> {
    await inStep();
    const outcome = kept;
    kept = undefined;
    if (outcome === undefined) throw new Error('no outcome');
    const keys = new Set([keyOf('article', 'install', 'en')]);
    rig.outcomes = {
      read: () => kept,
      beforeEdits: () => (kept === undefined ? { outcome, keys } : undefined),
      write: (now) => (kept = now),
    };
    return files;
  }

  /** Somebody edits the article in the web editor. */
  async function editThere(): Promise<void> {
    const { items } = await rig.editor().list('article');
    const read = await rig.editor().read('article', items[0]?.id ?? '');
    if (read.state !== 'found') throw new Error('no article');
    const told = Object.entries(read.record.fields).filter(([, value]) => value !== null);
    const theirs = { ...Object.fromEntries(told), content: '<p>Theirs</p>' };
    await rig.editor().edit('article', read.record.id, 'en', theirs, {});
  }

  test('reads and writes those alone, says of the others that they are unchanged, and is whole for the next run', async () => {
    const desired = await edited();
    const { plan } = await rig.plan(desired);
    expect([plan.changes.map(({ key }) => key), plan.unchanged]).toEqual([['article/install@en'], 3]);
    rig.sent.length = 0;
    const report = await rig.sync(desired);
    expect(report.summary).toMatchObject({ updated: 1, unchanged: 3, conflict: 0, drift: 0 });
    expect(rig.sent.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET', 'POST']);
    const base = await rig.base.open({ readOnly: true });
    const { state, open } = await base.load();
    expect([...state.records.keys()]).toEqual([...state.records.keys()].sort());
    expect(open).toEqual([]);
    // What the lists show of it is known as well: nothing has to be read again.
    rig.outcomes = { read: () => undefined, write: (now) => (kept = now) };
    const next = await rig.sync(desired);
    expect([next.requests, next.summary.unchanged]).toEqual([3, 4]);
    expect(kept).toMatchObject({ unchanged: 4 });
  });

  test('is known to be in sync if the records say the same as before', async () => {
    const desired = await edited(desiredState(DOCS));
    const report = await rig.sync(desired);
    expect([report.requests, report.summary.unchanged, report.plan.changes]).toEqual([3, 4, []]);
    expect(kept).toMatchObject({ unchanged: 4 });
    expect((await rig.sync(unseen())).summary.unchanged).toBe(4);
  });

  test('looks at no other article, and leaves each other record of the state as it was', async () => {
    const more = { ...DOCS, 'article/other@en': {}, 'article/other@fr': {} };
    await rig.sync(desiredState(more));
    await rig.sync(desiredState(more));
    const before = (await (await rig.base.open({ readOnly: true })).load()).state;
    const outcome = kept;
    kept = undefined;
    if (outcome === undefined) throw new Error('no outcome');
    const keys = new Set([keyOf('article', 'install', 'en')]);
    rig.outcomes = { read: () => undefined, beforeEdits: () => ({ outcome, keys }), write: () => undefined };
    const files = desiredState({ ...more, 'article/install@en': EDITED['article/install@en'] });
    const looked = new Set<string>();
    const records = mapOnDemand(files.records, (record, key) => {
      looked.add(key);
      return record;
    });
    const { summary } = await rig.sync({ ...files, records });
    expect(summary).toMatchObject({ updated: 1, unchanged: 5 });
    expect([...looked]).toEqual(['article/install@en']);
    const { state } = await (await rig.base.open({ readOnly: true })).load();
    const others = [...before.records].filter(([key]) => key !== 'article/install@en');
    expect([...state.records.keys()]).toEqual([...before.records.keys()]);
    // The translation of the edited article notes what it was made from, as before.
    for (const [key, record] of others) expect(state.records.get(key)).toEqual(record);
  });

  test('reads the lists if another article of the state has the same id', async () => {
    const desired = await edited();
    const { state } = await (await rig.base.open({ readOnly: true })).load();
    const key = keyOf('article', 'install', 'en');
    const doubled = { ...state.records.get(key), key: keyOf('article', 'moved', 'en') } as BaseRecord;
    const base = { state: { ...state, records: new Map(state.records).set(doubled.key, doubled) } };
    const survey = (loaded: Pick<LoadedBase, 'state'>) =>
      rig.open({}, ({ remote, policy }) =>
        focusedSurvey(
          {
            desired,
            remote,
            policy,
            base: { ...loaded, open: [], isNew: false },
            repository: { id: 'docs', known: ['docs'], former: [] },
            openBefore: new Set(),
            now: () => 0,
            sleep: () => Promise.resolve(),
          },
          { keys: new Set([key]), views: new Map() },
        ),
      );
    expect((await survey({ state }))?.remote.get(key)?.state).toBe('known');
    expect(await survey(base)).toBeUndefined();
  });

  test('overwrites nothing that somebody edited there since', async () => {
    const desired = await edited();
    await editThere();
    const { plan, summary } = await rig.sync(desired);
    expect([summary.conflict, summary.updated]).toEqual([1, 0]);
    expect(plan.conflicts.map(({ key }) => key)).toEqual(['article/install@en']);
  });

  test('overwrites nothing either where a service says by mistake that its lists are as before', async () => {
    const desired = await edited();
    await editThere();
    rig.wrap = (send) => (request) =>
      request.headers.has('if-none-match')
        ? Promise.resolve(new Response(null, { status: 304 }))
        : send(request);
    expect((await rig.sync(desired)).summary).toMatchObject({ conflict: 1, updated: 0 });
  });
});

/** A service that does not tell with its writes what the lists are after them. */
const SILENT: Rig['wrap'] = (send) => (request) => {
  const plain = new Request(request);
  plain.headers.delete('prefer');
  return send(plain);
};

describe.each([
  ['whose service tells what lists they lead to', (send) => send],
  ['whose service does not tell', SILENT],
] satisfies readonly (readonly [string, Rig['wrap']])[])(
  'a run after one that sent edits of texts, %s',
  (_service, wrap) => {
    const KEY = keyOf('article', 'install', 'en');
    const texts = (body: string, more: Readonly<Record<string, object>> = {}) =>
      desiredState({ ...DOCS, ...more, 'article/install@en': { ...DOCS['article/install@en'], body } });
    const unseenTexts = (body: string) => ({
      ...texts(body),
      get records(): never {
        throw new Error('a record was looked at');
      },
    });
    /** As the file of the outcome: bound to the texts and to the checksum of the state. */
    let file: { readonly of: string; readonly outcome: KnownOutcome } | undefined;

    async function outcomesFor(body: string, before?: string): Promise<void> {
      const { digest } = await (await rig.base.open({ readOnly: true })).load();
      const read = (text: string) => (file?.of === `${text} ${digest}` ? file.outcome : undefined);
      rig.outcomes = {
        read: () => read(body),
        beforeEdits: () => {
          const outcome = before === undefined ? undefined : read(before);
          return outcome === undefined ? undefined : { outcome, keys: new Set([KEY]) };
        },
        write: (outcome) => (file = { of: `${body} ${digest}`, outcome }),
        writeAfter: (outcome, checksum) => (file = { of: `${body} ${checksum}`, outcome }),
      };
    }

    async function run(body: string, before?: string, desired = texts(body)) {
      await outcomesFor(body, before);
      return rig.sync(desired);
    }

    beforeEach(async () => {
      file = undefined;
      rig.wrap = wrap;
      await run('<p>a</p>');
      await run('<p>a</p>');
      await run('<p>b</p>', '<p>a</p>');
    });

    async function edit(kind: 'article' | 'tag' | 'category', fields: Readonly<Record<string, string>>) {
      const { items } = await rig.editor().list(kind);
      const read = await rig.editor().read(kind, items[0]?.id ?? '');
      if (read.state !== 'found') throw new Error('not found');
      const told = Object.entries(read.record.fields).filter(([, value]) => value !== null);
      await rig.editor().edit(kind, read.record.id, 'en', { ...Object.fromEntries(told), ...fields }, {});
    }

    /** The statuses of the answers from now on. */
    function answers(): number[] {
      const statuses: number[] = [];
      rig.wrap = (send) => async (request) => {
        const answer = await wrap(send)(request);
        statuses.push(answer.status);
        return answer;
      };
      return statuses;
    }

    test('looks at no record, and knows these lists from then on', async () => {
      const statuses = answers();
      const next = await run('<p>b</p>', undefined, unseenTexts('<p>b</p>'));
      expect([next.requests, next.summary.unchanged, next.plan.changes]).toEqual([3, 4, []]);
      // The rows of the lists are compared where only they can tell.
      expect(statuses).toEqual(wrap === SILENT ? [200, 200, 200] : [304, 304, 304]);
      statuses.length = 0;
      expect((await run('<p>b</p>', undefined, unseenTexts('<p>b</p>'))).summary.unchanged).toBe(4);
      expect(statuses).toEqual([304, 304, 304]);
    });

    test.each(['before the write', 'after the write'])('sees what somebody edited just %s', async (when) => {
      rig.wrap = (send) => async (request) => {
        if (request.method !== 'POST') return wrap(send)(request);
        rig.wrap = wrap;
        if (when === 'before the write') await edit('tag', { name: 'Theirs' });
        const answer = await wrap(send)(request);
        if (when === 'after the write') await edit('tag', { name: 'Theirs' });
        return answer;
      };
      expect((await run('<p>c</p>', '<p>b</p>')).summary.updated).toBe(1);
      expect((await run('<p>c</p>')).plan.drift.map(({ key }) => key)).toEqual(['tag/cli@en']);
    });

    test('sees it after several edits, too', async () => {
      await run('<p>c</p>', '<p>b</p>');
      await edit('category', { name: 'Theirs' });
      const { plan, summary } = await run('<p>d</p>', '<p>c</p>');
      expect([plan.drift.map(({ key }) => key), summary.updated]).toEqual([['category/guide@en'], 1]);
    });

    test('sends the next edits alone, again and again', async () => {
      let before = '<p>b</p>';
      for (const body of ['<p>c</p>', '<p>d</p>', '<p>e</p>']) {
        const looked = new Set<string>();
        const desired = texts(body);
        const records = mapOnDemand(desired.records, (record, key) => {
          looked.add(key);
          return record;
        });
        const { requests, summary } = await run(body, before, { ...desired, records });
        expect([requests, summary.updated, summary.unchanged, [...looked]]).toEqual([5, 1, 3, [KEY]]);
        before = body;
      }
      const { plan, requests } = await run(before);
      expect([requests, plan.changes, plan.drift]).toEqual([3, [], []]);
    });

    test.each([
      ['the title of the very article', 'article', { title: 'Theirs' }],
      ['a tag', 'tag', { name: 'Theirs' }],
      ['a category', 'category', { name: 'Theirs' }],
    ] as const)('sees that somebody edited %s', async (_name, kind, fields) => {
      await edit(kind, fields);
      expect((await run('<p>b</p>')).plan.drift.map((each) => each.kind)).toEqual([kind]);
      const { plan } = await run('<p>c</p>', '<p>b</p>');
      expect([...plan.drift, ...plan.conflicts].map((each) => each.kind)).toContain(kind);
    });

    test('sees a record that is new there, or gone', async () => {
      await rig.editor().create('tag', { name: 'New', slug: 'new' }, {});
      await expect(run('<p>b</p>', undefined, unseenTexts('<p>b</p>'))).rejects.toThrow(
        'a record was looked at',
      );
      const known = await run('<p>b</p>');
      expect(known.plan.unmanaged.map(({ name }) => name)).toEqual(['New']);
      await run('<p>c</p>', '<p>b</p>');
      const after = await run('<p>c</p>', undefined, unseenTexts('<p>c</p>'));
      expect(after.plan.unmanaged.map(({ name }) => name)).toEqual(['New']);
      await run('<p>d</p>', '<p>c</p>');
      const { items } = await rig.editor().list('article');
      const french = await rig.editor().read('article', items[0]?.id ?? '', 'fr');
      if (french.state !== 'found') throw new Error('no translation');
      await rig.editor().remove('article', french.record.ownId, {});
      const { plan } = await run('<p>d</p>');
      expect(plan.conflicts.map(({ key }) => key)).toEqual(['article/install@fr']);
    });

    test('is a whole run if an edit before it failed, or its total is not that of its rows', async () => {
      rig.wrap = (send) => (request) =>
        request.method === 'POST' ? Promise.resolve(new Response('no', { status: 422 })) : send(request);
      const failed = await run('<p>c</p>', '<p>b</p>');
      expect(failed.summary.failed).toBe(1);
      rig.wrap = (send) => send;
      await expect(run('<p>c</p>', undefined, unseenTexts('<p>c</p>'))).rejects.toThrow(
        'a record was looked at',
      );
      expect((await run('<p>c</p>')).summary.updated).toBe(1);
      await run('<p>c</p>');
      await run('<p>d</p>', '<p>c</p>');
      rig.wrap = (send) => async (request) => {
        const whole = new Request(request);
        whole.headers.delete('if-none-match');
        const answer = await send(whole);
        const headers = new Headers(answer.headers);
        if (new URL(request.url).pathname.endsWith('/articles')) headers.set('X-Total-Count', '7');
        return new Response(await answer.text(), { status: answer.status, headers });
      };
      await expect(run('<p>d</p>', undefined, unseenTexts('<p>d</p>'))).rejects.toThrow(
        'a record was looked at',
      );
    });
  },
);

describe('a run after one that made and deleted records', () => {
  const MORE = {
    ...DOCS,
    'article/more@en': { fields: { tags: ['tag/cli'] } },
    'article/more@fr': {},
  } as const;
  const { 'article/install@fr': _, ...LESS } = MORE;
  const looked = new Set<string>();
  let file: { readonly of: string; readonly outcome: KnownOutcome } | undefined;
  let statuses: number[];

  async function run(docs: Parameters<typeof desiredState>[0], wrap: Rig['wrap'] = (send) => send) {
    const { digest } = await (await rig.base.open({ readOnly: true })).load();
    const files = Object.keys(docs).join(' ');
    rig.outcomes = {
      read: () => (file?.of === `${files} ${digest}` ? file.outcome : undefined),
      write: (outcome) => (file = { of: `${files} ${digest}`, outcome }),
      writeAfter: (outcome, checksum) => (file = { of: `${files} ${checksum}`, outcome }),
    };
    statuses = [];
    looked.clear();
    rig.wrap = (send) => async (request) => {
      const answer = await wrap(send)(request);
      statuses.push(answer.status);
      return answer;
    };
    const desired = desiredState(docs);
    const records = mapOnDemand(desired.records, (record, key) => {
      looked.add(key);
      return record;
    });
    return rig.sync({ ...desired, records }, { prune: true, allow: new Set(['scope-change']) });
  }

  beforeEach(() => {
    file = undefined;
  });

  test.each([
    ['a first sync', [DOCS]],
    ['new records', [DOCS, MORE]],
    ['a delete', [MORE, LESS]],
  ] as const)('asks three times and looks at no record after %s', async (_name, all) => {
    for (const docs of all) await run(docs);
    const docs = all.at(-1) ?? DOCS;
    const next = await run(docs);
    expect([statuses, [...looked], next.plan.changes]).toEqual([[304, 304, 304], [], []]);
    file = undefined;
    const whole = await run(docs);
    expect(looked.size).toBeGreaterThan(0);
    expect([next.summary, next.plan.unmanaged]).toEqual([whole.summary, whole.plan.unmanaged]);
  });

  test.each(['before', 'after'])('sees what somebody wrote %s one of the creates', async (when) => {
    let isDone = false;
    const theirs = async (): Promise<void> => {
      if (isDone) return;
      isDone = true;
      await rig.editor().create('tag', { name: 'Theirs', slug: 'theirs' }, {});
    };
    await run(DOCS, (send) => async (request) => {
      if (request.method === 'PUT' && when === 'before') await theirs();
      const answer = await send(request);
      if (request.method === 'PUT' && when === 'after') await theirs();
      return answer;
    });
    expect((await run(DOCS)).plan.unmanaged.map(({ name }) => name)).toEqual(['Theirs']);
  });

  test('looks at what was written if an answer did not say when it was edited', async () => {
    await run(DOCS, (send) => async (request) => {
      const answer = await send(request);
      if (request.method === 'GET') return answer;
      const headers = new Headers(answer.headers);
      headers.delete('KB-Last-Edited');
      return new Response(await answer.text(), { status: answer.status, headers });
    });
    expect((await run(DOCS)).summary.unchanged).toBe(4);
    expect(looked.size).toBeGreaterThan(0);
  });

  test('compares the rows of the lists and looks at no record if a service does not tell', async () => {
    for (const docs of [DOCS, MORE, LESS]) {
      await run(docs, SILENT);
      const next = await run(docs);
      expect([statuses, [...looked], next.plan.changes]).toEqual([[200, 200, 200], [], []]);
      file = undefined;
      const whole = await run(docs);
      expect([next.summary, next.plan.unmanaged]).toEqual([whole.summary, whole.plan.unmanaged]);
    }
  });

  test.each(['a tag of theirs', 'an edit of ours'])(
    'sees %s among the rows if a service does not tell',
    async (what) => {
      await run(DOCS, SILENT);
      rig.clock.advance(5_000);
      const editor = rig.editor();
      if (what === 'a tag of theirs') await editor.create('tag', { name: 'Theirs', slug: 'theirs' }, {});
      else {
        const [tag] = (await editor.list('tag')).items;
        await editor.edit('tag', tag?.id ?? '', 'en', { name: 'Edited', slug: tag?.slug ?? '' }, {});
      }
      const { plan } = await run(DOCS);
      expect(looked.size).toBeGreaterThan(0);
      expect([plan.unmanaged.length, plan.drift.length]).toEqual(
        what === 'a tag of theirs' ? [1, 0] : [0, 1],
      );
    },
  );

  test('follows no tags through more than 200 writes, and looks at no record after them', async () => {
    const names = Array.from({ length: 201 }, (_, at) => [`tag/t${at}@en`, {}] as const);
    const docs = Object.fromEntries(names);
    await run(docs);
    await run(docs);
    expect([statuses, [...looked]]).toEqual([[200, 200, 200], []]);
    await run(docs);
    expect([statuses, [...looked]]).toEqual([[304, 304, 304], []]);
  });

  test('looks at the records if a create failed', async () => {
    await run(DOCS);
    const refused = (request: Request) => request.method === 'PUT' && request.url.endsWith('/articles');
    await run(
      MORE,
      (send) => (request) =>
        refused(request) ? Promise.resolve(new Response('no', { status: 422 })) : send(request),
    );
    const next = await run(MORE);
    expect(next.summary.created).toBeGreaterThan(0);
  });
});

describe('an outcome is not kept', () => {
  test('while a difference is open', async () => {
    await rig.sync(desiredState(DOCS));
    const { items } = await rig.editor().list('tag');
    const read = await rig.editor().read('tag', items[0]?.id ?? '');
    if (read.state !== 'found') throw new Error('no tag');
    const { fields } = read.record;
    const told = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    await rig.editor().edit('tag', read.record.id, 'en', { ...told, name: 'Theirs' }, {});
    for (let run = 0; run < 2; run += 1) {
      const { plan } = await rig.sync(desiredState(DOCS));
      expect(plan.drift.length).toBe(1);
    }
    expect(kept).toBeUndefined();
  });

  test('while a record whose file is gone waits for --prune', async () => {
    await rig.sync(desiredState(DOCS));
    const { 'tag/cli@en': _, ...others } = DOCS;
    const untagged = {
      ...others,
      'article/install@en': { fields: { categories: ['category/guide'] } },
    } as const;
    for (let run = 0; run < 3; run += 1) await rig.sync(desiredState(untagged));
    expect(kept).toBeUndefined();
  });
});

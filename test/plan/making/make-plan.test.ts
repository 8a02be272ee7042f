import { describe, expect, test } from 'vitest';
import type { Family, Key } from '../../../src/model/key.ts';
import { familyOf } from '../../../src/model/key.ts';
import type { BaseRecord } from '../../../src/model/record.ts';
import { namedRecords } from '../../../src/model/named-records.ts';
import { makePlan } from '../../../src/plan/making/make-plan.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import type { PlanInput } from '../../../src/plan/plan-input.ts';
import type { Digest } from '../../../src/model/digest.ts';
import { digestOf } from '../../../src/model/digest.ts';
import { emptyBase, knownRecord } from '../support/plan-inputs.ts';
import type { Files } from '../support/plan-model.ts';
import { edited, keyFrom, lived, shown } from '../support/plan-model.ts';
import type { RemoteSide } from '../../../src/plan/sides.ts';

function blocked(plan: Plan): readonly string[] {
  return plan.blocked.map(({ key, reason, message }) => `${key} ${reason}: ${message}`);
}

function changed({ changes }: Plan): readonly string[] {
  return changes.map(({ action, key }) => `${action} ${key}`);
}

function family(text: string): Family {
  return familyOf(keyFrom(text));
}

const A = { 'article/a@en': {} };
const CUT = { complete: false, count: 25 };

describe('a record waits', () => {
  test('while an earlier run’s create of it has no answer, and its translations with it', () => {
    const files = { ...A, 'article/a@fr': {} };
    const pending = new Map([[keyFrom('article/a@en'), 'it was sent at 10:00 and never answered']]);
    const plan = makePlan(lived({}, files, { pending }));
    expect(blocked(plan)).toEqual([
      'article/a@en pending: it was sent at 10:00 and never answered',
      'article/a@fr original-conflict: its original article/a@en is not on the service and cannot be created now',
    ]);
    expect(plan.changes).toEqual([]);
    expect(plan.blocked[0]?.at).toEqual({ file: 'en/article/a.md', line: 1, column: 1 });
  });

  test('while it has no original, because the API makes none in another language', () => {
    expect(blocked(makePlan(lived({}, { 'article/a@fr': {} })))).toEqual([
      'article/a@fr original-missing: it has no original: the API creates records in en and then adds other languages; write a file for article/a@en, or give both files the same translationKey',
    ]);
  });

  test('while a category or tag that it names cannot be made, or is gone from the service', () => {
    const files = {
      'article/a@en': { fields: { categories: ['category/c'] } },
      'category/c@en': {},
    };
    const message =
      'article/a@en reference-blocked: it names category/c, which is not on the service and cannot be created now';
    const pending = new Map([[keyFrom('category/c@en'), 'no answer yet']]);
    expect(blocked(makePlan(lived({}, files, { pending })))).toEqual([
      'category/c@en pending: no answer yet',
      message,
    ]);
    const input = lived({ 'category/c@en': {} }, files);
    expect(blocked(makePlan(shown(input, 'category/c@en', { state: 'absent' })))).toEqual([message]);
  });

  test('with its text alone, if it is a new category that pages are in; a known one stays as it is', () => {
    const files = { 'article/a@en': { fields: { categories: ['category/c'] } }, 'category/c@en': {} };
    const key = keyFrom('category/c@en');
    const at = { file: 'en/category/c.md', line: 1, column: 1 };
    const withheld = new Map([[key, { message: 'it stays', withoutText: 'its text waits', at }]]);
    const waiting = (input: PlanInput): Plan =>
      makePlan({ ...input, desired: { ...input.desired, withheld } });
    const made = waiting(lived({}, files));
    expect(changed(made)).toEqual(['create category/c@en', 'create article/a@en']);
    expect(blocked(made)).toEqual(['category/c@en file-errors: its text waits']);
    const known = waiting(lived({ 'category/c@en': {} }, files));
    expect(changed(known)).toEqual(['create article/a@en']);
    expect(blocked(known)).toEqual(['category/c@en file-errors: it stays']);
    // It waits for its file alone, whatever else it would wait for.
    const pending = new Map([[key, 'no answer yet']]);
    expect(blocked(waiting(lived({}, files, { pending })))).toEqual([
      'article/a@en reference-blocked: it names category/c, which is not on the service and cannot be created now',
      'category/c@en file-errors: it stays',
    ]);
  });

  test('while the list may be cut, because it could exist already; who vouches for the list gets it created', () => {
    const message = (why: string) =>
      `article/a@en list-incomplete: the article list may be truncated (${why}), so the record may exist already; --assume-complete creates it`;
    const input = lived({ 'tag/t@en': {} }, { ...A, 'tag/t@en': {} });
    const cut = (article: PlanInput['lists']['article']): PlanInput => ({
      ...input,
      lists: { ...input.lists, article },
    });
    expect(blocked(makePlan(cut({ ...CUT, why: '25 of 40 are shown' })))).toEqual([
      message('25 of 40 are shown'),
    ]);
    expect(blocked(makePlan(cut(CUT)))).toEqual([message('nothing proves that it is complete')]);
    const unread = { ...CUT, why: 'record 7 could not be read: no answer', isUnread: true };
    expect(blocked(makePlan(cut(unread)))).toEqual([
      'article/a@en list-incomplete: record 7 could not be read: no answer. That record may be this one. Run again; if the record still cannot be read, look at it on the site: if it is another one, --assume-complete creates this one',
    ]);
    const allow = new Set(['incomplete-list'] as const);
    expect(changed(makePlan({ ...cut(CUT), allow }))).toEqual(['create article/a@en']);
  });

  test('while it is a draft and the list may leave drafts out; who says that it is new gets it created', () => {
    const drafts = (files: Parameters<typeof lived>[1]): PlanInput => {
      const input = lived({}, files);
      const article = { ...input.lists.article, mayHideDrafts: true };
      return { ...input, lists: { ...input.lists, article } };
    };
    const draft = drafts({ 'article/a@en': { fields: { status: 'draft' } } });
    expect(blocked(makePlan(draft))).toEqual([
      'article/a@en list-incomplete: the list of articles shows no draft, so it may leave drafts out, and no state tells whether this one exists already; look on the site: if it is not there, --assume-complete creates it',
    ]);
    expect(makePlan(draft).refusals).toEqual([]);
    const allow = new Set(['incomplete-list'] as const);
    expect(changed(makePlan({ ...draft, allow }))).toEqual(['create article/a@en']);
    expect(changed(makePlan(drafts(A)))).toEqual(['create article/a@en']);
  });

  describe('while somebody else has its place', () => {
    const taken = (by: string | undefined, isOnlyPlace = false): RemoteSide => ({
      state: 'taken',
      by,
      record: knownRecord('article', '7', { title: 'theirs', slug: 'a' }),
      isOnlyPlace,
    });

    test('is told whose it is, and so is each translation of it', () => {
      const files = { ...A, 'article/a@fr': {} };
      const ids = new Map([[family('article/a@en'), '7']]);
      const told = blocked(makePlan(shown(lived({}, files, { ids }), 'article/a@en', taken('others'))));
      expect(told).toEqual([
        expect.stringMatching(
          /^article\/a@en taken: the record 7 .* belongs to another repository: its stamp names others;/,
        ),
        expect.stringMatching(/^article\/a@fr taken: the record 7 .* belongs to another repository/),
      ]);
      const [nameless] = blocked(makePlan(shown(lived(A, A), 'article/a@en', taken(undefined))));
      expect(nameless).toMatch(
        /taken: the record 7 on the service has its slug, and kbsync does not manage that record;/,
      );
    });

    test('of a category is no obstacle to what names it, where another repository keeps it', () => {
      const before = { 'category/c@en': {} };
      const files = { ...before, 'article/a@en': { fields: { categories: ['category/c'] } } };
      const side = (by: string | undefined): RemoteSide => ({
        state: 'taken',
        by,
        record: knownRecord('category', 'id-category/c', { name: 'theirs', slug: 'other' }),
        isOnlyPlace: false,
      });
      expect(changed(makePlan(shown(lived(before, files), 'category/c@en', side('others'))))).toEqual([
        'create article/a@en',
      ]);
      expect(blocked(makePlan(shown(lived(before, files), 'category/c@en', side(undefined))))).toEqual([
        expect.stringContaining('article/a@en reference-blocked'),
      ]);
    });

    test('is made beside it under another slug when asked, and its translations with it', () => {
      const files = { ...A, 'article/a@fr': {} };
      const record = knownRecord('article', '7', { title: 'theirs', slug: 'theirs' });
      const side = { state: 'taken', by: undefined, record, isOnlyPlace: false } as const;
      const input = shown(lived(A, files), 'article/a@en', side);
      expect(makePlan(input).conflicts).toMatchObject([{ code: 'replaced', id: '7', fields: [] }]);
      const choices = { ...input.choices, onConflict: 'local' as const };
      expect(changed(makePlan({ ...input, choices }))).toEqual([
        'create article/a@en',
        'create article/a@fr',
      ]);
    });

    test('is forgotten when its file is gone, although the list shows what is there', () => {
      const input = shown(lived(A, {}), 'article/a@en', taken('others'));
      const plan = makePlan({ ...input, seen: new Map([[family('article/a@en'), 'now']]) });
      expect([plan.learnt, changed(plan)]).toEqual([[{ how: 'forgotten', key: 'article/a@en' }], []]);
    });
  });

  test('while it cannot be read', () => {
    const input = shown(lived(A, A), 'article/a@en', { state: 'unknown', why: 'the service failed (500)' });
    expect(blocked(makePlan(input))).toEqual(['article/a@en unreadable: the service failed (500)']);
  });
});

describe('a record that exists', () => {
  test('is written also where the list may be cut', () => {
    const input = lived(A, { 'article/a@en': { fields: { title: 'B' } } });
    const plan = makePlan({ ...input, lists: { ...input.lists, article: CUT } });
    expect(changed(plan)).toEqual(['update article/a@en']);
  });

  test('is not looked for twice: what was not asked for is not there', () => {
    const files = { ...A, 'article/a@fr': {} };
    expect(changed(makePlan(lived(A, files)))).toEqual(['create article/a@fr']);
  });
});

describe('a translation that is new', () => {
  const files = { ...A, 'article/a@fr': {} };
  /** The service holds a record that fits the original by its slug, and no state says whose it is. */
  const found = (title: string): PlanInput => {
    const record = knownRecord('article', '7', {
      title,
      slug: 'a',
      categories: [],
      content: '<p>article/a@en</p>',
    });
    return shown(lived({}, files, { ids: new Map([[family('article/a@en'), '7']]) }), 'article/a@en', {
      state: 'known',
      record,
    });
  };

  test('is made after its original, in the same run', () => {
    const { changes } = makePlan(lived({}, files));
    expect(changes.map(({ key, id }) => [key, id])).toEqual([
      ['article/a@en', undefined],
      ['article/a@fr', undefined],
    ]);
  });

  test('is added to the record that equals its original', () => {
    const plan = makePlan(found('a in en'));
    expect(changed(plan)).toEqual(['create article/a@fr']);
    expect(plan.changes[0]?.id).toBe('7');
    expect(plan.learnt).toMatchObject([{ how: 'adopted', record: { id: '7', ownership: 'adopted' } }]);
  });

  test('is not added to a record that only has the slug of its original', () => {
    const plan = makePlan(found('theirs'));
    expect(plan.conflicts).toMatchObject([
      { key: 'article/a@en', code: 'both-new', id: '7', witness: 'none' },
    ]);
    expect(blocked(plan)).toEqual([
      'article/a@fr original-conflict: its original article/a@en has a conflict and may belong to another record; resolve the conflict of article/a@en first',
    ]);
  });

  test('is added to the record that its stamp proves to be its original', () => {
    const input = found('theirs');
    const stamped: BaseRecord = {
      key: keyFrom('article/a@en'),
      id: '7',
      ownership: 'created',
      sent: { title: 'before', slug: 'a', categories: [], content: '<p>article/a@en</p>' },
    };
    const plan = makePlan({ ...input, stamped: new Map([[stamped.key, stamped]]) });
    expect(plan.conflicts).toMatchObject([{ code: 'both-changed', witness: 'stamp' }]);
    expect(changed(plan)).toEqual(['create article/a@fr']);
  });

  test('a state that has from a stamp what was sent is no better witness', () => {
    const sent = { title: { digest: digestOf('before').slice(0, 10) as Digest }, slug: 'a', categories: [] };
    const base: BaseRecord = { key: keyFrom('article/a@en'), id: '7', ownership: 'created', sent };
    const plan = makePlan({ ...found('theirs'), base: emptyBase([base]) });
    expect(plan.conflicts).toMatchObject([{ code: 'both-changed', witness: 'stamp' }]);
  });
});

describe('what a list shows of a record is remembered', () => {
  const seen = new Map([[family('article/a@en'), 'now']]);
  const withSeen = (input: PlanInput, was: string | undefined): PlanInput => {
    const records = new Map<Key, BaseRecord>();
    for (const [key, record] of input.base.records) {
      const { seen: _, ...rest } = record;
      records.set(key, was === undefined ? rest : { ...rest, seen: was });
    }
    return { ...input, base: { ...input.base, records } };
  };
  const learntOf = ({ learnt }: Plan) =>
    learnt.flatMap((each) =>
      'record' in each && 'key' in each.record ? [[each.how, each.record.seen]] : [],
    );

  test('when the record is in sync, and not again when nothing is new', () => {
    expect(learntOf(makePlan(withSeen(lived(A, A, { seen }), 'before')))).toEqual([['refreshed', 'now']]);
    expect(learntOf(makePlan(withSeen(lived(A, A, { seen }), undefined)))).toEqual([['refreshed', 'now']]);
    expect(learntOf(makePlan(withSeen(lived(A, A, { seen }), 'now')))).toEqual([]);
  });

  test('no more once the record is not in sync: the next run reads it', () => {
    const input = edited(lived(A, A, { seen }), 'article/a@en', { title: 'theirs' });
    expect(learntOf(makePlan(withSeen(input, 'now')))).toEqual([['refreshed', undefined]]);
  });

  test('as before where a run looks at some of its languages only', () => {
    const files = { ...A, 'article/a@fr': {} };
    const input = lived(files, files, { seen, languages: ['en'] });
    expect(learntOf(makePlan(withSeen(input, 'before')))).toEqual([]);
    expect(learntOf(makePlan(withSeen(input, undefined)))).toEqual([]);
  });

  test('as before where an article shows no text although one was sent: the date is all that tells of an edit', () => {
    const input = edited(lived(A, A, { seen }), 'article/a@en', { content: '' });
    const records = new Map(
      [...input.base.records].map(([key, record]) => [key, { ...record, observed: { content: '' } }]),
    );
    const hidden = { ...input, base: { ...input.base, records } };
    expect(learntOf(makePlan(withSeen(hidden, 'before')))).toEqual([]);
  });

  test('as before where a record without a file could not be read: it may say something else by now', () => {
    const unread = { state: 'unknown', why: 'the service failed' } as const;
    const itself = shown(lived(A, {}, { seen }), 'article/a@en', unread);
    expect(learntOf(makePlan(withSeen(itself, 'before')))).toEqual([]);
    expect(learntOf(makePlan(withSeen(itself, undefined)))).toEqual([]);
    const files = { ...A, 'article/a@fr': {} };
    const translation = shown(lived(files, A, { seen }), 'article/a@fr', unread);
    expect(learntOf(makePlan(withSeen(translation, 'before')))).toEqual([]);
  });

  test('as before where a protected record without a file was edited: when the file comes back, the edit is told', () => {
    const files = { ...A, 'article/a@fr': {} };
    const guarded = (input: PlanInput): PlanInput => ({
      ...input,
      prune: true,
      desired: { ...input.desired, protects: namedRecords(['article/a@fr']) },
    });
    const same = lived(files, A, { seen });
    expect(learntOf(makePlan(withSeen(guarded(same), 'before')))).toEqual([['refreshed', 'now']]);
    const other = edited(same, 'article/a@fr', { title: 'theirs' });
    expect(learntOf(makePlan(withSeen(guarded(other), 'before')))).toEqual([]);
  });

  test('no more while a translation without a file has the slug that a run which died moved out of the way', () => {
    const input = lived({ ...A, 'article/a@fr': {} }, A, { seen });
    expect(learntOf(makePlan(withSeen(input, 'now')))).toEqual([]);
    const aside = edited(input, 'article/a@fr', { slug: 'a--kbsync-0a1b2c3d' });
    expect(learntOf(makePlan(withSeen(aside, 'now')))).toEqual([['refreshed', undefined]]);
  });

  test('not where the run is not about it', () => {
    const input = lived(A, A, { seen, languages: ['fr'] });
    expect(learntOf(makePlan(withSeen(input, 'before')))).toEqual([]);
  });

  test('together with the record, where that is learnt now', () => {
    const record = knownRecord('article', '7', {
      title: 'a in en',
      slug: 'a',
      categories: [],
      content: '<p>article/a@en</p>',
    });
    const ids = new Map([[family('article/a@en'), '7']]);
    const input = shown(lived({}, A, { seen, ids }), 'article/a@en', { state: 'known', record });
    expect(learntOf(makePlan(input))).toEqual([['adopted', 'now']]);
  });

  test('not for a record of which nothing is known, or which a stamp proves and the run writes', () => {
    const record = knownRecord('article', '7', { title: 'theirs', slug: 'a', categories: [], content: '' });
    const ids = new Map([[family('article/a@en'), '7']]);
    const input = shown(lived({}, A, { seen, ids }), 'article/a@en', { state: 'known', record });
    expect(learntOf(makePlan(input))).toEqual([]);
    const stamped: BaseRecord = {
      key: keyFrom('article/a@en'),
      id: '7',
      ownership: 'created',
      sent: record.fields,
    };
    const plan = makePlan({ ...input, stamped: new Map([[stamped.key, stamped]]) });
    expect(changed(plan)).toEqual(['update article/a@en']);
    expect(learntOf(plan)).toEqual([]);
  });

  test('when the same text came of other input: the base learns the input', () => {
    const input = lived(A, A);
    const records = new Map<Key, BaseRecord>();
    for (const [key, record] of input.base.records) {
      const { input: _, ...rest } = record;
      records.set(key, rest);
    }
    const plan = makePlan({ ...input, base: { ...input.base, records } });
    expect(plan.unchanged).toBe(1);
    expect(plan.learnt).toMatchObject([{ how: 'refreshed', record: { input: expect.any(String) } }]);
  });
});

describe('records that are not ours', () => {
  const article = {
    kind: 'article',
    id: '7',
    slug: 'hand',
    seen: 'x',
    name: 'By hand',
    isNew: true,
  } as const;

  test('are named, with the file that they were written from, if any; their translations are not', () => {
    const unmanaged = [
      article,
      { ...article, id: '8', isNew: false, was: 'article/old@en' },
      { ...article, id: '9', isTranslation: true } as const,
      { ...article, id: '10', by: 'github.com/acme/other' },
    ];
    const plan = makePlan(lived(A, A, { unmanaged }));
    expect(plan.unmanaged).toEqual([
      { kind: 'article', id: '7', name: 'By hand' },
      { kind: 'article', id: '8', name: 'By hand', was: 'article/old@en' },
      { kind: 'article', id: '10', name: 'By hand', by: 'github.com/acme/other' },
    ]);
  });

  test('are kept where deletes are asked for and a stamp says that we wrote them: no state says what', () => {
    const was = 'article/old@en';
    const unmanaged = [
      article,
      { ...article, id: '8', was },
      { ...article, id: '9', was, by: 'github.com/acme/other' },
      { ...article, id: '10', was, isTranslation: true } as const,
    ];
    const kept = { kind: 'article', key: was, id: '8', reason: 'no-state' };
    expect(makePlan(lived(A, A, { unmanaged, prune: true })).kept).toEqual([kept]);
    expect(makePlan(lived(A, A, { unmanaged, prune: false })).kept).toEqual([]);
    const only = { what: 'part', keys: new Set<never>() } as const;
    expect(makePlan(lived(A, A, { unmanaged, prune: true, only })).kept).toEqual([]);
    const desired = { ...lived(A, A).desired, releases: namedRecords([was]) };
    expect(makePlan({ ...lived(A, A, { unmanaged, prune: true }), desired }).kept).toEqual([]);
  });

  test('are remembered once, so that they are not read again', () => {
    const plan = makePlan(lived(A, A, { unmanaged: [article, { ...article, id: '8', isNew: false }] }));
    expect(plan.learnt).toEqual([
      { how: 'unmanaged', record: { kind: 'article', id: '7', slug: 'hand', seen: 'x' } },
    ]);
  });
});

describe('a plan', () => {
  test('gives ids of categories and tags the names of their files, and others what the service calls them', () => {
    const files = { ...A, 'category/guides/install@en': {}, 'tag/cli@en': {} };
    const labels = new Map([['z', 'By hand']]);
    expect(makePlan(lived(files, files, { labels })).labels).toEqual({
      'id-category/guides/install': 'guides/install',
      'id-tag/cli': 'cli',
      z: 'By hand',
    });
  });

  test('keeps moves, and goes on from where the record is now', () => {
    const record = lived(A, A).base.records.get(keyFrom('article/a@en'));
    if (record === undefined) throw new Error('it is known');
    const moves = [{ how: 'moved', record, from: keyFrom('article/old@en') }] as const;
    expect(makePlan(lived(A, A, { moves })).learnt).toEqual(moves);
  });

  test('of a service that shows nothing of what it knows is refused', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const files: Files = Object.fromEntries(names.map((name) => [`article/${name}@en`, {}]));
    const input: PlanInput = { ...lived(files, files), allow: new Set() };
    expect(makePlan(input).refusals).toEqual([]);
    const gone = names
      .slice(0, 4)
      .reduce((so, name) => shown(so, `article/${name}@en`, { state: 'absent' }), input);
    expect(makePlan(gone).refusals).toMatchObject([{ code: 'wrong-remote' }]);
    const seen = new Map(names.map((name): [Family, string] => [family(`article/${name}@en`), 'x']));
    expect(makePlan({ ...gone, seen }).refusals).toEqual([]);
    const listed = names.reduce((so, name) => shown(so, `article/${name}@en`, { state: 'base' }), input);
    expect(makePlan(listed).refusals).toEqual([]);
  });

  test('holds no change of a record in conflict, and says which fields are meant', () => {
    const at = { file: 'en/a.md', line: 2, column: 1 };
    const input = edited(
      lived(A, { 'article/a@en': { fields: { title: 'B', slug: 'b' } } }),
      'article/a@en',
      {
        title: 'theirs',
        content: '<p>theirs</p>',
      },
    );
    const desired = new Map(
      [...input.desired.records].map(([key, record]): [Key, typeof record] => [
        key,
        { ...record, places: () => ({ title: at }) },
      ]),
    );
    const plan = makePlan({ ...input, desired: { ...input.desired, records: desired } });
    expect(plan.changes).toEqual([]);
    expect(plan.conflicts).toMatchObject([
      {
        code: 'both-changed',
        witness: 'state',
        fields: [{ field: 'title', base: 'a in en', local: 'B', remote: 'theirs', at }],
        drift: [{ field: 'content', remote: '<p>theirs</p>' }],
      },
    ]);
  });
});

test('what is scheduled is listed by its moment, of the chosen languages only', () => {
  const input = lived({}, { 'article/a@en': {}, 'article/b@en': {}, 'article/c@en': {}, 'article/a@fr': {} });
  const at: Readonly<Record<string, string>> = {
    'article/a@en': '2030-01-02T00:00:00.000Z',
    'article/b@en': '2030-01-01T00:00:00.000Z',
    'article/a@fr': '2029-01-01T00:00:00.000Z',
    'article/c@en': '2030-01-01T00:00:00.000Z',
  };
  const records = new Map(
    [...input.desired.records].map(([key, record]) => {
      const moment = at[key];
      return [
        key,
        moment === undefined
          ? record
          : { ...record, scheduled: { becomes: 'published' as const, at: moment } },
      ];
    }),
  );
  const plan = makePlan({ ...input, desired: { ...input.desired, records }, languages: ['en'] });
  expect(plan.scheduled.map(({ key }) => key)).toEqual(['article/b@en', 'article/c@en', 'article/a@en']);
});

import { describe, expect, test } from 'vitest';
import { familyOf, type Family, type Key } from '../../src/model/key.ts';
import { namedRecords } from '../../src/model/named-records.ts';
import { makePlan } from '../../src/plan/making/make-plan.ts';
import type { BaseRecord } from '../../src/model/record.ts';
import type { PlanInput } from '../../src/plan/plan-input.ts';
import { movedEntry, openNames } from '../../src/plan/renamed.ts';
import { desiredState } from '../support/desired.ts';
import type { Files } from './support/plan-model.ts';
import { baseRecord, emptyBase, emptyInput, knownRecord } from './support/plan-inputs.ts';

const FAX = 'article/fax@en' as Key;
const SENT = { title: 'Fax', slug: 'fax', status: 'published', categories: [], content: '<p>f</p>' };

/** A record that lost its file, and a new file with its translation. */
function input(more: Partial<PlanInput> = {}): PlanInput {
  return {
    ...emptyInput(desiredState({ 'article/telefax@en': {}, 'article/telefax@de': {} })),
    base: emptyBase([baseRecord(FAX, 'article', '1', SENT)]),
    ids: new Map([[familyOf(FAX), '1']]),
    remote: new Map([[FAX, { state: 'known', record: knownRecord('article', '1', SENT) }]]),
    prune: true,
    ...more,
  };
}

const RENAMED: Partial<PlanInput> = {
  renamed: new Map([
    [
      'article/telefax' as Family,
      {
        from: 'article/fax' as Family,
        to: 'article/telefax' as Family,
        before: 'en/articles/fax.md',
        after: 'en/articles/telefax.md',
      },
    ],
  ]),
};

describe('a new file that git knows under the name of a record without a file', () => {
  test('is not sent, with its translations, and nothing is deleted', () => {
    const plan = makePlan(input(RENAMED));
    expect(plan.changes).toEqual([]);
    expect(plan.blocked.map(({ key, reason }) => `${key} ${reason}`)).toEqual([
      'article/telefax@en renamed',
      'article/telefax@de original-conflict',
    ]);
    expect(plan.blocked[0]?.message).toContain(
      '`moved: [{ from: article/fax, to: article/telefax }]` into kbsync.yaml',
    );
    expect(plan.kept).toMatchObject([{ key: FAX, reason: 'unsettled' }]);
  });

  test('is another page if somebody says so', () => {
    const plan = makePlan(input({ ...RENAMED, allow: new Set(['renamed']) }));
    expect(plan.changes.map(({ action, key }) => `${action} ${key}`)).toEqual([
      'create article/telefax@en',
      'create article/telefax@de',
      'delete article/fax@en',
    ]);
  });

  test('waits for that line also where the list is cut: --assume-complete would make the page a second time', () => {
    const { lists } = input();
    const cut = { ...lists, article: { ...lists.article, complete: false, why: '25 items' } };
    const reasons = (more: Partial<PlanInput>): readonly string[] =>
      makePlan(input({ ...RENAMED, lists: cut, ...more })).blocked.map(
        ({ key, reason }) => `${key} ${reason}`,
      );
    expect(reasons({})[0]).toBe('article/telefax@en renamed');
    expect(reasons({ allow: new Set(['renamed']) })[0]).toBe('article/telefax@en list-incomplete');
  });

  test('that git does not know so is made, and a record that is there is none of these', () => {
    expect(makePlan(input({ renamed: new Map() })).blocked).toEqual([]);
    const there = input({ ...RENAMED, ids: new Map([['article/telefax' as Family, '2']]) });
    expect(makePlan(there).blocked.filter(({ reason }) => reason === 'renamed')).toEqual([]);
  });
});

test('a new file of whose past git cannot tell waits if it has the title of a record without a file', () => {
  const from = 'article/fax' as Family;
  const to = 'article/telefax' as Family;
  const plan = makePlan(input({ renamed: new Map([[to, { from, to, after: 'en/articles/telefax.md' }]]) }));
  expect(plan.changes).toEqual([]);
  expect(plan.blocked[0]?.message).toBe(
    'it has the title of article/fax, which has no file now, and git cannot tell here whether it is that page under another name; to keep that record, with its id and old addresses, write `moved: [{ from: article/fax, to: article/telefax }]` into kbsync.yaml; if this is another page, --allow-renamed creates it',
  );
});

describe('titles that one new page and one record without a file have', () => {
  const fields = { title: 'Fax' };
  const pairs = (files: Files, gone: readonly BaseRecord[], more: Partial<PlanInput> = {}) => [
    ...(openNames({ ...emptyInput(desiredState(files)), base: emptyBase(gone), ...more })?.sameTitles ?? []),
  ];
  const old = (key: string, id: string) => baseRecord(key as Key, 'article', id, SENT);

  test('are known by the state, or from the list', () => {
    const files = { 'article/telefax@en': { fields } };
    expect(pairs(files, [old('article/fax@en', '1')])).toEqual([['article/telefax', 'article/fax']]);
    const row = {
      kind: 'article',
      id: '1',
      name: 'Fax',
      isNew: false,
      slug: 'fax',
      seen: '',
      was: FAX,
    } as const;
    expect(pairs(files, [], { unmanaged: [row] })).toEqual([['article/telefax', 'article/fax']]);
  });

  test('are none if several have them, or others', () => {
    const files = { 'article/telefax@en': { fields }, 'article/fax-again@en': { fields } };
    expect(pairs(files, [old('article/fax@en', '1')])).toEqual([]);
    const one = { 'article/telefax@en': { fields } };
    expect(pairs(one, [old('article/fax@en', '1'), old('article/b@en', '2')])).toEqual([]);
    expect(
      pairs({ 'article/telefax@en': { fields: { title: 'Mail' } } }, [old('article/fax@en', '1')]),
    ).toEqual([]);
  });

  test('are not asked of categories and tags, which are known by their names', () => {
    const category = baseRecord('category/fax@en' as Key, 'category', '1', { name: 'Fax', slug: 'fax' });
    expect(pairs({ 'category/telefax@en': { fields: { name: 'Fax' } } }, [category])).toEqual([]);
    expect(
      pairs({ 'category/telefax@en': { fields: { name: 'Fax' } } }, [old('article/fax@en', '1')]),
    ).toEqual([]);
  });
});

describe('what git is asked about', () => {
  const names = (more: Partial<PlanInput>) => {
    const open = openNames(input(more));
    return open === undefined ? undefined : [[...open.gone], [...open.made]];
  };
  const BOTH = [['article/fax'], ['article/telefax@en']];
  const row = { kind: 'article', id: '1', name: 'Fax', isNew: false, slug: 'fax', seen: '' } as const;
  const stamped = { base: emptyBase([]), unmanaged: [{ ...row, was: FAX }] };

  test('new originals, and records that lost their file: by the state, or by their stamp', () => {
    expect(names({})).toEqual(BOTH);
    expect(names(stamped)).toEqual(BOTH);
    expect(names({ ...stamped, unmanaged: [row] })).toBeUndefined();
    expect(names({ ...stamped, unmanaged: [{ ...row, was: FAX, by: 'other' }] })).toBeUndefined();
    expect(names({ ...stamped, unmanaged: [{ ...row, was: 'article/telefax@en' }] })).toBeUndefined();
  });

  test('in a run about single files, those alone: the others are not even made', () => {
    const all = input();
    const focus = (key: string) => ({ focus: { keys: new Set([key as Key]), untrusted: new Set<Family>() } });
    expect(names(focus('article/telefax@en'))).toEqual(BOTH);
    const records = new Map(all.desired.records);
    records.values = () => {
      throw new Error('test: all records were made');
    };
    const lazy = { desired: { ...all.desired, records } };
    expect(names({ ...lazy, ...focus('article/telefax@de') })).toBeUndefined();
  });

  test('nothing where no record is new, and none lost its file', () => {
    expect(names({ desired: desiredState({ 'article/fax@en': {} }) })).toBeUndefined();
    expect(names({ base: emptyBase([]) })).toBeUndefined();
    const translation = baseRecord('article/telefax@fr' as Key, 'article', '2', SENT);
    expect(names({ base: emptyBase([translation]) })).toBeUndefined();
  });

  test('not a record that is gone from the service too', () => {
    expect(names({ remote: new Map([[FAX, { state: 'absent' }]]) })).toBeUndefined();
  });

  test.each<readonly [string, (given: PlanInput) => Partial<PlanInput>]>([
    ['is excluded', ({ desired }) => ({ desired: { ...desired, excluded: () => new Set([FAX]) } })],
    [
      'has a file with errors',
      ({ desired }) => ({
        desired: {
          ...desired,
          withheld: new Map([[FAX, { message: 'x', at: { file: 'a', line: 1, column: 1 } }]]),
        },
      }),
    ],
    ['is protected', ({ desired }) => ({ desired: { ...desired, protects: namedRecords(['fax']) } })],
    ['is released', ({ desired }) => ({ desired: { ...desired, releases: namedRecords(['fax']) } })],
  ])('not a record that %s, known by the state or by its stamp', (_, more) => {
    expect(names(more(input()))).toBeUndefined();
    expect(names({ ...more(input()), ...stamped })).toBeUndefined();
  });
});

test('names that YAML may read otherwise are quoted', () => {
  expect(movedEntry({ from: 'article/a b' as Family, to: 'article/ä' as Family })).toBe(
    '{ from: "article/a b", to: "article/ä" }',
  );
});

import { describe, expect, test } from 'vitest';
import { familyOf, parseKey, type Key } from '../../src/model/key.ts';
import { namedRecords } from '../../src/model/named-records.ts';
import { makePlan } from '../../src/plan/making/make-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { PlanInput } from '../../src/plan/plan-input.ts';
import { desiredState, type FileSketch } from '../support/desired.ts';
import { baseRecord, emptyBase, emptyInput, knownRecord } from './support/plan-inputs.ts';

const TERMS = 'article/legal/terms@en' as Key;
const SHOWN = { title: 'Terms', slug: 'terms', status: 'published', categories: [], content: '<p>t</p>' };

/** A run over one managed record that is published as `terms`, with or without a file. */
function input(
  file: FileSketch | undefined,
  protect: readonly string[],
  more: Partial<PlanInput> = {},
): PlanInput {
  const files = desiredState(file === undefined ? { 'article/other@en': {} } : { [TERMS]: file });
  return {
    ...emptyInput({ ...files, protects: namedRecords(protect) }),
    base: emptyBase([baseRecord(TERMS, 'article', '1', SHOWN)]),
    ids: new Map([[familyOf(TERMS), '1']]),
    remote: new Map([[TERMS, { state: 'known', record: knownRecord('article', '1', SHOWN) }]]),
    prune: true,
    ...more,
  };
}

const fileOf = (fields: FileSketch['fields']): FileSketch => ({
  fields: { title: 'Terms', slug: 'terms', status: 'published', ...fields },
  body: '<p>t</p>',
});

const kept = (plan: Plan) => plan.kept.map(({ key, reason }) => `${key} ${reason}`);

describe('a protected record', () => {
  for (const word of [
    'legal/**',
    'legal/terms',
    'article/legal/terms',
    'legal/terms@en',
    TERMS,
    '**/terms',
    'legal/',
  ])
    test(`named as ${word} is not deleted, with --prune either`, () => {
      const plan = makePlan(input(undefined, [word]));
      expect(kept(plan)).toEqual([`${TERMS} protected`]);
      expect(plan.changes.filter(({ action }) => action === 'delete')).toEqual([]);
    });

  test('is not deleted whatever somebody edited, and whoever was chosen', () => {
    const edited = new Map([
      [
        TERMS,
        { state: 'known', record: knownRecord('article', '1', { ...SHOWN, title: 'Theirs' }) } as const,
      ],
    ]);
    for (const onConflict of ['fail', 'local'] as const) {
      const choices = { onConflict, onDrift: 'report', adopt: 'fail' } as const;
      const plan = makePlan(input(undefined, ['legal/**'], { remote: edited, choices }));
      expect([kept(plan), plan.conflicts]).toEqual([[`${TERMS} protected`], []]);
    }
  });

  test('keeps its slug and stays published: such a plan is refused as a whole, and says what to do', () => {
    for (const [fields, words] of [
      [{ slug: 'conditions' }, 'slug "conditions" (the service shows "terms")'],
      [{ status: 'draft' }, 'status "draft" (the service shows "published")'],
    ] as const) {
      const plan = makePlan(input(fileOf({ title: 'New', ...fields }), ['legal/**']));
      expect(plan.changes).toEqual([]);
      expect(plan.refusals.map(({ code, flag }) => [code, flag])).toEqual([['protected', undefined]]);
      expect(plan.blocked).toMatchObject([{ key: TERMS, reason: 'protected' }]);
      expect(plan.blocked[0]?.message).toBe(
        `it is protected, but its file says ${words}; write the service's value into en/article/legal/terms.md, or take the record out of \`protect\` in kbsync.yaml`,
      );
    }
  });

  test('of which only a stamp remembers the slug keeps it too', () => {
    const stamped = new Map([[TERMS, baseRecord(TERMS, 'article', '1', SHOWN, true)]]);
    const shown = knownRecord('article', '1', { title: 'Terms', content: '<p>t</p>' });
    const choices = { onConflict: 'local', onDrift: 'report', adopt: 'fail' } as const;
    const plan = makePlan(
      input(fileOf({ slug: 'conditions' }), ['legal/**'], {
        base: emptyBase([]),
        stamped,
        remote: new Map([[TERMS, { state: 'known', record: shown }]]),
        choices,
      }),
    );
    expect(plan.blocked[0]?.message).toContain('its file says slug "conditions"; write');
    expect(plan.refusals).toMatchObject([{ code: 'protected' }]);
  });

  test('gets every other edit of its file, and the slug that a run which died had moved', () => {
    const change = (plan: Plan) =>
      plan.changes.map(({ key, fields }) => [key, fields.map(({ field }) => field)]);
    expect(change(makePlan(input(fileOf({ title: 'New' }), ['legal/**'])))).toEqual([[TERMS, ['title']]]);
    const marked = knownRecord('article', '1', { ...SHOWN, slug: 'terms--kbsync-0123abcd' });
    const remote = new Map([[TERMS, { state: 'known', record: marked } as const]]);
    expect(change(makePlan(input(fileOf({}), ['legal/**'], { remote })))).toEqual([[TERMS, ['slug']]]);
  });

  test('is published from a draft, and a draft stays one', () => {
    const draft = { ...SHOWN, status: 'draft' };
    const about = {
      base: emptyBase([baseRecord(TERMS, 'article', '1', draft)]),
      remote: new Map([[TERMS, { state: 'known', record: knownRecord('article', '1', draft) } as const]]),
    };
    expect(makePlan(input(fileOf({}), ['legal/**'], about)).changes).toMatchObject([{ action: 'update' }]);
    const still = makePlan(input(fileOf({ title: 'New', status: 'draft' }), ['legal/**'], about));
    expect([still.changes.length, still.refusals]).toEqual([1, []]);
  });

  test('keeps its protection when its file moves away from the name', () => {
    const to = 'article/conditions@en' as Key;
    const shown = baseRecord(to, 'article', '1', SHOWN);
    const plan = makePlan({
      ...input(undefined, ['legal/**', 'elsewhere']),
      desired: {
        ...desiredState({ [to]: fileOf({ slug: 'conditions' }) }),
        protects: namedRecords(['legal/**']),
      },
      base: emptyBase([shown]),
      moves: [
        { how: 'forgotten', key: 'article/x@en' as Key },
        { how: 'moved', record: shown, from: TERMS },
      ],
      ids: new Map([[familyOf(to), '1']]),
      remote: new Map([[to, { state: 'known', record: knownRecord('article', '1', SHOWN) }]]),
    });
    expect(plan.refusals).toMatchObject([{ code: 'protected' }]);
  });
});

test('a word that fits no record is named, and nothing is deleted while it may be a mistake', () => {
  const plan = makePlan(input(undefined, ['legl/**', 'other']));
  expect([plan.unmatched, kept(plan)]).toEqual([['legl/**'], [`${TERMS} unsettled`]]);
  expect(plan.holds).toEqual([{ what: 'unmatched', word: 'legl/**' }]);
  const waits = { message: 'its file has errors', at: { file: 'x.md', line: 1, column: 1 } };
  const { desired, ...rest } = input(fileOf({}), ['gone']);
  const faulty = { ...desired, withheld: new Map([['article/gone@en' as Key, waits]]) };
  expect(makePlan({ ...rest, desired: faulty }).unmatched).toEqual([]);
  const focus = { keys: new Set([TERMS]), untrusted: new Set<never>() };
  expect(makePlan(input(fileOf({}), ['nothing'], { focus })).unmatched).toEqual([]);
});

test('a refusal names the first records of many', () => {
  const keys = ['a', 'b', 'c', 'd'].map((name) => `article/${name}@en` as Key);
  const plan = makePlan({
    ...input(undefined, ['**']),
    desired: {
      ...desiredState(Object.fromEntries(keys.map((key) => [key, fileOf({ slug: `${key.slice(8, 9)}2` })]))),
      protects: namedRecords(['**']),
    },
    base: emptyBase(
      keys.map((key) =>
        baseRecord(key, 'article', parseKey(key)?.path ?? '', { ...SHOWN, slug: parseKey(key)?.path ?? '' }),
      ),
    ),
    ids: new Map(keys.map((key) => [familyOf(key), parseKey(key)?.path ?? ''])),
    remote: new Map(keys.map((key) => [key, { state: 'base' }])),
  });
  expect(plan.refusals[0]?.message).toMatch(/^article\/a@en, article\/b@en, article\/c@en and 1 more: /);
});

import { describe, expect, test } from 'vitest';
import { familyOf, type Key } from '../../src/model/key.ts';
import { namedRecords } from '../../src/model/named-records.ts';
import { makePlan } from '../../src/plan/making/make-plan.ts';
import type { PlanInput } from '../../src/plan/plan-input.ts';
import { desiredState } from '../support/desired.ts';
import { baseRecord, emptyBase, emptyInput, knownRecord } from './support/plan-inputs.ts';

const FAX = 'article/old/fax@en' as Key;
const SENT = { title: 'Fax', slug: 'fax', status: 'published', categories: [], content: '<p>f</p>' };
const REMOTES: Readonly<Record<string, NonNullable<ReturnType<PlanInput['remote']['get']>>>> = {
  'as it was': { state: 'known', record: knownRecord('article', '1', SENT) },
  'edited on the site': {
    state: 'known',
    record: knownRecord('article', '1', { ...SENT, title: 'Telefax' }),
  },
  'not read': { state: 'unknown', why: 'it was not read' },
  gone: { state: 'absent' },
};

function input(
  remote: NonNullable<ReturnType<PlanInput['remote']['get']>>,
  released: readonly string[],
): PlanInput {
  return {
    ...emptyInput({ ...desiredState({ 'article/other@en': {} }), releases: namedRecords(released) }),
    base: emptyBase([baseRecord(FAX, 'article', '1', SENT)]),
    ids: new Map([[familyOf(FAX), '1']]),
    remote: new Map([[FAX, remote]]),
    prune: true,
  };
}

describe('a released record without a file', () => {
  test.each(Object.entries(REMOTES))(
    '%s: is forgotten, with --prune too, and nothing is sent',
    (_, remote) => {
      const plan = makePlan(input(remote, ['old/**']));
      expect(plan.learnt).toContainEqual({ how: 'forgotten', key: FAX, isReleased: true });
      expect(plan.changes.map(({ action }) => action)).toEqual(['create']);
      expect([plan.conflicts, plan.kept, plan.refusals]).toEqual([[], [], []]);
    },
  );

  test('is released also where it is protected: nothing of it is deleted', () => {
    const both = input(REMOTES['as it was'] ?? { state: 'absent' }, ['old/fax']);
    const plan = makePlan({ ...both, desired: { ...both.desired, protects: namedRecords(['old/**']) } });
    expect(plan.learnt).toContainEqual({ how: 'forgotten', key: FAX, isReleased: true });
    expect(plan.kept).toEqual([]);
  });

  test('one that no word names is deleted as always', () => {
    const plan = makePlan(input(REMOTES['as it was'] ?? { state: 'absent' }, ['new/**']));
    expect(plan.changes.map(({ action }) => action)).toContain('delete');
  });
});

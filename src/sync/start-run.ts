import { recordedJournal } from '../base/history/recorded-journal.ts';
import type { Family, Key } from '../model/key.ts';
import { idKey, kindOf } from '../model/key.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunOptions } from './options.ts';
import type { Run } from './run.ts';

export function startRun(input: PlanInput, plan: Plan, options: RunOptions, startMs: number): Run {
  const { remote, base, policy, repository, clock, random, emit, signal, saveTrash, history } = options;
  const records = new Map(input.base.records);
  for (const learnt of plan.learnt) {
    if (learnt.how === 'forgotten') records.delete(learnt.key);
    else if (learnt.how !== 'unmanaged') records.set(learnt.record.key, learnt.record);
  }
  return {
    remote,
    journal: history === undefined ? base.journal : recordedJournal(base.journal, history),
    desired: input.desired,
    input,
    policy,
    repository,
    clock,
    random,
    emit,
    signal,
    startMs,
    saveTrash,
    records,
    ids: new Map<Family, string>(input.ids),
    owners: new Map([...input.ids].map(([family, id]) => [idKey(kindOf(family), id), family])),
    dates: new Map(),
    written: new Map<Key, never>(),
    habits: input.ways.habits,
    addedEntries: new Map(),
    otherMarkups: new Set(),
    lost: [],
    writtenAtMs: new Map(),
    files: new Map(),
    deleted: new Set(),
    ownFields: new Set(),
    views: new Map(input.views),
    drifted: new Set(),
    deleteLists: new Map(),
    removals: new Map(),
    toldIds: new Map(),
    isListLate: false,
    vouchedFor: new Set(),
    stop: undefined,
    open: [],
  };
}

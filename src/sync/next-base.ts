import type { Key } from '../model/key.ts';
import { familyOf, idKey, isOriginal } from '../model/key.ts';
import { nameFieldOf } from '../model/fields.ts';
import type { BaseRecord, BaseState, UnmanagedRecord } from '../model/record.ts';
import type { Plan } from '../plan/plan.ts';
import type { Run } from './run.ts';
import { stillPulled } from './survey/pulled-pages.ts';
import { withTranslationMarks } from './translation-marks.ts';

/**
 * The base after a run for some records, which knew those and what is around them: scope and memos are about the lists, which such a
 * run has not seen.
 */
export function focusedBase(before: BaseState, run: Run): BaseState {
  const capabilities = run.remote.capabilities();
  const records = new Map(before.records);
  for (const key of run.input.base.records.keys()) if (!run.records.has(key)) records.delete(key);
  for (const [key, record] of marked(before, run)) records.set(key, record);
  return stillPulled(
    {
      ...ownedBy(before, run),
      capabilities,
      ...habitsOf(run),
      records,
    },
    run.desired,
  );
}

/** The base after a whole run. */
export function wholeBase(before: BaseState, plan: Plan, run: Run): BaseState {
  const memos = new Map(before.unmanaged);
  for (const learnt of plan.learnt)
    if (learnt.how === 'unmanaged') memos.set(idKey(learnt.record.kind, learnt.record.id), learnt.record);
  return stillPulled(
    {
      ...ownedBy(before, run),
      // While records are kept whose file is gone, the old scope stays: a later --prune must still see that it changed.
      scopeDigest:
        // A part says nothing of the records outside of it.
        (plan.kept.every(({ reason }) => reason === 'no-state') && run.policy.only === undefined) ||
        run.policy.allow.has('scope-change') ||
        before.scopeDigest === undefined
          ? run.desired.scopeDigest
          : before.scopeDigest,
      capabilities: run.remote.capabilities(),
      ...habitsOf(run),
      records: sorted(marked(before, run)),
      unmanaged: new Map([...stillUnmanaged(memos, run), ...disputed(plan, run)]),
    },
    run.desired,
  );
}

function habitsOf({ habits }: Run): Pick<BaseState, 'habits'> {
  return Object.keys(habits).length === 0 ? {} : { habits };
}

/** From now on the state says whose it is. */
function ownedBy(before: BaseState, { repository: { id } }: Run): BaseState {
  return id === undefined ? before : { ...before, repository: id };
}

function marked(before: BaseState, run: Run): ReadonlyMap<Key, BaseRecord> {
  return withTranslationMarks(before.records, run.records, run.desired.defaultLanguage);
}

/** Memos of records that the lists still show and that nobody has claimed since. */
function stillUnmanaged(
  memos: ReadonlyMap<string, UnmanagedRecord>,
  run: Run,
): ReadonlyMap<string, UnmanagedRecord> {
  const shown = new Set(run.input.unmanaged.map(({ kind, id }) => idKey(kind, id)));
  return new Map([...memos].filter(([name]) => shown.has(name)));
}

/**
 * Records of which the slug alone says whose they are, and which say something else than their files: a file that gets another slug
 * before somebody has decided waits for its record, and makes no second one.
 */
function disputed(
  { conflicts }: Plan,
  { input, desired, records }: Run,
): ReadonlyMap<string, UnmanagedRecord> {
  return new Map(
    conflicts.flatMap(({ key, kind, witness }) => {
      const side = input.remote.get(key);
      if (witness !== 'none' || side?.state !== 'known' || records.has(key) || !isOriginal(key, desired))
        return [];
      const { id, fields, stamp } = side.record;
      const { slug, [nameFieldOf(kind)]: name } = fields;
      if (stamp !== undefined || typeof slug !== 'string' || typeof name !== 'string') return [];
      const family = familyOf(key);
      const seen = input.seen.get(family) ?? '';
      return [[idKey(kind, id), { kind, id, slug, seen, waits: { family, name } }] as const];
    }),
  );
}

function sorted(records: ReadonlyMap<Key, BaseRecord>): ReadonlyMap<Key, BaseRecord> {
  return new Map([...records].sort(([a], [b]) => (a < b ? -1 : 1)));
}

import { isList } from '../../../model/fields.ts';
import type { Key } from '../../../model/key.ts';
import { kindOf } from '../../../model/key.ts';
import type { BaseValue, KnownRecord } from '../../../model/record.ts';
import { isDigest } from '../../../plan/compare.ts';
import { habitName } from '../../../plan/likeness.ts';
import type { Run } from '../../run.ts';
import { isAtOnce } from './learn-habits.ts';

/** A read right after the write may show an editor's work once; the same entry at a second record is the service's own. */
const PROOFS_MIN = 2;

/**
 * Entries that the service puts into a list by itself, as automations of help desks give pages a tag: records that were read right
 * after their write show them, and were not sent them. What an earlier run learnt of other records counts too.
 */
export function learnAddedEntries(
  shown: readonly { readonly key: Key; readonly record: KnownRecord }[],
  run: Run,
): void {
  const proofs = new Map<string, Map<string, number>>();
  const count = (habit: string, ids: readonly string[]): void => {
    const counts = proofs.get(habit) ?? new Map<string, number>();
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    proofs.set(habit, counts);
  };
  const fresh = shown.filter(({ key, record }) => run.written.has(key) && isAtOnce(key, record, run));
  for (const { key, record } of fresh) {
    for (const [name, sent] of Object.entries(run.written.get(key) ?? {})) {
      // What the file took out is still there: the service did not do that, and put nothing in.
      const before = listIn(run.input.base.records.get(key)?.sent[name]) ?? [];
      const added = addedTo(sent, record.fields[name]).filter((id) => !before.includes(id));
      count(habitName({ kind: kindOf(key), name }), added);
    }
  }
  if ([...proofs.values()].every(({ size }) => size === 0)) return;
  const read = new Set(fresh.map(({ key }) => key));
  for (const { key, sent, observed = {}, accepted = [] } of run.records.values()) {
    if (read.has(key)) continue;
    for (const [name, value] of Object.entries(observed)) {
      if (!accepted.includes(name)) count(habitName({ kind: kindOf(key), name }), addedTo(sent[name], value));
    }
  }
  for (const [habit, counts] of proofs) {
    const proved = [...counts].filter(([, times]) => times >= PROOFS_MIN).map(([id]) => id);
    run.addedEntries.set(habit, new Set(proved));
  }
}

/** What one list has beyond another one; nothing if they are no lists, or if it does not have all of it. */
function addedTo(sent: BaseValue | undefined, shown: BaseValue | undefined): readonly string[] {
  const [ours, theirs] = [listIn(sent), listIn(shown)];
  if (ours === undefined || theirs === undefined || !ours.every((id) => theirs.includes(id))) return [];
  return theirs.filter((id) => !ours.includes(id));
}

function listIn(value: BaseValue | undefined): readonly string[] | undefined {
  return value === undefined || isDigest(value) || !isList(value) ? undefined : value;
}

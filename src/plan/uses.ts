import type { Key, Kind } from '../model/key.ts';
import { kindOf } from '../model/key.ts';
import type { BaseValue } from '../model/record.ts';
import { isDigest, isList, referenceFieldsOf } from './compare.ts';
import type { Change } from './plan.ts';
import type { PlanInput } from './plan-input.ts';
import { shownBy } from './reconcile.ts';

/**
 * Which records name a category or tag by its id once these changes are carried out, as far as this run knows it: a
 * record that it writes says what its file says, one that was read says what the service shows, any other what the last
 * sync left there. Records that are `going`, and those of nobody's files, are not asked. An id is one of its kind: a
 * service may count categories and tags apart.
 */
export function usersAfter(
  changes: readonly Change[],
  input: PlanInput,
): (kind: Kind, id: string, going: ReadonlySet<Key>) => readonly Key[] {
  const written = new Map(changes.map((change) => [change.key, change]));
  const users = new Map<string, Key[]>();
  for (const key of new Set([...input.base.records.keys(), ...input.desired.records.keys()])) {
    for (const { name, of } of referenceFieldsOf(kindOf(key))) {
      const planned = written.get(key)?.fields.find(({ field }) => field === name);
      const value = planned === undefined ? valueNow(key, name, input) : planned.after;
      for (const id of idsIn(value)) {
        const known = users.get(useOf(of, id));
        if (known === undefined) users.set(useOf(of, id), [key]);
        else known.push(key);
      }
    }
  }
  return (kind, id, going) => (users.get(useOf(kind, id)) ?? []).filter((key) => !going.has(key)).toSorted();
}

function useOf(kind: Kind, id: string): string {
  return `${kind} ${id}`;
}

function valueNow(key: Key, field: string, input: PlanInput): BaseValue | undefined {
  const side = input.remote.get(key);
  if (side?.state === 'known') return shownBy(side, field);
  if (side?.state === 'absent') return undefined;
  const base = input.base.records.get(key);
  return base?.observed?.[field] ?? base?.sent[field];
}

function idsIn(value: BaseValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return value === undefined || isDigest(value) || !isList(value) ? [] : value;
}

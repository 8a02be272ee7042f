import type { LoadedBase } from '../base/base.ts';
import type { Family, Key } from '../model/key.ts';
import { familyOf, keyIn, kindOf, langOf } from '../model/key.ts';
import type { BaseState, DesiredState } from '../model/record.ts';

/**
 * The base without records that speak of a record of the service that is no more: a create was sent for the key since
 * (the record had been deleted there, and the files won), or the original was made anew under another id than its
 * translations remember. What became of such records is found out as in a fresh clone.
 */
export function consistentBase({ state, open }: LoadedBase, defaultLanguage: string): BaseState {
  const resent = new Set(open.filter(({ action }) => action === 'create').map(({ key }) => familyOf(key)));
  const isStale = ({ key, id }: { readonly key: Key; readonly id: string }): boolean => {
    const family = familyOf(key);
    const original = state.records.get(keyIn(family, defaultLanguage));
    return resent.has(family) || (original !== undefined && original.id !== id);
  };
  const stale = [...state.records.values()].filter(isStale);
  if (stale.length === 0) return state;
  const records = new Map(state.records);
  for (const { key } of stale) records.delete(key);
  return { ...state, records };
}

/**
 * The id of each family, as the base knows it. A translation whose original has moved away under another key says
 * nothing: the id it remembers is that record's.
 */
export function baseIds(base: BaseState, defaultLanguage: string): Map<Family, string> {
  const ids = new Map<Family, string>();
  const taken = new Set<string>();
  const records = [...base.records.values()];
  for (const { key, id } of records) {
    if (langOf(key) !== defaultLanguage) continue;
    ids.set(familyOf(key), id);
    taken.add(`${kindOf(key)} ${id}`);
  }
  for (const { key, id } of records) {
    const family = familyOf(key);
    if (!ids.has(family) && !taken.has(`${kindOf(key)} ${id}`)) ids.set(family, id);
  }
  return ids;
}

/**
 * The id by which a record of the base is read. A translation that stayed behind when its original moved to another key
 * is read by the id it remembers, so that it can still be deleted, unless the other key has that language too.
 */
export function idInBase(
  key: Key,
  base: BaseState,
  ids: ReadonlyMap<Family, string>,
  desired: DesiredState,
): string | undefined {
  const id = ids.get(familyOf(key));
  const record = base.records.get(key);
  if (id !== undefined || record === undefined || desired.records.has(key)) return id;
  const isTaken = [...ids].some(([family, other]) => {
    const twin = keyIn(family, langOf(key));
    return (
      other === record.id &&
      kindOf(family) === kindOf(key) &&
      (desired.records.has(twin) || base.records.has(twin))
    );
  });
  return isTaken ? undefined : record.id;
}

import type { LoadedBase } from '../../base/base.ts';
import type { Family, Key, Lang, RemoteId } from '../../model/key.ts';
import { familyOf, idKey, keyIn, kindOf, langOf, isOriginal } from '../../model/key.ts';
import { once } from '../../model/once.ts';
import type { BaseRecord, BaseState, DesiredState } from '../../model/record.ts';

/**
 * The base without records that speak of a record of the service that is no more: a create was sent for the key since
 * (the record had been deleted there, and the files won), or the original was made again under another id than its
 * translations remember. What became of such records is found out as in a fresh clone. And with one key for a record that
 * moved: a run that died after the first write under the new key leaves both. If its file went back since, it has the old key and what was
 * written last.
 */
export function consistentBase(loaded: LoadedBase, desired: DesiredState): BaseState {
  const { state } = loaded;
  const resent = resentFamilies(loaded);
  const owners = ownersOf(state, desired);
  const originals = once(
    () =>
      new Set(
        [...state.records.values()].flatMap(({ key, id }) =>
          isOriginal(key, desired) ? [idKey(kindOf(key), id)] : [],
        ),
      ),
  );
  const isStale = ({ key, id }: BaseRecord): boolean => {
    const family = familyOf(key);
    const original = state.records.get(keyIn(family, desired.defaultLanguage));
    // A translation that its original left behind is known by its id (plan/moves.ts).
    const isRemade = original !== undefined && original.id !== id && !originals().has(idKey(kindOf(key), id));
    return resent.has(family) || isRemade || owners.get(addressOf(key, id)) !== key;
  };
  const stale = [...state.records.values()].filter(isStale);
  if (stale.length === 0) return state;
  const records = new Map(state.records);
  const last = new Map([...records.values()].map((record) => [addressOf(record.key, record.id), record]));
  for (const { key } of stale) records.delete(key);
  for (const [key, { id }] of records) {
    const newest = last.get(addressOf(key, id));
    if (newest !== undefined && newest.key !== key) records.set(key, { ...newest, key });
  }
  return { ...state, records };
}

/** Families of which a create was sent, and nobody knows whether it arrived. */
export function resentFamilies({ open }: Pick<LoadedBase, 'open'>): ReadonlySet<Family> {
  return new Set(open.filter(({ action }) => action === 'create').map(({ key }) => familyOf(key)));
}

/** Which key has each record of the service: of those with a file, else of all, the one written last. */
function ownersOf(state: BaseState, desired: DesiredState): ReadonlyMap<string, Key> {
  const owners = new Map<string, Key>();
  for (const { key, id } of state.records.values()) {
    const address = addressOf(key, id);
    const owner = owners.get(address);
    if (owner === undefined || desired.records.has(key) || !desired.records.has(owner))
      owners.set(address, key);
  }
  return owners;
}

function addressOf(key: Key, id: string): string {
  return `${kindOf(key)} ${langOf(key)} ${id}`;
}

/**
 * The id of each family, as the base knows it. A translation whose original has moved away under another key says
 * nothing: the id it remembers is that record's.
 */
export function baseIds(base: BaseState, defaultLanguage: Lang): Map<Family, RemoteId> {
  const ids = new Map<Family, RemoteId>();
  const taken = new Set<string>();
  const records = [...base.records.values()];
  for (const { key, id } of records) {
    if (!isOriginal(key, { defaultLanguage })) continue;
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
 * is read by the id it remembers, so it can still be deleted, unless the other key has that language too.
 */
export function idInBase(
  key: Key,
  base: BaseState,
  { ids, families }: Identities,
  desired: DesiredState,
): string | undefined {
  const id = ids.get(familyOf(key));
  const record = base.records.get(key);
  if (id !== undefined || record === undefined || desired.records.has(key)) return id;
  const isTaken = (families().get(idKey(kindOf(key), record.id)) ?? []).some((family) => {
    const twin = keyIn(family, langOf(key));
    return desired.records.has(twin) || base.records.has(twin);
  });
  return isTaken ? undefined : record.id;
}

/** The ids of families, and the families of ids by `idKey`. */
export interface Identities {
  readonly ids: ReadonlyMap<Family, RemoteId>;
  readonly families: () => ReadonlyMap<string, readonly Family[]>;
}

export function identitiesOf(ids: ReadonlyMap<Family, RemoteId>): Identities {
  const families = once(() => {
    const found = new Map<string, Family[]>();
    for (const [family, id] of ids) {
      const name = idKey(kindOf(family), id);
      const others = found.get(name);
      if (others === undefined) found.set(name, [family]);
      else others.push(family);
    }
    return found;
  });
  return { ids, families };
}

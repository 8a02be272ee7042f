import type { Kind, RemoteId } from '../model/key.ts';
import { idKey, kindOf } from '../model/key.ts';
import { once } from '../model/once.ts';
import type { BaseState } from '../model/record.ts';

/** Whether an id is an original's of the last sync: a translation's record has the id of its original. */
export function isOriginalIn({ records }: Pick<BaseState, 'records'>): (kind: Kind, id: RemoteId) => boolean {
  const ids = once(() => new Set([...records.values()].map(({ key, id }) => idKey(kindOf(key), id))));
  return (kind, id) => ids().has(idKey(kind, id));
}

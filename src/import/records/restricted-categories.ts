import type { Skipped } from '../record.ts';
import type { SortedOut, WantedRecord } from './sort-out.ts';

/**
 * Categories have no status here: a sync shows every one of them. So one that not everybody may see, or that holds
 * nothing but what not everybody may read, is left out, and what is in it moves up to the next one that comes. What lies
 * only in categories that not everybody may see is a draft.
 */
export function withoutRestricted(sorted: SortedOut): SortedOut {
  const categories = new Map<string, WantedRecord>();
  for (const record of sorted.records) {
    const known = categories.get(record.id);
    if (record.kind !== 'category' || known?.restricted !== undefined) continue;
    if (known === undefined || record.restricted !== undefined) categories.set(record.id, record);
  }
  const chain = (id: string | undefined): readonly string[] => {
    const ids: string[] = [];
    for (let at = id; at !== undefined && !ids.includes(at); at = categories.get(at)?.parents[0])
      ids.push(at);
    return ids;
  };
  const reason = (id: string): string | undefined =>
    chain(id).flatMap((at) => categories.get(at)?.restricted ?? [])[0];
  const inherited = sorted.records.map((record) => {
    const reasons = record.kind === 'article' ? record.parents.map(reason) : [];
    const [first] = reasons;
    const isClosed = record.restricted === undefined && first !== undefined && !reasons.includes(undefined);
    return isClosed ? { ...record, restricted: first } : record;
  });
  const open = new Set<string>();
  const closed = new Set<string>();
  for (const record of inherited) {
    if (record.kind !== 'article') continue;
    for (const parent of record.parents) {
      for (const id of chain(parent)) (record.restricted === undefined ? open : closed).add(id);
    }
  }
  const isLeft = (id: string): boolean => reason(id) !== undefined || (closed.has(id) && !open.has(id));
  const left = new Set([...categories.keys()].filter(isLeft));
  if (left.size === 0) return { ...sorted, records: inherited };
  const skipped: Skipped[] = inherited
    .filter(({ kind, id }) => kind === 'category' && left.has(id))
    .map(({ id, lang, title, at }) => {
      const why = reason(id) ?? 'no article in it is for everybody, and a category cannot be a draft';
      return { at, what: `category ${id} ${JSON.stringify(title)} in ${lang}`, reason: 'restricted', why };
    });
  const records = inherited
    .filter(({ kind, id }) => kind !== 'category' || !left.has(id))
    .map((record) => {
      const parents = record.parents.flatMap((id) => chain(id).find((at) => !left.has(at)) ?? []);
      return { ...record, parents: [...new Set(parents)] };
    });
  return { ...sorted, records, skipped: [...sorted.skipped, ...skipped] };
}

import type { Family, Key } from '../../../model/key.ts';
import { familyOf, idKey, isOriginal, keyIn, kindOf } from '../../../model/key.ts';
import type {
  BaseRecord,
  BaseState,
  DesiredState,
  KnownRecord,
  ListedRecord,
} from '../../../model/record.ts';
import { differsFromBase, idToCome, ownedFields } from '../../../plan/compare.ts';
import { waysIn } from '../../../plan/likeness.ts';
import { remoteIsBase } from '../../../plan/field-standing.ts';
import type { ReadOutcome } from '../../../remote/read-many.ts';

interface Beside {
  readonly desired: DesiredState;
  readonly base: BaseState;
  readonly ids: ReadonlyMap<Family, string>;
  readonly listed: ReadonlyMap<string, ListedRecord>;
  /** With edits of ours of which no answer is known. */
  readonly baseOf: (key: Key, record: KnownRecord) => BaseRecord | undefined;
}

/**
 * Translations of which list and read say two things. The list's date is the original's, so only so much can be told of a cache
 * that shows a translation as it was before: the list does not say that somebody wrote, and it shows another text than the last
 * sync left; or the list does not say that nobody wrote, no language shows what, and a file is about to be written over it.
 */
export function contradicted(reads: ReadonlyMap<Key, ReadOutcome>, beside: Beside): ReadonlySet<Key> {
  const { desired, base, ids, listed, baseOf } = beside;
  const edited = new Set<Key>();
  const same = new Set<Key>();
  for (const [key, read] of reads) {
    const known = read.state === 'found' && kindOf(key) === 'article' ? baseOf(key, read.record) : undefined;
    if (read.state !== 'found' || known === undefined) continue;
    const isAsLeft = Object.keys(known.sent).every((name) =>
      remoteIsBase(name, known, read.record.fields[name], waysIn(base)),
    );
    (isAsLeft ? same : edited).add(key);
  }
  const families = new Set([...edited].map(familyOf));
  const isWritten = (key: Key): boolean | undefined => {
    const item = listed.get(idKey(kindOf(key), ids.get(familyOf(key)) ?? ''));
    const seen = base.records.get(keyIn(familyOf(key), desired.defaultLanguage))?.seen;
    return item === undefined || seen === undefined ? undefined : item.seen !== seen;
  };
  const isSent = (key: Key): boolean => {
    const [file, known] = [desired.records.get(key), base.records.get(key)];
    if (file === undefined || known === undefined) return false;
    const owned = ownedFields(file, (target) => ids.get(target) ?? idToCome(target));
    return differsFromBase(file, owned, known);
  };
  const isDoubtful = (key: Key): boolean => {
    if (isOriginal(key, desired)) return false;
    if (edited.has(key)) return isWritten(key) !== true;
    return same.has(key) && isWritten(key) !== false && !families.has(familyOf(key)) && isSent(key);
  };
  return new Set([...reads.keys()].filter(isDoubtful));
}

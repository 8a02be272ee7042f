import type { Family, Key } from '../../../model/key.ts';
import { familyOf, idKey, isOriginal, keyIn, kindOf } from '../../../model/key.ts';
import type {
  BaseRecord,
  BaseState,
  DesiredState,
  KnownRecord,
  ListedRecord,
} from '../../../model/record.ts';
import { parseStamp, stampFits } from '../../../model/stamp.ts';
import { dateIn, showsSame } from '../../../model/compare/fingerprint.ts';
import { differsFromBase, idToCome, ownedFields } from '../../../plan/compare.ts';
import { waysIn } from '../../../plan/likeness.ts';
import { remoteIsBase } from '../../../plan/field-standing.ts';
import type { ReadOutcome } from '../../../remote/read-many.ts';
import { ageS, momentOf } from '../../../remote/reading/moment.ts';

export interface Beside {
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
  const { desired } = beside;
  const { edited, same } = comparedToBase(reads, beside);
  const families = new Set([...edited].map(familyOf));
  const isDoubtful = (key: Key): boolean => {
    if (isOriginal(key, desired)) return false;
    if (edited.has(key)) return isWritten(key, beside) !== true;
    const isUnshown = same.has(key) && !families.has(familyOf(key));
    return isUnshown && isWritten(key, beside) !== false && isSent(key, beside);
  };
  return new Set([...reads.keys()].filter(isDoubtful));
}

/**
 * Records that show what kbsync wrote, and not what the last sync left, and over which a file is about to be written: a cache or a copy of
 * the service may show what was there before. A stamp tells that from an edit of somebody.
 */
export function earlierTexts(reads: ReadonlyMap<Key, ReadOutcome>, beside: Beside): ReadonlySet<Key> {
  return new Set(
    [...reads].flatMap(([key, read]) =>
      read.state === 'found' && isSent(key, beside) && isEarlier(key, read.record, beside) ? [key] : [],
    ),
  );
}

function isEarlier(key: Key, record: KnownRecord, { base, baseOf }: Beside): boolean {
  const known = baseOf(key, record);
  const stamp = record.stamp === undefined ? undefined : parseStamp(record.stamp);
  if (known === undefined || stamp === undefined || stamp.key !== key) return false;
  const others = Object.keys(known.sent).filter(
    (name) => !remoteIsBase(name, known, record.fields[name], waysIn(base)),
  );
  return (
    others.length > 0 &&
    others.every((name) => {
      const shown = record.fields[name];
      return shown !== undefined && stampFits(stamp, name, shown);
    })
  );
}

/** A text comes so late after its date at most. */
const LATE_S = 10;
const CLOCKS_S = 2;

/**
 * Originals that somebody has edited just now, as the list says, of which no read shows what, and over which a file is about to be
 * written: some services show the new date some seconds before the new text.
 */
export function unshownEdits(
  reads: ReadonlyMap<Key, ReadOutcome>,
  beside: Beside & { readonly listedAtMs: number },
): ReadonlySet<Key> {
  const { desired, base, listedAtMs } = beside;
  const { edited, same } = comparedToBase(reads, beside);
  const families = new Set([...edited].map(familyOf));
  const isJustNow = (key: Key): boolean => {
    const date = rowOf(key, beside)?.view.lastEdited;
    const before = base.records.get(key)?.seen;
    const moment = momentOf(date);
    if (moment === undefined || before === undefined || dateIn(before) === date) return false;
    return ageS(moment, listedAtMs, CLOCKS_S) < LATE_S + moment.exactS;
  };
  return new Set(
    [...same].filter(
      (key) =>
        isOriginal(key, desired) && !families.has(familyOf(key)) && isJustNow(key) && isSent(key, beside),
    ),
  );
}

/** Articles that are shown as the last sync left them, and others. */
function comparedToBase(
  reads: ReadonlyMap<Key, ReadOutcome>,
  { base, baseOf }: Beside,
): { readonly edited: ReadonlySet<Key>; readonly same: ReadonlySet<Key> } {
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
  return { edited, same };
}

/** What the list shows of a record's original. */
function rowOf(key: Key, { ids, listed }: Beside): ListedRecord | undefined {
  return listed.get(idKey(kindOf(key), ids.get(familyOf(key)) ?? ''));
}

/** Whether the list shows that somebody wrote; undefined: nobody knows. */
function isWritten(key: Key, beside: Beside): boolean | undefined {
  const { desired, base } = beside;
  const item = rowOf(key, beside);
  const seen = base.records.get(keyIn(familyOf(key), desired.defaultLanguage))?.seen;
  if (item === undefined || seen === undefined) return undefined;
  if (item.seen === seen) return false;
  // The dates are the same, and do not tell one edit from another in the same second.
  return showsSame(item.seen, seen) ? undefined : true;
}

/** Whether its file is about to be written. */
function isSent(key: Key, { desired, base, ids }: Beside): boolean {
  const [file, known] = [desired.records.get(key), base.records.get(key)];
  if (file === undefined || known === undefined) return false;
  const owned = ownedFields(file, (target) => ids.get(target) ?? idToCome(target));
  return differsFromBase(file, owned, known);
}

import type { Spool } from '../../content/content-folder.ts';
import { same } from '../../model/digest.ts';
import type { Family, Key } from '../../model/key.ts';
import { familyOf, keyIn, langOf } from '../../model/key.ts';
import type { BaseRecord, BaseState, Capabilities, DesiredState } from '../../model/record.ts';
import { baseValueOf, baseValuesOf, idToCome } from '../../plan/compare.ts';
import { withTranslationMarks } from '../translation-marks.ts';
import { ownedWithBody, withBody } from './decide.ts';
import { settledFrom } from './settled-record.ts';
import type { SettledRecord, SpooledRecord } from './settled-record.ts';

export interface PulledBaseInput {
  readonly before: BaseState;
  /** The files as they are now. */
  readonly desired: DesiredState;
  readonly ids: ReadonlyMap<Family, string>;
  /** Records whose file and service say the same from now on, or as nearly as a file can. */
  readonly settled: ReadonlyMap<Key, SpooledRecord>;
  /** Every record that was read. */
  readonly read: ReadonlySet<Key>;
  /** Records of which both sides say something else: the next run has to look at them again. */
  readonly unsettled: ReadonlySet<Key>;
  /** List fingerprints, which are older than the reads. */
  readonly seen: ReadonlyMap<Family, string>;
  readonly capabilities: Capabilities;
  readonly spool: Spool;
}

/**
 * The base after a pull: for each settled record what the file would send, and beside it what the service shows where the
 * two differ (HTML that was cleaned). So the next sync finds everything in step and writes nothing.
 */
export function pulledBase(input: PulledBaseInput): BaseState {
  const { before, desired, settled } = input;
  const records = new Map(before.records);
  for (const [key, at] of settled) {
    const record = settledRecord(key, settledFrom(input.spool, at), input);
    if (record !== undefined) records.set(key, record);
  }
  for (const [key, record] of confirmed(records, input)) records.set(key, record);
  const sorted = new Map([...records].sort(([a], [b]) => (a < b ? -1 : 1)));
  const isWhole = [...sorted.keys()].every((key) => desired.records.has(key));
  return {
    ...before,
    // While records are kept whose file is gone, a later --prune must still see that the scope changed.
    scopeDigest: isWhole || before.scopeDigest === undefined ? desired.scopeDigest : before.scopeDigest,
    capabilities: input.capabilities,
    records: withTranslationMarks(before.records, sorted, desired.defaultLanguage),
  };
}

function settledRecord(key: Key, shown: SettledRecord, input: PulledBaseInput): BaseRecord | undefined {
  const { before, desired, ids, spool } = input;
  const file = desired.records.get(key);
  if (file === undefined) return undefined;
  const owned = ownedWithBody(file, (family) => ids.get(family) ?? idToCome(family));
  const theirs = withBody(shown, file, owned, spool);
  const observed = Object.fromEntries(
    Object.entries(owned).flatMap(([name, value]) => {
      const other = theirs[name];
      return other === undefined || same(value, other) ? [] : [[name, baseValueOf(file.kind, name, other)]];
    }),
  );
  return {
    key,
    id: shown.id,
    ownership: before.records.get(key)?.ownership ?? 'adopted',
    sent: baseValuesOf(file.kind, owned),
    ...(Object.keys(observed).length === 0 ? {} : { observed }),
    ...(file.body === undefined ? {} : { input: file.body.inputDigest }),
  };
}

/** Originals whose list entry speaks for all languages that have a file: those, and only those, need no read next time. */
function* confirmed(
  records: ReadonlyMap<Key, BaseRecord>,
  input: PulledBaseInput,
): Iterable<[Key, BaseRecord]> {
  const { desired, read, unsettled, seen, before } = input;
  for (const [key, record] of records) {
    if (langOf(key) !== desired.defaultLanguage) continue;
    const family = familyOf(key);
    const shown = seen.get(family);
    if (shown === undefined) continue;
    const wasSeen = before.records.get(key)?.seen === shown;
    const keys = desired.languages
      .map((lang) => keyIn(family, lang))
      .filter((each) => desired.records.has(each));
    const isSteady = keys.every(
      (each) => records.has(each) && !unsettled.has(each) && (wasSeen || read.has(each)),
    );
    const { seen: _, ...rest } = record;
    yield [key, isSteady ? { ...rest, seen: shown } : rest];
  }
}

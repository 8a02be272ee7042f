import type { Spool, Spooled } from '../../content/files/folder.ts';
import { same } from '../../model/digest.ts';
import { bodyFieldOf } from '../../model/fields.ts';
import type { FieldValue } from '../../model/fields.ts';
import type { Family, Key } from '../../model/key.ts';
import { familyOf, keyIn, isOriginal } from '../../model/key.ts';
import type { BaseRecord, BaseState, BaseValue, Capabilities, DesiredState } from '../../model/record.ts';
import { seenAs } from '../../model/record.ts';
import { baseValueOf, baseValuesOf, idToCome } from '../../plan/compare.ts';
import { fileIsBase, isOtherSlug, remoteIsBase } from '../../plan/field-standing.ts';
import { withTranslationMarks } from '../translation-marks.ts';
import { ownedWithBody, withBody } from './files/decide.ts';
import type { Fetched } from './reading/read-records.ts';

export interface PulledBaseInput {
  readonly before: BaseState;
  /** The files as they are now. */
  readonly desired: DesiredState;
  readonly ids: ReadonlyMap<Family, string>;
  /** Addresses that pages had by their files → those that the site has given them since. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Records whose file and service say the same from now on, or as nearly as a file can. */
  readonly inSync: ReadonlyMap<Key, SpooledRecord>;
  /** Every record that was read. */
  readonly read: ReadonlySet<Key>;
  /** Records that differ between both sides: the next run has to check them again. */
  readonly differing: ReadonlySet<Key>;
  /** List fingerprints, which are older than the reads. */
  readonly seen: ReadonlyMap<Family, string>;
  readonly capabilities: Capabilities;
  readonly spool: Spool;
}

/**
 * The base after a pull: for each record in sync what the file would send, and beside it what the service shows where the
 * two differ (HTML that was cleaned). So the next sync finds everything in sync and writes nothing.
 */
export function pulledBase(input: PulledBaseInput): BaseState {
  const { before, desired, inSync } = input;
  const records = new Map(before.records);
  for (const [key, at] of inSync) {
    const record = inSyncRecord(key, fromSpool(input.spool, at), input);
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

/** What file and service say of a record, once they say the same. */
export function inSyncRecord(
  key: Key,
  shown: ShownRecord,
  input: Pick<PulledBaseInput, 'before' | 'desired' | 'ids' | 'renamed' | 'spool'>,
): BaseRecord | undefined {
  const { before, desired, ids, spool } = input;
  const file = desired.records.get(key);
  if (file === undefined) return undefined;
  const owned = ownedWithBody(file, (family) => ids.get(family) ?? idToCome(family));
  const theirs = withBody(shown, file, owned, spool);
  const bodyField = bodyFieldOf(file.kind);
  const unsent = new Set(shown.rest);
  // The next sync sends the addresses of now.
  if (isLinkedAsBefore(theirs[bodyField], input.renamed)) unsent.add(bodyField);
  const sent = Object.fromEntries(
    Object.entries(owned).flatMap(([name, value]) => {
      const known = unsent.has(name) ? theirs[name] : value;
      return known === undefined ? [] : [[name, known] as const];
    }),
  );
  const base = before.records.get(key);
  // An entry in a navigation moved its page on: that is the file's word, and the next sync sends it.
  const isMoved = (name: string): boolean =>
    base !== undefined &&
    name !== bodyField &&
    !fileIsBase(name, owned[name] ?? null, base) &&
    remoteIsBase(name, base, theirs[name]);
  const differing = Object.entries(owned).flatMap(([name, value]) => {
    const other = theirs[name];
    return other === undefined || same(value, other) || unsent.has(name)
      ? []
      : [[name, baseValueOf(file.kind, name, other)] as const];
  });
  const moved = differing.filter(([name]) => isMoved(name)).map(([name]) => name);
  const observed = Object.fromEntries([
    ...differing.filter(([name]) => !moved.includes(name)),
    ...kept(base?.observed, moved),
  ]);
  return {
    key,
    id: shown.id,
    ownership: base?.ownership ?? 'adopted',
    sent: { ...baseValuesOf(file.kind, sent), ...Object.fromEntries(kept(base?.sent, moved)) },
    ...(Object.keys(observed).length === 0 ? {} : { observed }),
    ...(file.body === undefined || unsent.has(bodyField) ? {} : { input: file.body.inputDigest }),
  };
}

function kept(
  values: BaseRecord['sent'] | undefined,
  names: readonly string[],
): readonly (readonly [string, BaseValue])[] {
  return names.flatMap((name) => {
    const value = values?.[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** Whether a text of the site leads to an address that a page had before. */
function isLinkedAsBefore(html: FieldValue | undefined, renamed: PulledBaseInput['renamed']): boolean {
  if (typeof html !== 'string') return false;
  return [...renamed.keys()].some((address) =>
    ['"', '#', '?'].some((end) => html.includes(`${address}${end}`)),
  );
}

/** Originals whose list entry speaks for all languages that have a file: those, and only those, need no read next time. A file with errors has not taken in what the list shows. */
function* confirmed(
  records: ReadonlyMap<Key, BaseRecord>,
  input: PulledBaseInput,
): Iterable<[Key, BaseRecord]> {
  const { desired, read, differing, seen, before } = input;
  for (const [key, record] of records) {
    if (!isOriginal(key, desired)) continue;
    const family = familyOf(key);
    const shown = seen.get(family);
    if (shown === undefined) continue;
    const wasSeen = before.records.get(key)?.seen === shown;
    const keys = desired.languages
      .map((lang) => keyIn(family, lang))
      .filter((each) => desired.records.has(each) || desired.withheld?.has(each) === true);
    const isSteady = keys.every(
      (each) =>
        records.has(each) &&
        !differing.has(each) &&
        !isAddressOpen(records.get(each)) &&
        (wasSeen || read.has(each)),
    );
    yield [key, seenAs(record, isSteady ? shown : undefined)];
  }
}

/** The site has another address than the file: the next sync reports it again. */
function isAddressOpen(record: BaseRecord | undefined): boolean {
  return record !== undefined && isOtherSlug('slug', record);
}

/** What the base wants to know of a record that was written. */
export interface ShownRecord extends Pick<Fetched, 'kind' | 'id' | 'fields' | 'body' | 'bodyValue'> {
  /** Fields that the author changed since, so the file's value was not sent yet. */
  readonly rest: readonly string[];
}

/** Where a record that is in sync lies in the spool. */
export type SpooledRecord = Spooled & { readonly __brand: 'ShownRecord' };

/** Into the spool while all files are read again, which needs the memory. */
export function toSpool(
  spool: Spool,
  { kind, id, fields, body, bodyValue }: Fetched,
  rest: readonly string[] = [],
): SpooledRecord {
  const record: ShownRecord = { kind, id, fields, body, bodyValue, rest };
  // The brand says what the text there is.
  return spool.put(JSON.stringify(record)) as SpooledRecord;
}

export function fromSpool(spool: Spool, at: SpooledRecord): ShownRecord {
  // Written by `toSpool` and by nobody else.
  return JSON.parse(spool.get(at)) as ShownRecord;
}

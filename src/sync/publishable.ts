import type { FaultyFile, LoadedContent } from '../content/options.ts';
import { emptyBody } from '../model/input-digest.ts';
import { familyOf } from '../model/key.ts';
import type { Family, Key } from '../model/key.ts';
import type { Problem } from '../model/problem.ts';
import type { BaseRecord, BaseState, DesiredRecord, DesiredState, Withheld } from '../model/record.ts';
import { referencesOf } from '../plan/compare.ts';

export interface Publishable {
  /** What can be sent; the other records are withheld. */
  readonly desired: DesiredState;
  /** Files with errors: what they published before stays as it is. */
  readonly faulty: ReadonlySet<string>;
  /** Records that cannot be sent before a faulty file is repaired, although their own file is in order. */
  readonly held: readonly Key[];
}

/** Why a record waits whose own file is in order. */
export const HELD =
  'its slug or its text is that of a record whose file has errors or is gone, so it may be this record under a new name; it is sent when the errors are fixed';

/**
 * What can be sent while some files are faulty. A faulty file's record is withheld: what is published of it stays, and
 * nothing is deleted meanwhile. A new file that looks like one of them, by slug or text, is held back: it may be a copy,
 * and must not be mistaken for the faulty file under a new name. One that says which other name it had is no such file.
 */
export function publishable(content: LoadedContent, base: BaseState): Publishable {
  const { state, faulty } = content;
  const files = new Set(faulty.map(({ file }) => file));
  if (faulty.length === 0) return { desired: state, faulty: files, held: [] };
  const keys = new Set(faulty.map(({ key }) => key));
  const records = new Map([...state.records].filter(([key]) => !keys.has(key)));
  const marks = new Set([
    ...marksOf([...base.records.values()].filter(({ key }) => !records.has(key))),
    ...faulty.flatMap(({ slug }) => slug ?? []),
  ]);
  // A file that says which name it had is not taken for another one.
  const waiting = new Set(faulty.map(({ key }) => familyOf(key)));
  const named = new Set(
    [...(state.moved ?? [])].flatMap(([origin, target]) => (waiting.has(origin) ? [] : [target])),
  );
  const held = [...records.values()].filter(
    (record) => !base.records.has(record.key) && !named.has(record.family) && isAlike(record, marks),
  );
  for (const { key } of held) records.delete(key);
  const withheld = new Map<Key, Withheld>([
    ...faulty.map((each) => [each.key, withheldFor(each)] as const),
    ...held.map(({ key, at }) => [key, { message: HELD, at }] as const),
  ]);
  return { desired: { ...state, records, withheld }, faulty: files, held: held.map(({ key }) => key) };
}

/** Whether the errors are of single files, and something is left to send without them. */
export function isPartlyPublishable(content: LoadedContent): boolean {
  const keys = new Set(content.faulty.map(({ key }) => key));
  return (
    errorOfMore(content) === undefined && [...content.state.records.keys()].some((key) => !keys.has(key))
  );
}

/** The first error that is not of one record's file: nobody knows which records it concerns. */
export function errorOfMore({ problems, faulty }: LoadedContent): Problem | undefined {
  const files = new Set(faulty.map(({ file }) => file));
  return problems.find(({ severity, at }) => severity === 'error' && !files.has(at.file));
}

function withheldFor({ file }: FaultyFile): Withheld {
  return {
    message: `${file} has errors; the record stays as it is until they are fixed`,
    at: { file, line: 1, column: 1 },
  };
}

function isAlike({ fields, body }: DesiredRecord, marks: ReadonlySet<string>): boolean {
  const slug = fields['slug'];
  return (typeof slug === 'string' && marks.has(slug)) || (body !== undefined && marks.has(body.inputDigest));
}

/**
 * The same, and new categories without their texts: pages are in them, and the errors of a section's page are in its text alone.
 * A pull does not do so, because it would take the empty text for what the file says.
 */
export function withBareCategories(
  files: Publishable,
  { state, faulty }: LoadedContent,
  base: BaseState,
): Publishable {
  const bare = new Map(
    faulty.flatMap(({ key, isOnlyText }) => {
      const record = isOnlyText === true && !base.records.has(key) ? state.records.get(key) : undefined;
      return record?.kind === 'category' && record.isOriginal ? [[record.family, record] as const] : [];
    }),
  );
  if (bare.size === 0) return files;
  const records = new Map(files.desired.records);
  const withheld = new Map(files.desired.withheld);
  const gone = marksOf([...base.records.values()].filter(({ key }) => !state.records.has(key)));
  const add = (family: Family): void => {
    const record = bare.get(family);
    // What may be a known category under a new name must not be made a second time.
    if (record === undefined || records.has(record.key) || isAlike(record, gone)) return;
    records.set(record.key, withoutText(record));
    const { file } = record.at;
    withheld.set(record.key, {
      ...withheldFor({ file, key: record.key }),
      withoutText: `${file} has errors, so the category is made without its text; the text is sent when they are fixed`,
    });
    for (const above of referencesOf(record)) add(above);
  };
  for (const record of files.desired.records.values()) for (const family of referencesOf(record)) add(family);
  return { ...files, desired: { ...files.desired, records, withheld } };
}

function withoutText(record: DesiredRecord): DesiredRecord {
  const { files: _, ...rest } = record;
  return { ...rest, body: emptyBody(record.kind) };
}

/** What tells a record under another name: its slug, and its text. */
function marksOf(records: readonly BaseRecord[]): ReadonlySet<string> {
  return new Set(
    records
      .flatMap(({ sent, input }) => [sent['slug'], input])
      .filter((mark): mark is string => typeof mark === 'string'),
  );
}

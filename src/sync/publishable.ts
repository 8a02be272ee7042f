import type { FaultyFile, LoadedContent } from '../content/options.ts';
import { familyOf } from '../model/key.ts';
import type { Key } from '../model/key.ts';
import type { Problem } from '../model/problem.ts';
import type { BaseState, DesiredRecord, DesiredState, Withheld } from '../model/record.ts';

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
  const marks = new Set(
    [
      ...[...base.records.values()]
        .filter(({ key }) => !records.has(key))
        .flatMap(({ sent, input }) => [sent['slug'], input]),
      ...faulty.map(({ slug }) => slug),
    ].filter((mark) => typeof mark === 'string'),
  );
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

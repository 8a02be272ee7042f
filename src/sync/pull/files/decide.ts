import type { Spool } from '../../../content/files/folder.ts';
import { digestOf, same } from '../../../model/digest.ts';
import { bodyFieldOf } from '../../../model/fields.ts';
import type { FieldValue, Fields } from '../../../model/fields.ts';
import type { Family } from '../../../model/key.ts';
import type { BaseRecord, DesiredRecord } from '../../../model/record.ts';
import { isDigest, ownedFields } from '../../../plan/compare.ts';
import {
  fileIsBase,
  isOtherSlug,
  isOutOfTheWay,
  isShownAsPath,
  remoteIsBase,
} from '../../../plan/field-standing.ts';
import type { Fetched } from '../reading/read-records.ts';

export type PullDecision =
  /** These fields were edited on the site; in the file they are as the last sync left them. `rest`: others that are not. */
  | { readonly action: 'update'; readonly fields: readonly string[]; readonly rest: readonly string[] }
  /** Both sides say something new of one field. */
  | { readonly action: 'copy'; readonly fields: readonly string[] }
  /** `adopt`: both sides say the same, and the base does not know it. */
  | { readonly action: 'adopt' | 'unchanged' };

export interface DecideInput {
  readonly record: Fetched;
  readonly file: DesiredRecord;
  readonly base: BaseRecord | undefined;
  readonly spool: Spool;
  readonly idOf: (family: Family) => string;
}

/** What the site's side means for a file that is there. A field that the file does not name is not ours. */
export function decide(input: DecideInput): PullDecision {
  const { record, file, base } = input;
  const owned = ownedWithBody(file, input.idOf);
  const theirs = withBody(record, file, owned, input.spool);
  // What the service does not show may be anything: the file keeps what it says, and the next sync sends what is new in it.
  const hidden = Object.keys(owned).filter((name) => theirs[name] === undefined);
  const differing = Object.keys(owned).filter(
    (name) => !hidden.includes(name) && !isSame(owned[name], theirs[name]),
  );
  if (base === undefined)
    return differing.length === 0 ? { action: 'adopt' } : { action: 'copy', fields: differing };
  // What somebody accepted (`resolve --remote`) is an edit; the rest of what differs is the service's own writing.
  const edited = differing.filter(
    (name) =>
      base.accepted?.includes(name) === true ||
      !remoteIsBase(name, base, theirs[name]) ||
      isMadeAddress(name, base, { ours: owned[name], theirs: theirs[name] }),
  );
  const dirty = [...differing, ...hidden].filter((name) => !fileIsBase(name, owned[name] ?? null, base));
  if (edited.length === 0) {
    const isKnown = Object.entries(owned).every(([name, value]) => fileIsBase(name, value, base));
    return { action: dirty.length > 0 || isKnown ? 'unchanged' : 'adopt' };
  }
  if (dirty.some((name) => edited.includes(name))) return { action: 'copy', fields: edited };
  return { action: 'update', fields: edited, rest: dirty };
}

/**
 * The service gave the page another address than the file has, which a sync reports as drift. A path in front of it stays on the site: sent
 * back, it would get another one in front. So does one that a run left out of the way of another as it died: the next sync sends it home.
 */
function isMadeAddress(
  name: string,
  base: BaseRecord,
  { ours = null, theirs = null }: Readonly<Record<'ours' | 'theirs', FieldValue | undefined>>,
): boolean {
  if (!isOtherSlug(name, base) || isOutOfTheWay(name, theirs)) return false;
  return fileIsBase(name, ours, base) && !isShownAsPath(theirs, base);
}

/** Every field that the file owns, references as ids, the body rendered. */
export function ownedWithBody(file: DesiredRecord, idOf: (family: Family) => string): Fields {
  const owned = ownedFields(file, idOf);
  return file.body === undefined ? owned : { ...owned, [file.body.field]: file.body.render() };
}

/** The service's values of the fields in `owned`; its body is fetched only where it is not ours to the byte. */
export function withBody(
  record: Pick<Fetched, 'kind' | 'fields' | 'body' | 'bodyValue'>,
  file: DesiredRecord,
  owned: Fields,
  spool: Spool,
): Fields {
  const field = bodyFieldOf(record.kind);
  const ours = owned[field];
  if (file.body === undefined || ours === undefined) return record.fields;
  const isEqual = isDigest(record.bodyValue) && record.bodyValue.digest === digestOf(ours);
  return { ...record.fields, [field]: isEqual ? ours : spool.get(record.body) };
}

function isSame(a: FieldValue | undefined, b: FieldValue | undefined): boolean {
  return a !== undefined && b !== undefined && same(a, b);
}

import type { FieldValue, Fields } from '../model/fields.ts';
import type { BaseRecord } from '../model/record.ts';
import { same } from '../model/digest.ts';
import { isUnread } from '../model/compare/difference.ts';
import { bodyFieldOf } from '../model/fields.ts';
import { kindOf } from '../model/key.ts';
import { isDigest, sameAsBase } from './compare.ts';
import { NO_WAYS, fitsForm, isMadeOf, isShownAs, isStampedAs } from './likeness.ts';
import type { Field, Ways } from './likeness.ts';
import { hidesText } from './observed.ts';
import { withoutMark } from './slug-mark.ts';
import type { RemoteSide } from './sides.ts';

export interface Three {
  readonly file: Fields;
  readonly base: BaseRecord;
  readonly remote: Known;
}

type Known = Extract<RemoteSide, { state: 'known' }>;

/** Whether somebody may have written a text that the service does not show. Where none was let stand, a date proves nothing. */
export function isTextUnknown(base: BaseRecord, { record, isUnwritten = false }: Known): boolean {
  const isAccepted = base.accepted?.includes(bodyFieldOf(record.kind)) === true;
  return (!isUnwritten || isAccepted) && hidesText(base, record);
}

/**
 * What became of one field since the base: `agreed` file and service have come to say the same · `unread` both still say what was
 * sent, and nobody had read that back · `unseen` the file changed what the service does not show.
 */
type Standing = 'same' | 'agreed' | 'unread' | 'ours' | 'theirs' | 'both' | 'unseen';

export function standings({ file, base, remote }: Three, ways: Ways): ReadonlyMap<string, Standing> {
  const { record } = remote;
  const hidden = hidesText(base, record) ? bodyFieldOf(record.kind) : undefined;
  const isUnknown = isTextUnknown(base, remote);
  const standing = (name: string, value: FieldValue): Standing => {
    const theirs = record.fields[name];
    const isOurs = fileIsBase(name, value, base);
    const asBefore = isUnreadIn(base, name) ? 'unread' : 'same';
    const field = { kind: record.kind, name };
    if (name === hidden && !isOurs) return isUnknown ? 'unseen' : 'ours';
    if (theirs === undefined) return isOurs ? 'same' : 'unseen';
    if (same(value, theirs)) return isOurs ? asBefore : 'agreed';
    if (
      base.sent[name] === undefined ||
      remoteIsBase(name, base, theirs, ways) ||
      (isOurs && isUnreadIn(base, name) && isMadeOf(field, value, theirs, ways))
    ) {
      if (!isOurs || isOutOfTheWay(name, theirs)) return 'ours';
      return isOtherSlug(name, base) ? 'theirs' : asBefore;
    }
    if (hasArrived(field, { value, theirs, isOurs }, ways)) return isOurs ? 'unread' : 'agreed';
    return isOurs ? 'theirs' : 'both';
  };
  return new Map(Object.entries(file).map(([name, value]) => [name, standing(name, value)]));
}

/** Fields in which file and service have come to say the same since the base. */
export function agreedFields(three: Three, ways: Ways): readonly string[] {
  return namesOf(standings(three, ways), 'agreed');
}

export function namesOf(fields: ReadonlyMap<string, Standing>, wanted: Standing): string[] {
  return [...fields].filter(([, standing]) => standing === wanted).map(([name]) => name);
}

/**
 * Whether the service shows this value already, in its own form. For a new value, that form may also lack what this service
 * is known not to keep. For a value that was there before (`isOurs`), it may not: an editor may have removed what is missing.
 */
export function hasArrived(
  field: Field,
  {
    value,
    theirs,
    isOurs,
  }: { readonly value: FieldValue; readonly theirs: FieldValue; readonly isOurs: boolean },
  ways: Ways,
): boolean {
  return isOurs ? isShownAs(field, value, theirs, ways) : isMadeOf(field, value, theirs, ways);
}

/** A run that died had moved this slug out of the way of another: it must not stay, even if the file did not change. */
export function isOutOfTheWay(name: string, shown: FieldValue | undefined): boolean {
  return name === 'slug' && typeof shown === 'string' && withoutMark(shown) !== shown;
}

/** The service gave the record another address than the file has, so links in other files are dead. */
export function isOtherSlug(name: string, { observed, accepted }: BaseRecord): boolean {
  return name === 'slug' && observed?.[name] !== undefined && accepted?.includes(name) !== true;
}

/** What the service shows of a field, where the record was read. */
export function shownBy(remote: RemoteSide, field: string): FieldValue | undefined {
  return remote.state === 'known' ? remote.record.fields[field] : undefined;
}

/** The remote shows what it showed after our last write, or what we sent, in the form that this service gives it. */
export function remoteIsBase(
  name: string,
  base: BaseRecord,
  shown: FieldValue | undefined,
  ways: Ways = NO_WAYS,
): boolean {
  if (shown === undefined) return false;
  const value = name === 'slug' && typeof shown === 'string' ? withoutMark(shown) : shown;
  const known = [base.observed?.[name], base.sent[name]].filter((each) => each !== undefined);
  if (known.some((each) => sameAsBase(value, each))) return true;
  const field = { kind: kindOf(base.key), name };
  const form = base.forms?.[name];
  if (form !== undefined && fitsForm(field, value, form, ways)) return true;
  return known.some((each) =>
    isDigest(each) ? isStampedAs(field, value, each.digest) : isShownAs(field, each, value, ways),
  );
}

/** What was sent has not been read back, so it is not known in which form the service shows it. */
function isUnreadIn(base: BaseRecord, name: string): boolean {
  const form = base.forms?.[name];
  return form !== undefined && isUnread(form);
}

export function fileIsBase(name: string, value: FieldValue, base: BaseRecord): boolean {
  const sent = base.sent[name];
  return sent !== undefined && sameAsBase(value, sent);
}

/**
 * Whether the service shows a whole path where it was sent a slug, as it did before: `guides/install`. Sent back, that would get
 * another path in front with each edit, and readers' links would be dead.
 */
export function isShownAsPath(shown: FieldValue, { observed }: BaseRecord): boolean {
  const before = observed?.['slug'];
  return (
    typeof shown === 'string' && shown.includes('/') && before !== undefined && sameAsBase(shown, before)
  );
}

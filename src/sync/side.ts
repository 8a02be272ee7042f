import { bodyFieldOf, fieldsOf, isNothing, nameFieldOf } from '../model/fields.ts';
import type { Key } from '../model/key.ts';
import { familyOf, kindOf } from '../model/key.ts';
import type { BaseRecord, DesiredRecord, KnownRecord } from '../model/record.ts';
import type { Repository } from '../model/repository.ts';
import { otherOwner, parseStamp } from '../model/stamp.ts';
import type { Ways } from '../plan/likeness.ts';
import { remoteIsBase } from '../plan/field-standing.ts';
import type { RemoteSide } from '../plan/sides.ts';
import type { ReadOutcome } from '../remote/read-many.ts';
import { baseFromStamp } from './survey/stamped-bases.ts';

/** Whose a record may be that is read. */
export interface ReadFor {
  readonly repository: Repository;
  /** What the last sync left of it. */
  readonly base: BaseRecord | undefined;
  /** What is in the files; undefined: nothing. */
  readonly file: DesiredRecord | undefined;
  readonly isOriginal: boolean;
  /** Of a translation: what the last sync left of its original, its file, and how the service shows what it is sent. */
  readonly original?: Original | undefined;
}

interface Original {
  readonly base: BaseRecord | undefined;
  readonly file: DesiredRecord | undefined;
  readonly ways: Ways;
}

/** The record behind a side, where it was read; a copy of an original is one, too. */
export function readRecord(side: RemoteSide): KnownRecord | undefined {
  if (side.state === 'absent') return side.copy;
  return side.state === 'known' ? side.record : undefined;
}

export function sideOf(read: ReadOutcome, of: ReadFor): RemoteSide {
  switch (read.state) {
    case 'found':
      return sideOfRecord(read.record, of);
    case 'absent':
      return { state: 'absent' };
    case 'unreadable':
    case 'failed':
      return { state: 'unknown', why: read.why };
  }
}

/** What the list said of a record as the plan was made holds for a read of it that follows. */
export function asListed(side: RemoteSide, planned: RemoteSide | undefined): RemoteSide {
  const isUnwritten =
    planned?.state === 'base' || (planned?.state === 'known' && planned.isUnwritten === true);
  return side.state === 'known' && isUnwritten ? { ...side, isUnwritten } : side;
}

function sideOfRecord(record: KnownRecord, of: ReadFor): RemoteSide {
  const { repository, base, file, isOriginal } = of;
  const by = otherOwner(record.stamp, repository);
  if (by === undefined && isUntouchedCopy(record, of)) return { state: 'absent', copy: record };
  const isTaken = by !== undefined || (isOriginal && base !== undefined && isAnother(record, base, file));
  return isTaken ? { state: 'taken', by, record, isOnlyPlace: !isOriginal } : { state: 'known', record };
}

/**
 * Whether nobody has written this translation: some services make one in each language when the original is made, as its copy. It
 * shows what was sent as the original's title and text: as the last sync left them, or as the original's stamp says that came along.
 * Other words that a write would replace are the original's, too, or are missing, and no draft is open: an editor may have begun there.
 */
function isUntouchedCopy(record: KnownRecord, { base, file, original }: ReadFor): boolean {
  if (base !== undefined || file === undefined || original === undefined) return false;
  if (record.openDraft !== undefined) return false;
  const key = record.stamp === undefined ? undefined : (parseStamp(record.stamp)?.key as Key | undefined);
  if (key !== undefined && (key === file.key || familyOf(key) !== file.family)) return false;
  const of = key === undefined ? original.base : baseFromStamp(key, record.id, record.stamp, new Map());
  if (of === undefined) return false;
  const sent = { ...original.file?.initial, ...of.sent };
  const isCopy = (name: string): boolean =>
    sent[name] !== undefined && remoteIsBase(name, { ...of, sent }, record.fields[name], original.ways);
  const isMissing = (name: string): boolean => isNothing(record.fields[name] ?? null);
  const texts: readonly string[] = [nameFieldOf(file.kind), bodyFieldOf(file.kind)];
  return (
    texts.every((name) => !isMissing(name) && isCopy(name)) &&
    otherWords(file).every((name) => texts.includes(name) || isMissing(name) || isCopy(name))
  );
}

/** Fields of words that a write of this file replaces. A slug is none: the service makes it, also for a copy. */
function otherWords({ kind, fields, initial }: DesiredRecord): readonly string[] {
  return [...fieldsOf(kind)].flatMap(([name, { type, empty }]) =>
    (type === 'text' || type === 'html') &&
    name !== 'slug' &&
    (empty !== undefined || name in fields || name in initial)
      ? [name]
      : [],
  );
}

/**
 * Whether an id that was ours belongs to another record now: a service may use the ids of deleted records again. An
 * editor who writes a record anew, title, slug and text, leaves no more of ours, unless that came into the file (`pull`).
 */
function isAnother(record: KnownRecord, base: BaseRecord, file: DesiredRecord | undefined): boolean {
  const kind = kindOf(base.key);
  if (record.stamp !== undefined && parseStamp(record.stamp)?.key === base.key) return false;
  const { slug } = record.fields;
  if (typeof slug === 'string' && file?.fields['slug'] === slug) return false;
  return [nameFieldOf(kind), 'slug', bodyFieldOf(kind)].every(
    (name) =>
      base.sent[name] !== undefined &&
      record.fields[name] !== undefined &&
      !remoteIsBase(name, base, record.fields[name]),
  );
}

/** The names behind the ids of all records that were read. */
export function labelsOf(sides: ReadonlyMap<Key, RemoteSide>): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const side of sides.values()) {
    if (side.state === 'known') for (const [id, label] of side.record.labels) labels.set(id, label);
  }
  return labels;
}

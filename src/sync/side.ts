import { bodyFieldOf, nameFieldOf } from '../model/fields.ts';
import type { Key } from '../model/key.ts';
import { kindOf } from '../model/key.ts';
import type { BaseRecord, DesiredRecord, KnownRecord } from '../model/record.ts';
import type { Repository } from '../model/repository.ts';
import { otherOwner, parseStamp } from '../model/stamp.ts';
import { remoteIsBase } from '../plan/reconcile.ts';
import type { RemoteSide } from '../plan/reconcile.ts';
import type { ReadOutcome } from '../remote/read-many.ts';

/** Whose a record may be that is read. */
export interface ReadFor {
  readonly repository: Repository;
  /** What the last sync left of it. */
  readonly base: BaseRecord | undefined;
  /** What is in the files; undefined: nothing. */
  readonly file: DesiredRecord | undefined;
  readonly isOriginal: boolean;
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

function sideOfRecord(record: KnownRecord, { repository, base, file, isOriginal }: ReadFor): RemoteSide {
  const by = otherOwner(record.stamp, repository);
  const isTaken = by !== undefined || (isOriginal && base !== undefined && isAnother(record, base, file));
  return isTaken ? { state: 'taken', by, record, isOnlyPlace: !isOriginal } : { state: 'known', record };
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

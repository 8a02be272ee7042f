import type { Family, Key } from '../../model/key.ts';
import { familyOf, kindOf } from '../../model/key.ts';
import type { BaseRecord, BaseState, DesiredState, DesiredRecord, KnownRecord } from '../../model/record.ts';
import { parseStamp, stampFits } from '../../model/stamp.ts';
import type { RemoteSide } from '../../plan/sides.ts';
import type { Digest } from '../../model/digest.ts';
import { bodyFieldOf, nameFieldOf } from '../../model/fields.ts';
import { unreadForm } from '../../model/compare/difference.ts';

/** Base records rebuilt from stamps, for records that the state file does not know. */
export function stampedBases(
  desired: DesiredState,
  base: BaseState,
  ids: ReadonlyMap<Family, string>,
  sides: ReadonlyMap<Key, RemoteSide>,
): ReadonlyMap<Key, BaseRecord> {
  const stamped = new Map<Key, BaseRecord>();
  for (const [key, side] of sides) {
    const id = ids.get(familyOf(key));
    if (side.state !== 'known' || base.records.has(key) || id === undefined) continue;
    const file = desired.records.get(key);
    if (file !== undefined && mayBeOfOthers(side.record, file)) continue;
    const record = baseFromStamp(key, id, side.record.stamp, desired.records);
    if (record !== undefined) stamped.set(key, record);
  }
  return stamped;
}

/**
 * A stamp without a repository may come from any repository with a file of this path. It counts as ours only if it was
 * written for the title and the slug of our file.
 */
function mayBeOfOthers({ stamp: text }: KnownRecord, { kind, fields }: DesiredRecord): boolean {
  const stamp = text === undefined ? undefined : parseStamp(text);
  if (stamp === undefined || stamp.repository !== undefined) return false;
  return [nameFieldOf(kind), 'slug'].some((name) => {
    const value = fields[name];
    return value !== undefined && !stampFits(stamp, name, value);
  });
}

/**
 * The base record that a stamp describes: what kbsync wrote. If the stamp names another key, and `files` has
 * that key, somebody copied the text with its stamp, so the stamp says nothing about this record.
 */
export function baseFromStamp(
  key: Key,
  id: string,
  text: string | undefined,
  files: ReadonlyMap<string, unknown>,
): BaseRecord | undefined {
  const stamp = text === undefined ? undefined : parseStamp(text);
  if (stamp === undefined || (stamp.key !== key && files.has(stamp.key))) return undefined;
  // A stamp's digests are shortened; sameAsBase compares prefixes.
  const sent = [...stamp.fields].map(([name, digest]) => [name, { digest: digest as Digest }] as const);
  const { form } = stamp;
  return {
    key,
    id,
    ownership: 'created',
    sent: Object.fromEntries(sent),
    ...(form === undefined ? {} : { forms: { [bodyFieldOf(kindOf(key))]: unreadForm(form) } }),
  };
}

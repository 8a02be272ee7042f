import type { Family, Key } from '../model/key.ts';
import { familyOf } from '../model/key.ts';
import type { BaseRecord, BaseState, DesiredState } from '../model/record.ts';
import { parseStamp } from '../model/stamp.ts';
import type { RemoteSide } from '../plan/reconcile.ts';

/** Base records rebuilt from stamps, for records that the state file does not know. */
export function stampedBases(
  desired: DesiredState,
  base: BaseState,
  ids: ReadonlyMap<Family, string>,
  sides: ReadonlyMap<Key, RemoteSide>,
): ReadonlyMap<Key, BaseRecord> {
  const stamped = new Map<Key, BaseRecord>();
  const files = new Set<string>(desired.records.keys());
  for (const [key, side] of sides) {
    const id = ids.get(familyOf(key));
    if (side.state !== 'known' || base.records.has(key) || id === undefined) continue;
    const stamp = side.record.stamp === undefined ? undefined : parseStamp(side.record.stamp);
    // The stamp of a file that still exists elsewhere was copied with the text; it says nothing about this record.
    if (stamp === undefined || (stamp.key !== key && files.has(stamp.key))) continue;
    // A stamp's digests are shortened; sameAsBase compares prefixes.
    const sent = [...stamp.fields].map(([name, digest]) => [name, { digest: digest as BaseDigest }] as const);
    stamped.set(key, { key, id, ownership: 'created', sent: Object.fromEntries(sent) });
  }
  return stamped;
}

type BaseDigest = NonNullable<BaseRecord['input']>;

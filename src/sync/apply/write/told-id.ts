import { nameFieldOf } from '../../../model/fields.ts';
import type { RemoteId } from '../../../model/key.ts';
import { familyOf } from '../../../model/key.ts';
import type { KnownRecord } from '../../../model/record.ts';
import { parseStamp } from '../../../model/stamp.ts';
import { isShownAs } from '../../../plan/likeness.ts';
import type { Change } from '../../../plan/plan.ts';
import { RemoteError } from '../../../remote/error.ts';
import { readMany } from '../../../remote/read-many.ts';
import { LOOKS_MS, looksAgain } from '../../look-again.ts';
import type { Run, ToldId } from '../../run.ts';
import { desiredOf, ownerOf, waysOf } from '../../run.ts';
import { ownedNow } from './fields.ts';

/**
 * Whether the id in the answer to a create is the new record's. The API text names none there, so a Location or an `id` may
 * be anything: the slug, the address of a page, an id of another table. The first of each kind is read, for as long as
 * reads may lag; a service that says `location` in KB-Capabilities is believed.
 */
export async function toldId(id: RemoteId, change: Change, run: Run): Promise<ToldId> {
  const { kind } = change;
  const known = run.toldIds.get(kind);
  if (known === 'wrong' || isTaken(id, change, run)) return 'wrong';
  if (known === 'right' || run.remote.capabilities().location === 'yes') return 'right';
  let shown: KnownRecord | undefined;
  const isSeen = async (): Promise<boolean> => {
    try {
      const read = (await readMany(run.remote, [{ name: 0, kind, id, lang: undefined }], 1)).get(0);
      if (read?.state === 'found') shown = read.record;
      return read?.state !== 'absent';
    } catch (error) {
      // A read beside a write that was confirmed takes nothing back.
      if (error instanceof RemoteError) return true;
      throw error;
    }
  };
  const looksMs = known === undefined ? LOOKS_MS : [];
  await looksAgain(isSeen, { clock: run.clock, signal: run.signal, looksMs });
  const verdict = shown === undefined ? 'unseen' : isOurs(shown, change, run) ? 'right' : 'wrong';
  run.toldIds.set(kind, verdict);
  return verdict;
}

function isTaken(id: RemoteId, { key, kind }: Change, run: Run): boolean {
  const owner = ownerOf(kind, id, run);
  return owner !== undefined && owner !== familyOf(key);
}

/** One of its stamp, its slug, its name or its text is enough: a service may change each of them. */
function isOurs({ kind, fields, stamp }: KnownRecord, change: Change, run: Run): boolean {
  const found = stamp === undefined ? undefined : parseStamp(stamp);
  if (found !== undefined) return found.key === change.key && found.repository === run.repository.id;
  const owned = ownedNow(desiredOf(change, run), run);
  const names = ['slug', nameFieldOf(kind)];
  return names.some((name) => {
    const [ours, theirs] = [owned[name], fields[name]];
    if (ours === undefined || theirs === undefined) return false;
    return ours === theirs || isShownAs({ kind, name }, ours, theirs, waysOf(run));
  });
}

import { familyOf, idKey, isOriginal, kindOf } from '../../model/key.ts';
import type { BaseRecord, BaseState } from '../../model/record.ts';
import { otherOwner } from '../../model/stamp.ts';
import type { Learnt } from '../../plan/plan.ts';
import { readMany } from '../../remote/read-many.ts';
import { familiesOf, newOriginals } from './adoption.ts';
import type { KnownAndListed } from './new-ids.ts';
import { pair } from './pairing.ts';

/**
 * Another machine moved a file, edited it and synced it; this machine's state still knows the record under the old key,
 * and what it remembers of slug and text does not tell that the new file is the same. The record itself does: its stamp
 * names the new file, or it has the file's slug now. The state forgets such a record, so the new file finds it as in a
 * fresh clone, and no second one is made.
 */
export async function withoutMovedElsewhere(
  input: KnownAndListed,
): Promise<{ readonly base: BaseState; readonly moves: readonly Learnt[] }> {
  const { base, moves, remote, desired, policy, repository } = input;
  const originals = newOriginals(desired, base);
  const wants = originals.length === 0 ? [] : goneAndEdited(input);
  if (wants.length === 0) return { base, moves };
  const kinds = new Set(originals.map(({ kind }) => kind));
  const reads = await readMany(
    remote,
    wants
      .filter(({ key }) => kinds.has(kindOf(key)))
      .map(({ key, id }) => ({ name: key, kind: kindOf(key), id, lang: undefined })),
    policy.concurrencyMax,
  );
  const records = [...reads.values()].flatMap((read) => (read.state === 'found' ? [read.record] : []));
  const own = records.filter(({ stamp }) => otherOwner(stamp, repository) === undefined);
  const { found, ambiguous } = pair(originals, own, familiesOf(desired), desired.moved);
  const ofNewFiles = new Set([
    ...[...found.values()].map(({ kind, id }) => idKey(kind, id)),
    ...[...ambiguous].flatMap(([family, ids]) => ids.map((id) => idKey(kindOf(family), id))),
  ]);
  if (ofNewFiles.size === 0) return { base, moves };
  const families = new Set(
    wants.filter(({ key, id }) => ofNewFiles.has(idKey(kindOf(key), id))).map(({ key }) => familyOf(key)),
  );
  const forgotten = [...base.records.keys()].filter((key) => families.has(familyOf(key)));
  const kept = new Map([...base.records].filter(([key]) => !families.has(familyOf(key))));
  return {
    base: { ...base, records: kept },
    moves: [...moves, ...forgotten.map((key) => ({ how: 'forgotten', key }) as const)],
  };
}

/** Originals of which no file of any language is left, and that somebody has written since the last sync. */
function goneAndEdited({ base, desired, listed }: KnownAndListed): readonly BaseRecord[] {
  const families = familiesOf(desired);
  return [...base.records.values()].filter(({ key, id, seen }) => {
    const item = listed.get(idKey(kindOf(key), id));
    return (
      isOriginal(key, desired) && !families.has(familyOf(key)) && item !== undefined && item.seen !== seen
    );
  });
}

import { same } from '../../../model/digest.ts';
import { bodyFieldOf, isStatus } from '../../../model/fields.ts';
import type { Key } from '../../../model/key.ts';
import type { KnownRecord } from '../../../model/record.ts';
import { splitStamp } from '../../../model/stamp.ts';
import { sameAsBase } from '../../../plan/compare.ts';
import { fileIsBase } from '../../../plan/field-standing.ts';
import { readMany } from '../../../remote/read-many.ts';
import type { ReadOutcome, ReadWant } from '../../../remote/read-many.ts';
import type { Run } from '../../run.ts';
import { LOOKS_MS, looksAgain } from '../../look-again.ts';

/** A cache, or a copy that is behind, may show slug, status and text from before the write: that says nothing of what became of the new ones. */
export async function withoutOldValues(
  reads: ReadonlyMap<Key, ReadOutcome>,
  wants: readonly ReadWant<Key>[],
  run: Run,
): Promise<ReadonlyMap<Key, ReadOutcome>> {
  const now = new Map(reads);
  const old = () =>
    wants.filter(({ name }) => {
      const read = now.get(name);
      return (
        read?.state === 'found' &&
        (OLD_LOOKED_FOR.some((field) => showsOld(field, name, read.record, run)) ||
          showsOldText(name, read.record, run))
      );
    });
  const isNew = async (): Promise<boolean> => {
    for (const [key, read] of await readMany(run.remote, old(), run.policy.concurrencyMax))
      if (read.state === 'found') now.set(key, read);
    return old().length === 0;
  };
  if (old().length > 0)
    await looksAgain(isNew, { clock: run.clock, signal: run.signal, looksMs: OLD_LOOKS_MS });
  return now;
}

/** Most services that show it still keep it for good. */
const OLD_LOOKS_MS = LOOKS_MS.slice(0, 4);

const OLD_LOOKED_FOR = ['slug', 'status'] as const;

export function showsOld(
  name: (typeof OLD_LOOKED_FOR)[number],
  key: Key,
  { fields }: KnownRecord,
  run: Run,
): boolean {
  const [ours, theirs] = [run.written.get(key)?.[name], fields[name]];
  if (ours === undefined || theirs === undefined || same(ours, theirs)) return false;
  // A word of the service's own may stand for what was sent.
  if (name === 'status' && !isStatus(theirs)) return false;
  const [side, base] = [run.input.remote.get(key), run.input.base.records.get(key)];
  const before = side?.state === 'known' ? side.record.fields[name] : base?.sent[name];
  return before !== undefined && sameAsBase(theirs, before);
}

/** A text that the file changed, and that is shown as the plan saw it. What is only sent along is shown so for good, in the service's form. */
function showsOldText(key: Key, { kind, fields }: KnownRecord, run: Run): boolean {
  const body = bodyFieldOf(kind);
  const [ours, theirs] = [run.written.get(key)?.[body], fields[body]];
  const [side, base] = [run.input.remote.get(key), run.input.base.records.get(key)];
  if (typeof ours !== 'string' || theirs === undefined || base === undefined || side?.state !== 'known')
    return false;
  const isChanged = !fileIsBase(body, splitStamp(ours).body, base);
  return isChanged && same(theirs, side.record.fields[body] ?? null);
}

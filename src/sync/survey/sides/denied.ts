import type { Clock } from '../../../model/clock.ts';
import type { ReadOutcome, ReadWant } from '../../../remote/read-many.ts';
import { readMany } from '../../../remote/read-many.ts';
import type { Remote } from '../../../remote/remote.ts';

export interface LookAgain {
  readonly remote: Remote;
  readonly atOnce: number;
  readonly sleep: (delayMs: number) => Promise<void>;
}

/** Single reads may lag behind lists: what they deny is asked again after these times. */
const LOOKS_MS = [1000, 2000, 3000];

/**
 * Reads again what a list shows and a single read denied, until it is found or the time for a lag is over. A record that is
 * still denied then was deleted, and its row stayed.
 */
export async function readDenied<T>(
  denied: readonly ReadWant<T>[],
  { remote, atOnce, sleep }: LookAgain,
): Promise<ReadonlyMap<T, ReadOutcome>> {
  const reads = new Map<T, ReadOutcome>();
  let left = denied;
  for (const delayMs of LOOKS_MS) {
    if (left.length === 0) break;
    await sleep(delayMs);
    for (const [name, read] of await readMany(remote, left, atOnce)) reads.set(name, read);
    left = left.filter(({ name }) => reads.get(name)?.state === 'absent');
  }
  return reads;
}

interface Listed {
  readonly remote: Remote;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** One read of a record that must be there, again where it is denied. */
export async function readListed(
  want: ReadWant<unknown>,
  { remote, clock, signal }: Listed,
): Promise<ReadOutcome | undefined> {
  const read = (await readMany(remote, [want], 1)).get(want.name);
  if (read?.state !== 'absent') return read;
  const sleep = (delayMs: number) => clock.sleep(delayMs, signal);
  return (await readDenied([want], { remote, atOnce: 1, sleep })).get(want.name);
}

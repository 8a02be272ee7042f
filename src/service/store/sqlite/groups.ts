import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../store.ts';

export interface Job<S extends Sql> {
  readonly work: (sql: S) => Promise<unknown>;
  readonly settle: (outcome: Outcome) => void;
}
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

export interface Waiting<S extends Sql> {
  length(): number;
  run<T>(work: (sql: S) => Promise<T>): Promise<T>;
  drain(): Promise<void>;
}

/** So long may a group take before others get their turn of the event loop; what was begun ends. */
const TURN_MS = 20;

/** So often what another process holds is asked for. */
const ASK_AGAIN_MS = 10;

/** Tries until it is done; after so long for the last time. */
export async function untilFree(
  waitMs: number,
  attempt: (isLast: boolean) => Promise<boolean>,
): Promise<void> {
  const endMs = performance.now() + waitMs;
  while (!(await attempt(performance.now() >= endMs))) await sleep(ASK_AGAIN_MS);
}

/** The jobs of a group, one at a time, as many as fit into its turn. */
export function* jobsOfTurn<S extends Sql>(take: () => Job<S> | undefined): Generator<Job<S>> {
  const endMs = performance.now() + TURN_MS;
  for (let job = take(); job !== undefined; job = performance.now() > endMs ? undefined : take()) yield job;
}

/** Gathers the jobs of one turn of the event loop, so they share a transaction. */
export function createWaiting<S extends Sql>(
  runGroup: (take: () => Job<S> | undefined) => Promise<void>,
): Waiting<S> {
  const waiting: Job<S>[] = [];
  let isScheduled = false;
  const take = (): Job<S> | undefined => waiting.shift();
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      await runGroup(take);
      if (waiting.length > 0) await nextTurn();
    }
    isScheduled = false;
  };
  return {
    length: () => waiting.length,
    drain,
    async run<T>(work: (sql: S) => Promise<T>): Promise<T> {
      const outcome = await new Promise<Outcome>((settle) => {
        waiting.push({ work, settle });
        if (isScheduled) return;
        isScheduled = true;
        // After the requests that this turn of the event loop still reads.
        setImmediate(() => void drain());
      });
      if (!outcome.ok) throw outcome.error;
      // The value is what this very work returned.
      return outcome.value as T;
    },
  };
}

/** Runs tasks one after the other, in the order of the calls; a task that fails does not stop the next. */
export function createSerial(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

import type { Sql } from './store.ts';

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

/** Gathers the jobs of one turn of the event loop, so that they share a transaction. */
export function createWaiting<S extends Sql>(
  runGroup: (take: (countMax: number) => readonly Job<S>[]) => Promise<void>,
): Waiting<S> {
  let waiting: Job<S>[] = [];
  let isScheduled = false;
  const take = (countMax: number): readonly Job<S>[] => {
    const taken = waiting.slice(0, countMax);
    waiting = waiting.slice(countMax);
    return taken;
  };
  const drain = async (): Promise<void> => {
    isScheduled = false;
    while (waiting.length > 0) await runGroup(take);
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

import type { SharedStore } from '../../../src/base/shared/shared-store.ts';

/** Which exchange with the store goes wrong: it never arrives, or it is carried out and nobody hears of it. */
export interface Fault {
  /** From 1. */
  readonly at: number;
  readonly how: 'before' | 'after';
}

/** Counts the exchanges of one machine, and makes one of them go wrong. */
export interface Faults {
  fault: Fault | undefined;
  count: number;
}

/** A real store with nothing in it, and machines that reach it. */
export interface Bench {
  /** Another machine. */
  open(faults?: Faults): SharedStore;
  /** Time goes by for the store and for everybody. */
  passMs(ms: number): Promise<void>;
  close(): Promise<void>;
}

export const noFaults = (): Faults => ({ fault: undefined, count: 0 });

/** Does one exchange under the faults of a machine; `lost` is what it throws. */
export async function exchanged<T>(faults: Faults, work: () => Promise<T>, lost: () => Error): Promise<T> {
  faults.count += 1;
  const how = faults.fault?.at === faults.count ? faults.fault.how : undefined;
  if (how === 'before') throw lost();
  const result = await work();
  if (how === 'after') throw lost();
  return result;
}

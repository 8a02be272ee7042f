import { readFileSync } from 'node:fs';

export interface Paused<T> {
  readonly value: T;
  /**
   * The longest time for which this thread worked without a look at the event loop. Time in which the machine gave the
   * thread no processor is not counted, where the system tells (Linux): it says nothing about the work.
   */
  readonly pauseMs: number;
}

const TICK_MS = 2;

/** Does some work and tells how long the event loop stood still at a time meanwhile. */
export async function longestPause<T>(work: () => Promise<T>): Promise<Paused<T>> {
  let longestMs = 0;
  let lastMs = spentMs();
  const tick = (): void => {
    const nowMs = spentMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  const timer = setInterval(tick, TICK_MS);
  try {
    const value = await work();
    tick();
    return { value, pauseMs: longestMs };
  } finally {
    clearInterval(timer);
  }
}

/** Processor time of this thread; else the time of the clock. */
function spentMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

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

const PAUSE_MS_MAX = 100;
const LARGE_TEXT_BYTES = 16 * 1024 * 1024;

/**
 * How long the event loop may stand still, in ms: 100, and what the machine takes to hand out the memory of one large
 * text. On some virtual machines that alone is 100 ms, and no program can do anything about it.
 */
export function longestAllowedPauseMs(): number {
  const times = Array.from({ length: 5 }, () => {
    const startMs = spentMs();
    Buffer.allocUnsafeSlow(LARGE_TEXT_BYTES).fill(1);
    return spentMs() - startMs;
  });
  return PAUSE_MS_MAX + (times.toSorted((a, b) => a - b)[2] ?? 0);
}

/** Processor time of this thread; else the time of the clock. */
function spentMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

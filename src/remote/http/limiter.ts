import pLimit from 'p-limit';

export interface LimiterOptions {
  readonly start: number;
  readonly max: number;
  /** Whether a task's error means that the service is at its limit. */
  readonly isCongestion: (error: unknown) => boolean;
}

export interface Limiter {
  /**
   * Runs the task when there is room; its outcome moves the limit. Errors pass through. An urgent one goes before all
   * that wait.
   */
  run<T>(task: () => Promise<T>, isUrgent?: boolean): Promise<T>;
  /** How many may run at once now. */
  atOnce(): number;
}

/**
 * Finds out how many requests at once the service takes. Slow start: the limit doubles after every window (as many
 * successes as the limit) until the first congestion; then additive increase, one a window. Congestion halves it, once
 * for all tasks that were begun before: one burst of 429s is one signal. Never below 1, never above `max`; a limit that
 * is not used up does not grow.
 */
export function createLimiter({ start, max, isCongestion }: LimiterOptions): Limiter {
  let limit = Math.max(1, Math.min(start, max));
  let isSlowStart = true;
  let cleanInWindow = 0;
  let wasFull = false;
  let epoch = 0;
  const queue = pLimit(limit);
  const urgent: (() => Promise<void>)[] = [];
  const waiting: (() => Promise<void>)[] = [];

  const setLimit = (next: number): void => {
    limit = Math.max(1, Math.min(max, next));
    queue.concurrency = limit;
    cleanInWindow = 0;
    wasFull = false;
  };
  const succeeded = (): void => {
    cleanInWindow++;
    wasFull ||= queue.activeCount >= limit;
    if (cleanInWindow < limit) return;
    if (wasFull && limit < max) setLimit(isSlowStart ? limit * 2 : limit + 1);
    cleanInWindow = 0;
    wasFull = false;
  };
  const congested = (begunIn: number): void => {
    if (begunIn !== epoch) return;
    epoch++;
    isSlowStart = false;
    setLimit(Math.floor(limit / 2));
  };

  return {
    run: (task, isUrgent = false) =>
      new Promise((resolve, reject) => {
        const whole = async (): Promise<void> => {
          const begunIn = epoch;
          try {
            const value = await task();
            if (begunIn === epoch) succeeded();
            resolve(value);
          } catch (error) {
            if (isCongestion(error)) congested(begunIn);
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        };
        (isUrgent ? urgent : waiting).push(whole);
        // Each turn takes the most urgent of those that wait, not the one that asked for it.
        void queue(async () => (urgent.shift() ?? waiting.shift())?.());
      }),
    atOnce: () => limit,
  };
}

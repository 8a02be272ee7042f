export interface Clock {
  /** Wall clock, milliseconds. */
  now(): number;
  /** Resolves or rejects early when the signal aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

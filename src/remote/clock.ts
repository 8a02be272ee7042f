export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Resolves or rejects early when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

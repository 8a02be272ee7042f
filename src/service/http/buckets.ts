/** What a bucket says to a request. */
export interface Taken {
  readonly isGranted: boolean;
  /** Requests that may still come at once. */
  readonly left: number;
  /** Until the next one may come; 0 while some are left. */
  readonly waitSeconds: number;
  /** Until all are there again. */
  readonly fullSeconds: number;
}

interface Bucket {
  /** Requests that may come at once; filled up over time. */
  readonly tokens: number;
  readonly atMs: number;
}

/** The ones longest unused are forgotten beyond this many: they are full, or nearly so. */
const BUCKETS_MAX = 10_000;

/** A token bucket for each name: `perMinute` at once, filled evenly. `now` in milliseconds of any clock. */
export function createBuckets(now: () => number, perMinute: number): (name: string) => Taken {
  const buckets = new Map<string, Bucket>();
  const perMs = perMinute / 60_000;
  return (name) => {
    const nowMs = now();
    const before = buckets.get(name) ?? { tokens: perMinute, atMs: nowMs };
    const passedMs = Math.max(0, nowMs - before.atMs);
    const tokens = Math.min(perMinute, before.tokens + passedMs * perMs);
    const isGranted = tokens >= 1;
    const left = isGranted ? tokens - 1 : tokens;
    buckets.delete(name); // the one longest unused is at the front
    buckets.set(name, { tokens: left, atMs: nowMs });
    if (buckets.size > BUCKETS_MAX) buckets.delete(buckets.keys().next().value ?? '');
    return {
      isGranted,
      left: Math.floor(left),
      waitSeconds: isGranted ? 0 : Math.max(1, Math.ceil((1 - left) / perMs / 1000)),
      fullSeconds: Math.ceil((perMinute - left) / perMs / 1000),
    };
  };
}

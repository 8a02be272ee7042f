import { Refusal } from './refusal.ts';
import type { Clock } from './time.ts';

/** Takes one request of a key; the headers say what is left of its share. */
export type TakeRequest = (keyId: string) => Readonly<Record<string, string>>;

interface Bucket {
  /** Requests that may come at once; filled up over time. */
  readonly tokens: number;
  readonly atMs: number;
}

/** Keys beyond this many are forgotten when their bucket is full, which changes nothing. */
const BUCKETS_MAX = 10_000;

/**
 * A token bucket for each key: `perMinute` at once, filled evenly. It is kept by this process; behind a load balancer each
 * replica grants the share, so that a key gets up to replicas × `perMinute`.
 *
 * Headers: `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers, `Retry-After` of RFC 9110.
 * `takeRequest` throws Refusal 429.
 */
export function createRateLimit(clock: Clock, perMinute: number): TakeRequest {
  const buckets = new Map<string, Bucket>();
  const perMs = perMinute / 60_000;
  const policy = `"key";q=${perMinute};w=60`;
  return (keyId) => {
    const nowMs = clock.now();
    const before = buckets.get(keyId) ?? { tokens: perMinute, atMs: nowMs };
    const passedMs = Math.max(0, nowMs - before.atMs);
    const tokens = Math.min(perMinute, before.tokens + passedMs * perMs);
    const isGranted = tokens >= 1;
    const left = isGranted ? tokens - 1 : tokens;
    if (buckets.size >= BUCKETS_MAX && !buckets.has(keyId)) forgetFull(buckets, nowMs, { perMs, perMinute });
    buckets.set(keyId, { tokens: left, atMs: nowMs });
    const fullSeconds = Math.ceil((perMinute - left) / perMs / 1000);
    const headers = {
      'RateLimit-Policy': policy,
      RateLimit: `"key";r=${Math.floor(left)};t=${fullSeconds}`,
    };
    if (isGranted) return headers;
    const waitSeconds = Math.max(1, Math.ceil((1 - left) / perMs / 1000));
    throw new Refusal(429, `this API key may send ${perMinute} requests a minute; wait ${waitSeconds} s`, {
      ...headers,
      'Retry-After': String(waitSeconds),
    });
  };
}

function forgetFull(
  buckets: Map<string, Bucket>,
  nowMs: number,
  { perMs, perMinute }: { readonly perMs: number; readonly perMinute: number },
): void {
  for (const [keyId, { tokens, atMs }] of buckets) {
    if (tokens + (nowMs - atMs) * perMs >= perMinute) buckets.delete(keyId);
  }
}

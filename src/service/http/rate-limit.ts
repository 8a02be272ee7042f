import { Refusal } from '../refusal.ts';
import type { Clock } from '../time.ts';
import { createBuckets } from './buckets.ts';

/** Takes one request of a key; the headers say what is left of its share. */
export type TakeRequest = (keyId: string) => Readonly<Record<string, string>>;

/**
 * So many requests a minute for each key. It is kept by this process; behind a load balancer each replica grants the share,
 * so that a key gets up to replicas × `perMinute`.
 *
 * Headers: `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers, `Retry-After` of RFC 9110.
 * `takeRequest` throws Refusal 429.
 */
export function createRateLimit(clock: Clock, perMinute: number): TakeRequest {
  const take = createBuckets(() => clock.now(), perMinute);
  return (keyId) => {
    const { isGranted, left, waitSeconds, fullSeconds } = take(keyId);
    const headers = {
      'RateLimit-Policy': `"key";q=${perMinute};w=60`,
      RateLimit: `"key";r=${left};t=${fullSeconds}`,
    };
    if (isGranted) return headers;
    throw new Refusal(429, `this API key may send ${perMinute} requests a minute; wait ${waitSeconds} s`, {
      ...headers,
      'Retry-After': String(waitSeconds),
    });
  };
}

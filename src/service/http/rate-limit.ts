import { Refusal } from '../refusal.ts';
import type { Clock } from '../time.ts';
import { createBuckets } from './buckets.ts';
import { networkOf } from './client-address.ts';

/** Takes one request of a key; the headers say what is left of its share. */
export type TakeRequest = (keyId: string) => Readonly<Record<string, string>>;

/**
 * So many requests a minute for each key. It is kept by this process; behind a load balancer each replica grants the share,
 * and a key gets up to replicas × `perMinute`.
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

/** Takes one request that came without a valid key from an address; undefined: from nowhere that has one. */
export type TakeStranger = (from: string | undefined) => void;

/**
 * So many requests without a valid key a minute from each address; who has a key there is not held up by them.
 * `takeStranger` throws Refusal 429.
 */
export function createStrangerLimit(clock: Clock, perMinute: number): TakeStranger {
  const take = createBuckets(() => clock.now(), perMinute);
  return (from) => {
    if (from === undefined) return;
    const { isGranted, waitSeconds } = take(networkOf(from));
    if (isGranted) return;
    throw new Refusal(
      429,
      `without a valid API key you may send ${perMinute} requests a minute; wait ${waitSeconds} s`,
      { 'Retry-After': String(waitSeconds) },
    );
  };
}

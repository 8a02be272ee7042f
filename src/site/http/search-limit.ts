import { createBuckets } from '../../service/http/buckets.ts';
import { networkOf } from '../../service/http/client-address.ts';
import { Refusal } from '../../service/refusal.ts';

/** Counts the searches of each network. @throws Refusal 429 */
export function createSearchLimit(now: () => number, perMinute: number): (from: string) => void {
  const take = createBuckets(now, perMinute);
  return (from) => {
    const { isGranted, waitSeconds } = take(networkOf(from));
    if (isGranted) return;
    throw new Refusal(429, `you can search ${perMinute} times a minute; wait ${waitSeconds} s`, {
      'Retry-After': String(waitSeconds),
    });
  };
}

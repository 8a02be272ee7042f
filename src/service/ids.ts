import { randomBytes } from 'node:crypto';
import type { Clock } from './time.ts';

export type NewId = () => string;
export type RandomBytes = (count: number) => Uint8Array;

/**
 * UUIDs of version 7 (RFC 9562): opaque to clients, never used again, and in the order of their making, so new rows
 * go to the end of an index. The 12 bits after the time count within one millisecond (RFC 9562, 6.2, method 1).
 */
export function createNewId(clock: Clock, random: RandomBytes = pooled()): NewId {
  let lastMs = 0;
  let count = 0;
  return () => {
    const nowMs = Math.max(Math.floor(clock.now()), 0);
    if (nowMs > lastMs) {
      lastMs = nowMs;
      count = 0;
    } else {
      count += 1;
      if (count > 0xfff) {
        lastMs += 1;
        count = 0;
      }
    }
    const time = lastMs.toString(16).padStart(12, '0');
    const tail = Buffer.from(random(8));
    tail[0] = ((tail[0] ?? 0) & 0x3f) | 0x80;
    const hex = tail.toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}-${hex.slice(0, 4)}-${hex.slice(4)}`;
  };
}

const POOL_BYTES = 4096;

/** Random bytes are had cheaper many at a time; none is given out twice. */
function pooled(): RandomBytes {
  let pool = new Uint8Array();
  let used = 0;
  return (count) => {
    if (used + count > pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };
}

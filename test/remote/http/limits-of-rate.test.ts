import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lists } from '../support/replies.ts';
import { json, rig } from '../support/support.ts';

/** Time goes on only when everybody sleeps, to the next one that wakes. */
function sharedClock() {
  let nowMs = Date.UTC(2026, 0, 5, 9);
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    now: () => nowMs,
    sleep: (ms: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ at: nowMs + ms, wake });
      }),
    async runUntil(done: Promise<unknown>): Promise<void> {
      let isDone = false;
      void done.finally(() => (isDone = true));
      for (;;) {
        for (let turns = 0; turns < 3; turns += 1) await turn();
        if (isDone) return;
        sleepers.sort((a, b) => a.at - b.at);
        const next = sleepers.shift();
        if (next === undefined) throw new Error('test: nobody wakes');
        nowMs = Math.max(nowMs, next.at);
        next.wake();
      }
    },
  };
}

/** So many requests in so long a time, and no word of when to come back. */
const LIMITS = [
  { count: 60, windowMs: 60_000, reads: 200, tookMs: 5 },
  { count: 60, windowMs: 60_000, reads: 200, tookMs: 200 },
  { count: 10, windowMs: 1_000, reads: 400, tookMs: 5 },
  { count: 1, windowMs: 1_000, reads: 100, tookMs: 20 },
  { count: 100, windowMs: 10_000, reads: 400, tookMs: 50 },
];

test.each(LIMITS)(
  'a service that takes $count requests in $windowMs ms and names no time to come back gets all $reads of $tookMs ms through',
  async ({ count, windowMs, reads, tookMs }) => {
    const clock = sharedClock();
    const begin = clock.now();
    const taken: number[] = [];
    const { remote } = rig({
      clock,
      send: async () => {
        await clock.sleep(tookMs);
        while (taken[0] !== undefined && taken[0] <= clock.now() - windowMs) taken.shift();
        if (taken.length >= count) return json({ success: false, message: 'slow down' }, { status: 429 });
        taken.push(clock.now());
        return json(lists.tag);
      },
      concurrencyMax: 16,
    });
    const all = Promise.allSettled(Array.from({ length: reads }, () => remote.list('tag')));
    await clock.runUntil(all);
    const refused = (await all).filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([]);
    // Nobody is any faster than the service, and few waits are longer than they must be.
    expect(clock.now() - begin).toBeLessThan((reads / count) * windowMs * 1.6 + 30_000);
  },
);

test('a service that answers nothing but 429 is asked for two minutes, not for each record', async () => {
  const clock = sharedClock();
  const begin = clock.now();
  const { remote } = rig({
    clock,
    send: async () => {
      await clock.sleep(20);
      return json({ success: false, message: 'quota used up' }, { status: 429 });
    },
    concurrencyMax: 16,
  });
  const all = Promise.allSettled(Array.from({ length: 1000 }, () => remote.list('tag')));
  await clock.runUntil(all);
  expect((await all).every(({ status }) => status === 'rejected')).toBe(true);
  expect(remote.requests()).toBeLessThan(1100);
  expect(clock.now() - begin).toBeLessThan(180_000);
});

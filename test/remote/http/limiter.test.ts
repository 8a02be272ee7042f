import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLimiter } from '../../../src/remote/http/limiter.ts';
import type { Limiter } from '../../../src/remote/http/limiter.ts';

class Congestion extends Error {}

function limiterWith(max: number, start = 4): Limiter {
  return createLimiter({ start, max, isCongestion: (error) => error instanceof Congestion });
}

/** Tasks that end when told to; `running` is how many the limiter has let in. */
function load(
  limiter: Limiter,
  count: number,
): { readonly ends: ((error?: Error) => void)[]; readonly all: Promise<unknown> } {
  const ends: ((error?: Error) => void)[] = [];
  const tasks = Array.from({ length: count }, () =>
    limiter.run(
      () => new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve()))),
    ),
  );
  return { ends, all: Promise.allSettled(tasks) };
}

async function settled(): Promise<void> {
  await new Promise((done) => setImmediate(done));
}

test('starts with four at once and doubles after each full clean window, up to the maximum', async () => {
  const limiter = limiterWith(20);
  const { ends, all } = load(limiter, 100);
  const seen = [];
  for (let done = 0; done < 100;) {
    await settled();
    seen.push(ends.length - done);
    for (const end of ends.slice(done)) {
      end();
      done++;
    }
  }
  await all;
  expect(seen.slice(0, 4)).toEqual([4, 8, 16, 20]);
});

test('a burst of refusals halves the limit once', async () => {
  const limiter = limiterWith(8, 8);
  const { ends, all } = load(limiter, 8);
  await settled();
  for (const end of ends) end(new Congestion());
  await all;
  expect(limiter.atOnce()).toBe(4);
});

test('after a refusal the limit grows by one a window', async () => {
  const limiter = limiterWith(32, 8);
  const { ends } = load(limiter, 200);
  await settled();
  ends.shift()?.(new Congestion());
  await settled();
  const limits = [];
  for (let round = 0; round < 5; round++) {
    for (const end of ends.splice(0)) end();
    await settled();
    limits.push(limiter.atOnce());
  }
  for (let left = 0; left < 200; left++) {
    for (const end of ends.splice(0)) end();
    await settled();
  }
  // The seven that were begun before the refusal say nothing about the new limit.
  expect(limits).toEqual([4, 5, 6, 7, 8]);
});

test('a limit that is not used up does not grow', async () => {
  const limiter = limiterWith(32);
  for (let n = 0; n < 100; n++) await limiter.run(() => Promise.resolve());
  expect(limiter.atOnce()).toBe(4);
});

test('another failure neither grows nor shrinks it, and passes through', async () => {
  const limiter = limiterWith(32);
  await expect(limiter.run(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(limiter.atOnce()).toBe(4);
});

test('whatever happens, 1 ≤ limit ≤ maximum, no more than the limit start, and every task ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.tuple(fc.nat(100), fc.constantFrom('ok', 'ok', 'ok', 'congested', 'failed')), {
        maxLength: 120,
      }),
      async (max, steps) => {
        const limiter = limiterWith(max);
        const { ends, all } = load(limiter, steps.length);
        let running = 0;
        for (const [pick, outcome] of steps) {
          await settled();
          expect(limiter.atOnce()).toBeGreaterThanOrEqual(1);
          expect(limiter.atOnce()).toBeLessThanOrEqual(max);
          expect(ends.length <= running || ends.length <= limiter.atOnce()).toBe(true);
          const [end] = ends.splice(pick % ends.length, 1);
          running = ends.length;
          end?.(outcome === 'ok' ? undefined : outcome === 'congested' ? new Congestion() : new Error('no'));
        }
        await all;
        expect(ends).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test('what is urgent goes before all that wait', async () => {
  const limiter = limiterWith(1, 1);
  const order: string[] = [];
  const task = (name: string) => async () => void order.push(name);
  await Promise.all([
    limiter.run(task('first')),
    limiter.run(task('second')),
    limiter.run(task('third')),
    limiter.run(task('urgent'), true),
  ]);
  expect(order.indexOf('urgent')).toBeLessThan(order.indexOf('third'));
  expect([...order].sort()).toEqual(['first', 'second', 'third', 'urgent']);
});

import { describe, expect, test } from 'vitest';
import { createBatches } from '../../src/sync/watch/batches.ts';
import type { Batch, BatchEnd, BatchesOptions } from '../../src/sync/watch/batches.ts';

/** A clock that moves only when it is told to; batches end when they are told to. */
function rig(options: Partial<BatchesOptions> = {}) {
  let nowMs = 1_000_000;
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  const batches: Batch[] = [];
  const waits: number[] = [];
  const failures: unknown[] = [];
  let end: ((end: BatchEnd) => void) | undefined;
  const watch = createBatches({
    clock: {
      now: () => nowMs,
      after: (delayMs, callback) => {
        const timer = { atMs: nowMs + delayMs, callback };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    random: () => 0.5,
    run: (batch) => {
      batches.push(batch);
      return new Promise((resolve) => (end = resolve));
    },
    onWait: (delayMs) => waits.push(delayMs),
    onFailure: (error) => failures.push(error),
    ...options,
  });
  return {
    watch,
    batches,
    waits,
    failures,
    pass: (ms: number) => {
      for (const untilMs = nowMs + ms; ;) {
        const next = [...timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) {
          nowMs = untilMs;
          return;
        }
        timers.delete(next);
        nowMs = Math.max(nowMs, next.atMs);
        next.callback();
      }
    },
    finish: async (how: BatchEnd = 'done') => {
      end?.(how);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
  };
}

test('a date in a file is looked at when it passes, and not before', async () => {
  let dateMs: number | undefined = 1_000_000 + 60_000;
  const { batches, pass, finish } = rig({ dateMs: () => dateMs });
  pass(59_999);
  expect(batches).toEqual([]);
  pass(1);
  expect(batches).toEqual([{ paths: [], scope: 'look-again', sinceMs: 1_060_000 }]);
  dateMs = undefined;
  await finish();
  pass(60_000);
  expect(batches.length).toBe(1);
});

describe('a batch', () => {
  test('is one saved file, 30 ms after its last event', () => {
    const { watch, batches, pass } = rig();
    watch.changed('a.md');
    pass(20);
    watch.changed('a.md');
    pass(29);
    expect(batches).toEqual([]);
    pass(1);
    expect(batches).toEqual([{ paths: ['a.md'], scope: 'changes', sinceMs: 1_000_000 }]);
  });

  test('of hundreds of files is one, though a checkout pauses between them', () => {
    const { watch, batches, pass } = rig();
    for (let file = 0; file < 500; file += 1) {
      watch.changed(`${file}.md`);
      pass(file % 100 === 99 ? 200 : 1);
    }
    pass(300);
    expect(batches.map(({ paths }) => paths.length)).toEqual([500]);
  });

  test('waits while git writes the working tree', () => {
    let isBusy = true;
    const { watch, batches, pass } = rig({ isBusy: () => isBusy });
    watch.changed('a.md');
    pass(2000);
    expect(batches).toEqual([]);
    isBusy = false;
    pass(50);
    expect(batches.length).toBe(1);
  });

  test('is taken after 10 s although a lock that nobody removes says that git is at work', () => {
    const { watch, batches, pass } = rig({ isBusy: () => true });
    watch.changed('a.md');
    pass(10_060);
    expect(batches.length).toBe(1);
  });

  test('is taken after 3 s although a file never rests', () => {
    const { watch, batches, pass } = rig();
    for (let at = 0; at < 3200; at += 20) {
      watch.changed('log.md');
      pass(20);
    }
    expect(batches.length).toBe(1);
  });

  test('collects what changes while another one runs, each file once', async () => {
    const { watch, batches, pass, finish } = rig();
    watch.changed('a.md');
    pass(30);
    watch.changed('a.md');
    watch.changed('b.md');
    watch.changed('a.md');
    pass(500);
    expect(batches.length).toBe(1);
    await finish();
    expect(batches.map(({ paths }) => paths)).toEqual([['a.md'], ['a.md', 'b.md']]);
  });
});

describe('afterwards', () => {
  test('looks once more at the files, and then rests', async () => {
    const { watch, batches, pass, finish } = rig();
    watch.changed('a.md');
    pass(30);
    await finish();
    expect(watch.isIdle()).toBe(false);
    pass(1000);
    await finish();
    pass(60_000);
    expect(batches.map(({ scope }) => scope)).toEqual(['changes', 'look-again']);
    expect(watch.isIdle()).toBe(true);
  });

  test('compares everything every ten minutes', async () => {
    const { batches, pass, finish } = rig();
    pass(600_000);
    await finish();
    pass(599_999);
    expect(batches.map(({ scope }) => scope)).toEqual(['everything']);
    pass(1);
    expect(batches.length).toBe(2);
  });
});

describe('a batch that could not be finished', () => {
  test('comes again with growing pauses, with everything, and with what changed meanwhile', async () => {
    const { watch, batches, waits, pass, finish } = rig();
    watch.changed('a.md');
    pass(30);
    await finish('again');
    expect(waits).toEqual([1000]);
    watch.changed('b.md');
    pass(999);
    expect(batches.length).toBe(1);
    pass(1);
    expect(batches[1]).toEqual({ paths: ['a.md', 'b.md'], scope: 'everything', sinceMs: 1_000_000 });
    for (let tries = 0; tries < 6; tries += 1) {
      await finish('again');
      pass(60_000);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
    await finish();
    watch.changed('c.md');
    pass(30);
    await finish('again');
    expect(waits.at(-1)).toBe(1000);
  });

  test('comes again at once when the files changed under its hands', async () => {
    const { watch, batches, waits, pass, finish } = rig();
    watch.changed('a.md');
    pass(30);
    await finish('soon');
    pass(50);
    expect(batches.map(({ paths }) => paths)).toEqual([['a.md'], ['a.md']]);
    expect(waits).toEqual([]);
  });

  test('that throws ends the watch', async () => {
    const bug = new Error('bug: x');
    const { watch, failures, pass, finish } = rig({ run: () => Promise.reject(bug) });
    watch.changed('a.md');
    pass(30);
    await finish();
    expect(failures).toEqual([bug]);
  });
});

test('stopping waits for what is under way and begins nothing more', async () => {
  const { watch, batches, pass, finish } = rig();
  watch.changed('a.md');
  pass(30);
  watch.changed('b.md');
  let isStopped = false;
  const stopped = watch.stop().then(() => (isStopped = true));
  await Promise.resolve();
  expect(isStopped).toBe(false);
  await finish();
  await stopped;
  pass(10_000);
  expect(batches.length).toBe(1);
});

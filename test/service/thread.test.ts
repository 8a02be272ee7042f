import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createThread, createThreads, type Thread, waitAtMost } from '../../src/service/thread.ts';

const FIXTURE = new URL('support/thread-fixture.mjs', import.meta.url);

const open: Thread<string, string>[] = [];
afterEach(() => Promise.all(open.splice(0).map((thread) => thread.stop())));

function threadOf(options = {}): Thread<string, string> {
  const thread = createThread<string, string>(FIXTURE, options);
  open.push(thread);
  return thread;
}

const AHEAD = [0, 3];

test.each(AHEAD)('answers each task, in the order in which they came (%i ahead)', async (aheadMax) => {
  const thread = threadOf({ aheadMax });
  expect(await Promise.all(['a', 'b', 'c'].map((task) => thread.run(task)))).toEqual(['a!', 'b!', 'c!']);
});

test('of several threads, one that does not end keeps no task of the others waiting', async () => {
  const threads = createThreads<string, string>(FIXTURE, 2, { deadlineMs: 60_000 });
  open.push(threads);
  const spinning = threads.run('spin').catch(() => 'stopped');
  expect([await threads.run('a'), await threads.run('b')]).toEqual(['a!', 'b!']);
  await threads.stop();
  expect(await spinning).toBe('stopped');
});

test.each(AHEAD)(
  'a task that does not end is given up, and the next ones are answered by a new thread (%i ahead)',
  async (aheadMax) => {
    const thread = threadOf({ deadlineMs: 50, aheadMax });
    const before = thread.run('wait', 20_000);
    const spinning = thread.run('spin');
    const after = [thread.run('a', 20_000), thread.run('b', 20_000)];
    await expect(spinning).rejects.toMatchObject({ code: 'deadline' });
    expect(await Promise.all([before, ...after])).toEqual(['waited!', 'a!', 'b!']);
  },
);

test('with tasks ahead, a thread need not wait until this one has a moment', async () => {
  const thread = threadOf({ aheadMax: 2 });
  await thread.run('a');
  const told = [1, 2, 3].map(() => thread.run('clock'));
  const busyUntil = Date.now() + 300;
  while (Date.now() < busyUntil);
  expect((await Promise.all(told)).filter((at) => Number(at) > busyUntil)).toEqual([]);
});

test('the time of the tasks ahead is not that of the first one, however late its end is heard', async () => {
  const thread = threadOf({ aheadMax: 9, deadlineMs: 150 });
  await thread.run('a');
  const tasks = Array.from({ length: 10 }, () => 'work');
  const worked = tasks.map((task) => thread.run(task));
  await setTimeout(20);
  // Timers have their turn before what the thread says is heard.
  await setImmediate();
  const busyUntil = Date.now() + 1500;
  while (Date.now() < busyUntil);
  expect(await Promise.all(worked)).toEqual(tasks.map(() => 'worked!'));
});

test.skipIf(process.platform !== 'linux')('the time of busy neighbours is not a task’s own', async () => {
  const neighbour = threadOf({ deadlineMs: 60_000 });
  await neighbour.run('a');
  const spinning = neighbour.run('spin').catch(() => 'stopped');
  expect(await threadOf({ deadlineMs: 200 }).run('wait')).toBe('waited!');
  await neighbour.stop();
  expect(await spinning).toBe('stopped');
});

test('a thread gets little memory for what it just made, or as much as its work is worth', async () => {
  expect(await threadOf().run('limits')).toBe('4');
  const threads = createThreads<string, string>(FIXTURE, 2, { youngMb: 16 });
  open.push(threads);
  expect(await threads.run('limits')).toBe('16');
});

test.each(['die', 'throw', 'fail'].flatMap((how) => AHEAD.map((aheadMax) => ({ how, aheadMax }))))(
  'a task that ends badly ($how) fails alone ($aheadMax ahead)',
  async ({ how, aheadMax }) => {
    const thread = threadOf({ aheadMax });
    const [bad, good] = await Promise.allSettled([thread.run(how), thread.run('a')]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'failed' } });
    expect(good).toEqual({ status: 'fulfilled', value: 'a!' });
  },
);

test('a thread that cannot be loaded fails its tasks and nothing else', async () => {
  const thread = createThread<string, string>(new URL('no-such-thread.mjs', import.meta.url));
  await expect(thread.run('a')).rejects.toMatchObject({ code: 'failed' });
  await expect(thread.run('b')).rejects.toMatchObject({ code: 'failed' });
});

test('beyond so many tasks that wait, a task is refused at once', async () => {
  const thread = threadOf({ waitingMax: 2 });
  const taken = ['a', 'b', 'c'].map((task) => thread.run(task));
  await expect(thread.run('d')).rejects.toMatchObject({ code: 'busy' });
  expect(await Promise.all(taken)).toEqual(['a!', 'b!', 'c!']);
});

test('a thread that is stopped fails what waits', async () => {
  const thread = threadOf();
  const tasks = Promise.allSettled([thread.run('spin'), thread.run('a')]);
  await thread.stop();
  expect((await tasks).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a wait ends with what is waited for, or with its time', async () => {
  expect(await waitAtMost(60_000, Promise.resolve())).toBe(undefined);
  expect(await waitAtMost(1, new Promise(() => undefined))).toBe(undefined);
});

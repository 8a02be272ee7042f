import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileOf, heldRows, resetKnowledge, textOf, wantedRows, type Doc } from './knowledge.ts';
import { openLane, type Lane } from './lane.ts';
import { SCENARIOS } from './scenarios.ts';

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  await resetKnowledge(lane);
  await lane.write(new Map(docs.map((doc) => [fileOf(doc), textOf(doc)])));
});
afterEach(() => lane.close());

const docs: readonly Doc[] = SCENARIOS[0]?.docsAt(0) ?? [];

async function expectInStep(): Promise<void> {
  const { rows, bystanders } = await heldRows(lane);
  expect(rows).toEqual(wantedRows(docs));
  expect(bystanders).toBe(2);
  const again = await lane.run('sync');
  expect(again.stdout).toMatch(/^in sync: 6 records unchanged, 2 unmanaged in .*, 3 requests\n$/);
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  test.each([6, 8])(
    'at request %i: ends with 130 and a true state; the next run goes on at once',
    async (at) => {
      const held = lane.proxy.arm({ at, how: 'held' });
      const running = lane.start('sync', '--concurrency', '1');
      await held;
      running.kill(signal);
      await running.said('stopping: finishing what is under way');
      lane.proxy.release(); // the answer comes after the signal: it is waited for
      const ended = await running.ended;
      expect(ended.exit).toBe(130);
      expect(ended.stdout).toContain('running again is safe');
      expect(ended.stdout).not.toContain('pending');
      lane.proxy.disarm();
      expect((await lane.run('sync')).exit).toBe(0);
      await expectInStep();
    },
  );

  test('twice leaves at once, and nothing is doubled afterwards', async () => {
    const held = lane.proxy.arm({ at: 5, how: 'held' });
    const running = lane.start('sync');
    await held;
    running.kill(signal);
    await running.said('stopping');
    running.kill(signal);
    expect((await running.ended).exit).toBe(130);
    lane.proxy.release();
    await lane.proxy.quiet();
    lane.proxy.disarm();
    expect((await lane.run('sync', '--settle', '0')).exit).toBe(0);
    await expectInStep();
  });
});

test('a second interrupt while the run ends is no other end', async () => {
  const held = lane.proxy.arm({ at: 1, how: 'held' });
  const running = lane.start('sync');
  await held;
  running.kill('SIGINT');
  await running.said('the run was interrupted'); // the last words of a run of which a read was given up
  running.kill('SIGINT');
  expect((await running.ended).exit).toBe(130);
  lane.proxy.release();
  await lane.proxy.quiet();
  lane.proxy.disarm();
});

describe('the service is killed in the middle of a sync', () => {
  test.each([1, 4, 6])('at request %i: the run reports it and ends; the next one converges', async (at) => {
    const held = lane.proxy.arm({ at, how: 'held' });
    const running = lane.start('sync');
    await held;
    await lane.killService();
    lane.proxy.release();
    const ended = await running.ended;
    // 4: what a candidate is stayed unknown, so that a fresh clone does not begin to create.
    expect([1, 4, 5]).toContain(ended.exit);
    expect(ended.stdout + ended.stderr).toMatch(/no answer|hang up|refused|reset|closed|502/i);
    expect(ended.stderr).not.toContain('this is a bug');
    await lane.startService();
    lane.proxy.disarm();
    expect((await lane.run('sync', '--settle', '0')).exit).toBe(0);
    await expectInStep();
  });
});

describe('one run a state', () => {
  test('a second run ends with 4, naming the first and since when; the first is not disturbed', async () => {
    const held = lane.proxy.arm({ at: 5, how: 'held' });
    const first = lane.start('sync');
    await held;
    const second = await lane.run('sync');
    expect(second.exit).toBe(4);
    expect(second.stderr).toContain('error[locked]');
    expect(second.stderr).toContain(`pid ${first.pid} `);
    expect(second.stderr).toMatch(/since \d{4}-\d\d-\d\dT[\d:.]+Z/);
    expect(lane.proxy.count()).toBeLessThanOrEqual(8);
    for (const argv of [['status'], ['plan']])
      expect((await lane.run(...argv)).stderr).not.toContain('locked');
    lane.proxy.release();
    expect((await first.ended).exit).toBe(0);
    await expectInStep();
  });

  test('the lock of a run that was killed is taken over', async () => {
    const held = lane.proxy.arm({ at: 5, how: 'held' });
    const first = lane.start('sync');
    await held;
    first.kill('SIGKILL');
    await first.ended;
    lane.proxy.release();
    await lane.proxy.quiet();
    lane.proxy.disarm();
    const lock = await readFile(join(lane.folder, '.kbsync/state.lock'), 'utf8');
    expect(lock).toContain(`"pid":${first.pid}`);
    expect((await lane.run('sync', '--settle', '0')).exit).toBe(0);
    await expectInStep();
  });

  test('many at once: one works, the others are refused, nothing is doubled', async () => {
    const ended = await Promise.all([1, 2, 3].map(() => lane.run('sync')));
    expect(ended.filter(({ exit }) => exit === 0).length).toBeGreaterThanOrEqual(1);
    expect(ended.every(({ exit }) => exit === 0 || exit === 4)).toBe(true);
    await expectInStep();
  });
});

test('an interrupt while a refused create waits for its next try leaves nothing to wait for', async () => {
  lane.proxy.refuse({ method: 'PUT', status: 429, headers: { 'retry-after': '20' } });
  const running = lane.start('sync', '--verbose');
  await running.said('; try 2 in');
  running.kill('SIGINT');
  const ended = await running.ended;
  expect(ended.exit).toBe(130);
  expect(ended.stdout).not.toContain('pending');
  lane.proxy.refuse(undefined);
  expect((await lane.run('sync')).exit).toBe(0);
  await expectInStep();
});

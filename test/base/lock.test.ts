import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realDisk } from '../../src/base/disk/real-disk.ts';
import { acquireLock, isProvablyDead, orNothing, startOfLiving, thisProcess } from '../../src/base/lock.ts';
import type { ProcessHost, ProcessIdentity } from '../../src/base/lock.ts';
import { seededRandom } from '../support/random.ts';
import { simulatedDisk } from '../support/simulated-disk.ts';

const LOCK = '/work/.kbsync/state.lock';

const here: ProcessIdentity = {
  pid: 10,
  host: 'laptop',
  machineId: 'm1',
  bootId: 'b1',
  pidNamespace: 'n1',
  startTime: '500',
};

function hostOf(identity: Partial<ProcessIdentity>, living: readonly number[], nonce: string): ProcessHost {
  return {
    identity: () => ({ ...here, ...identity }),
    startTimeOf: (pid) => (living.includes(pid) ? '500' : undefined),
    nowMs: () => Date.UTC(2026, 10, 20, 8, 30),
    nonce: () => nonce.repeat(16),
  };
}

describe('the owner of a lock', () => {
  test.each<readonly [string, Partial<ProcessIdentity>, string | undefined, boolean]>([
    ['lives', {}, '500', false],
    ['has ended', {}, undefined, true],
    ['has ended and its pid was given to another process', {}, '900', true],
    ['cannot be told from another with its pid: no start time here', {}, '', false],
    ['cannot be told from another with its pid: no start time there', { startTime: '' }, '900', false],
    ['ran before this machine was started anew', { bootId: 'b0' }, '500', true],
    ['ran before a boot, on a machine without an id', { bootId: 'b0', machineId: '' }, undefined, false],
    ['did not know its boot', { bootId: '' }, undefined, false],
    ['is on another host', { host: 'server' }, undefined, false],
    ['is on another machine of the same name', { machineId: 'm2' }, undefined, false],
    ['is in another container of this machine', { pidNamespace: 'n2' }, undefined, false],
  ])('%s', (_, owner, startTime, isDead) => {
    const machineId = owner.machineId === '' ? '' : 'm1';
    expect(isProvablyDead({ ...here, ...owner }, { ...here, machineId }, () => startTime)).toBe(isDead);
  });

  test('is not dead when this process does not know its own boot', () => {
    expect(isProvablyDead(here, { ...here, bootId: '' }, () => undefined)).toBe(false);
  });
});

describe('a lock', () => {
  test('that is held names its owner, since when, and what to do', async () => {
    const disk = simulatedDisk(seededRandom(1));
    await acquireLock(disk, LOCK, hostOf({}, [10], 'a'));
    await expect(acquireLock(disk, LOCK, hostOf({ pid: 11 }, [10, 11], 'b'))).rejects.toMatchObject({
      code: 'locked',
      message:
        `${LOCK}: another kbsync run holds this state: pid 10 on laptop, since 2026-11-20T08:30:00.000Z. ` +
        'Wait until it is done, or stop it (kill 10) and run again.',
    });
  });

  test('of another host is never taken over: only people can see whether its owner lives', async () => {
    const disk = simulatedDisk(seededRandom(1));
    await acquireLock(disk, LOCK, hostOf({ host: 'server' }, [], 'a'));
    await expect(acquireLock(disk, LOCK, hostOf({}, [], 'b'))).rejects.toThrow(
      `pid 10 on server, since 2026-11-20T08:30:00.000Z. kbsync cannot see from here whether it still runs. Wait until it is done; if you are sure that it is dead, delete ${LOCK}`,
    );
  });

  test('of a dead owner is taken over', async () => {
    const disk = simulatedDisk(seededRandom(1));
    await acquireLock(disk, LOCK, hostOf({}, [10], 'a'));
    const lock = await acquireLock(disk, LOCK, hostOf({ pid: 11 }, [11], 'b'));
    await lock.assertHeld();
    expect(disk.names()).toEqual([LOCK]);
    await lock.release();
    await lock.release();
    expect(disk.names()).toEqual([]);
  });

  test('that is being taken over by another run is left to it', async () => {
    const disk = simulatedDisk(seededRandom(1));
    await acquireLock(disk, LOCK, hostOf({}, [10], 'a'));
    await acquireLock(disk, `${LOCK}.${'a'.repeat(16)}`, hostOf({ pid: 11 }, [11], 'b'));
    await expect(acquireLock(disk, LOCK, hostOf({ pid: 12 }, [11, 12], 'c'))).rejects.toThrow(
      'pid 11 on laptop',
    );
    expect(disk.names()).toEqual([LOCK, `${LOCK}.${'a'.repeat(16)}`]);
  });

  test('whose taker died on the way is taken over all the same', async () => {
    const disk = simulatedDisk(seededRandom(1));
    await acquireLock(disk, LOCK, hostOf({}, [10], 'a'));
    await acquireLock(disk, `${LOCK}.${'a'.repeat(16)}`, hostOf({ pid: 11 }, [11], 'b'));
    const lock = await acquireLock(disk, LOCK, hostOf({ pid: 12 }, [12], 'c'));
    await lock.assertHeld();
    expect(disk.names()).toEqual([LOCK]);
  });

  test('is not removed by a slow taker when a quick one has it already', async () => {
    const inner = simulatedDisk(seededRandom(1));
    await acquireLock(inner, LOCK, hostOf({}, [10], 'a'));
    let isFirstRead = true;
    const slow = {
      ...inner,
      read: async (file: string) => {
        const found = await inner.read(file);
        if (isFirstRead) {
          isFirstRead = false;
          await acquireLock(inner, LOCK, hostOf({ pid: 11 }, [11], 'b'));
        }
        return found;
      },
    };
    await expect(acquireLock(slow, LOCK, hostOf({ pid: 12 }, [11, 12], 'c'))).rejects.toThrow(
      'pid 11 on laptop',
    );
    expect(inner.text(LOCK)).toContain('"pid":11');
  });

  test('that is released between the try and the look is tried again', async () => {
    const inner = simulatedDisk(seededRandom(1));
    const first = await acquireLock(inner, LOCK, hostOf({}, [10], 'a'));
    const disk = {
      ...inner,
      read: async (file: string) => {
        await first.release();
        return inner.read(file);
      },
    };
    const lock = await acquireLock(disk, LOCK, hostOf({ pid: 11 }, [10, 11], 'b'));
    await expect(lock.assertHeld()).resolves.toBeUndefined();
  });

  test('that changes hands all the time is given up', async () => {
    const inner = simulatedDisk(seededRandom(1));
    const disk = { ...inner, create: async () => false };
    await expect(acquireLock(disk, LOCK, hostOf({}, [10], 'a'))).rejects.toMatchObject({
      code: 'locked',
      message: `${LOCK}: other kbsync runs keep taking this lock; run again when they are done.`,
    });
  });

  test.each(['', 'not JSON', '{}', '[]', '{"pid":1}', '\0\0\0\0'])(
    "that holds %j is nobody's to take",
    async (content) => {
      const disk = simulatedDisk(seededRandom(1));
      disk.put(LOCK, content);
      await expect(acquireLock(disk, LOCK, hostOf({}, [10], 'a'))).rejects.toMatchObject({
        code: 'locked',
        message: `${LOCK} is there but does not name its owner. If no kbsync is running on this state, delete the file and run again.`,
      });
    },
  );

  test.each(['pid', 'host', 'machineId', 'bootId', 'pidNamespace', 'startTime', 'nonce', 'since'])(
    'that lacks %s does not name its owner',
    async (name) => {
      const disk = simulatedDisk(seededRandom(1));
      await acquireLock(disk, LOCK, hostOf({}, [10], 'a'));
      const owner: Record<string, unknown> = JSON.parse(disk.text(LOCK) ?? '');
      for (const wrong of [undefined, null, '../x/../../etc']) {
        disk.put(
          LOCK,
          JSON.stringify({
            ...owner,
            [name]: wrong,
            ...(name === 'pid' || wrong === null ? {} : { nonce: '../x' }),
          }),
        );
        await expect(acquireLock(disk, LOCK, hostOf({ pid: 11 }, [], 'b'))).rejects.toThrow(
          'does not name its owner',
        );
      }
    },
  );
});

describe('this process', () => {
  test('knows itself, and that it lives', () => {
    const identity = thisProcess.identity();
    expect(identity).toMatchObject({ pid: process.pid, host: hostname() });
    expect(identity).toEqual(thisProcess.identity());
    expect(thisProcess.startTimeOf(process.pid)).toBe(identity.startTime);
    expect(isProvablyDead(identity, identity, thisProcess.startTimeOf)).toBe(false);
    expect(thisProcess.nonce()).toMatch(/^[0-9a-f]{16}$/);
  });

  test('takes what the system does not say for nothing', () => {
    expect(orNothing(() => readFileSync('/no/such/file', 'utf8'))).toBe('');
    expect(orNothing(() => ' said\n')).toBe('said');
  });

  test('reads a process with any name, and tells one that has ended', () => {
    const stat = `7 (a) Z ) (b) S ${Array.from({ length: 30 }, (_, index) => index + 4).join(' ')}`;
    expect(startOfLiving(stat)).toBe('22');
    expect(startOfLiving('7 (sh) Z 1 2')).toBeUndefined();
    expect(startOfLiving('')).toBe('');
  });

  test('takes a pid that the system refuses to look at for alive', () => {
    expect(thisProcess.startTimeOf(Number.NaN)).toBe('');
  });

  test('knows that a pid beyond all pids belongs to nobody', () => {
    expect(thisProcess.startTimeOf(2 ** 30)).toBeUndefined();
  });

  test('sees its own lock as held', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kbsync-lock-'));
    const file = join(folder, 'state.lock');
    const lock = await acquireLock(realDisk, file, thisProcess);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid });
    await expect(acquireLock(realDisk, file, thisProcess)).rejects.toThrow(
      `pid ${process.pid} on ${hostname()}`,
    );
    await lock.release();
    await rm(folder, { recursive: true });
  });
});

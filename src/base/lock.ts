import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { BaseError } from './base.ts';
import type { Disk } from './disk/disk.ts';
import { codeOf } from './disk/real-disk.ts';
import { jsonOf } from './state/state-text.ts';

/** What tells one process from every other one, as far as the system says it; '' where it does not. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  readonly machineId: string;
  readonly bootId: string;
  /** Pids mean something within one namespace only: a container sees others' processes as missing. */
  readonly pidNamespace: string;
  /** In ticks since boot: a pid is used again, a pid with its start time is not. */
  readonly startTime: string;
}

/** The process around the base: who it is, which others live, and the two sources of the world it needs. */
export interface ProcessHost {
  readonly identity: () => ProcessIdentity;
  /** The start time of a living process ('' when the system does not tell), or undefined when there is none. */
  readonly startTimeOf: (pid: number) => string | undefined;
  readonly nowMs: () => number;
  /** 16 hex digits. */
  readonly nonce: () => string;
}

export interface Lock {
  /** Throws a BaseError `locked` when the lock is no longer ours (somebody deleted the file by hand). */
  assertHeld(): Promise<void>;
  /** Removes the lock if it is still ours; may be called again. */
  release(): Promise<void>;
}

interface Owner extends ProcessIdentity {
  readonly nonce: string;
  readonly since: string;
}

const ATTEMPTS_MAX = 10;

export const thisProcess: ProcessHost = {
  identity: () => ({
    pid: process.pid,
    host: hostname(),
    machineId: textOf('/etc/machine-id'),
    bootId: textOf('/proc/sys/kernel/random/boot_id'),
    pidNamespace: orNothing(() => readlinkSync('/proc/self/ns/pid')),
    startTime: startTimeIn(textOf('/proc/self/stat')),
  }),
  startTimeOf,
  nowMs: () => Date.now(),
  nonce: () => randomBytes(8).toString('hex'),
};

/**
 * Takes the lock by making its file, which names the owner. A lock of an owner that is proved dead is taken over, under
 * a lock of its own that is named for the dead owner: only its holder may remove that owner's lock, so a slow second
 * taker never removes the lock of a quick first one.
 *
 * @throws BaseError `locked`, naming the owner, since when, and what to do.
 */
export async function acquireLock(disk: Disk, file: string, host: ProcessHost): Promise<Lock> {
  const identity = host.identity();
  const owner: Owner = { ...identity, nonce: host.nonce(), since: new Date(host.nowMs()).toISOString() };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (await disk.create(file, `${JSON.stringify(owner)}\n`)) return heldLock(disk, file, owner);
    const found = await ownerOf(disk, file);
    if (found === undefined) continue; // released since
    if (!isProvablyDead(found, identity, host.startTimeOf)) throw lockedBy(file, found, identity);
    await removeLockOfDead(disk, file, found, host);
  }
  throw new BaseError(
    'locked',
    `${file}: other kbsync runs keep taking this lock; run again when they are done.`,
  );
}

/**
 * Dead for certain: same machine, and another boot, no such process, or the pid now belongs to a process that started
 * at another time. Where the system does not tell enough, the owner counts as alive.
 */
export function isProvablyDead(
  owner: ProcessIdentity,
  here: ProcessIdentity,
  startTimeOfProcess: (pid: number) => string | undefined,
): boolean {
  const isSameMachine =
    owner.host === here.host &&
    owner.machineId === here.machineId &&
    owner.pidNamespace === here.pidNamespace;
  if (!isSameMachine) return false;
  // Host names repeat (containers, cloned machines), so another boot of this host needs the machine's id as proof.
  if (owner.bootId !== here.bootId)
    return owner.machineId !== '' && owner.bootId !== '' && here.bootId !== '';
  const startTime = startTimeOfProcess(owner.pid);
  if (startTime === undefined) return true;
  return startTime !== '' && owner.startTime !== '' && startTime !== owner.startTime;
}

function heldLock(disk: Disk, file: string, owner: Owner): Lock {
  let isReleased = false;
  return {
    assertHeld: async () => {
      const found = await ownerOf(disk, file);
      if (found?.nonce === owner.nonce) return;
      const now = found === undefined ? 'is gone' : `now belongs to pid ${found.pid} on ${found.host}`;
      throw new BaseError(
        'locked',
        `${file} ${now}: somebody removed this run's lock while it was under way. Nothing more is written; run again.`,
      );
    },
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      const found = await ownerOf(disk, file);
      if (found?.nonce === owner.nonce) await disk.remove(file);
    },
  };
}

async function removeLockOfDead(disk: Disk, file: string, dead: Owner, host: ProcessHost): Promise<void> {
  const takeover = await acquireLock(disk, `${file}.${dead.nonce}`, host);
  try {
    const found = await ownerOf(disk, file);
    if (found?.nonce === dead.nonce) await disk.remove(file);
  } finally {
    await takeover.release();
  }
}

async function ownerOf(disk: Disk, file: string): Promise<Owner | undefined> {
  const bytes = await disk.read(file);
  if (bytes === undefined) return undefined;
  const json = jsonOf(new TextDecoder().decode(bytes)) ?? {};
  const { pid, host, machineId, bootId, pidNamespace, startTime, nonce, since } = json;
  if (
    typeof pid !== 'number' ||
    typeof host !== 'string' ||
    typeof machineId !== 'string' ||
    typeof bootId !== 'string' ||
    typeof pidNamespace !== 'string' ||
    typeof startTime !== 'string' ||
    typeof nonce !== 'string' ||
    !/^[0-9a-f]{16}$/.test(nonce) ||
    typeof since !== 'string'
  ) {
    throw new BaseError(
      'locked',
      `${file} is there but does not name its owner. If no kbsync is running on this state, delete the file and run again.`,
    );
  }
  return { pid, host, machineId, bootId, pidNamespace, startTime, nonce, since };
}

function lockedBy(file: string, owner: Owner, here: ProcessIdentity): BaseError {
  const isHere = owner.host === here.host && owner.pidNamespace === here.pidNamespace;
  const advice = isHere
    ? `Wait until it is done, or stop it (kill ${owner.pid}) and run again.`
    : `kbsync cannot see from here whether it still runs. Wait until it is done; if you are sure that it is dead, delete ${file} and run again.`;
  return new BaseError(
    'locked',
    `${file}: another kbsync run holds this state: pid ${owner.pid} on ${owner.host}, since ${owner.since}. ${advice}`,
  );
}

function startTimeOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Any other code (EPERM: it belongs to somebody else) proves no death.
    if (codeOf(error) === 'ESRCH') return undefined;
  }
  return startOfLiving(textOf(`/proc/${pid}/stat`));
}

/** Undefined for a process that has ended and only waits for its parent to notice: it still answers signals. */
export function startOfLiving(stat: string): string | undefined {
  return /^[ZX]/.test(afterName(stat)) ? undefined : startTimeIn(stat);
}

/** The 22nd field of proc(5)'s stat, or ''. */
function startTimeIn(stat: string): string {
  return afterName(stat).split(' ')[19] ?? '';
}

/** From the third field on: the second is a name in parentheses that may itself hold any character. */
function afterName(stat: string): string {
  return stat.slice(stat.lastIndexOf(')') + 2);
}

/** What the system says, or '' where it has no such file (another system, a container without /proc). */
export function orNothing(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return '';
  }
}

function textOf(file: string): string {
  return orNothing(() => readFileSync(file, 'utf8'));
}

import type { BaseStore } from '../../src/base/base.ts';
import type { ProcessHost } from '../../src/base/lock.ts';
import { openBase } from '../../src/base/store.ts';
import { seededRandom } from './random.ts';
import { simulatedDisk } from './simulated-disk.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

/** A base in memory: the real store over a simulated disk, on a machine whose processes and power the test controls. */
export interface MemoryBase {
  readonly disk: SimulatedDisk;
  readonly file: string;
  /** Opens as a new process; every process before it that did not close counts as dead only after `kill` or `cutPower`. */
  open(options?: { readonly readOnly?: boolean; readonly origin?: string }): Promise<BaseStore>;
  /** kill -9: what was written stays. */
  kill(): void;
  /** What was not fsynced stays or goes by chance. */
  cutPower(): void;
}

export const MEMORY_ORIGIN = 'https://help.example.com';

export function memoryBase(seed = 1): MemoryBase {
  const random = seededRandom(seed);
  const disk = simulatedDisk(random);
  const file = '/work/.kbsync/state.json';
  let nextPid = 100;
  let boot = 1;
  let living = new Set<number>();

  const host = (pid: number): ProcessHost => ({
    identity: () => ({
      pid,
      host: 'memory',
      machineId: 'machine-1',
      bootId: `boot-${boot}`,
      pidNamespace: 'pid:[1]',
      startTime: String(pid),
    }),
    startTimeOf: (other) => (living.has(other) ? String(other) : undefined),
    nowMs: () => Date.UTC(2026, 0, 1),
    nonce: () => Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join(''),
  });

  return {
    disk,
    file,
    open: (options = {}) => {
      nextPid += 1;
      living.add(nextPid);
      return openBase({
        file,
        origin: options.origin ?? MEMORY_ORIGIN,
        readOnly: options.readOnly ?? false,
        disk,
        host: host(nextPid),
      });
    },
    kill: () => {
      living = new Set();
      disk.losePowerNever();
    },
    cutPower: () => {
      living = new Set();
      boot += 1;
      disk.losePower();
    },
  };
}

import type { BaseStore } from '../../src/base/base.ts';
import type { Disk } from '../../src/base/disk/disk.ts';
import type { ProcessHost } from '../../src/base/lock.ts';
import { Crash, simulatedDisk } from '../support/simulated-disk.ts';
import type { SimulatedDisk } from '../support/simulated-disk.ts';
import type { Engine } from './engine.ts';
import type { Process } from './network.ts';

/** A computer with a disk, on which one process after another runs, until it is killed or the power fails. */
export interface Machine {
  readonly disk: SimulatedDisk;
  openBase(process: Process): Promise<BaseStore>;
  diskOf(process: Process): Disk;
  kill(): void;
  cutPower(): void;
}

export const STATE_FILE = '/work/.kbsync/state.json';
export const TRASH_FOLDER = '/work/.kbsync/trash';
export const ORIGIN = 'https://help.example.com';

export function createMachine(random: () => number, engine: Engine): Machine {
  const disk = simulatedDisk(random);
  let nextPid = 100;
  let boot = 1;
  const pids = new Map<number, Process>();

  const host = (pid: number): ProcessHost => ({
    identity: () => ({
      pid,
      host: 'sim',
      machineId: 'machine-1',
      bootId: `boot-${boot}`,
      pidNamespace: 'pid:[1]',
      startTime: String(pid),
    }),
    startTimeOf: (other) => (pids.get(other)?.isDead === false ? String(other) : undefined),
    nowMs: () => Date.UTC(2026, 0, 1),
    nonce: () => Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join(''),
  });
  const diskOf = (process: Process): Disk => guarded(disk, process);

  return {
    disk,
    diskOf,
    openBase: (process) => {
      nextPid += 1;
      pids.set(nextPid, process);
      return engine.openBase({
        file: STATE_FILE,
        origin: ORIGIN,
        readOnly: false,
        disk: diskOf(process),
        host: host(nextPid),
      });
    },
    kill: () => {
      for (const process of pids.values()) process.isDead = true;
      disk.losePowerNever();
    },
    cutPower: () => {
      for (const process of pids.values()) process.isDead = true;
      boot += 1;
      disk.losePower();
    },
  };
}

/** The disk as one process sees it: once it is dead, nothing of it reaches the disk; a crash of the disk kills it. */
function guarded(disk: Disk, process: Process): Disk {
  const live = async <T>(work: () => Promise<T>): Promise<T> => {
    if (process.isDead) throw new Crash('the process is dead');
    try {
      return await work();
    } catch (error) {
      if (error instanceof Crash) process.isDead = true;
      throw error;
    }
  };
  return {
    read: (file) => live(() => disk.read(file)),
    write: (file, content) => live(() => disk.write(file, content)),
    create: (file, content) => live(() => disk.create(file, content)),
    append: async (file) => {
      const appender = await live(() => disk.append(file));
      return {
        write: (text) => live(() => appender.write(text)),
        sync: () => live(() => appender.sync()),
        close: () => live(() => appender.close()),
      };
    },
    rename: (from, to) => live(() => disk.rename(from, to)),
    remove: (file) => live(() => disk.remove(file)),
    size: (file) => live(() => disk.size(file)),
    list: (directory) => live(() => disk.list(directory)),
    makeDirectory: (directory) => live(() => disk.makeDirectory(directory)),
    syncDirectory: (directory) => live(() => disk.syncDirectory(directory)),
  };
}

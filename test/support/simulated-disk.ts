import { dirname } from 'node:path';
import type { Appender, Disk } from '../../src/base/disk/disk.ts';

/** What every operation throws once the process is dead. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

export interface SimulatedDisk extends Disk {
  /** Steps that changed something so far: each write, fsync, name and directory fsync is one. */
  steps(): number;
  /** The process dies before step `step` (counted from 1, over the disk's life); a write may be half done by then. */
  crashAtStep(step: number): void;
  /** From step `from` on, `count` steps fail with this system error; a write may be half done. */
  failAtStep(from: number, code: string, count?: number): void;
  /** The machine lost power: what was not fsynced survives by chance, names each for itself, appends as a prefix. */
  losePower(): void;
  /** Only the process died (kill -9): everything that was handed to the system is there. */
  losePowerNever(): void;
  /** A file as other processes see it now. */
  text(file: string): string | undefined;
  names(): readonly string[];
  /** Writes as somebody else would, durably. */
  put(file: string, content: string | Uint8Array | undefined): void;
}

interface Inode {
  content: Buffer;
  durable: Buffer;
}

/** A change of names that is not durable yet. A rename is one change. */
interface NameChange {
  readonly directory: string;
  readonly removed: readonly string[];
  readonly set: readonly (readonly [string, Inode])[];
}

/**
 * A disk with two images: what processes see, and what survives a power cut. It follows what POSIX promises and no
 * more: content is durable after fsync, a name after the fsync of its directory.
 */
export function simulatedDisk(random: () => number): SimulatedDisk {
  let names = new Map<string, Inode>();
  let durableNames = new Map<string, Inode>();
  let pending: NameChange[] = [];
  let steps = 0;
  let crashStep = Number.POSITIVE_INFINITY;
  let isDead = false;
  let failure = { from: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY, code: '' };

  const alive = (): void => {
    if (isDead) throw new Crash('the process is dead');
  };

  /** One step: done whole, or partly (`cut`) when it is the one at which something goes wrong. */
  const step = (work: () => void, cut?: () => void): void => {
    alive();
    steps += 1;
    if (steps >= crashStep) {
      isDead = true;
      cut?.();
      throw new Crash(`crash at step ${steps}`);
    }
    if (steps >= failure.from && steps < failure.until) {
      cut?.();
      throw Object.assign(new Error(`${failure.code}: simulated`), { code: failure.code });
    }
    work();
  };

  const changeNames = (change: NameChange): void => {
    applyChange(names, change);
    pending.push(change);
  };

  const setName = (file: string, inode: Inode): void =>
    changeNames({ directory: dirname(file), removed: [], set: [[file, inode]] });

  const appendTo = (inode: Inode, content: Buffer): void =>
    step(
      () => {
        inode.content = Buffer.concat([inode.content, content]);
      },
      () => {
        inode.content = Buffer.concat([inode.content, prefixOf(content, random)]);
      },
    );

  const sync = (inode: Inode): void =>
    step(() => {
      inode.durable = inode.content;
    });

  const opened = (file: string): Inode => {
    const found = names.get(file);
    if (found !== undefined) return found;
    const inode: Inode = { content: Buffer.alloc(0), durable: Buffer.alloc(0) };
    step(() => setName(file, inode));
    return inode;
  };

  const appenderOf = (inode: Inode): Appender => ({
    write: async (text) => appendTo(inode, Buffer.from(text)),
    sync: async () => sync(inode),
    close: async () => alive(),
  });

  const restart = (): void => {
    isDead = false;
    crashStep = Number.POSITIVE_INFINITY;
    failure = { from: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY, code: '' };
  };

  return {
    read: async (file) => {
      alive();
      const inode = names.get(file);
      return inode === undefined ? undefined : Buffer.from(inode.content);
    },
    write: async (file, content) => {
      const inode = opened(file);
      step(() => {
        inode.content = Buffer.alloc(0);
      });
      appendTo(inode, Buffer.from(content));
      sync(inode);
    },
    create: async (file, content) => {
      alive();
      if (names.has(file)) return false;
      const bytes = Buffer.from(content);
      step(() => setName(file, { content: bytes, durable: bytes }));
      return true;
    },
    append: async (file) => appenderOf(opened(file)),
    rename: async (from, to) => {
      const inode = names.get(from);
      if (inode === undefined) throw Object.assign(new Error(`ENOENT: ${from}`), { code: 'ENOENT' });
      step(() => changeNames({ directory: dirname(to), removed: [from], set: [[to, inode]] }));
    },
    remove: async (file) => {
      alive();
      if (names.has(file)) {
        step(() => changeNames({ directory: dirname(file), removed: [file], set: [] }));
      }
    },
    size: async (file) => {
      alive();
      return names.get(file)?.content.length ?? 0;
    },
    list: async (directory) => {
      alive();
      const inside = [...names.keys()].filter((file) => dirname(file) === directory);
      return inside.map((file) => file.slice(directory.length + 1)).sort();
    },
    makeDirectory: async () => alive(),
    syncDirectory: async (directory) =>
      step(() => {
        for (const change of pending) if (change.directory === directory) applyChange(durableNames, change);
        pending = pending.filter((change) => change.directory !== directory);
      }),
    steps: () => steps,
    crashAtStep: (at) => {
      crashStep = at;
    },
    failAtStep: (from, code, count = Number.POSITIVE_INFINITY) => {
      failure = { from, until: from + count, code };
    },
    losePower: () => {
      for (const change of pending) if (random() < 0.5) applyChange(durableNames, change);
      pending = [];
      names = new Map();
      for (const [file, inode] of durableNames) {
        const survived = survivorOf(inode, random);
        names.set(file, { content: survived, durable: survived });
      }
      durableNames = new Map(names);
      restart();
    },
    losePowerNever: restart,
    text: (file) => names.get(file)?.content.toString(),
    names: () => [...names.keys()].sort(),
    put: (file, content) => {
      const bytes = content === undefined ? undefined : Buffer.from(content);
      for (const image of [names, durableNames]) {
        if (bytes === undefined) image.delete(file);
        else image.set(file, { content: bytes, durable: bytes });
      }
    },
  };
}

function applyChange(names: Map<string, Inode>, change: NameChange): void {
  for (const file of change.removed) names.delete(file);
  for (const [file, inode] of change.set) names.set(file, inode);
}

function survivorOf({ content, durable }: Inode, random: () => number): Buffer {
  const isAppended = content.subarray(0, durable.length).equals(durable);
  if (isAppended) return Buffer.concat([durable, prefixOf(content.subarray(durable.length), random)]);
  return random() < 0.5 ? durable : prefixOf(content, random);
}

/** Often nothing or everything, else a cut anywhere. */
function prefixOf(bytes: Buffer, random: () => number): Buffer {
  const chance = random();
  if (chance < 0.25) return Buffer.alloc(0);
  if (chance < 0.5) return bytes;
  return bytes.subarray(0, Math.floor(random() * (bytes.length + 1)));
}

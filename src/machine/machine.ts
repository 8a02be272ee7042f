import { constants } from 'node:fs';
import {
  appendFile,
  copyFile,
  lstat,
  open,
  readFile,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { explainedError } from '../base/disk/explained-disk.ts';
import { codeOf, makeDirectory, makeFolder } from '../base/disk/real-disk.ts';
import type { Clock } from '../model/clock.ts';

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface MachineClock extends Clock {
  /** Calls back after `delayMs` unless cancelled; does not keep the process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

export interface Files {
  /** The text, or undefined when there is no such file; what else fails throws a BaseError that names the file. */
  readText(file: string): Promise<string | undefined>;
  /**
   * The text of a file that nobody named: it was met in a folder, and may be a pipe, a device or a dump of gigabytes. Links
   * are followed; undefined for whatever is no regular file, is larger than `bytesMax`, or cannot be read.
   */
  readMet(file: string, bytesMax: number): Promise<string | undefined>;
  /**
   * Creates missing folders, and writes the whole file or leaves what was there. With `isNew`, an existing file throws
   * (EEXIST); what else fails throws a BaseError that names the file. `mode` as for open(2).
   */
  writeText(
    file: string,
    text: string,
    options?: { readonly isNew?: boolean; readonly mode?: number },
  ): Promise<void>;
  /** Creates missing folders and the file; what is there stays before it. A BaseError names the file. */
  appendText(file: string, text: string): Promise<void>;
  /** Creates missing folders; replaces what is there. Nothing waits for the disk. A BaseError names the file. */
  writeBytes(file: string, bytes: Uint8Array): Promise<void>;
  /** Gives a file or a folder of the same disk another name; creates missing folders, replaces a file. A BaseError names it. */
  move(from: string, to: string): Promise<void>;
  /** What is not there stays so. */
  remove(file: string): Promise<void>;
  /** Removes a folder and all that is in it. */
  removeFolder(folder: string): Promise<void>;
  /** Removes a folder in which nothing is; any other one stays. */
  removeEmptyFolder(folder: string): Promise<void>;
  /** Names in a folder, with a `/` after folders; undefined when there is no such folder. */
  list(folder: string): Promise<readonly string[] | undefined>;
  modifiedMs(file: string): Promise<number | undefined>;
  /** A copy under a new name; creates missing folders. An existing file throws (EEXIST). */
  copy(from: string, to: string): Promise<void>;
}

/** A clock that nobody can set; it may stand still while the machine sleeps. */
export const monotonicMs = (): number => performance.now();

/** In [0, 1). */
export const realRandom = (): number => Math.random();

export const realClock: MachineClock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const timer = setTimeout(done, delayMs);
      signal?.addEventListener('abort', done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
    }),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const realFiles: Files = {
  readText: async (file) => {
    try {
      return await orMissing(readFile(file, 'utf8'));
    } catch (error) {
      throw explainedError('not-readable', file, error, 'or name another file');
    }
  },
  readMet: async (file, bytesMax) => {
    try {
      // Without O_NONBLOCK, opening a pipe waits for somebody to write.
      const opened = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const stats = await opened.stat();
        return stats.isFile() && stats.size <= bytesMax ? await opened.readFile('utf8') : undefined;
      } finally {
        await opened.close();
      }
    } catch {
      return undefined;
    }
  },
  writeText: (file, text, { isNew = false, mode } = {}) =>
    writing(file, isNew ? create(file, text, mode) : replace(file, text)),
  appendText: (file, text) =>
    writing(
      file,
      makeDirectory(dirname(file)).then(() => appendFile(file, text)),
    ),
  writeBytes: (file, bytes) =>
    writing(
      file,
      makeFolder(dirname(file)).then(() => writeFile(file, bytes)),
    ),
  move: (from, to) =>
    writing(
      to,
      makeFolder(dirname(to)).then(() => rename(from, to)),
    ),
  remove: (file) => rm(file, { force: true }),
  removeFolder: (folder) => rm(folder, { recursive: true, force: true }),
  removeEmptyFolder: (folder) => rmdir(folder).catch(() => undefined),
  list: async (folder) => {
    const entries = await orMissing(readdir(folder, { withFileTypes: true }));
    return entries?.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  },
  modifiedMs: async (file) => (await orMissing(stat(file)))?.mtimeMs,
  copy: async (from, to) => {
    await makeDirectory(dirname(to));
    await copyFile(from, to, constants.COPYFILE_EXCL);
  },
};

async function writing(file: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    throw explainedError('not-writable', file, error, 'or name another file');
  }
}

async function create(file: string, text: string, mode: number | undefined): Promise<void> {
  await makeDirectory(dirname(file));
  try {
    await writeFile(file, text, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
  } catch (error) {
    // A full disk leaves an empty file behind, which the next try would take for somebody's.
    if (error instanceof Error && 'syscall' in error && error.syscall === 'write')
      await rm(file, { force: true });
    throw error;
  }
}

async function replace(file: string, text: string): Promise<void> {
  await makeDirectory(dirname(file));
  const before = await orMissing(lstat(file));
  // A pipe, a device or a link is written into.
  if (before !== undefined && !before.isFile()) return writeFile(file, text);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text, before === undefined ? {} : { mode: before.mode });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    // The file may be written where its folder may not, or is mounted by itself.
    if (before !== undefined && IN_PLACE.has(codeOf(error))) return writeFile(file, text);
    throw error;
  }
}

const IN_PLACE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EBUSY']);

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

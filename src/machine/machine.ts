import { constants } from 'node:fs';
import { copyFile, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '../base/disk/real-disk.ts';
import type { Clock } from '../model/clock.ts';

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface MachineClock extends Clock {
  /** Calls back after `delayMs` unless cancelled; does not keep the process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

export interface Files {
  /** The text, or undefined when there is no such file; other failures throw. */
  readText(file: string): Promise<string | undefined>;
  /** Creates missing folders. With `isNew`, an existing file throws (EEXIST). `mode` as for open(2). */
  writeText(
    file: string,
    text: string,
    options?: { readonly isNew?: boolean; readonly mode?: number },
  ): Promise<void>;
  /** Creates missing folders; replaces what is there. */
  writeBytes(file: string, bytes: Uint8Array): Promise<void>;
  /** What is not there stays so. */
  remove(file: string): Promise<void>;
  /** Names in a folder, with a `/` after folders; undefined when there is no such folder. */
  list(folder: string): Promise<readonly string[] | undefined>;
  modifiedMs(file: string): Promise<number | undefined>;
  /** A copy under a new name; creates missing folders. An existing file throws (EEXIST). */
  copy(from: string, to: string): Promise<void>;
}

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
  readText: (file) => orMissing(readFile(file, 'utf8')),
  writeText: async (file, text, options = {}) => {
    await makeDirectory(dirname(file));
    await writeFile(file, text, {
      flag: options.isNew === true ? 'wx' : 'w',
      ...(options.mode === undefined ? {} : { mode: options.mode }),
    });
  },
  writeBytes: async (file, bytes) => {
    await makeDirectory(dirname(file));
    await writeFile(file, bytes);
  },
  remove: (file) => rm(file, { force: true }),
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

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return undefined;
    }
    throw error;
  }
}

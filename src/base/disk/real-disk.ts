import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { readFileSync, writeSync } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Disk } from './disk.ts';

/** Only the owner: a state holds titles and ids of unpublished articles. */
const FILE_MODE = 0o600;

/** What file systems answer that cannot do the thing at all (directory fsync on some network mounts, hard links on FAT). */
const CANNOT_SYNC_DIRECTORY = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EBADF']);
const CANNOT_LINK = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * The real disk. What only goes through the system's own memory is done at once: a thread and back for each step of it
 * costs ten times the work (the lock is read before each batch of the journal). Waiting for the disk itself is left to threads.
 */
export const realDisk: Disk = {
  read: (file) =>
    unlessMissing(
      atOnce(() => readFileSync(file)),
      undefined,
    ),
  write: (file, content) => writeDurably(file, 'w', content),
  create: (file, content) => createExclusively(file, content, link),
  append: async (file) => {
    const handle = await open(file, 'a', FILE_MODE);
    return {
      write: (text) => atOnce(() => writeWhole(handle.fd, Buffer.from(text))),
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
  rename,
  remove: (file) => rm(file, { force: true }),
  size: async (file) => (await unlessMissing(stat(file), undefined))?.size ?? 0,
  list: async (directory) => (await unlessMissing(readdir(directory), [])).sort(),
  makeDirectory,
  syncDirectory,
};

async function atOnce<T>(work: () => T): Promise<T> {
  return work();
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length;) from += writeSync(file, bytes, from);
}

/**
 * By a hard link from a finished file, because between an exclusive open and its write a kill would leave a lock that
 * names no owner. `makeLink` is link(2); file systems without hard links get the exclusive open.
 */
export async function createExclusively(
  file: string,
  content: string,
  makeLink: (existing: string, name: string) => Promise<void>,
): Promise<boolean> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await writeDurably(temporary, 'wx', content);
    await makeLink(temporary, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!CANNOT_LINK.has(codeOf(error))) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  try {
    await writeDurably(file, 'wx', content);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

export async function syncDirectory(directory: string): Promise<void> {
  try {
    await withFile(directory, 'r', (handle) => handle.sync());
  } catch (error) {
    if (!CANNOT_SYNC_DIRECTORY.has(codeOf(error))) throw error;
  }
}

/** The system's name of what went wrong (`ENOSPC`), or nothing when it was not the system. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Makes a folder and those above it, durably. */
export function makeDirectory(directory: string): Promise<void> {
  return makeEach(directory, syncDirectory);
}

/** For what can be made again: a loss of power may take the folder. */
export function makeFolder(directory: string): Promise<void> {
  return makeEach(directory, async () => {});
}

/** Node's own recursive mkdir never ends where a folder exists and cannot have children (`/proc`). */
async function makeEach(directory: string, onMade: (parent: string) => Promise<void>): Promise<void> {
  if (await isMade(directory, onMade)) return;
  const parent = dirname(directory);
  await makeEach(parent, onMade);
  await mkdir(directory).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  await onMade(parent);
}

/** Whether it is there now; false when the folder above it is missing. */
async function isMade(directory: string, onMade: (parent: string) => Promise<void>): Promise<boolean> {
  try {
    await mkdir(directory);
    await onMade(dirname(directory));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    if (codeOf(error) !== 'EEXIST' || !(await stat(directory)).isDirectory()) throw error;
    return true;
  }
}

async function writeDurably(file: string, flags: 'w' | 'wx', content: string | Uint8Array): Promise<void> {
  await withFile(file, flags, async (handle) => {
    await handle.writeFile(content);
    await handle.sync();
  });
}

async function withFile(
  file: string,
  flags: string,
  work: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(file, flags, FILE_MODE);
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}

async function unlessMissing<T>(reading: Promise<T>, otherwise: T): Promise<T>;
async function unlessMissing<T, U>(reading: Promise<T>, otherwise: U): Promise<T | U>;
async function unlessMissing<T, U>(reading: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return otherwise;
    throw error;
  }
}

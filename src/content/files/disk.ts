import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OWN_FOLDER, OWN_FOLDER_IGNORES } from '../../model/own-folder.ts';

/** A larger Markdown file is a mistake (an export, a dump); nobody reads 5 MB of help on one page. */
export const FILE_BYTES_MAX = 5_000_000;

const READ_TRIES = 3;

/**
 * What changes when a file changes: size, both times, inode. Times are milliseconds with a fraction, exact to a quarter of
 * a microsecond: finer than kernels set them, and a third of the cost of nanoseconds as big integers.
 */
export interface FileStamp {
  readonly text: string;
  /** The later of both times: after it the file did not change. */
  readonly changedMs: number;
}

/** undefined when the file is gone. */
export function stampOf(diskPath: string): FileStamp | undefined {
  const stats = lstatSync(diskPath, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stamp(stats);
}

/** undefined when nobody here can see the file either. */
export function stampIfSeen(diskPath: string): FileStamp | undefined {
  try {
    return stampOf(diskPath);
  } catch {
    return undefined;
  }
}

export type ReadFile =
  | {
      readonly state: 'read';
      /** Good until the next file is read: all files share one buffer, because ten thousand small ones never fit together again. */
      readonly bytes: Uint8Array;
      readonly stamp: FileStamp;
    }
  | { readonly state: 'too-large'; readonly bytes: number }
  | { readonly state: 'unreadable'; readonly reason: string };

/**
 * The bytes of a regular file, with a stamp that was the same before and after reading: never half of an edit. With
 * `draft` that text, and no stamp that any file has.
 */
export function readStable(diskPath: string, draft?: string): ReadFile {
  if (draft !== undefined)
    return { state: 'read', bytes: Buffer.from(draft), stamp: { text: '', changedMs: Infinity } };
  for (let tries = 0; tries < READ_TRIES; tries += 1) {
    try {
      const read = readOnce(diskPath);
      if (read !== undefined) return read;
    } catch (error) {
      const code = errorCode(error);
      return { state: 'unreadable', reason: unreadableReason(diskPath, code) };
    }
  }
  return { state: 'unreadable', reason: 'the file changed while kbsync read it; try again when it is saved' };
}

function unreadableReason(diskPath: string, code: string): string {
  if (code === 'ENOENT')
    return diskPath.includes('\ufffd')
      ? 'its name is not UTF-8; rename the file'
      : 'the file was deleted while kbsync read the folder';
  if (code === 'ELOOP') return 'this is a symbolic link; kbsync does not follow links';
  return `the file cannot be read: ${accessWords(code)}`;
}

/** What the system said, in words where there are some. */
export function accessWords(code: string): string {
  return code === 'EACCES' || code === 'EPERM' ? `this user lacks the permission (${code})` : code;
}

/** A link is not followed, and a pipe is not waited for. Windows knows neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

let shared = new Uint8Array(256 * 1024);

/** undefined when the file changed meanwhile. */
function readOnce(diskPath: string): ReadFile | undefined {
  const file = openSync(diskPath, OPEN_FLAGS);
  try {
    const before = fstatSync(file);
    if (!before.isFile()) return { state: 'unreadable', reason: 'this is not a regular file' };
    const { size } = before;
    if (size > FILE_BYTES_MAX) return { state: 'too-large', bytes: size };
    if (size > shared.length) shared = new Uint8Array(size);
    let length = 0;
    while (length < size) {
      const count = readSync(file, shared, length, size - length, null);
      if (count === 0) break;
      length += count;
    }
    const after = stamp(fstatSync(file));
    if (length < size || after.text !== stamp(before).text) return undefined;
    return { state: 'read', bytes: shared.subarray(0, length), stamp: after };
  } finally {
    closeSync(file);
  }
}

/** The whole of a regular file, undefined for anything else, a link or a larger one. */
export function readBytes(diskPath: string, bytesMax: number): Buffer | undefined {
  try {
    const file = openSync(diskPath, OPEN_FLAGS);
    try {
      const stats = fstatSync(file);
      return stats.isFile() && stats.size <= bytesMax ? readFileSync(file) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** The pieces of a regular file one after the other, and its stamp; undefined where `readBytes` has nothing, or it changed meanwhile. */
export function readPieces(
  diskPath: string,
  bytesMax: number,
  use: (piece: Uint8Array) => void,
): FileStamp | undefined {
  try {
    const file = openSync(diskPath, OPEN_FLAGS);
    try {
      const before = fstatSync(file);
      if (!before.isFile() || before.size > bytesMax) return undefined;
      for (;;) {
        const count = readSync(file, shared, 0, shared.length, null);
        if (count === 0) break;
        use(shared.subarray(0, count));
      }
      const after = stamp(fstatSync(file));
      return after.text === stamp(before).text ? after : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Where a path leads when all links in it are followed; undefined: nowhere. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** What stands at a path itself, be it a link to nowhere. */
export function linkOrMissing(path: string): 'link' | 'missing' | 'neither' {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? 'missing' : stats.isSymbolicLink() ? 'link' : 'neither';
  } catch {
    return 'missing';
  }
}

/** The folder of the repository that holds a folder, by its `.git`; the folder itself where there is none. */
export function repositoryAround(folder: string): string {
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return above;
    if (dirname(above) === above) return folder;
  }
}

/** The cache's text, or undefined: a cache that cannot be read is a cache that is not there. */
export function readCacheFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Replaces the cache as a whole. A failure is silent: the next run only reads more files. The text of ten thousand files comes in
 * pieces, because as one string it would be in memory twice.
 */
export function writeCacheFile(file: string, pieces: readonly string[] | Generator<string>): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    makeOwnFolder(dirname(file));
    writePieces(temporary, pieces);
    renameSync(temporary, file);
  } catch {
    removeQuietly(temporary);
  }
}

const PIECE_CHARS = 2 ** 18;

function writePieces(path: string, pieces: readonly string[] | Generator<string>): void {
  const file = openSync(path, 'w');
  try {
    let waiting: string[] = [];
    let chars = 0;
    for (const piece of pieces) {
      waiting.push(piece);
      chars += piece.length;
      if (chars < PIECE_CHARS) continue;
      appendFileSync(file, waiting.join(''));
      waiting = [];
      chars = 0;
    }
    appendFileSync(file, waiting.join(''));
  } finally {
    closeSync(file);
  }
}

/**
 * The file system's own clock, as the time of a file made just now in the cache's folder; undefined when none can be
 * made. The process's clock would not do: on a network drive the two differ.
 */
export function fileSystemNowMs(cacheFile: string): number | undefined {
  const probe = `${cacheFile}.${process.pid}.now`;
  try {
    makeOwnFolder(dirname(cacheFile));
    writeFileSync(probe, '');
    return lstatSync(probe).mtimeMs;
  } catch {
    return undefined;
  } finally {
    removeQuietly(probe);
  }
}

function makeOwnFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(folder);
  if (basename(folder) === OWN_FOLDER) writeFileSync(join(folder, '.gitignore'), OWN_FOLDER_IGNORES);
}

/** Node's own recursive mkdir never ends where a folder exists and cannot have children (`/proc`). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder);
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A path through something that is no folder: there is nothing to remove.
  }
}

function stamp({ size, mtimeMs, ctimeMs, ino }: Stats): FileStamp {
  // Joined, the text is one string; a template would keep a chain of ten pieces for each file, for as long as the run lasts.
  const text = [size, mtimeMs, ctimeMs, ino].join('.');
  return { text, changedMs: Math.max(mtimeMs, ctimeMs) };
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : String(error);
}

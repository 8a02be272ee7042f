import { dirname } from 'node:path';
import { BaseError } from '../base.ts';
import type { Appender, Disk } from './disk.ts';

/** The disk, its errors turned into BaseErrors that name the path, what the system said and what helps. */
export function explainedDisk(disk: Disk): Disk {
  return {
    read: (file) => explained('not-readable', file, disk.read(file)),
    write: (file, content) => explained('not-writable', file, disk.write(file, content)),
    create: (file, content) => explained('not-writable', file, disk.create(file, content)),
    append: async (file) => explainedAppender(file, await explained('not-writable', file, disk.append(file))),
    rename: (from, to) => explained('not-writable', to, disk.rename(from, to)),
    remove: (file) => explained('not-writable', file, disk.remove(file)),
    size: (file) => explained('not-readable', file, disk.size(file)),
    list: (directory) => explained('not-readable', directory, disk.list(directory)),
    makeDirectory: (directory) => explained('not-writable', directory, disk.makeDirectory(directory)),
    syncDirectory: (directory) => explained('not-writable', directory, disk.syncDirectory(directory)),
  };
}

function explainedAppender(file: string, appender: Appender): Appender {
  return {
    write: (text) => explained('not-writable', file, appender.write(text)),
    sync: () => explained('not-writable', file, appender.sync()),
    close: () => explained('not-writable', file, appender.close()),
  };
}

async function explained<T>(
  code: 'not-readable' | 'not-writable',
  path: string,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw explainedError(code, path, error, 'or keep the state elsewhere with --state FILE');
  }
}

/** A system error as a BaseError that says what helps; `elsewhere` is the way out for a path of no use. Others stay. */
export function explainedError(
  code: 'not-readable' | 'not-writable',
  path: string,
  error: unknown,
  elsewhere: string,
): unknown {
  if (!isSystemError(error)) return error;
  const what = code === 'not-readable' ? 'read' : 'written';
  const message = `${path} cannot be ${what} (${error.code}): ${remedy(error.code, path, elsewhere)}`;
  return new BaseError(code, message, { cause: error });
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

function remedy(code: string, path: string, elsewhere: string): string {
  const known: Readonly<Record<string, string>> = {
    EACCES: `this user lacks the permission; give it (chmod, chown) on ${dirname(path)}, ${elsewhere}`,
    EPERM: `this user lacks the permission; give it (chmod, chown) on ${dirname(path)}, ${elsewhere}`,
    ENOSPC: `the disk is full; free some space and run again`,
    EDQUOT: `the disk quota is used up; free some space and run again`,
    EROFS: `the file system is read-only; mount it for writing, ${elsewhere}`,
    ENOENT: `the folder ${dirname(path)} is gone; was it deleted during the run? Run again`,
    ENOTDIR: `a part of the path is a file, not a folder; move that file away, ${elsewhere}`,
    EISDIR: `a folder has this name; move it away, ${elsewhere}`,
    EEXIST: `a file has the name of a folder that is needed; move it away, ${elsewhere}`,
    EMFILE: `too many files are open; raise the limit (ulimit -n) and run again`,
    EIO: `the disk reported a fault; check it before you run again`,
  };
  return known[code] ?? `see errno ${code}; make the path usable, ${elsewhere}`;
}

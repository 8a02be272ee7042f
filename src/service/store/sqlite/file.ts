import { closeSync, fstatSync, openSync, readSync, statfsSync, statSync } from 'node:fs';
import { StoreError } from '../store.ts';

const OWNER_ONLY = 0o600;

/**
 * Makes an empty file that only its owner may read, where there is none: drafts, addresses and digests of keys go into it.
 * SQLite gives the files beside it the same rights. One that is there keeps its rights: they may be somebody's decision.
 */
export function makeForOwner(file: string): void {
  if (file === ':memory:') return;
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch {
    // It is there, or SQLite says better why it cannot be.
  }
}

/** The file under an open database: SQLite itself goes on with one that has been deleted or overwritten. */
export interface OpenFile {
  /** @throws StoreError `disk` when the file is not the one that was opened: what is written now would be lost */
  checkIsThere(): void;
  /** @throws StoreError `disk` as above or when the disk is full, `damaged` when the file does not begin as a database does */
  check(): void;
  /** Of the file and the log beside it. */
  bytes(): number;
}

const MAGIC = Buffer.from('SQLite format 3\0');
/** The largest body and what the search keeps of it. */
const FREE_BYTES_MIN = 8 * 1024 * 1024;

export function openFile(file: string): OpenFile {
  if (file === ':memory:') return { checkIsThere: () => undefined, check: () => undefined, bytes: () => 0 };
  const opened = statSync(file);
  const checkIsThere = (): void => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.ino === opened.ino && found.dev === opened.dev) return;
    const what = found === undefined ? 'was deleted or moved away' : 'was replaced by another file';
    throw new StoreError(
      'disk',
      `${file} ${what} while it was open; put it back and start the service again`,
    );
  };
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    checkIsThere,
    bytes: () => sizeOf(file) + sizeOf(`${file}-wal`),
    check() {
      checkIsThere();
      const found = header(file);
      if (found !== undefined)
        throw new StoreError('damaged', `${file} is damaged: ${found}; restore a backup`);
      const { bavail, bsize } = statfsSync(file);
      if (bavail * bsize >= FREE_BYTES_MIN) return;
      throw new StoreError(
        'disk',
        `${file} is on a disk with less than ${FREE_BYTES_MIN / 1024 / 1024} MiB left`,
      );
    },
  };
}

/** What is wrong with the beginning of the file (sqlite.org/fileformat.html, 1.3), or with its length. */
function header(file: string): string | undefined {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(100);
    const read = readSync(handle, bytes, 0, bytes.length, 0);
    if (read < bytes.length || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
      return 'it does not begin as a database does';
    }
    const pageBytes = bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16);
    const pages = bytes.readUInt32BE(28);
    const { size } = fstatSync(handle);
    return size < pages * pageBytes ? `it has ${size} bytes of ${pages * pageBytes}` : undefined;
  } finally {
    closeSync(handle);
  }
}

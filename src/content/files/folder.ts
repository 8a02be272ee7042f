import {
  appendFileSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Writes below one folder and nowhere else. Paths are relative to it and POSIX; nothing is ever overwritten unseen. */
export interface ContentFolder {
  /** undefined when there is no such regular file; a link is none. */
  read(path: string): string | undefined;
  /** Whether there is such a regular file. */
  has(path: string): boolean;
  /** A new file; undefined when it is written, else why not. An existing file, or a link on the way, stays as it is. */
  create(path: string, content: string | Uint8Array): string | undefined;
  /** Another text for a file that still says `before`; undefined when it is written, else why not. */
  replace(path: string, before: string, text: string): string | undefined;
}

/**
 * `root` is made where it is missing, at the first write. `beside` names files above it that may get another text (`../mkdocs.yml`); none
 * is made there.
 */
export function contentFolder(root: string, beside: (path: string) => boolean = () => false): ContentFolder {
  const place = (path: string): string | { readonly why: string } => {
    if (path.split('/').some((part) => part === '' || part === '.' || part === '..') || path.includes('\\')) {
      return { why: 'the path leads out of the content folder' };
    }
    mkdirSync(root, { recursive: true });
    let folder = realpathSync(root);
    for (const part of path.split('/').slice(0, -1)) {
      folder = join(folder, part);
      const found = lstatSync(folder, { throwIfNoEntry: false });
      if (found === undefined) mkdirSync(folder);
      else if (!found.isDirectory()) return { why: `${part} is not a folder; kbsync does not follow links` };
    }
    return join(folder, path.slice(path.lastIndexOf('/') + 1));
  };
  const has = (path: string): boolean =>
    lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
  const read = (path: string): string | undefined =>
    has(path) ? readFileSync(join(root, path), 'utf8') : undefined;
  return {
    has,
    read,
    create: (path, content) =>
      attempt(() => {
        const file = place(path);
        if (typeof file !== 'string') return file.why;
        if (lstatSync(file, { throwIfNoEntry: false }) !== undefined)
          return 'a file or folder of this name exists already';
        // A link to a whole file appears at once or not at all, and never in place of another.
        withTemporary(file, content, (temporary) => linkSync(temporary, file));
        return undefined;
      }),
    replace: (path, before, text) =>
      attempt(() => {
        const file = path.startsWith('../') && beside(path) ? join(root, path) : place(path);
        if (typeof file !== 'string') return file.why;
        if (read(path) !== before) return 'the file changed while kbsync compared it';
        withTemporary(file, text, (temporary) => renameSync(temporary, file));
        return undefined;
      }),
  };
}

function withTemporary(file: string, content: string | Uint8Array, use: (temporary: string) => void): void {
  const temporary = `${dirname(file)}/.kbsync-${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content);
    use(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function attempt(work: () => string | undefined): string | undefined {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return `the file cannot be written: ${code}`;
  }
}

/** Texts that are too many for memory, in a temporary file that only this user can read. */
export interface Spool {
  readonly put: (text: string) => Spooled;
  readonly get: (spooled: Spooled) => string;
  readonly close: () => void;
}

/** Where a text is kept: bytes. */
export interface Spooled {
  readonly offset: number;
  readonly size: number;
}

export function openSpool(): Spool {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-pull-'));
  const name = join(folder, 'texts');
  writeFileSync(name, '', { mode: 0o600 });
  const file = openSync(name, 'r');
  let end = 0;
  return {
    put: (text) => {
      const bytes = Buffer.from(text);
      appendFileSync(name, bytes);
      const spooled = { offset: end, size: bytes.length };
      end += bytes.length;
      return spooled;
    },
    get: ({ offset, size }) => {
      const bytes = Buffer.alloc(size);
      readSync(file, bytes, 0, size, offset);
      return bytes.toString();
    },
    close: () => {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

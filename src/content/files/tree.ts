import { lstat, lstatSync, readdir, readdirSync, realpathSync, stat, statSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { ContentError } from '../options.ts';
import { accessWords } from './disk.ts';
import { globsOf } from './scope.ts';
import type { Scope } from './scope.ts';

/** What lies under the content folder. Paths are relative to it, POSIX, NFC. */
export interface Tree {
  readonly files: readonly TreeFile[];
  /** Never followed: a link may leave the tree or close a loop, and its target is read at its own place anyway. */
  readonly symlinks: readonly string[];
  /** Pipes, sockets and devices. */
  readonly irregular: readonly string[];
  /** What cannot be listed, with the reason. */
  readonly closed: readonly { readonly path: string; readonly reason: string }[];
}

export interface TreeFile {
  readonly path: string;
  /** As the disk spells it (macOS may store NFD); absolute. */
  readonly diskPath: string;
}

/** What editors and merge tools leave behind, and the copies that pull puts beside edited files. Part of the scope: changing it changes which files count. */
export const IGNORED_NAMES =
  /^\.|^node_modules$|~$|^#.*#$|\.(?:orig|rej|bak|tmp|swp|swo)$|\.remote(?:-\d+)?\.md$/;

/** Lists the files below `root` that count; names that start with a dot, editors' leftovers and `node_modules` never do. */
export function listTree(root: string, scope: Scope): Tree {
  const real = realRoot(root);
  const closed: { readonly path: string; readonly reason: string }[] = [];
  const pathOf = (diskPath: string): string => diskPath.slice(real.length + 1).normalize('NFC');
  function entriesOf(folder: string): string[];
  function entriesOf(folder: string, options: { readonly withFileTypes: true }): Dirent[];
  function entriesOf(folder: string, options?: { readonly withFileTypes: true }): Dirent[] | string[] {
    try {
      const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => {
        if (IGNORED_NAMES.test(name)) return false;
        if (!/[\n\r\u2028\u2029]/.test(name)) return true;
        closed.push({ path: pathOf(join(folder, name)), reason: 'its name has a line break' });
        return false;
      });
      return options === undefined ? entries.map(({ name }) => name) : entries;
    } catch (error) {
      closed.push({
        path: pathOf(folder),
        reason: `the folder cannot be listed: ${accessWords(errorCode(error))}`,
      });
      return [];
    }
  }
  const { patterns, ignore } = globsOf(scope);
  const entries = fastGlob.sync(patterns, {
    cwd: real,
    ignore,
    dot: true,
    onlyFiles: false,
    objectMode: true,
    followSymbolicLinks: false,
    // Every entry is seen once here: nothing has to be remembered to make it so.
    unique: patterns.length > 1,
    fs: { lstat, lstatSync, stat, statSync, readdir, readdirSync: entriesOf },
  });
  const files: TreeFile[] = [];
  const symlinks: string[] = [];
  const irregular: string[] = [];
  for (const { path: diskName, dirent } of entries) {
    const path = diskName.normalize('NFC');
    if (dirent.isFile()) files.push({ path, diskPath: `${real}/${diskName}` });
    else if (dirent.isSymbolicLink()) symlinks.push(path);
    else if (!dirent.isDirectory()) irregular.push(path);
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, symlinks: symlinks.sort(), irregular: irregular.sort(), closed };
}

function realRoot(root: string): string {
  try {
    const real = realpathSync(root);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') {
      throw new ContentError('no-content', `the content folder ${root} cannot be read: ${errorCode(error)}`, {
        cause: error,
      });
    }
    throw new ContentError(
      'no-content',
      `the content folder ${root} does not exist; make it, or name another one with --content, or as \`content\` in kbsync.yaml (without a kbsync.yaml, kbsync init finds it)`,
      { cause: error },
    );
  }
  throw new ContentError(
    'no-content',
    `${root} is a file; name the folder of the pages with --content, or as \`content\` in kbsync.yaml`,
  );
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : String(error);
}

import { existsSync, mkdirSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';

/**
 * Node 22 and later keep what they compile: a fifth of a short run's CPU. Not in the shared folder for temporary files, Node's own
 * choice: what somebody else puts there would be run.
 */
export function keepCompiled(): void {
  // Node 20 and its types do not have it.
  const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
  if (enableCompileCache === undefined) return;
  const folder = compiledFolder(process.env);
  if (folder !== undefined && isOwnFolder(folder)) enableCompileCache(folder);
}

/** In the user's folder for caches; undefined: there is none. */
export function compiledFolder({
  XDG_CACHE_HOME,
  HOME,
  LOCALAPPDATA,
}: NodeJS.ProcessEnv): string | undefined {
  // Users without a home (Debian's `nobody`) name one that must not be made.
  const inHome = HOME !== undefined && existsSync(HOME) ? join(HOME, '.cache') : undefined;
  const caches = [XDG_CACHE_HOME, inHome, LOCALAPPDATA].find(
    (path) => path !== undefined && isAbsolute(path),
  );
  return caches === undefined ? undefined : join(caches, 'kbsync');
}

/**
 * Makes the folder if it is missing. False: others may write into it, it belongs to somebody else (a run with `sudo` keeps the
 * home of who asked), or it cannot be made.
 */
export function isOwnFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    // Windows tells no owner; its folder for caches is the user's own.
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}

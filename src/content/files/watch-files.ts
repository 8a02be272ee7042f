import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { watch } from 'chokidar';
import type { FSWatcher } from 'chokidar';
import { scopeOf } from './scope.ts';
import type { Scope } from './scope.ts';
import { IGNORED_NAMES } from './tree.ts';
import { ContentError } from '../options.ts';

export interface FileWatch {
  /** Whether git is in the middle of writing the working tree. */
  readonly isBusy: () => boolean;
  close(): Promise<void>;
}

export interface FileWatchOptions {
  /** Absolute. */
  readonly folder: string;
  /** What counts in it. */
  readonly scope: Scope;
  /** Single files besides, which need not exist (the settings). */
  readonly files: readonly string[];
  /** Told of each file that was made, changed or removed, by its absolute path. */
  readonly onChange: (path: string) => void;
  readonly onFailure: (error: Error) => void;
  /** Told when the folder, which was gone, is watched again. */
  readonly onReturn?: () => void;
  /** Looks at every file again and again, for disks that tell of no change: shares of a network, mounts of a virtual machine. */
  readonly poll?: boolean;
}

/** How often it is asked whether the folder is still the same. */
const FOLDER_MS = 500;
const POLL_MS = 1000;

/**
 * Watches a content folder; resolves when every folder below it is watched, so no later change is missed. Names that
 * no reading looks at (a leading dot, editors' leftovers, `node_modules`, what the settings exclude) are not watched either.
 *
 * Throws ContentError `no-watch` when the system gives no more watches.
 */
export async function watchFiles(options: FileWatchOptions): Promise<FileWatch> {
  const { folder, onChange, onFailure, onReturn } = options;
  const lock = gitLockOf(folder);
  let isLost = false;
  let isClosed = false;
  const onLost = (): void => void (isLost = true);
  let identity = identityOf(folder);
  let watcher = await watcherOf(options, onLost);
  // A watcher is bound to the folder itself: it loses one that is moved away or deleted, and does not look for it again.
  const look = async (): Promise<void> => {
    const now = identityOf(folder);
    if (now === undefined) return onLost();
    if (now === identity && !isLost) return;
    isLost = false;
    identity = now;
    try {
      const next = await watcherOf(options, onLost);
      await watcher.close();
      watcher = next;
    } catch (error) {
      // It may be gone once more.
      if (identityOf(folder) === now) onFailure(error instanceof Error ? error : new Error(String(error)));
      return onLost();
    }
    if (isClosed) return;
    onReturn?.();
    onChange(folder);
  };
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined));
  }, FOLDER_MS);
  return {
    isBusy: () => lock !== undefined && existsSync(lock),
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await looking;
      await watcher.close();
    },
  };
}

/** Which folder this path names now; undefined: none that can be seen. A share that fails for a while is one that went away. */
function identityOf(folder: string): string | undefined {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    return found === undefined ? undefined : `${found.dev} ${found.ino}`;
  } catch {
    return undefined;
  }
}

async function watcherOf(options: FileWatchOptions, onLost: () => void): Promise<FSWatcher> {
  const { folder, files, onChange, onFailure, poll = false } = options;
  const isIn = scopeOf(options.scope);
  const named = new Set(files);
  const isIgnored = (path: string): boolean => {
    if (path === folder || named.has(path)) return false;
    const below = path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
    if (!below) return true;
    const names = path.slice(folder.length + 1).split(/[\\/]/);
    return names.some((name) => IGNORED_NAMES.test(name)) || !isIn(names.join('/').normalize('NFC'));
  };
  const watcher = watch([folder, ...files], {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: isIgnored,
    // Events are only hints: each batch reads the files as they are. Nothing is gained by holding them back.
    atomic: false,
    ...(poll ? { usePolling: true, interval: POLL_MS } : {}),
  });
  const isReady = new Promise<void>((resolve, reject) => {
    let hasBegun = false;
    watcher.on('error', (error) => {
      const explained = explainedWatch(error, folder);
      if (hasBegun) onFailure(explained);
      else reject(explained);
    });
    watcher.on('ready', () => {
      hasBegun = true;
      resolve();
    });
  });
  watcher.on('all', (event, path) => {
    if (event === 'unlinkDir' && path === folder) onLost();
    if (event !== 'addDir') onChange(path);
  });
  // Of two changes within 50 ms the watcher tells the first only, and an editor that truncates and writes makes two:
  // what the system itself says is heard too. It names a folder and an entry, or the very file.
  watcher.on('raw', (_event, name, details) => {
    const { watchedPath } = details as { readonly watchedPath?: unknown };
    if (typeof watchedPath !== 'string' || typeof name !== 'string') return;
    const path = basename(watchedPath) === name ? watchedPath : join(watchedPath, name);
    if (path !== folder && !isIgnored(path)) onChange(path);
  });
  try {
    await isReady;
  } catch (error) {
    await watcher.close();
    throw error;
  }
  return watcher;
}

/** Linux says "no space left on device" when a user's watches are used up (paulmillr/chokidar#796). */
function explainedWatch(error: unknown, folder: string): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC') {
    return new ContentError(
      'no-watch',
      `the system gives no more watches for ${folder}: fs.inotify.max_user_watches is reached; raise it with \`sudo sysctl fs.inotify.max_user_watches=524288\` (and put that line into /etc/sysctl.d to keep it)`,
      { cause: error },
    );
  }
  if (code === 'EMFILE') {
    return new ContentError(
      'no-watch',
      `the system gives no more watchers for ${folder}: fs.inotify.max_user_instances, or the limit of open files (\`ulimit -n\`), is reached`,
      { cause: error },
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** `index.lock` of the repository that the folder belongs to. */
function gitLockOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return join(at, '.git', 'index.lock');
    if (dirname(at) === at) return undefined;
  }
}

import { readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a folder with all that is in it; nothing happens if there is none. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Where a path leads when all links in it are followed; undefined: nowhere. */
export async function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Removes what a git that was killed left locked in a bare repository. Objects are never locked. */
export async function removeGitLocks(repository: string): Promise<void> {
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== 'objects') await walk(path);
      else if (entry.isFile() && entry.name.endsWith('.lock')) await rm(path, { force: true });
    }
  };
  await walk(repository);
}

import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreError } from '../store/store.ts';
import type { FileBytes } from './bytes.ts';

/** The folder of the files that belong to a SQLite database. */
export function folderBeside(database: string): string {
  return `${database}-files`;
}

/** Files in a folder, `ab/abcdef…`: one file each, which is there as a whole or not at all. */
export function filesOnDisk(folder: string): FileBytes {
  const pathOf = (digest: string): string => join(folder, digest.slice(0, 2), digest);
  return {
    async write(digest, bytes) {
      const path = pathOf(digest);
      if ((await sizeOf(path)) === bytes.length) return;
      const part = `${path}.${randomUUID()}.part`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await durably(part, bytes);
        await rename(part, path);
        await syncFolder(dirname(path));
        await syncFolder(folder);
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined);
        throw new StoreError('disk', `${folder} cannot be written to`, error);
      }
    },
    async read(digest, at, length) {
      let handle: FileHandle | undefined;
      try {
        handle = await open(pathOf(digest), 'r');
        const buffer = Buffer.alloc(length);
        let filled = 0;
        while (filled < length) {
          const { bytesRead } = await handle.read(buffer, filled, length - filled, at + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return buffer.subarray(0, filled);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw new StoreError('disk', `${folder} cannot be read`, error);
      } finally {
        await handle?.close();
      }
    },
    async remove(digest) {
      await rm(pathOf(digest), { force: true });
    },
  };
}

/** Copies what is not there yet. A file never changes, so the copy of a folder that is in use is whole. */
export async function copyFiles(from: string, to: string): Promise<number> {
  const [source, target] = [filesOnDisk(from), filesOnDisk(to)];
  let copied = 0;
  for (const part of await namesIn(from)) {
    for (const digest of await namesIn(join(from, part))) {
      const bytes = /^[0-9a-f]{64}$/.test(digest) ? await sizeOf(join(from, part, digest)) : undefined;
      const read = bytes === undefined ? undefined : await source.read(digest, 0, bytes);
      if (read === undefined) continue;
      await target.write(digest, read);
      copied += 1;
    }
  }
  return copied;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}

async function durably(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Windows has no such thing, and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync().catch(() => undefined);
  } finally {
    await handle?.close();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

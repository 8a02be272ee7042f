import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every spelling in which a key could leave: as it is, as base64, percent-encoded, and its secret part alone. */
function spellings(key: string): readonly string[] {
  const secret = key.slice(key.lastIndexOf('_') + 1);
  const base64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
  return [...new Set([key, encodeURIComponent(key), base64, ...(secret.length >= 12 ? [secret] : [])])];
}

/**
 * Throws when the key is found: in what was printed, or in any file below the folder (state, journal, trash, cache,
 * saved plans, traces). `except` names files that hold the key on purpose, and databases of the service, which hold digests.
 */
export async function assertKeyIsNowhere(
  key: string,
  said: readonly string[],
  folder: string,
  except: (file: string) => boolean = () => false,
): Promise<void> {
  const names = spellings(key);
  for (const text of said) {
    const found = names.find((name) => text.includes(name));
    if (found !== undefined) throw new Error(`the key was printed:\n${text.replaceAll(found, '<KEY>')}`);
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || except(file)) continue;
    const text = await readIfThere(file);
    if (names.some((name) => text.includes(name))) throw new Error(`the key is in the file ${file}`);
  }
}

/** A database that closes takes its side files away; what is gone keeps no key. */
async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The text of `test/scenarios/<name>/<file>`. `KBSYNC_WRITE_GOLDENS=1 npx vitest run test/cli` first writes `text` there;
 * the difference is then read before it is committed.
 */
export async function golden(name: string, file: string, text: string): Promise<string> {
  const path = join(import.meta.dirname, '../../scenarios', name, file);
  if (process.env['KBSYNC_WRITE_GOLDENS'] === '1') await writeFile(path, text);
  return readFile(path, 'utf8');
}

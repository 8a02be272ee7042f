import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';

/**
 * Holds text against `test/scenarios/<name>/<file>`. `KBSYNC_WRITE_GOLDENS=1 npx vitest run test/cli` writes them anew;
 * the difference is then read before it is committed.
 */
export async function expectGolden(name: string, file: string, text: string): Promise<void> {
  const path = join(import.meta.dirname, '../scenarios', name, file);
  const isWriting = process.env['KBSYNC_WRITE_GOLDENS'] === '1';
  if (isWriting) await writeFile(path, text);
  expect(text).toBe(await readFile(path, 'utf8'));
}

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ARCHIVES = join(import.meta.dirname, '../../../shared/corpora');

/** Whether the development corpora are at hand; users of the repository do not have them. */
export const hasCorpora = existsSync(ARCHIVES);

/** Unpacks one archive (`dev-neutral`) into a temporary folder and returns it. */
export function unpackCorpus(name: 'dev-neutral' | 'dev-raw' | 'dev-imports'): string {
  const folder = mkdtempSync(join(tmpdir(), `kbsync-${name}-`));
  execFileSync('tar', ['-xJf', join(ARCHIVES, `${name}.tar.xz`), '-C', folder]);
  return folder;
}

export function reasonWithoutCorpora(): string {
  return 'skipped: the development corpora are not beside the repository (../shared/corpora)';
}

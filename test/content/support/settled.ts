import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Until a file of this folder that was made just now cannot change again without a trace: what changed within two seconds before a run
 * is not kept, and change times cannot be set.
 */
export async function settled(folder: string): Promise<void> {
  const probe = join(folder, 'probe');
  writeFileSync(probe, '');
  const startedMs = statSync(probe).ctimeMs;
  do {
    await new Promise((resolve) => setTimeout(resolve, 20));
    writeFileSync(probe, '');
  } while (statSync(probe).mtimeMs < startedMs + 2100);
}

import { readdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const SRC = join(import.meta.dirname, '../../src');

/** The modules that run in threads as JavaScript beside their sources, because a thread of Node 20 runs no TypeScript. */
export default async function buildThreads(): Promise<void> {
  for (const room of ['service', 'site']) {
    const folder = join(SRC, room, 'threads');
    for (const file of readdirSync(folder)) {
      if (!file.endsWith('.ts')) continue;
      const bundle = await rolldown({
        input: join(folder, file),
        platform: 'node',
        external: (id) => !/^[./]/.test(id),
      });
      const to = join(folder, file.replace(/ts$/, 'js'));
      const half = `${to}.${process.pid}.js`;
      await bundle.write({ file: half, format: 'esm', codeSplitting: false });
      await bundle.close();
      // So that a run beside this one never reads half a file.
      await rename(half, to);
    }
  }
}

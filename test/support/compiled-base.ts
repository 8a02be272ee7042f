import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Compiles src/base into a temporary folder, so that real processes can run it; the caller removes the folder. */
export async function compiledBase(): Promise<string> {
  const root = join(import.meta.dirname, '../..');
  const folder = await mkdtemp(join(tmpdir(), 'kbsync-compiled-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const options =
    '--rootDir src --module nodenext --target es2023 --types node --rewriteRelativeImportExtensions';
  const compiler = join(root, 'node_modules/.bin/tsc');
  const files = ['src/base/store.ts', 'src/base/lock.ts', 'src/base/disk/real-disk.ts'];
  await promisify(execFile)(
    compiler,
    [...files, '--ignoreConfig', '--skipLibCheck', '--outDir', folder, ...options.split(' ')],
    { cwd: root },
  );
  return folder;
}

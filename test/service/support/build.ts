import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The service as JavaScript in a folder of its own, because a child process of Node 20 runs no TypeScript. */
export function buildService(): { readonly entry: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-build-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      rootDir: join(root, 'src'),
      outDir: folder,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [],
    files: [join(root, 'src/service/index.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(folder, 'tsconfig.json')], { stdio: 'pipe' });
  return {
    entry: join(folder, 'service/index.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

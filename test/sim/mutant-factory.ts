import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Engine } from './engine.ts';
import type { Mutant } from './mutants.ts';

export interface MutantFactory {
  load(mutant: Mutant | undefined): Promise<Engine>;
  close(): void;
}

const ROOT = join(import.meta.dirname, '../..');

/** Makes engines from changed copies of src/, in a temporary folder. */
export function mutantFactory(): MutantFactory {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-mutants-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  let count = 0;
  return {
    async load(mutant) {
      count += 1;
      const copy = join(folder, String(count));
      for (const station of ['text', 'model', 'contract', 'content', 'base', 'plan', 'remote', 'sync'])
        cpSync(join(ROOT, 'src', station), join(copy, 'src', station), { recursive: true });
      if (mutant !== undefined) {
        const file = join(copy, 'src', mutant.file);
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace(mutant.find, () => mutant.replace),
        );
      }
      writeFileSync(join(copy, 'engine.ts'), ENGINE_SOURCE);
      // What the copy exports is the same as engine.ts here, but for the one change.
      const loaded = (await import(/* @vite-ignore */ pathToFileURL(join(copy, 'engine.ts')).href)) as {
        readonly ENGINE: Engine;
      };
      return loaded.ENGINE;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** How often the text to be replaced occurs: once, or the mutant is out of date. */
export function occurrences({ file, find }: Mutant): number {
  return readFileSync(join(ROOT, 'src', file), 'utf8').split(find).length - 1;
}

const ENGINE_SOURCE = readFileSync(join(import.meta.dirname, 'engine.ts'), 'utf8').replaceAll(
  '../../src/',
  './src/',
);

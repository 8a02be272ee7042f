import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('each module of a build that a benchmark loads by its address is in src', () => {
  const named = readdirSync(join(ROOT, 'bench'))
    .filter((file) => file.endsWith('.mjs'))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, 'bench', file), 'utf8').matchAll(/new URL\('([\w/-]+)\.js', build\)/g)].map(
        ([, module = '']) => module,
      ),
    );
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((module) => !existsSync(join(ROOT, 'src', `${module}.ts`)))).toEqual([]);
  // tsc writes src to build/, and the bundles to dist/ hold no modules.
  for (const file of ['client', 'service-large', 'service-load'])
    expect(readFileSync(join(ROOT, 'bench', `${file}.mjs`), 'utf8')).not.toMatch(/['/]dist'/);
});

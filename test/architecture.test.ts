import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** Layer → the layers it may import. Imports go one way (STYLE.md); everybody may import util. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  util: [],
  contract: [],
  model: [],
  content: ['model'],
  base: ['model'],
  plan: ['model'],
  remote: ['contract', 'model'],
  sync: ['model', 'content', 'base', 'plan', 'remote', 'contract'],
  import: ['model', 'content', 'sync'],
  service: ['contract'],
  site: ['contract', 'service', 'model', 'plan'],
  cli: ['model', 'content', 'base', 'plan', 'remote', 'sync', 'import', 'service', 'site', 'contract'],
  library: ['model', 'content', 'base', 'plan', 'remote', 'sync', 'contract', 'cli'],
};

/** The only files that may touch disk, network, clock or process. */
const WORLD = new Set([
  'content/disk.ts',
  'content/content-folder.ts',
  'content/watch-files.ts',
  'import/input-files.ts',
  'base/file.ts',
  'base/journal.ts',
  'base/lock.ts',
  'remote/send.ts',
  'service/store/sqlite.ts',
  'service/store/sqlite-migrate.ts',
  'service/store/sqlite-backup.ts',
  'service/link-request.ts',
  'service/store/postgres.ts',
  'service/listen.ts',
  'site/assets.ts',
  'cli/bin.ts',
  'cli/git-times.ts',
  'cli/open-page.ts',
  'cli/world.ts',
]);
const WORLD_MODULES =
  /^(node:)?(fs|fs\/promises|net|http|https|child_process|dgram|dns)$|^(undici|@photostructure\/sqlite|@hono\/node-server|chokidar|pg)$/;
const WORLD_GLOBALS =
  /\b(Date\.now\(|new Date\(\)|Math\.random\(|process\.(env|exit|argv|stdout|stderr|cwd)|console\.|setTimeout\(|(?:await|return|=>|=|\()\s*fetch\()/;

const root = join(import.meta.dirname, '../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

test('imports go one way, from layer to layer', () => {
  const wrong = files.flatMap((file) => {
    const layer = file.split('/')[0] ?? '';
    const allowed = LAYERS[layer];
    if (!file.includes('/')) return []; // the public entry may name anything
    return importsOf(file)
      .filter((target) => target.startsWith('.'))
      .map((target) => normalize(join(dirname(file), target)).split('/')[0] ?? '')
      .filter((target) => target !== layer && target !== 'util' && !(allowed ?? []).includes(target))
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('only the named files touch the world', () => {
  const wrong = files
    .filter((file) => !WORLD.has(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      const found = WORLD_GLOBALS.exec(text)?.[0];
      return [
        ...importsOf(file)
          .filter((target) => WORLD_MODULES.test(target))
          .map((target) => `${file} imports ${target}`),
        ...(found === undefined ? [] : [`${file} uses ${found}`]),
      ];
    });
  expect(wrong).toEqual([]);
});

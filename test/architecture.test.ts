import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** Layer → the layers it may import. Imports go one way (docs/ARCHITECTURE.md). */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  text: [],
  model: ['text'],
  machine: ['model', 'base'],
  content: ['model', 'text'],
  base: ['model', 'text'],
  plan: ['model', 'text'],
  remote: ['contract', 'model', 'text'],
  config: ['model', 'content', 'machine', 'text'],
  sync: ['model', 'content', 'base', 'plan', 'remote', 'contract', 'text'],
  import: ['model', 'content', 'sync', 'text'],
  session: ['base', 'remote', 'sync', 'content', 'config', 'machine', 'model', 'shared-state', 'text'],
  'shared-state': ['base', 'remote', 'config', 'machine', 'model', 'text'],
  forge: ['model', 'machine', 'remote', 'text'],
  fleet: ['model', 'content', 'base', 'config', 'machine', 'service', 'text'],
  service: ['contract', 'text'],
  site: ['contract', 'service', 'model', 'content', 'text'],
  'plan-page': ['model', 'plan', 'site'],
  library: [
    'model',
    'content',
    'base',
    'plan',
    'remote',
    'sync',
    'contract',
    'config',
    'machine',
    'session',
    'text',
  ],
  cli: [
    'model',
    'content',
    'base',
    'plan',
    'remote',
    'sync',
    'import',
    'service',
    'site',
    'contract',
    'config',
    'machine',
    'session',
    'plan-page',
    'forge',
    'fleet',
    'text',
  ],
};

/** The only files that may touch disk, network, clock or process. */
const WORLD = new Set([
  'content/files/disk.ts',
  'content/files/folder.ts',
  'content/files/tree.ts',
  'content/files/watch-files.ts',
  'import/files/input-files.ts',
  'base/disk/real-disk.ts',
  'base/journal/journal.ts',
  'base/lock.ts',
  'remote/http/send.ts',
  'service/store/sqlite/sqlite.ts',
  'service/store/sqlite/migrate.ts',
  'service/store/sqlite/backup.ts',
  'service/store/sqlite/file.ts',
  'service/files/disk.ts',
  'service/links/request.ts',
  'service/links/public-address.ts', // net's table of addresses, no connection
  'service/store/postgres/postgres.ts',
  'service/http/connections.ts',
  'service/http/waiting-answers.ts',
  'service/listen.ts',
  'service/thread.ts',
  'service/answer-tasks.ts',
  'site/assets.ts',
  'cli/bin.ts',
  'cli/compile-cache.ts',
  'cli/commands/dev/open-page.ts',
  'cli/world.ts',
  'fleet/git/run-git.ts',
  'fleet/git/folders.ts',
  'fleet/runs/post.ts',
  'fleet/runs/start-run.ts',
  'fleet/workers/graphile.ts',
  'fleet/workers/presence.ts',
  'fleet/workers/workers.ts',
  'machine/git.ts',
  'machine/machine.ts',
  'machine/run-program.ts',
  'machine/versions.ts',
  'shared-state/postgres-line.ts',
]);
const WORLD_MODULES =
  /^(node:)?(fs|fs\/promises|net|http|https|child_process|dgram|dns|worker_threads)$|^(undici|@photostructure\/sqlite|@hono\/node-server|chokidar|fast-glob|pg)$/;
const WORLD_GLOBALS =
  /\b(Date\.now\(|new Date\(\)|Math\.random\(|process\.(env|exit|argv|stdout|stderr|cwd)|console\.|setTimeout\(|(?:await|return|=>|=|\()\s*fetch\()/;

const root = join(import.meta.dirname, '../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

/** Files of src that a file names, as values or as types, at the top or later. */
function targetsOf(file: string): readonly string[] {
  return importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => normalize(join(dirname(file), target)));
}

/** Arrows from folder to folder: `sync/apply/edit.ts` → `sync/survey/survey.ts` gives `sync/apply sync/survey`. */
function arrowsBetweenSiblings(): ReadonlySet<string> {
  const arrows = new Set<string>();
  for (const file of files) {
    for (const target of targetsOf(file)) {
      const from = file.split('/').slice(0, -1);
      const to = target.split('/').slice(0, -1);
      const at = from.findIndex((part, depth) => part !== to[depth]);
      if (at === -1 || to[at] === undefined) continue;
      arrows.add(`${from.slice(0, at + 1).join('/')} ${to.slice(0, at + 1).join('/')}`);
    }
  }
  return arrows;
}

test('imports go one way, from layer to layer', () => {
  const wrong = files.flatMap((file) => {
    const layer = file.split('/')[0] ?? '';
    const allowed = LAYERS[layer];
    if (!file.includes('/')) return []; // the public entry may name anything
    return targetsOf(file)
      .map((target) => target.split('/')[0] ?? '')
      .filter((target) => target !== layer && !(allowed ?? []).includes(target))
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('no two folders beside each other import each other both ways', () => {
  const arrows = arrowsBetweenSiblings();
  const wrong = [...arrows].filter((arrow) => arrows.has(arrow.split(' ').toReversed().join(' ')));
  expect(wrong).toEqual([]);
});

test('no files import each other in a circle, types counted', () => {
  expect(circles()).toEqual([]);
});

test('no folder holds more than 20 files, but a folder of languages', () => {
  const isLanguage = (file: string): boolean => basename(dirname(file)) === 'words';
  const counts = new Map<string, number>();
  for (const file of files.filter((each) => !isLanguage(each)))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
});

test('the site takes one thing of the content: what writes HTML as Markdown', () => {
  const taken = files
    .filter((file) => file.startsWith('site/'))
    .flatMap((file) => importsOf(file).map((target) => normalize(join(dirname(file), target))))
    .filter((target) => target.startsWith('content/'));
  expect([...new Set(taken)]).toEqual(['content/html-to-markdown/html-to-markdown.ts']);
});

test('reading a folder loads the code of its own layout alone', () => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/^import type [^;]*;$/gm, '');
    for (const [, target = ''] of text.matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']+)';$/gm))
      load(normalize(join(dirname(file), target)));
  };
  load('content/load-content.ts');
  expect(loaded).toContain('content/presets/load-layout.ts');
  const ofLayouts = [...loaded].filter((file) =>
    /^content\/presets\/(?:layouts|settings|jsx|liquid|go-template|syntax\/(?:families|includes|syntaxes))\b/.test(
      file,
    ),
  );
  expect(ofLayouts).toEqual(['content/presets/layouts/kbsync.ts']);
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

/** Sets of files of which each reaches each other (Tarjan), each sorted. */
function circles(): readonly (readonly string[])[] {
  const rings: (readonly string[])[] = [];
  const seen = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const known = new Set(files);
  const visit = (file: string): void => {
    const index = seen.size;
    seen.set(file, index);
    let low = index;
    path.push(file);
    for (const target of targetsOf(file).filter((each) => known.has(each))) {
      if (!seen.has(target)) visit(target);
      if (path.includes(target)) low = Math.min(low, lowest.get(target) ?? seen.get(target) ?? low);
    }
    lowest.set(file, low);
    if (low !== index) return;
    const ring = path.splice(path.indexOf(file));
    if (ring.length > 1) rings.push(ring.sort((a, b) => (a < b ? -1 : 1)));
  };
  for (const file of files) if (!seen.has(file)) visit(file);
  return rings;
}

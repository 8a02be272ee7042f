import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const MEBIBYTE = 2 ** 20;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: Packed;

/** A project of somebody else with the packed kbsync in its node_modules; its dependencies are the ones installed here. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kbsync-consumer-'));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  // npm prints this shape.
  const [only] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as readonly Packed[];
  if (only === undefined) throw new Error('test: npm packed nothing');
  packed = only;
  const home = join(folder, 'node_modules/kbsync');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', home, '--strip-components=1']);
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  mkdirSync(join(folder, 'node_modules/@types'));
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package holds what users run and read, and nothing of its making', () => {
  const paths = packed.files.map(({ path }) => path);
  const allowed = /^(dist\/|content-example\/|CHANGELOG\.md$|LICENSE$|README\.md$|package\.json$)/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  expect(paths.filter((path) => /\.test\.|\.tsbuildinfo$|\.map$|(^|\/)\./.test(path))).toEqual([]);
  for (const path of ['dist/cli/bin.js', 'dist/index.d.ts', 'dist/kbsync.schema.json', 'README.md']) {
    expect(paths).toContain(path);
  }
  console.log(`packed ${packed.size} bytes, unpacked ${packed.unpackedSize}, ${paths.length} files`);
  expect(packed.size).toBeLessThan(MEBIBYTE);
  expect(packed.unpackedSize).toBeLessThan(5 * MEBIBYTE);
});

const CONSUMER = `import { createRemote, createSync, type Remote, type RunEvent, type Sync } from 'kbsync';
import { ROUTES } from 'kbsync/contract';
import { createApp, createKey, openSqlite, systemClock } from 'kbsync/service';

const store = openSqlite({ file: ':memory:', defaultLanguage: 'en' });
const app = createApp({ store, clock: systemClock });
const { key } = await createKey({ store, clock: systemClock, name: 'consumer' });
const events: RunEvent[] = [];
const remote: Remote = createRemote({
  baseUrl: 'https://help.acme.test',
  apiKey: key,
  send: async (request) => app.fetch(request),
  emit: (event) => void events.push(event),
  clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
  random: () => Math.random(),
  concurrencyMax: 4,
  capabilities: {},
  defaultLanguage: 'en',
});
const list = await remote.list('article');
const make: (options: Parameters<typeof createSync>[0]) => Sync = createSync;
console.log(JSON.stringify([list.items.length, ROUTES.listArticles.path, typeof make]));
await store.close();
`;

test('a project of somebody else imports library, contract and service, with their types', () => {
  writeFileSync(join(folder, 'use.ts'), CONSUMER);
  const flags = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, ...flags, 'use.ts'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  const out = execFileSync(process.execPath, ['use.js'], { cwd: folder, encoding: 'utf8' });
  expect(JSON.parse(out)).toEqual([0, '/api/v2/articles', 'function']);
});

test('the command runs from the packed files', () => {
  const bin = join(folder, 'node_modules/kbsync/dist/cli/bin.js');
  expect(execFileSync(process.execPath, [bin, '--version'], { encoding: 'utf8' })).toMatch(
    /^\d+\.\d+\.\d+\n$/,
  );
});

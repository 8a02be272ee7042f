// Makes of what tsc wrote to build/ the modules that are published: the command with what it loads in few files, because a
// third of what a short command costs is the opening of 300 modules (docs/decisions/2026-11-21-one-command-file.md), and
// the library, the contract, the service and the threads with theirs. What none of them reaches is not in the package.
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const BUILD = fileURLToPath(new URL('../build/', import.meta.url));
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
/** What nearly every command loads. Packages with native parts and those that few commands need stay as they are. */
const INSIDE = [
  '@commander-js/extra-typings',
  '@nodelib/fs.scandir',
  '@nodelib/fs.stat',
  '@nodelib/fs.walk',
  'braces',
  'commander',
  'diff',
  'entities',
  'fast-glob',
  'fastq',
  'fill-range',
  'glob-parent',
  'is-extglob',
  'is-glob',
  'is-number',
  'merge2',
  'micromatch',
  'p-limit',
  'picomatch',
  'queue-microtask',
  'reusify',
  'run-parallel',
  'to-regex-range',
  'undici',
  'yaml',
  'yocto-queue',
  'zod',
];

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
const isOwn = (id) => /^[.\0]/.test(id) || isAbsolute(id);

const command = await bundled(
  { 'cli/bin': join(BUILD, 'cli/bin.js') },
  'cli/bin-[name]-[hash].js',
  (id) => !INSIDE.includes(packageOf(id)),
);
const library = await bundled(
  {
    'library/index': join(BUILD, 'index.js'),
    'library/contract': join(BUILD, 'contract/index.js'),
    'library/service': join(BUILD, 'service/index.js'),
    ...threadsOf('service'),
    ...threadsOf('site'),
  },
  'library/[name]-[hash].js',
  () => true,
);
const output = [...command, ...library];
cpSync(join(BUILD, 'site/assets'), join(DIST, 'site/assets'), { recursive: true });

// These look for files beside the folder of their module: src/site/assets.ts for ../site/assets, for one.
const deep = output.filter(
  ({ fileName, code }) => /\bimport\.meta\.url\b/.test(code) && fileName.split('/').length !== 2,
);
if (deep.length > 0)
  throw new Error(
    `these look for files in the wrong folder: ${deep.map(({ fileName }) => fileName).join(', ')}`,
  );

const strange = output
  .flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports])
  .filter(isStrange);
if (strange.length > 0)
  throw new Error(`the command loads what it does not depend on: ${strange.join(', ')}`);

const homes = new Set();
for (const { moduleIds = [] } of output) {
  for (const id of moduleIds) {
    const home = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(id)?.[0];
    if (home !== undefined) homes.add(home);
  }
}
await writeFile(
  join(DIST, 'cli/THIRD-PARTY-LICENSES.txt'),
  [...homes]
    .sort((a, b) => (a < b ? -1 : 1))
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n\n`),
);

/** The chunks of these entries, written to dist. Of the packages, those that `isOutside` names stay dependencies. */
async function bundled(input, chunkFileNames, isOutside) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: (id) => !isOwn(id) && isOutside(id),
    // What the command loads late, the library may need at once.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output: chunks } = await bundle.write({
    dir: DIST,
    format: 'esm',
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames,
  });
  await bundle.close();
  return chunks;
}

/** The modules of a room that run in threads: dist holds each at the address of its source. */
function threadsOf(room) {
  const files = readdirSync(join(BUILD, room, 'threads')).filter((name) => name.endsWith('.js'));
  return Object.fromEntries(
    files.map((file) => [`${room}/threads/${basename(file, '.js')}`, join(BUILD, room, 'threads', file)]),
  );
}

function isStrange(id) {
  return (
    !output.some(({ fileName }) => fileName === id) && !isBuiltin(id) && !(packageOf(id) in dependencies)
  );
}

function licenceOf(home) {
  const { name, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  if (!INSIDE.includes(name))
    throw new Error(`${name} is in the command and not in the list of ${import.meta.filename}`);
  const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${home} has no licence text`);
  return `${name} ${version}\n\n${readFileSync(join(home, file), 'utf8').trim()}\n`;
}

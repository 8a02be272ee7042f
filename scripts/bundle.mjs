// Puts dist/cli/bin.js and all that it loads into few files: a third of what a short command costs is the opening of
// 300 modules (docs/decisions/2026-11-21-one-command-file.md). The rooms of dist stay beside it, for the library.
import { readFileSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const CLI = fileURLToPath(new URL('../dist/cli/', import.meta.url));
const SITE_THREADS = fileURLToPath(new URL('../dist/site/threads/', import.meta.url));
/** What nearly every command loads. Packages with native parts and those that few commands need stay as they are. */
const INSIDE = [
  '@commander-js/extra-typings',
  '@nodelib/fs.scandir',
  '@nodelib/fs.stat',
  '@nodelib/fs.walk',
  'braces',
  'commander',
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

const bundle = await rolldown({
  input: join(CLI, 'bin.js'),
  platform: 'node',
  external: (id) => !isOwn(id) && !INSIDE.includes(packageOf(id)),
});
const { output } = await bundle.write({
  dir: CLI,
  format: 'esm',
  comments: false,
  entryFileNames: 'bin.js',
  chunkFileNames: 'bin-[name]-[hash].js',
});
await bundle.close();

// Threads of the site stand on modules that are not published beside the command.
for (const file of readdirSync(SITE_THREADS).filter((name) => name.endsWith('.js'))) {
  const thread = await rolldown({
    input: join(SITE_THREADS, file),
    platform: 'node',
    external: (id) => !isOwn(id),
  });
  const made = await thread.write({ file: join(SITE_THREADS, file), format: 'esm', codeSplitting: false });
  await thread.close();
  output.push(...made.output);
}

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
  join(CLI, 'THIRD-PARTY-LICENSES.txt'),
  [...homes]
    .sort((a, b) => (a < b ? -1 : 1))
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n\n`),
);

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

// How the code is laid out: files in a folder, files cut too small, import circles, arrows between sibling folders, lines,
// and what there is to open to understand one feature.
//   npm run house                       the code as it is now
//   npm run house -- f3e2f61            that commit beside it
//   npm run house -- f3e2f61 0c8d15b    two commits side by side
//   … --small                           also the files with one importer and few lines
//   … --files                           also the files of each feature
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file with one importer and at most this many lines probably belongs to its importer. */
const SMALL_LINES = 60;

/**
 * Where a reader begins who wants to understand a feature: of these files, those that are there (its places before and
 * after the rooms were made). To open are these, what they import, and what that imports in turn (types and late imports
 * counted), as long as the way stays in their rooms (the folders right below src). Of those, a feature's own are the files
 * to which no other way leads.
 */
const FEATURES = [
  [
    'kbsync migrate',
    ['cli/commands/migrate/command.ts', 'cli/commands/migrate/migrate.ts'],
    ['cli/program-migrate.ts', 'cli/commands/migrate.ts'],
  ],
  [
    'kbsync serve',
    ['command', 'serve', 'keys', 'store', 'versions'].map((name) => `cli/commands/serve/${name}.ts`),
    [
      'cli/program-serve.ts',
      ...['', '-keys', '-store', '-versions'].map((end) => `cli/commands/serve${end}.ts`),
    ],
  ],
  [
    'front matter',
    ['content/front-matter/read.ts', 'content/front-matter/write.ts', 'content/document/fields.ts'],
    ['content/front-matter.ts', 'content/front-matter-text.ts', 'content/read-fields.ts'],
  ],
  [
    'the link checker',
    ['service/links/checker.ts', 'service/links/links.ts'],
    ['service/link-checker.ts', 'service/links.ts'],
  ],
  ['an edit on the wire', ['sync/apply/write/edit.ts', 'remote/writing/writes.ts'], ['sync/apply-edit.ts']],
];

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const commits = words.filter((word) => !word.startsWith('--'));
const houses = commits.map((commit) => house(commit, committed(commit)));
if (houses.length < 2) houses.push(house('now', onDisk()));

table([
  ['', ...houses.map(({ name }) => name)],
  ...houses[0].rows.map(([what], index) => [what, ...houses.map(({ rows }) => rows[index][1])]),
]);
for (const { name, circles, pairs } of houses) {
  list(`import circles of ${name}`, circles);
  list(`sibling folders both ways of ${name}`, pairs);
}
if (words.includes('--small')) for (const { name, small } of houses) list(`small files of ${name}`, small);
console.log('\nfiles to open, and those that only this feature uses\n');
table([
  ['', ...houses.map(({ name }) => name)],
  ...FEATURES.map(([what], index) => [what, ...houses.map(({ features }) => featureText(features[index]))]),
]);
if (words.includes('--files'))
  for (const { name, features } of houses)
    for (const { what, open, own } of features)
      list(
        [what, name].join(', '),
        open.map((file) => `${own.has(file) ? '*' : ' '} ${file}`),
      );

/** Path below src → text, of a commit. */
function committed(commit) {
  const git = (args, input) => execFileSync('git', args, { cwd: root, input, maxBuffer: 2 ** 28 });
  const paths = git(['ls-tree', '-r', '--name-only', '-z', commit, 'src/'])
    .toString()
    .split('\0')
    .filter((path) => path.endsWith('.ts'));
  const blobs = git(['cat-file', '--batch'], paths.map((path) => `${commit}:${path}\n`).join(''));
  const files = [];
  let at = 0;
  for (const path of paths) {
    const end = blobs.indexOf('\n', at);
    const size = Number(blobs.subarray(at, end).toString().split(' ')[2]);
    files.push([path.slice('src/'.length), blobs.subarray(end + 1, end + 1 + size).toString()]);
    at = end + 1 + size + 1;
  }
  return files;
}

function onDisk() {
  const src = join(root, 'src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, readFileSync(join(src, file), 'utf8')]);
}

function house(name, all) {
  const files = new Map(
    all.filter(([file]) => !file.endsWith('.d.ts')).sort(([a], [b]) => a.localeCompare(b)),
  );
  const imports = new Map([...files].map(([file, text]) => [file, importsOf(file, text, files)]));
  const importers = new Map([...files.keys()].map((file) => [file, []]));
  for (const [file, targets] of imports) for (const target of targets) importers.get(target).push(file);
  const linesOf = (file) => files.get(file).split('\n').length - 1;
  const total = (some) => some.reduce((sum, file) => sum + linesOf(file), 0);
  const isSmall = (file) => importers.get(file).length === 1 && linesOf(file) <= SMALL_LINES;
  const small = [...files.keys()].filter(isSmall);
  const folders = groupBy(files.keys(), dirname);
  const counts = [...folders].map(([folder, inside]) => [folder, inside.length]).sort((a, b) => b[1] - a[1]);
  const circles = circlesOf(imports);
  const pairs = pairsOf(imports);
  return {
    name,
    rows: [
      ['files of src', files.size],
      ['folders', folders.size],
      ['files in a folder, most', `${counts[0][1]} (${counts[0][0]})`],
      ['files in a folder, median', median(counts.map(([, count]) => count))],
      [`files with one importer and at most ${SMALL_LINES} lines`, `${small.length} (${total(small)} lines)`],
      ['import circles, types counted', circles.length],
      ['sibling folders that import each other both ways', pairs.length],
      ['lines of src', total([...files.keys()])],
    ],
    circles: circles.map((ring) => ring.join(' · ')),
    pairs,
    small: small.map((file) => `${String(linesOf(file)).padStart(3)} ${file}`),
    features: FEATURES.map(([what, ...starts]) => {
      const there = starts.flat().filter((file) => files.has(file));
      return { what, ...featureOf(there, imports, importers), linesOf };
    }),
  };
}

/** Files of src that a file names, as values or as types, at the top or later. */
function importsOf(file, text, files) {
  const names = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1]);
  return new Set(names.map((name) => normalize(join(dirname(file), name))).filter((name) => files.has(name)));
}

function featureOf(starts, imports, importers) {
  const rooms = new Set(starts.map((file) => file.split('/')[0]));
  const open = new Set(starts);
  for (const file of open)
    for (const target of imports.get(file)) if (rooms.has(target.split('/')[0])) open.add(target);
  // What is reached from elsewhere too is not the feature's own, nor is what such a file imports.
  const own = new Set(open);
  for (let before = -1; before !== own.size;) {
    before = own.size;
    for (const file of own)
      if (!starts.includes(file) && importers.get(file).some((other) => !own.has(other))) own.delete(file);
  }
  return { open: [...open].sort((a, b) => a.localeCompare(b)), own };
}

function featureText({ open, own, linesOf }) {
  const lines = open.reduce((sum, file) => sum + linesOf(file), 0);
  const folders = new Set([...own].map((file) => dirname(file)));
  return `${open.length} (${lines} lines), own ${own.size} in ${[...folders].sort((a, b) => a.localeCompare(b)).join(', ')}`;
}

/** Sets of files of which each reaches each other (Tarjan). */
function circlesOf(imports) {
  const found = [];
  const index = new Map();
  const low = new Map();
  const stack = [];
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found;

  function visit(file) {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const target of imports.get(file)) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file), low.get(target)));
    }
    if (low.get(file) !== index.get(file)) return;
    const ring = stack.splice(stack.indexOf(file));
    if (ring.length > 1) found.push(ring.sort((a, b) => a.localeCompare(b)));
  }
}

/** Two folders of one parent, with all below them; `site ⇄ cli` and `sync/apply ⇄ sync/survey` alike. */
function pairsOf(imports) {
  const arrows = new Set();
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [dirname(file).split('/'), dirname(target).split('/')];
      const at = from.findIndex((part, depth) => part !== to[depth]);
      if (at === -1 || to[at] === undefined) continue;
      arrows.add(`${from.slice(0, at + 1).join('/')} ${to.slice(0, at + 1).join('/')}`);
    }
  }
  return [...arrows]
    .map((arrow) => arrow.split(' '))
    .filter(([from, to]) => from < to && arrows.has(`${to} ${from}`))
    .map(([from, to]) => `${from} ⇄ ${to}`);
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return Number.isInteger(half) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[Math.floor(half)];
}

function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

/** Columns as wide as they need to be. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => String(cell).padEnd(widths[column] + 2))
        .join('')
        .trimEnd(),
    );
}

function list(title, lines) {
  if (lines.length === 0) return;
  console.log(`\n${title}`);
  for (const line of lines) console.log(`    ${line}`);
}

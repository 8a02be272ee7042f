// Keeps the declarations that a program can reach from the entries of package.json: `exports` hides all others.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const reached = new Set();
const open = Object.values(entries).flatMap(({ types }) => (types === undefined ? [] : [join(root, types)]));
for (let file = open.pop(); file !== undefined; file = open.pop()) {
  if (reached.has(file)) continue;
  reached.add(file);
  for (const [, address] of readFileSync(file, 'utf8').matchAll(
    /(?:\bfrom|\bimport\(|\bimport)\s*['"](\.[^'"]+)['"]/g,
  ))
    open.push(join(dirname(file), address.replace(/\.[jt]s$/, '.d.ts')));
}
const types = join(root, 'dist/types');
const made = readdirSync(types, { recursive: true }).filter((file) => file.endsWith('.d.ts'));
for (const file of made.map((each) => join(types, each))) if (!reached.has(file)) rmSync(file);

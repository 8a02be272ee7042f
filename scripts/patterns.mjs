// Looks for regular expressions that can read the same text in more than one way, again and again: 60 characters of a page then
// stop a run for ever. Reads all patterns of the built program: those that stand in the code, and those that its modules make of
// parts while they load. What grows with the square of a text alone is not looked for: `npm run bench:pages` measures that.
// node scripts/patterns.mjs, after a build; the exit code is 1 if there is one.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parse } from 'acorn';
import { analyse } from 'scslre';

const ROOT = 'build';
/** They run in a browser, or begin to work as soon as they are loaded. */
const NOT_LOADED = /(?:^|\/)(?:site\/assets|threads)\/|^cli\/bin\.js$/;

const files = readdirSync(ROOT, { recursive: true }).filter((file) => file.endsWith('.js'));
const patterns = [...files.flatMap(written), ...(await made())];
const found = patterns.filter(({ source, flags }) =>
  analyse({ source, flags }, { reportTypes: { Move: false } }).reports.some((report) => report.exponential),
);
for (const { at, source, flags } of found)
  process.stdout.write(`${at}: more than one way to read the same text: /${source}/${flags}\n`);
process.stdout.write(`${patterns.length} patterns, ${found.length} of them without an end\n`);
process.exit(found.length === 0 ? 0 : 1);

/** The literals of a file. */
function written(file) {
  const literals = [];
  const look = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'Literal' && node.regex !== undefined)
      literals.push({
        at: `${file}:${node.loc.start.line}`,
        source: node.regex.pattern,
        flags: node.regex.flags,
      });
    for (const inside of Object.values(node)) look(inside);
  };
  look(
    parse(readFileSync(join(ROOT, file), 'utf8'), {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
    }),
  );
  return literals;
}

/** What `new RegExp` makes while the modules load. */
async function made() {
  const patterns = new Map();
  const Plain = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Plain, {
    construct: (target, args) => {
      const pattern = new target(...args);
      const at = /\/build\/(\S+?):\d+\)?$/m.exec(new Error('here').stack)?.[1];
      if (at !== undefined && !at.includes('node_modules'))
        patterns.set(String(pattern), { at, source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  for (const file of files) if (!NOT_LOADED.test(file)) await import(pathToFileURL(join(ROOT, file)).href);
  globalThis.RegExp = Plain;
  return [...patterns.values()];
}

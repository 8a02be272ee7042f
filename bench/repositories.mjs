/**
 * What becomes of any repository of Markdown: what `init` sees, what `check` says, which files become articles, and what a
 * reader of the published pages would miss. Works on a copy; a repository is never written to.
 *
 *   npm run corpus -- FOLDER…                     a text for each repository, then one table
 *   npm run corpus -- --json FOLDER…              one JSON document, with every page that has a fault
 *   npm run corpus -- --settings FILE FOLDER…     lines of kbsync.yaml that a person adds: { NAME: { preset: hugo } } by the
 *                                                 folder's name, as YAML; `folder: website` runs in that folder of it
 *   npm run corpus -- --public FOLDER…            takes the lines that `init` offers to public repositories
 *   npm run corpus -- --files FOLDER…             counts a second time, for a service that keeps files, as `kbsync serve` does
 */
import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { measureRepository } from './repositories/measure.mjs';
import { reportText, tableText } from './repositories/report.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    settings: { type: 'string' },
    public: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
  },
});
if (positionals.length === 0) {
  console.error('usage: npm run corpus -- [--json] [--public] [--files] [--settings FILE] FOLDER…');
  process.exit(64);
}
for (const folder of positionals) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) continue;
  console.error(`${folder} is not a folder`);
  process.exit(64);
}
const settings = values.settings === undefined ? {} : parse(readFileSync(values.settings, 'utf8'));

const reports = [];
for (const folder of positionals) {
  const path = resolve(folder);
  const report = await measureRepository(path, settings[basename(path)] ?? {}, {
    isPublic: values.public,
    keepsFiles: values.files,
  });
  reports.push(report);
  if (values.json) console.error(report.name);
  else console.log(reportText(report));
}
if (values.json) console.log(JSON.stringify({ format: 1, repositories: reports }, undefined, 1));
else console.log(tableText(reports));

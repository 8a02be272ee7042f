// How much of other systems' exports comes across as clean Markdown: the development set, as `kbsync import` reads it.
//   npm run build && node scripts/import-fidelity.mjs [FOLDER]
// FOLDER holds the unpacked dev-imports; without it they are unpacked from ../shared/corpora. Notion's export is a zip in
// a zip, for which `unzip` has to be there; in a FOLDER it is looked for in FOLDER/notion-unpacked. Writes a table.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { htmlToMarkdown } from '../build/content/html-to-markdown/html-to-markdown.js';
import { harvestOf } from '../build/import/files/harvest.js';
import { SYSTEM_NAMES } from '../build/import/system-names.js';
import { systemOf } from '../build/import/systems.js';

const ARCHIVE = join(import.meta.dirname, '../../shared/corpora/dev-imports.tar.xz');
const given = process.argv[2];
const root = given ?? mkdtempSync(join(tmpdir(), 'kbsync-import-fidelity-'));
if (given === undefined) {
  if (!existsSync(ARCHIVE)) throw new Error('the development corpora are not beside the repository');
  execFileSync('tar', ['-xJf', ARCHIVE, '-C', root]);
  const zip = join(root, 'imports/notion/obsidian-importer/Notion.Test.Export.zip');
  execFileSync('unzip', ['-q', zip, '-d', join(root, 'notion-zip')]);
  for (const inner of readdirSync(join(root, 'notion-zip')).filter((name) => name.endsWith('.zip')))
    execFileSync('unzip', ['-q', join(root, 'notion-zip', inner), '-d', join(root, 'notion-unpacked')]);
}

console.log(
  '| system | texts | clean Markdown | with HTML blocks | not exact | clean without cleaning | what keeps HTML (texts) |',
);
console.log('|---|---|---|---|---|---|---|');
for (const name of SYSTEM_NAMES) {
  const texts = foldersOf(name).flatMap((folder) => textsIn(name, folder));
  const row = { clean: 0, blocks: 0, inexact: 0, bare: 0 };
  const elements = new Map();
  for (const { html, lang } of texts) {
    const made = htmlToMarkdown(html, { lang, html: 'sanitize', clean: true });
    const kept = new Set(
      made.rawBlocks.filter(({ scope }) => scope !== 'inline').map(({ element }) => element),
    );
    row[!made.isExact ? 'inexact' : kept.size > 0 ? 'blocks' : 'clean'] += 1;
    for (const element of kept) elements.set(element, (elements.get(element) ?? 0) + 1);
    const uncleaned = htmlToMarkdown(html, { lang, html: 'sanitize', clean: false });
    if (uncleaned.isExact && uncleaned.rawBlocks.every(({ scope }) => scope === 'inline')) row.bare += 1;
  }
  const share = (part) => (texts.length === 0 ? '–' : `${((100 * part) / texts.length).toFixed(1)} %`);
  const most = [...elements].sort(([, a], [, b]) => b - a).slice(0, 5);
  const named = most.map(([element, n]) => `\`${element}\` ${n}`).join(', ');
  console.log(
    `| ${[name, texts.length, share(row.clean), share(row.blocks), row.inexact, share(row.bare), named].join(' | ')} |`,
  );
}
if (given === undefined) rmSync(root, { recursive: true, force: true });

/** One site at a time, because records of one site may have the ids of another's. */
function foldersOf(name) {
  if (name === 'notion') {
    const folder = join(root, 'notion-unpacked');
    return existsSync(folder) ? [folder] : [];
  }
  const folder = join(root, 'imports', name);
  const deep = name === 'wordpress' || name === 'ghost';
  if (!deep) return readdirSync(folder).map((each) => join(folder, each));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function textsIn(name, path) {
  const lang = name === 'confluence' ? 'ko' : 'en';
  const reading = { site: 'https://old.example.com', language: lang, publish: true, types: [] };
  const { harvest } = harvestOf(systemOf(name), [{ shown: path, diskPath: path }], reading);
  return harvest.records
    .filter(({ html }) => html.trim() !== '')
    .map(({ html, lang: own }) => ({ html, lang: own ?? lang }));
}

/**
 * HTML that others wrote, as a help centre may hold it: pulled into files, seen by a clone without a state, and edited on the site.
 *
 *   node bench/html-pages.mjs [--pages 60] [--seed 7] [--edits word|all|KIND,...] [--pastes FOLDER] [--verbose] FOLDER...
 *
 * A FOLDER holds pages of HTML (documentation packages of Debian, taken apart with `dpkg -x`). Of each, so many pages by chance become
 * articles of a new knowledge base, under addresses of their own, so most of their relative links lead nowhere. Each gets one edit,
 * of each kind in turn (`web-edits.mjs`); `--pastes` holds HTML that Word put on a clipboard. Prints a Markdown table for the folders and
 * one for the kinds; `--verbose` names each page whose edit lies beside its file, and each whose file changed in more lines than the edit has.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { numbers } from './corpus.mjs';
import { asking, git, kbsync, startService } from './processes.mjs';
import { edited, KINDS, pastesIn } from './web-edits.mjs';

/** Longer pages are books. */
const CHARS_MAX = 250_000;
const UNSAID = { categories: [], tags: [], excerpt: '', status: 'published' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '60' },
    seed: { type: 'string', default: '7' },
    edits: { type: 'string', default: 'word' },
    pastes: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const pasted = values.pastes === undefined ? [] : pastesIn(values.pastes);
const kinds = values.edits === 'all' ? KINDS : values.edits.split(',');
const sums = new Map(kinds.map((kind) => [kind, { edits: 0, home: 0, beside: 0, lost: 0, lines: [] }]));
console.log(
  '| pages of | n | in sync in a clone without a state | edits that came home | beside the file | neither | in sync then | clean Markdown |',
);
console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
for (const folder of positionals) console.log(await rowOf(folder));
console.log('\n| edit | n | came home | beside the file | neither | lines, middle | lines, most |');
console.log('|---|---:|---:|---:|---:|---:|---:|');
for (const [kind, { edits, home, beside, lost, lines }] of sums) {
  lines.sort((a, b) => a - b);
  const shown = [kind, edits, home, beside, lost, lines[Math.floor(lines.length / 2)], lines.at(-1)];
  console.log(`| ${shown.join(' | ')} |`);
}

async function rowOf(folder) {
  const random = numbers(Number(values.seed));
  const root = mkdtempSync(join(tmpdir(), 'kbsync-html-'));
  const service = await startService(root);
  const cwd = join(root, 'project');
  const run = (...args) => kbsync([...args, '--json'], { cwd, key: service.key });
  try {
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'kbsync.yaml'), `baseUrl: ${service.url}\ncontent: docs\n`);
    const ask = asking(service);
    const sources = await fill(pagesIn(folder), ask, random);
    const pulled = JSON.parse((await run('pull')).stdout);
    git(cwd, 'init', '-q');
    git(cwd, 'add', 'docs');
    git(cwd, 'commit', '-q', '-m', 'pulled');
    rmSync(join(cwd, '.kbsync'), { recursive: true });
    const clone = JSON.parse((await run('sync', '--allow', 'dead-link')).stdout).summary;
    const edits = await editEach(ask, random);
    const { records } = JSON.parse((await run('pull')).stdout);
    const row = { home: 0, beside: 0, lost: 0 };
    const lines = linesOf(git(cwd, 'diff', '--numstat'));
    for (const { id, kind, title } of edits) {
      const record = records.find((one) => one.id === id);
      const found = { updated: 'home', copied: 'beside' }[record?.action] ?? 'lost';
      row[found] += 1;
      sums.get(kind)[found] += 1;
      sums.get(kind).edits += 1;
      const count = found === 'home' ? (lines.get(`docs/${record.file}`) ?? 0) : 0;
      if (found === 'home') sums.get(kind).lines.push(count);
      const source = sources.get(title);
      if (values.verbose && found !== 'home')
        console.error(`${found}\t${kind}\t${source}\t${record?.why ?? JSON.stringify(record)}`);
      else if (values.verbose && count > 6) console.error(`${count} lines\t${kind}\t${source}`);
    }
    git(cwd, 'clean', '-fdqx', 'docs');
    rmSync(join(cwd, '.kbsync'), { recursive: true });
    const then = JSON.parse((await run('sync', '--allow', 'dead-link')).stdout).summary;
    return `| ${basename(folder)} | ${sources.size} | ${clone.unchanged} | ${row.home} of ${edits.length} | ${row.beside} | ${row.lost} | ${then.unchanged} | ${pulled.summary.text.clean} |`;
  } finally {
    await service.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Added and removed lines of each file. */
function linesOf(numstat) {
  return new Map(
    numstat
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'))
      .map(([added, removed, file]) => [file, Number(added) + Number(removed)]),
  );
}

/** Absolute paths, in the order of their names. */
function pagesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.html?(?:\.[\w.-]+)?$/i.test(name))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .sort();
}

/** The title of each article → its file. */
async function fill(files, ask, random) {
  const left = [...files];
  const sources = new Map();
  while (left.length > 0 && sources.size < Number(values.pages)) {
    const [file] = left.splice(Math.floor(random() * left.length), 1);
    const html = readFileSync(file, 'utf8');
    const body = /<body[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1] ?? html;
    if (body.length > CHARS_MAX) continue;
    const [, title = ''] = /<title>([^<]*)<\/title>/i.exec(html) ?? [];
    const count = sources.size;
    const name = `${title.replaceAll(/\s+/g, ' ').trim()} ${count}`.trim();
    await ask('PUT', '/articles', {
      ...UNSAID,
      title: name,
      slug: `page-${count}`,
      content: body,
      ordering: count,
    });
    sources.set(name, file);
  }
  return sources;
}

/** One edit of each page, of the next kind that the page has a place for. */
async function editEach(ask, random) {
  const edits = [];
  let next = 0;
  for (const { id } of (await ask('GET', '/articles')).data) {
    const { data } = await ask('GET', `/articles/${id}`);
    for (let tried = 0; tried < kinds.length; tried += 1) {
      const kind = kinds[(next + tried) % kinds.length];
      const content = edited(data.content, kind, { random, serial: edits.length, pasted });
      if (content === undefined || content === data.content) continue;
      const { name: title, slug, order_by: ordering } = data;
      await ask('POST', `/articles/${id}`, { ...UNSAID, title, slug, ordering, content, lang: 'en' });
      edits.push({ id, kind, title });
      next += tried + 1;
      break;
    }
  }
  return edits;
}

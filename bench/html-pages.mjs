/**
 * HTML that others wrote, as a help centre may hold it: pulled into files, seen by a clone without a state, and edited on the site.
 *
 *   node bench/html-pages.mjs [--pages 60] [--seed 7] FOLDER...
 *
 * A FOLDER holds pages of HTML (documentation packages of Debian, taken apart with `dpkg -x`). Of each, so many pages by chance become
 * articles of a new knowledge base, under addresses of their own, so most of their relative links lead nowhere. Prints a Markdown table.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { numbers } from './corpus.mjs';
import { kbsync, startService } from './processes.mjs';

/** Nobody reads a word in there. */
const UNSEEN = /<!--[\s\S]*?-->|<(script|style|svg|select|button)\b[\s\S]*?<\/\1>/gi;
/** Longer pages are books. */
const CHARS_MAX = 250_000;
const UNSAID = { categories: [], tags: [], excerpt: '', status: 'published' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'string', default: '60' }, seed: { type: 'string', default: '7' } },
});
console.log(
  '| pages of | n | in sync in a clone without a state | edits that came home | their lines | clean Markdown |',
);
console.log('|---|---:|---:|---:|---:|---:|');
for (const folder of positionals) console.log(await rowOf(folder));

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
    const count = await fill(pagesIn(folder), ask, random);
    const pulled = JSON.parse((await run('pull')).stdout);
    git(cwd, 'init', '-q');
    git(cwd, 'add', 'docs');
    git(cwd, 'commit', '-q', '-m', 'pulled');
    rmSync(join(cwd, '.kbsync'), { recursive: true });
    const clone = JSON.parse((await run('sync', '--allow', 'dead-link')).stdout).summary;
    const edited = await editEach(ask, random);
    const home = JSON.parse((await run('pull')).stdout).summary;
    const lines = git(cwd, 'diff', '--numstat')
      .split('\n')
      .filter((line) => line.startsWith('1\t1\t')).length;
    return `| ${basename(folder)} | ${count} | ${clone.unchanged} | ${home.updated} of ${edited} | ${lines} | ${pulled.summary.text.clean} |`;
  } finally {
    await service.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

function asking({ url, key }) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v2/articles${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };
}

/** Absolute paths, in the order of their names. */
function pagesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.html?(?:\.[\w.-]+)?$/i.test(name))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .sort();
}

async function fill(files, ask, random) {
  const left = [...files];
  let count = 0;
  while (left.length > 0 && count < Number(values.pages)) {
    const [file] = left.splice(Math.floor(random() * left.length), 1);
    const html = readFileSync(file, 'utf8');
    const body = /<body[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1] ?? html;
    if (body.length > CHARS_MAX) continue;
    const [, title = ''] = /<title>([^<]*)<\/title>/i.exec(html) ?? [];
    const name = `${title.replaceAll(/\s+/g, ' ').trim()} ${count}`.trim();
    await ask('PUT', '', { ...UNSAID, title: name, slug: `page-${count}`, content: body, ordering: count });
    count += 1;
  }
  return count;
}

/** One word of each page becomes another one. Returns how many pages have a word. */
async function editEach(ask, random) {
  let edited = 0;
  for (const { id } of (await ask('GET', '')).data) {
    const { data } = await ask('GET', `/${id}`);
    const seen = data.content.replaceAll(UNSEEN, (part) => ' '.repeat(part.length));
    const words = [...seen.matchAll(/>[^<>]*?\b([a-z]{5,})\b(?=[^<>]*<)/g)];
    if (words.length === 0) continue;
    const found = words[Math.floor(random() * words.length)];
    const end = found.index + found[0].length;
    const content = `${data.content.slice(0, end - found[1].length)}edited${edited}${data.content.slice(end)}`;
    const { name: title, slug, order_by: ordering } = data;
    await ask('POST', `/${id}`, { ...UNSAID, title, slug, ordering, content, lang: 'en' });
    edited += 1;
  }
  return edited;
}

function git(cwd, ...args) {
  const own = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', '-c', 'commit.gpgSign=false'];
  const { status, stdout, stderr } = spawnSync('git', [...own, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

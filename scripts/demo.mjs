// The command as a user meets it: every line below "$ kbsync" is printed by dist/cli/bin.js itself.
// In a terminal the service stays until Ctrl-C. The demo ends by itself with --once, with CI=true and if its output is no
// terminal, unless --keep is given.
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../content-example', import.meta.url));
const isKept =
  !process.argv.includes('--once') &&
  (process.argv.includes('--keep') || (process.stdout.isTTY && process.env.CI !== 'true'));
const hasColour = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (hasColour ? `\u001b[1m${text}\u001b[22m` : text);
const cyan = (text) => (hasColour ? `\u001b[36m${text}\u001b[39m` : text);

const folder = await mkdtemp(join(tmpdir(), 'kbsync-demo-'));
const content = join(folder, 'content');
const env = { ...process.env };
for (const name of ['KBSYNC_API_KEY', 'KBSYNC_BASE_URL', 'KBSYNC_ORIGIN']) delete env[name];
let service;
/** What the service says before the demo has said where it is. */
const held = [];
let isShown = false;
let isInterrupted = false;
const interrupted = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      isInterrupted = true;
      resolve();
    });
  }
});
// `npm run demo | head` reads a part; the demo still ends as it should.
process.stdout.on('error', () => {});
try {
  await demo();
} catch (error) {
  for (const chunk of isShown ? [] : held) process.stderr.write(chunk);
  if (!isInterrupted) process.stderr.write(`\nthe demo failed: ${error.message}\n`);
  process.exitCode = isInterrupted ? 130 : 1;
} finally {
  await stopped(service);
  await rm(folder, { recursive: true, force: true });
}

async function demo() {
  await mkdir(join(folder, 'service'));
  await cp(EXAMPLE, content, { recursive: true });
  const languages = (await readdir(content, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && /^[a-z]{2}(-[A-Za-z]+)?$/.test(entry.name))
    .map((entry) => entry.name)
    .sort((a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1));

  const args = [
    'serve',
    '--db',
    'kb.sqlite',
    '--port',
    '0',
    '--languages',
    languages.join(','),
    '--site-name',
    'Lumen Help',
    '--key-file',
    'key.txt',
  ];
  const address = await started(args);
  env.KBSYNC_BASE_URL = address;
  env.KBSYNC_API_KEY = (await readFile(join(folder, 'service', 'key.txt'), 'utf8')).trim();
  showWhere(address);
  say('A knowledge base', 'on a free port, its database in a temporary folder');
  process.stdout.write(
    `${cyan(`$ kbsync ${args.map((arg) => (arg.includes(' ') ? `'${arg}'` : arg)).join(' ')}`)}\n${address}\n`,
  );
  isShown = true;
  for (const chunk of held) process.stderr.write(chunk);

  say('A folder of Markdown', 'a copy of content-example with its kbsync.yaml; are the files in order?');
  await kbsync('check');
  say('What would a sync do?', 'nothing is written yet');
  await kbsync('plan');
  say('Do it', 'categories by depth, tags, articles, then translations');
  await kbsync('sync');
  say('Again', 'three list requests show that nothing changed; no record is read');
  await kbsync('sync');

  const file = await firstArticle(join(content, languages[0]));
  say('A writer edits one file', file.shown);
  const text = await readFile(file.path, 'utf8');
  await writeFile(file.path, `${text.trimEnd()}\n\nWritten during the demo: one more sentence.\n`);
  await kbsync('plan');
  await kbsync('sync');

  say('The API', 'what was synced, read back over HTTP');
  await showArticles(address);
  process.stdout.write(
    `\ncurl -H 'Authorization: Bearer ${env.KBSYNC_API_KEY}' ${address}/api/v2/articles\n`,
  );
  if (!isKept) {
    process.stdout.write('\nThe service is stopped now. `npm run demo -- --keep` leaves it running.\n');
    return;
  }
  process.stdout.write('\n');
  showWhere(address);
  process.stdout.write(`Files  ${content}\n\nThe service runs until you press Ctrl-C.\n`);
  await interrupted;
}

function showWhere(address) {
  process.stdout.write(`Site   ${bold(`${address}/`)}\nKey    ${env.KBSYNC_API_KEY}\n`);
}

function say(title, what) {
  process.stdout.write(`\n${bold(`${title}`)}  ${what}\n`);
}

/** Runs the command as a user would, its output straight to this terminal; anything but exit 0 ends the demo. */
function kbsync(...args) {
  process.stdout.write(`${cyan(`$ kbsync ${args.join(' ')}`)}\n`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: content,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`kbsync ${args[0]} ended with exit code ${code}`)),
    );
  });
}

/** Starts the service; resolves to the address that it prints. */
function started(args) {
  service = spawn(process.execPath, [BIN, ...args], {
    cwd: join(folder, 'service'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  service.stderr.on('data', (chunk) => (isShown ? process.stderr.write(chunk) : held.push(chunk)));
  return new Promise((resolve, reject) => {
    let text = '';
    service.once('error', reject);
    service.once('exit', (code) => reject(new Error(`kbsync serve ended with exit code ${code}`)));
    service.stdout.on('data', (chunk) => {
      text += chunk;
      const address = /^(http:\S+)\n/.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

function stopped(child) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return undefined;
  child.removeAllListeners('exit');
  child.stderr.removeAllListeners('data').resume();
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
}

async function firstArticle(languageFolder) {
  const names = await readdir(join(languageFolder, 'articles'), { recursive: true });
  const name = names.filter((entry) => entry.endsWith('.md')).sort()[0];
  if (name === undefined) throw new Error('content-example has no article');
  return {
    path: join(languageFolder, 'articles', name),
    shown: join(languageFolder.split(/[\\/]/).at(-1), 'articles', name),
  };
}

async function showArticles(address) {
  const headers = { authorization: `Bearer ${env.KBSYNC_API_KEY}`, 'content-type': 'application/json' };
  const response = await fetch(`${address}/api/v2/articles`, { headers });
  const { data } = await response.json();
  for (const article of data.slice(0, 5)) {
    const languages = article.other_articles.map(({ language }) => language).join(', ');
    process.stdout.write(
      `  ${article.status.padEnd(9)}  ${article.name}${languages === '' ? '' : `  (also in ${languages})`}\n`,
    );
  }
  process.stdout.write(`  … ${data.length} articles in all\n`);
}

// The command as a user meets it: every line below "$ kbsync" is printed by dist/cli/bin.js itself.
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../content-example', import.meta.url));
const isKept = process.argv.includes('--keep');
const hasColour = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (hasColour ? `\u001b[1m${text}\u001b[22m` : text);
const cyan = (text) => (hasColour ? `\u001b[36m${text}\u001b[39m` : text);

const folder = await mkdtemp(join(tmpdir(), 'kbsync-demo-'));
const content = join(folder, 'content');
const env = { ...process.env };
for (const name of ['KBSYNC_API_KEY', 'KBSYNC_BASE_URL', 'KBSYNC_ORIGIN']) delete env[name];
let service;
try {
  await demo();
} catch (error) {
  process.stderr.write(`\nthe demo failed: ${error.message}\n`);
  process.exitCode = 1;
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

  say('A knowledge base', 'on a free port, its database in a temporary folder');
  const args = [
    'serve',
    '--db',
    'kb.sqlite',
    '--port',
    '0',
    '--languages',
    languages.join(','),
    '--key-file',
    'key.txt',
  ];
  const address = await started(args);
  env.KBSYNC_BASE_URL = address;
  env.KBSYNC_API_KEY = (await readFile(join(folder, 'service', 'key.txt'), 'utf8')).trim();

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
  const line = `curl -H 'Authorization: Bearer ${env.KBSYNC_API_KEY}' ${address}/api/v2/articles`;
  process.stdout.write(`\nAPI address: ${bold(address)}\n${line}\n`);
  if (!isKept) {
    process.stdout.write(
      '\nThat was all; the service is gone now. `npm run demo -- --keep` leaves it running.\n',
    );
    return;
  }
  process.stdout.write(`\nThe service runs until Ctrl-C; the files are in ${content}\n`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
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
  process.stdout.write(`${cyan(`$ kbsync ${args.join(' ')}`)}\n`);
  service = spawn(process.execPath, [BIN, ...args], {
    cwd: join(folder, 'service'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  service.stderr.on('data', (chunk) => process.stderr.write(chunk));
  return new Promise((resolve, reject) => {
    let text = '';
    service.once('error', reject);
    service.once('exit', (code) => reject(new Error(`kbsync serve ended with exit code ${code}`)));
    service.stdout.on('data', (chunk) => {
      text += chunk;
      const address = /^(http:\S+)\n/.exec(text)?.[1];
      if (address === undefined) return;
      process.stdout.write(`${address}\n`);
      resolve(address);
    });
  });
}

function stopped(child) {
  if (child === undefined || child.exitCode !== null) return undefined;
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

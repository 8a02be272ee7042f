// What a round of a fleet costs: npm run build && node bench/fleet.mjs [knowledge bases] [articles]
// Each knowledge base has a git repository and a service of its own. The services run in this process; the processor time is that
// of `kbsync fleet --once` with all its runs and their git, as the shell counts it.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, createKey, listen, openSqlite, systemClock } from 'kbsync/service';
import { writeCorpus } from './corpus.mjs';

const BIN = new URL('../dist/cli/bin.js', import.meta.url).pathname;
const [bases = '100', articles = '100'] = process.argv.slice(2);
const PARAGRAPHS = [
  'A refund takes ten days. It goes to the card that was charged, and a letter says so on the day.',
  'Open the settings, choose the workspace, and turn the option on. Everybody in the workspace sees it at once.',
  'If the list is empty, ask the owner of the workspace: only owners see what is archived.',
];

const folder = mkdtempSync(join(tmpdir(), 'kbsync-bench-fleet-'));
const env = { ...process.env, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
delete env.NODE_EXTRA_CA_CERTS;
const entries = [];
const open = [];
try {
  for (let n = 0; n < Number(bases); n++) {
    const store = openSqlite({ file: ':memory:', defaultLanguage: 'en' });
    const { key } = await createKey({ store, clock: systemClock, name: 'bench' });
    const listening = await listen(createApp({ store, clock: systemClock }), { port: 0 });
    open.push({ store, listening });
    const { url } = listening;
    const repository = join(folder, 'repos', `kb-${n}`);
    mkdirSync(repository, { recursive: true });
    writeCorpus(join(repository, 'content'), Number(articles), PARAGRAPHS);
    writeFileSync(join(repository, 'kbsync.yaml'), `id: kb-${n}\nbaseUrl: ${url}\n`);
    const git = (...args) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: repository, env });
    git('init', '--quiet', '--initial-branch=main');
    git('add', '-A');
    git('commit', '--quiet', '-m', 'all');
    env[`KEY_${n}`] = key;
    entries.push(
      `  kb-${n}:\n    repository: ${repository}\n    origin: ${url}\n    key: { variable: KEY_${n} }\n`,
    );
  }
  writeFileSync(join(folder, 'fleet.yaml'), `knowledgeBases:\n${entries.join('')}`);
  const rows = [];
  for (const name of ['first round', 'no-op round', 'no-op round']) rows.push({ name, ...(await round()) });
  console.log(`${bases} knowledge bases of ${articles} articles, 2 runs at once`);
  for (const { name, wall, cpu, exit } of rows) {
    const each = (cpu / Number(bases)).toFixed(2);
    console.log(`${name}: ${wall.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, ${each} s each, exit ${exit}`);
  }
} finally {
  for (const { store, listening } of open) {
    await listening.close();
    await store.close();
  }
  rmSync(folder, { recursive: true, force: true });
}

/** The shell adds up what a command and all that it waited for have used. */
function round() {
  const child = spawn(
    'bash',
    ['-c', 'TIMEFORMAT="%R %U %S"; time "$0" "$1" fleet --once --quiet >/dev/null', process.execPath, BIN],
    { cwd: folder, env, stdio: ['ignore', 'inherit', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  return new Promise((resolve) => {
    child.on('close', (exit) => {
      const [wall, user, system] = said.trim().split('\n').at(-1).split(' ').map(Number);
      resolve({ wall, cpu: user + system, exit });
    });
  });
}

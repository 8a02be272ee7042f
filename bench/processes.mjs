/** Starts the real processes: the service, the network in front of it, and the measured command. */
import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HERE = new URL('.', import.meta.url).pathname;
const BIN = join(HERE, '../dist/cli/bin.js');
const USAGE = join(HERE, 'usage.cjs');

/** What would falsify times: extra certificates are parsed at every start of Node 20 (70 ms). */
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...ENV } = process.env;

/**
 * `kbsync serve` on a new database. `languages: 'any'`: each is taken, and the default one is that of the kbsync.yaml in `cwd`.
 * Gives `url`, `key`, `pid`, `stop()`, and `metrics()` where they are asked for.
 */
export async function startService(folder, { languages = 'en', metrics = false, bin = BIN, cwd } = {}) {
  const keyFile = join(folder, 'key');
  const args = ['serve', '--db', join(folder, 'kb.db'), '--port', '0', '--json', '--key-file', keyFile];
  if (languages !== 'any') args.push('--languages', languages);
  if (metrics) args.push('--metrics-port', '0');
  const child = spawn(
    process.execPath,
    [...(process.env.BENCH_NODE_ARGS ?? '').split(' ').filter(Boolean), bin, ...args],
    { env: ENV, stdio: ['ignore', 'pipe', 'pipe'], cwd },
  );
  const complaints = collected(child.stderr);
  let said = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.trimEnd().endsWith('}')) break;
  }
  if (!said.includes('"url"')) throw new Error(`the service did not start: ${said}${complaints()}`);
  const { url } = JSON.parse(said);
  const key = readFileSync(keyFile, 'utf8').trim();
  const metricsUrl = async () => {
    for (;;) {
      const found = /metrics at (\S+)/.exec(complaints())?.[1];
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return {
    url,
    key,
    pid: child.pid,
    complaints,
    metrics: async () => readMetrics(await (await fetch(await metricsUrl())).text()),
    stop: () => stopped(child),
  };
}

/** Gauges and counters without labels, by their names without `kbsync_`. */
function readMetrics(text) {
  return Object.fromEntries(
    [...text.matchAll(/^kbsync_(\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  );
}

/** The service's address as seen over a network of that round trip; `count()` tells the requests since the last time. */
export async function startNetwork(url, roundTripMs) {
  const args = [new URL(url).port, String(roundTripMs)];
  const child = fork(join(HERE, 'latency-proxy.mjs'), args, { env: ENV });
  const [{ port }] = await once(child, 'message');
  const count = async () => {
    child.send('count');
    const [counted] = await once(child, 'message');
    return counted;
  };
  return { url: `http://127.0.0.1:${port}`, count, stop: () => stopped(child) };
}

/** Requests of the API, as JSON; anything but success throws. */
export function asking({ url, key }) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v2${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };
}

/** What git prints; commits have a name of their own. */
export function git(cwd, ...args) {
  const own = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', '-c', 'commit.gpgSign=false'];
  const { status, stdout, stderr } = spawnSync('git', [...own, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** One run of the command: exit code, output, wall ms, CPU ms (user + system, all threads), peak resident MB. */
export async function kbsync(args, { cwd, key, nodeArgs = [], bin = BIN }) {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-bench-usage-'));
  const usageFile = join(folder, 'usage.json');
  const env = { ...ENV, KBSYNC_API_KEY: key ?? '', BENCH_USAGE_FILE: usageFile };
  try {
    const run = await timed(process.execPath, [...nodeArgs, '--require', USAGE, bin, ...args], { cwd, env });
    return { ...run, ...JSON.parse(readFileSync(usageFile, 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Any command, from start to exit. */
export async function timed(command, args, { cwd, env = ENV } = {}) {
  const start = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
  const [exit] = await once(child, 'exit');
  const wallMs = performance.now() - start;
  if (!child.stdout.readableEnded) await once(child.stdout, 'close');
  return { exit, wallMs, stdout: stdout(), stderr: stderr() };
}

function collected(stream) {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

async function stopped(child) {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

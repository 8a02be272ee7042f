/** One run of a tool's command, measured from start to exit or until it is cut off. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HERE = new URL('.', import.meta.url).pathname;
const SAMPLE_MS = 40;
const KILL_MS = 5_000;
/** Left out: what changes how a tool behaves (CI, proxies) and what falsifies times (see ../processes.mjs). */
const LEFT_OUT = /^(?:CI|GITHUB_.*|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|npm_.*|.*_proxy|KBSYNC_.*|NO_COLOR)$/i;
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !LEFT_OUT.test(name)));

/**
 * @param command `{ script, args, env, cwd }` runs in this Node; `{ program, args, env, cwd }` is any other program
 * @returns exit code (undefined: cut off), wall and CPU ms (user + system), peak resident MB, what it said
 */
export async function measured(command, cutOffMs) {
  const home = mkdtempSync(join(tmpdir(), 'kbsync-bench-peers-home-'));
  const usageFile = join(home, 'usage.json');
  const env = {
    ...ENV,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local'),
    BENCH_USAGE_FILE: usageFile,
    ...command.env,
  };
  try {
    const run = await timedRun(startOf(command), { cwd: command.cwd, env }, cutOffMs);
    return { ...run, ...usageOf(run, usageFile) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The shell's clock for programs other than Node, because a parent is not told what its child has used. */
function startOf({ script, program, args }) {
  if (script === undefined)
    return ['bash', ['-c', 'TIMEFORMAT="USED %U %S"; time "$@"', 'bash', program, ...args]];
  const preloads = ['../usage.cjs', 'host.cjs'].flatMap((name) => ['--require', join(HERE, name)]);
  return [process.execPath, [...preloads, script, ...args]];
}

async function timedRun([program, args], { cwd, env }, cutOffMs) {
  const startMs = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const said = [[], []];
  child.stdout.on('data', (chunk) => said[0].push(chunk));
  child.stderr.on('data', (chunk) => said[1].push(chunk));
  let sample = { cpuMs: 0, rssMb: 0 };
  const watching = setInterval(() => {
    sample = sampled(child.pid) ?? sample;
  }, SAMPLE_MS);
  let isCutOff = false;
  const cutting = setTimeout(() => {
    isCutOff = true;
    signal(child, 'SIGTERM');
    setTimeout(() => signal(child, 'SIGKILL'), KILL_MS).unref();
  }, cutOffMs);
  try {
    const [exit] = await once(child, 'exit');
    const wallMs = performance.now() - startMs;
    const [stdout, stderr] = said.map((chunks) => Buffer.concat(chunks).toString('utf8'));
    return { exit: isCutOff ? undefined : exit, isCutOff, wallMs, ...sample, stdout, stderr };
  } finally {
    clearInterval(watching);
    clearTimeout(cutting);
  }
}

/** To the whole group: bash has the tool as its child. */
function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch {
    // gone already
  }
}

/** CPU so far and peak memory of the process, or of its one child when it is the shell. */
function sampled(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const isShell = readFileSync(`/proc/${pid}/comm`, 'utf8') === 'bash\n';
    const seen = isShell && children !== '' ? children.split(' ')[0] : pid;
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${seen}/status`, 'utf8'));
    const fields = readFileSync(`/proc/${seen}/stat`, 'utf8').split(') ')[1].split(' ');
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, rssMb: Number(peak[1]) / 1024 };
  } catch {
    return undefined;
  }
}

/** Exact figures where the run ended by itself; else the last sample stands. */
function usageOf({ isCutOff, stderr }, usageFile) {
  if (isCutOff) return {};
  const shell = /USED ([\d.]+) ([\d.]+)\s*$/.exec(stderr);
  if (shell !== null) return { cpuMs: (Number(shell[1]) + Number(shell[2])) * 1000 };
  try {
    return JSON.parse(readFileSync(usageFile, 'utf8'));
  } catch {
    return {};
  }
}

/** One case: a knowledge base behind a network, filled by a first sync, then synced again with nothing to do. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kbsync, startNetwork, startService } from './processes.mjs';

/** A project folder as people have it: kbsync.yaml beside the content. */
export function writeProject(folder) {
  writeFileSync(join(folder, 'kbsync.yaml'), 'content: content\ndefaultLanguage: en\n');
  mkdirSync(join(folder, 'content'), { recursive: true });
}

/** @returns rows of one knowledge base: the first sync, then no-ops with and without the cache */
export async function measureCase({ project, articles, files, latencyMs, concurrency, noOps }) {
  const row = { articles, latencyMs, concurrency };
  const first = await firstSync({ project, latencyMs, concurrency }, async (again) => {
    const noCache = () => forgetAllButState(join(project, '.kbsync'));
    await again(); // the cache learns the last files of a folder that was just written
    return {
      warm: await repeated(noOps, again),
      cold: await repeated(Math.min(noOps, 3), () => (noCache(), again())),
    };
  });
  expectDone('first sync', first.run, { created: files });
  for (const run of [...first.after.warm, ...first.after.cold])
    expectDone('no-op', run, { unchanged: files });
  const limitMs = (first.run.requests * latencyMs) / concurrency;
  return [
    {
      case: 'first sync',
      ...row,
      ...summary([first.run]),
      recordsPerS: perSecond(files, first.run),
      limitMs,
    },
    { case: 'no-op', ...row, ...summary(first.after.warm) },
    { case: 'no-op without cache', ...row, ...summary(first.after.cold) },
  ];
}

/** Only the first sync, into a new knowledge base. */
export async function measureFirstSync({ project, articles, files, latencyMs, concurrency, runs }) {
  const measured = await repeated(runs, async () => {
    const { run } = await firstSync({ project, latencyMs, concurrency }, async () => undefined);
    expectDone('first sync', run, { created: files });
    return run;
  });
  const limitMs = (measured[0].requests * latencyMs) / concurrency;
  const sum = summary(measured);
  const row = { case: 'first sync', articles, latencyMs, concurrency, ...sum, limitMs };
  return { ...row, recordsPerS: Math.round((files / sum.wallMs) * 1000) };
}

async function firstSync({ project, latencyMs, concurrency }, afterwards) {
  rmSync(join(project, '.kbsync'), { recursive: true, force: true });
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-bench-service-'));
  const service = await startService(folder);
  const network = latencyMs === 0 ? undefined : await startNetwork(service.url, latencyMs);
  const url = network?.url ?? service.url;
  const args = ['sync', '--base-url', url, '--concurrency', String(concurrency), '--json', '--yes'];
  const sync = async () => {
    const run = await kbsync(args, { cwd: project, key: service.key });
    if (run.exit !== 0) throw new Error(`kbsync sync ended with ${run.exit}\n${run.stdout}\n${run.stderr}`);
    const { requests, summary } = JSON.parse(run.stdout);
    const counted = await network?.count();
    if (counted !== undefined && counted.requests !== requests) {
      throw new Error(`kbsync says ${requests} requests, the network saw ${counted.requests}`);
    }
    return { ...run, requests, summary };
  };
  try {
    const run = await sync();
    return { run, after: await afterwards(sync) };
  } finally {
    await network?.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a fresh clone has whose team commits the state. */
function forgetAllButState(folder) {
  for (const name of readdirSync(folder)) {
    if (name !== 'state.json') rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function expectDone(what, { summary }, wanted) {
  for (const [name, count] of Object.entries(wanted)) {
    if (summary[name] !== count)
      throw new Error(`${what}: ${name} should be ${count}: ${JSON.stringify(summary)}`);
  }
}

async function repeated(times, work) {
  const results = [];
  for (let n = 0; n < times; n++) results.push(await work());
  return results;
}

function summary(runs) {
  const middle = (name) => median(runs.map((run) => run[name]));
  const { requests } = runs[0];
  const figures = { wallMs: middle('wallMs'), cpuMs: middle('cpuMs'), rssMb: middle('rssMb') };
  return { runs: runs.length, requests, ...figures };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function perSecond(count, { wallMs }) {
  return Math.round((count / wallMs) * 1000);
}

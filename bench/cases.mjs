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
      reachMs: reachOf(first, concurrency),
    },
    { case: 'no-op', ...row, ...summary(first.after.warm) },
    { case: 'no-op without cache', ...row, ...summary(first.after.cold) },
  ];
}

/** Only the first sync, into a new knowledge base. */
export async function measureFirstSync({ project, articles, files, latencyMs, concurrency, runs }) {
  const reaches = [];
  const measured = await repeated(runs, async () => {
    const first = await firstSync({ project, latencyMs, concurrency }, async () => undefined);
    expectDone('first sync', first.run, { created: files });
    reaches.push(reachOf(first, concurrency));
    return first.run;
  });
  const limitMs = (measured[0].requests * latencyMs) / concurrency;
  const sum = summary(measured);
  const row = { case: 'first sync', articles, latencyMs, concurrency, ...sum, limitMs };
  return { ...row, recordsPerS: Math.round((files / sum.wallMs) * 1000), reachMs: median(reaches) };
}

/** N·L/C with the time that one answer really takes, which no client can shorten. */
function reachOf({ run, answerMs }, concurrency) {
  return answerMs === undefined ? undefined : (run.requests * answerMs) / concurrency;
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
    const after = await afterwards(sync);
    return { run, after, answerMs: latencyMs === 0 ? undefined : await answerTime(url, service.key) };
  } finally {
    await network?.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long one create of an average article takes when nothing else is under way: network, service and disk. */
async function answerTime(url, key) {
  const content = `<p>${'Some words of an average article. '.repeat(200)}</p>`;
  const walls = [];
  for (let n = 0; n < 40; n++) {
    const body = { title: `Probe ${n}`, slug: `probe-${n}`, status: 'draft', categories: [], excerpt: '' };
    const startMs = performance.now();
    const answer = await fetch(`${url}/api/v2/articles`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ordering: 0, content }),
    });
    if (!answer.ok) throw new Error(`probe: ${answer.status} ${await answer.text()}`);
    await answer.text();
    walls.push(performance.now() - startMs);
  }
  return median(walls);
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

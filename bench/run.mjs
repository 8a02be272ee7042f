/**
 * What a sync costs, with the real processes: `dist/cli/bin.js sync` against `serve`, over a network of 0 and 50 ms.
 * Prints a table and writes bench/results/bench.json.
 *
 *   npm run bench               1,000 and 10,000 articles
 *   npm run bench -- --quick    1,000 articles
 *   npm run bench -- --steady   without the first syncs with 4 and 8 requests at once, which take four minutes
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { measureCase, measureFirstSync, median, writeProject } from './cases.mjs';
import { realParagraphs, writeCorpus } from './corpus.mjs';
import { kbsync } from './processes.mjs';
import { measureRclone } from './rclone.mjs';
import { printTable } from './table.mjs';

const isQuick = process.argv.includes('--quick');
const isSteady = process.argv.includes('--steady');
const LATENCY_MS = 50;
/** A file that changed within two seconds before a run is not cached: it may change again within one time stamp. */
const RACE_MS = 2_200;

const machine = {
  node: process.version,
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  loadBefore: loadavg()[0],
};
if (machine.loadBefore > machine.cores / 4) {
  console.error(
    `load ${machine.loadBefore.toFixed(1)} on ${machine.cores} cores: other work is running, so times are too high`,
  );
}

const { from, paragraphs } = realParagraphs();
console.error(`texts from ${from}`);
const rows = [];
for (const articles of isQuick ? [1_000] : [1_000, 10_000]) rows.push(...(await measureSize(articles)));
const version = await measureVersion();

printTable(rows);
console.log(`\n--version: ${version.wallMs.toFixed(0)} ms (median of ${version.runs})`);
const results = new URL('results/', import.meta.url);
mkdirSync(results, { recursive: true });
const document = {
  machine: { ...machine, loadAfter: loadavg()[0] },
  at: new Date().toISOString(),
  rows,
  version,
};
writeFileSync(new URL('bench.json', results), `${JSON.stringify(document, undefined, 2)}\n`);

async function measureSize(articles) {
  const project = mkdtempSync(join(tmpdir(), 'kbsync-bench-project-'));
  try {
    writeProject(project);
    const { files, bytes } = writeCorpus(join(project, 'content'), articles, paragraphs);
    console.error(`${articles} articles, ${files} files, ${(bytes / 1e6).toFixed(1)} MB`);
    await new Promise((done) => setTimeout(done, RACE_MS));
    const size = { project, articles, files };
    const measured = [];
    for (const latencyMs of [0, LATENCY_MS]) {
      measured.push(...(await measureCase({ ...size, latencyMs, concurrency: 16, noOps: 5 })));
    }
    for (const concurrency of isSteady ? [] : [4, 8])
      measured.push(await measureFirstSync({ ...size, latencyMs: LATENCY_MS, concurrency, runs: 1 }));
    const rclone = await measureRclone({ project, articles, runs: 3 });
    if (rclone.skipped === undefined) measured.push(rclone);
    else console.error(`rclone: skipped, ${rclone.skipped}`);
    return measured;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

async function measureVersion() {
  const walls = [];
  for (let n = 0; n < 15; n++) walls.push((await kbsync(['--version'], { cwd: tmpdir() })).wallMs);
  return { runs: walls.length, wallMs: median(walls) };
}

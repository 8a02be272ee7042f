/** The cases of one tool: first sync, nothing changed, one page changed; then a rate limit and answers that get lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNetwork } from '../processes.mjs';
import { forked } from './forked.mjs';
import { measured } from './measure.mjs';
import { changePage, writePages } from './pages.mjs';

const LATENCY_MS = 20;
export const CUT_OFF_MS = 300_000;
const ONE_CHANGED = 'one page changed';
const RUNS = 3;
/** Beyond it a case is not repeated: its noise is small beside its length. */
const LONG_MS = 12_000;
/** kbsync does not cache a file that was written within two seconds before a run: it may change within one time stamp. */
const LATE_MS = 2_200;

/** @returns rows `{case, runs, requests, wallMs, cpuMs, rssMb}`, from an empty server on */
export async function measureCosts(tool, { count, paragraphs, budgetMs }) {
  return withServer(tool, { count, paragraphs }, async ({ running, pages }) => {
    const network = await startNetwork(running.url, LATENCY_MS);
    const until = performance.now() + budgetMs;
    const rows = [];
    try {
      for (const { name, runs, before, check } of casesOf(running, pages)) {
        const reason = reasonNotToRun(name, rows, until);
        const sync = async (n) => {
          await before?.(n);
          const done = await measured(running.command(network.url), CUT_OFF_MS);
          const { requests } = await network.count();
          if (!done.isCutOff) expectAll(name, done, await state(running, count));
          if (!done.isCutOff) await check?.(n);
          return { ...done, requests };
        };
        rows.push({
          case: name,
          ...(reason === undefined ? await repeated(sync, { runs, until }) : { notRun: reason }),
        });
      }
    } finally {
      await network.stop();
    }
    return rows;
  });
}

function casesOf(running, pages) {
  const sentence = (n) => `Sentence ${n} of the benchmark.`;
  return [
    { name: 'first sync', runs: 1 },
    { name: 'nothing changed', runs: RUNS },
    {
      name: ONE_CHANGED,
      runs: RUNS,
      before: async (n) => {
        changePage(pages, n, sentence(n));
        await running.changed?.();
      },
      check: async (n) => {
        const found = (await running.pages()).filter(({ body }) => body.includes(sentence(n))).length;
        if (found !== 1) throw new Error(`the change arrived in ${found} pages`);
      },
    },
  ];
}

function reasonNotToRun(name, rows, until) {
  if (rows.some((row) => row.isCutOff)) return 'the run before did not end';
  return name === ONE_CHANGED && performance.now() > until ? 'not run: its time was up' : undefined;
}

async function repeated(sync, { runs: times, until }) {
  const runs = [];
  do runs.push(await sync(runs.length));
  while (runs.length < times && runs[0].wallMs < LONG_MS && performance.now() < until);
  const middle = (name) =>
    runs.map((run) => run[name]).sort((a, b) => a - b)[Math.floor((runs.length - 1) / 2)];
  const { isCutOff, requests } = runs[0];
  const figures = { wallMs: middle('wallMs'), cpuMs: middle('cpuMs'), rssMb: middle('rssMb') };
  return { runs: runs.length, isCutOff, requests, ...figures };
}

/**
 * @param mode what gate.mjs does: `limit` or `lose`
 * @returns one row: exit code and what the server holds after one run; after lost answers also after a second one, of a
 *   server that has recovered
 */
export async function measureFault(tool, { count, paragraphs, mode }) {
  return withServer(tool, { count, paragraphs }, async ({ running }) => {
    const gate = await forked('gate.mjs', [running.url, mode, tool.create]);
    const badDay = await startNetwork(gate.said.url, LATENCY_MS);
    try {
      const done = await measured(running.command(badDay.url), CUT_OFF_MS);
      const { exit, isCutOff, wallMs } = done;
      const counted = await gate.ask('count');
      const after = await state(running, count);
      const said = `${done.stdout}\n${done.stderr}`.trim().slice(-600);
      const row = { pages: count, case: mode, exit, isCutOff, wallMs };
      if (mode === 'limit') return { ...row, ...counted, ...after, said };
      // At the same address: to kbsync another one would be another knowledge base, and it would refuse.
      await gate.ask('recover');
      const again = await measured(running.command(badDay.url), CUT_OFF_MS);
      return {
        ...row,
        ...counted,
        ...after,
        said,
        again: { exit: again.exit, ...(await state(running, count)) },
      };
    } finally {
      await badDay.stop();
      await gate.stop();
    }
  });
}

async function withServer(tool, { count, paragraphs }, work) {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-bench-peers-'));
  try {
    const pages = writePages(folder, count, paragraphs);
    const running = await tool.start({ folder, pages, count });
    try {
      await new Promise((done) => setTimeout(done, LATE_MS));
      return await work({ running, pages });
    } finally {
      await running.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `missing`: pages whose text no record on the server has; `extra`: records beyond the first of each page. */
async function state(running, count) {
  const found = Array.from({ length: count }, () => 0);
  for (const { body } of await running.pages()) {
    const n = /This is article (\d+) of/.exec(body)?.[1];
    if (n !== undefined) found[Number(n)]++;
  }
  return {
    missing: found.filter((records) => records === 0).length,
    extra: found.reduce((sum, records) => sum + Math.max(0, records - 1), 0),
  };
}

function expectAll(what, { exit, stdout, stderr }, { missing, extra }) {
  if (exit === 0 && missing === 0 && extra === 0) return;
  const words = `${stdout}\n${stderr}`.trim().slice(-1_500);
  throw new Error(`${what}: exit ${exit}, ${missing} pages missing, ${extra} too many\n${words}`);
}

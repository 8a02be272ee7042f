/**
 * kbsync beside other tools that bring Markdown to a server: the same files, the same latency, one run.
 * Prints the tables and writes bench/results/peers.json.
 *
 *   npm run bench:peers                                        200 and 2,000 pages over 20 ms
 *   npm run bench:peers -- --pages 200 --only rdme,kbsync --part costs
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { realParagraphs } from '../corpus.mjs';
import { CUT_OFF_MS, measureCosts, measureFault } from './cases.mjs';
import { printCosts, printFaults } from './tables.mjs';
import { TOOLS } from './tools/index.mjs';

const FAULT_PAGES = 200;
const MODES = ['limit', 'lose'];
/** What one tool may take for one size: a case that has begun is finished, the next one is left out. */
const BUDGET_MS = 210_000;

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '200,2000' },
    only: { type: 'string' },
    part: { type: 'string', default: 'costs,faults' },
  },
});
const parts = flags.part.split(',');
const sizes = flags.pages.split(',').map(Number);
const only = flags.only?.split(',');
const { from, paragraphs: all } = realParagraphs();
/** Diagrams that one of the peers draws with a browser, which is not what is measured here. */
const paragraphs = all.filter((text) => !text.startsWith('```mermaid'));
const machine = {
  node: process.version,
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  loadBefore: loadavg()[0],
};
console.error(`texts from ${from}; load ${machine.loadBefore.toFixed(1)} on ${machine.cores} cores`);

const startMs = performance.now();
const costs = [];
const faults = [];
for (const tool of TOOLS.filter(({ name }) => only?.includes(name) ?? true)) {
  const named = { tool: tool.name, note: tool.note };
  try {
    const version = await tool.ready();
    for (const count of parts.includes('costs') && tool.only === undefined ? sizes : [])
      costs.push(...(await costsOf(tool, count, version)));
    for (const mode of parts.includes('faults') ? MODES.filter((mode) => mode === (tool.only ?? mode)) : []) {
      faults.push({ version, ...(await attempted({ ...named, case: mode }, () => faultOf(tool, mode))) });
    }
  } catch (error) {
    costs.push({ ...named, notRun: error.message });
    console.error(`${tool.name}: ${error.message}`);
  }
}

printCosts(costs);
printFaults(faults);
const results = new URL('../results/', import.meta.url);
mkdirSync(results, { recursive: true });
const minutes = (performance.now() - startMs) / 60_000;
const document = {
  machine: { ...machine, loadAfter: loadavg()[0] },
  at: new Date().toISOString(),
  minutes,
  costs,
  faults,
};
writeFileSync(new URL('peers.json', results), `${JSON.stringify(document, undefined, 2)}\n`);
console.error(`${minutes.toFixed(1)} minutes, load ${loadavg()[0].toFixed(1)} at the end`);

async function costsOf(tool, count, version) {
  const first = costs.find((row) => isOf(tool, row) && row.case === 'first sync' && row.wallMs !== undefined);
  const expectedMs = first === undefined ? 0 : (first.wallMs * count) / first.pages;
  const named = { tool: tool.name, note: tool.note, version, pages: count };
  if (expectedMs > CUT_OFF_MS * 1.3) {
    const notRun = `${first.pages} pages took ${(first.wallMs / 1000).toFixed(0)} s`;
    return [{ ...named, case: 'first sync', wallMs: expectedMs, isCutOff: true, notRun }];
  }
  console.error(`${tool.name} (${tool.note}): ${count} pages`);
  const rows = await attempted([named], () => measureCosts(tool, { count, paragraphs, budgetMs: BUDGET_MS }));
  return rows.map((row) => ({ version, ...row }));
}

async function faultOf(tool, mode) {
  console.error(`${tool.name} (${tool.note}): ${mode}`);
  return measureFault(tool, { count: FAULT_PAGES, paragraphs, mode });
}

/** What a tool or its mock cannot do is a row that says so. */
async function attempted(named, work) {
  try {
    return await work();
  } catch (error) {
    console.error(error);
    const notRun = error.message.split('\n')[0];
    return Array.isArray(named) ? named.map((row) => ({ ...row, notRun })) : { ...named, notRun };
  }
}

function isOf(tool, row) {
  return row.tool === tool.name && row.note === tool.note;
}

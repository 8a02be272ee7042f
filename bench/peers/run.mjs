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

const FAULT_PAGES = 100;
/** When one tool has taken that long for one size, nothing is repeated, and the change of one page is left out. */
const BUDGET_MS = 120_000;

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
const tools = await ready(TOOLS.filter(({ name }) => only?.includes(name) ?? true));
for (const count of parts.includes('costs') ? sizes : []) {
  for (const tool of tools.filter(({ hasCosts }) => hasCosts)) {
    costs.push(...(await costsOf(tool, count)));
    save();
  }
}
for (const tool of parts.includes('faults') ? tools : []) {
  for (const mode of tool.faults) faults.push(await faultOf(tool, mode));
  save();
}
printCosts(costs);
printFaults(faults);
console.error(`${minutes().toFixed(1)} minutes, load ${loadavg()[0].toFixed(1)} at the end`);

/** The tools that can run, with their version; the others get a row that says why not. */
async function ready(all) {
  const usable = [];
  for (const tool of all) {
    try {
      usable.push({ ...tool, version: await tool.ready() });
    } catch (error) {
      console.error(`${tool.name}: ${error.message}`);
      costs.push({ tool: tool.name, note: tool.note, notRun: error.message });
    }
  }
  return usable;
}

/** After each tool: a run that is stopped has not been in vain. */
function save() {
  const results = new URL('../results/', import.meta.url);
  mkdirSync(results, { recursive: true });
  const now = { machine: { ...machine, loadAfter: loadavg()[0] }, at: new Date().toISOString() };
  const document = { ...now, minutes: minutes(), costs, faults };
  writeFileSync(new URL('peers.json', results), `${JSON.stringify(document, undefined, 2)}\n`);
}

function minutes() {
  return (performance.now() - startMs) / 60_000;
}

async function costsOf(tool, count) {
  const named = { tool: tool.name, note: tool.note, version: tool.version, pages: count, load: loadavg()[0] };
  const first = costs.find((row) => isOf(tool, row) && row.case === 'first sync' && row.wallMs !== undefined);
  const expectedMs = first === undefined ? 0 : (first.wallMs * count) / first.pages;
  if (expectedMs > CUT_OFF_MS * 1.3) {
    const notRun = `not run: ${first.pages} pages took ${(first.wallMs / 1000).toFixed(0)} s`;
    return [{ ...named, case: 'first sync', notRun }];
  }
  console.error(`${tool.name} (${tool.note}): ${count} pages`);
  const rows = await attempted([{}], () => measureCosts(tool, { count, paragraphs, budgetMs: BUDGET_MS }));
  return rows.map((row) => ({ ...named, ...row }));
}

async function faultOf(tool, mode) {
  console.error(`${tool.name} (${tool.note}): ${mode}`);
  const named = { tool: tool.name, note: tool.note, version: tool.version, load: loadavg()[0] };
  const [row] = await attempted([{ case: mode }], async () => [
    await measureFault(tool, { count: FAULT_PAGES, paragraphs, mode }),
  ]);
  return { ...named, ...row };
}

/** What a tool or its mock cannot do is a row that says so. */
async function attempted(rows, work) {
  try {
    return await work();
  } catch (error) {
    console.error(error);
    return rows.map((row) => ({ ...row, notRun: error.message.split('\n')[0] }));
  }
}

function isOf(tool, row) {
  return row.tool === tool.name && row.note === tool.note;
}

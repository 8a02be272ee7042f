/**
 * What a run costs, of several builds in turn: CPU (user + system, all threads) and peak memory of the command's own process. On a
 * machine that does other work too, only figures of one call can be compared.
 *
 *   node bench/turns.mjs [--articles 10000] [--turns 3] [--cases check,first,noop,edit,edits,checkout] [BUILD...]
 *   node bench/turns.mjs --content FOLDER [--settings 'preset: plain'] [BUILD...]
 *
 * A BUILD is a checkout after `npm run build`; without any it is this one. Each has a copy of the files and a knowledge base of its own,
 * which a service of the first build answers over loopback. `--content` takes real files instead of generated articles.
 */
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median, writeProject } from './cases.mjs';
import { realParagraphs, writeCorpus } from './corpus.mjs';
import { kbsync, startService } from './processes.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    articles: { type: 'string', default: '10000' },
    turns: { type: 'string', default: '3' },
    cases: { type: 'string', default: 'check,first,noop,edit,edits,checkout' },
    content: { type: 'string' },
    settings: { type: 'string', default: '' },
  },
});
const CASES = new Set(values.cases.split(','));
const TURNS = Number(values.turns);
/** A file that changed within two seconds before a run may change again within one time stamp. */
const RACE_MS = 2_200;

const root = mkdtempSync(join(tmpdir(), 'kbsync-turns-'));
const rows = new Map();
const builds = (positionals.length === 0 ? [join(import.meta.dirname, '..')] : positionals).map(
  (folder, n) => ({
    folder,
    bin: join(resolve(folder), 'dist/cli/bin.js'),
    project: join(root, `project-${n}`),
  }),
);
try {
  for (const { project } of builds) {
    mkdirSync(project);
    makeProject(project);
  }
  await pause();
  if (CASES.has('check')) await inTurn('check without cache', check);
  if (['first', 'noop', 'edit', 'edits', 'checkout'].some((name) => CASES.has(name))) {
    await inTurn('first sync', firstSync, CASES.has('first') ? TURNS : 1);
    for (const build of builds) await sync(build);
  }
  if (CASES.has('noop')) await inTurn('no-op', sync);
  if (CASES.has('edit')) {
    for (let turn = 0; turn < TURNS; turn++) await editTurn(turn);
  }
  if (CASES.has('edits')) await inTurn('one text changed, the run before changed one too', editAfterEdit);
  if (CASES.has('checkout')) await inTurn('no-op in a fresh checkout', checkout);
  print();
} finally {
  for (const { service } of builds) await service?.stop();
  rmSync(root, { recursive: true, force: true });
}

function makeProject(project) {
  if (values.content === undefined) {
    writeProject(project);
    writeCorpus(join(project, 'content'), Number(values.articles), realParagraphs().paragraphs);
    return;
  }
  cpSync(values.content, join(project, 'content'), { recursive: true });
  const settings = `content: content\ndefaultLanguage: en\n${values.settings}\n`;
  writeFileSync(join(project, 'kbsync.yaml'), settings);
}

/** The builds take turns: other work on the machine meets each of them. */
async function inTurn(name, work, turns = TURNS) {
  for (let turn = 0; turn < turns; turn++) {
    for (const build of builds) note(name, build, await work(build));
  }
}

function note(name, build, run) {
  const row = rows.get(name) ?? new Map();
  rows.set(name, row.set(build, [...(row.get(build) ?? []), run]));
  console.error(
    `${name} | ${build.folder} | ${run.cpuMs.toFixed(0)} ms CPU | ${run.rssMb.toFixed(0)} MB | ${run.wallMs.toFixed(0)} ms | ${run.said ?? ''}`,
  );
}

async function check({ bin, project }) {
  const run = await kbsync(['check', '--no-cache'], { bin, cwd: project });
  return { ...run, said: run.stdout.trimEnd().split('\n').at(-1) };
}

async function firstSync(build) {
  await build.service?.stop();
  rmSync(join(build.project, '.kbsync'), { recursive: true, force: true });
  const folder = mkdtempSync(join(root, 'service-'));
  build.service = await startService(folder, { bin: builds[0].bin });
  return sync(build);
}

async function sync({ bin, project, service }) {
  const args = ['sync', '--base-url', service.url, '--concurrency', '16', '--json', '--yes'];
  const run = await kbsync(args, { bin, cwd: project, key: service.key });
  const { requests, summary } = JSON.parse(run.stdout);
  if (summary === undefined) throw new Error(`${run.stdout.slice(0, 2_000)}\n${run.stderr}`);
  const { created, changed, unchanged } = summary;
  return { ...run, said: `${requests} requests, ${JSON.stringify({ created, changed, unchanged })}` };
}

/** A text that was changed a while ago, one that was changed just now, and the runs after them. */
async function editTurn(turn) {
  for (const build of builds) {
    for (const isRecent of [false, true]) {
      edit(build.project, turn * 2 + (isRecent ? 1 : 0));
      if (!isRecent) await pause();
      note(`one text changed ${isRecent ? 'just before' : 'some time before'}`, build, await sync(build));
      await pause();
      note('the run after that', build, await sync(build));
      note('no-op again', build, await sync(build));
    }
  }
}

/** As after each merge: nobody runs a sync in between. Every call makes two edits, and tells of the run after the second. */
async function editAfterEdit(build) {
  let run;
  for (let turn = 0; turn < 2; turn++) {
    build.edits = (build.edits ?? 100) + 1;
    edit(build.project, build.edits);
    await pause();
    run = await sync(build);
  }
  return run;
}

/** As a job of a CI: the same files in new ones, and what the cache of the CI kept of the last run. */
async function checkout(build) {
  const content = join(build.project, 'content');
  cpSync(content, `${content}-new`, { recursive: true });
  rmSync(content, { recursive: true });
  renameSync(`${content}-new`, content);
  await pause();
  return sync(build);
}

function edit(project, turn) {
  const pages = readdirSync(join(project, 'content'), { recursive: true })
    .filter((path) => path.endsWith('.md'))
    .sort((a, b) => (a < b ? -1 : 1));
  const page = pages[Math.floor((pages.length * (turn % 17)) / 17)];
  appendFileSync(join(project, 'content', page), `\nOne more sentence, in turn ${turn}.\n`);
}

function pause() {
  return new Promise((done) => setTimeout(done, RACE_MS));
}

function print() {
  const names = builds.map(({ folder }) => folder);
  console.log(`| median of ${TURNS} | ${names.join(' | ')} | last / first |`);
  console.log(`| --- |${' ---: |'.repeat(names.length + 1)}`);
  for (const [name, row] of rows) {
    const middle = builds.map((build) => ({
      cpuMs: median(row.get(build).map((run) => run.cpuMs)),
      rssMb: median(row.get(build).map((run) => run.rssMb)),
    }));
    const [first, last] = [middle[0], middle.at(-1)];
    const shown = middle.map(({ cpuMs, rssMb }) => `${(cpuMs / 1000).toFixed(2)} s, ${rssMb.toFixed(0)} MB`);
    const ratios = `${(last.cpuMs / first.cpuMs).toFixed(2)}, ${(last.rssMb / first.rssMb).toFixed(2)}`;
    console.log(`| ${name}: CPU, memory | ${shown.join(' | ')} | ${ratios} |`);
  }
}

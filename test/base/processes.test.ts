import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openBase } from '../../src/base/store.ts';
import { compiledBase } from '../support/compiled-base.ts';
import { seededRandom } from '../support/random.ts';

const ORIGIN = 'https://help.example.com';
/** Room for a machine that is busy with other things; nothing here waits for a clock. */
vi.setConfig({ testTimeout: 300_000 });

const KILLS = 60;
const RACES = 50;

/**
 * Two jobs for a child. `save`: creates one record after the other, saves after every second one, and says each
 * number as soon as it is promised. `lock`: waits for a line, opens, says whether it won, and holds the lock until the next line.
 */
const CHILD = `
import { createInterface } from 'node:readline';
import { openBase } from './base/store.js';
const [job, file] = process.argv.slice(2);
const say = (text) => process.stdout.write(text + '\\n');
const options = { file, origin: '${ORIGIN}', readOnly: false };
if (job === 'lock') {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  say('ready');
  for (;;) {
    if ((await lines.next()).done) break;
    let store;
    try {
      store = await openBase(options);
      say('won');
    } catch (error) {
      say(error.code + ' ' + error.message);
    }
    await lines.next();
    await store?.close();
    say('closed');
  }
} else {
  const store = await openBase(options);
  const { state } = await store.load();
  const records = new Map(state.records);
  const record = (number) => ({
    key: 'article/a-' + String(number).padStart(4, '0') + '@en', id: String(number), ownership: 'created',
    sent: { title: 'x'.repeat(200), ordering: number },
  });
  let number = Number(process.argv[4]);
  for (;;) {
    number += 1;
    const made = record(number);
    await store.journal.intend({ op: 'op-' + number, action: 'create', key: made.key, name: 'n', slug: 's', atMs: 0 });
    say('intended ' + number);
    await store.journal.end('op-' + number, made);
    records.set(made.key, made);
    say('settled ' + number);
    if (number % 2 === 0) {
      await store.save({ ...state, records });
      say('saved ' + number);
    }
  }
}
`;

let compiled = '';
let folder = '';

beforeAll(async () => {
  compiled = await compiledBase();
  folder = await mkdtemp(join(tmpdir(), 'kbsync-processes-'));
  await writeFile(join(compiled, 'child.js'), CHILD);
});
afterAll(async () => {
  await rm(compiled, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

function child(...args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [join(compiled, 'child.js'), ...args], { stdio: 'pipe' });
}

function linesOf(process: ChildProcessWithoutNullStreams): () => Promise<string> {
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  return async () => {
    const next = await lines.next();
    if (next.done === true) throw new Error('the child ended');
    return next.value;
  };
}

interface Promised {
  readonly intended: Set<number>;
  readonly settled: Set<number>;
}

/** Kills a saving child after some of its lines, and adds what it promised until its end. */
async function killAfter(file: string, from: number, lineCount: number, promised: Promised): Promise<void> {
  const process = child('save', file, String(from));
  const ended = new Promise((resolve) => process.once('close', resolve));
  let errors = '';
  process.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  let left = lineCount;
  for await (const line of createInterface({ input: process.stdout })) {
    const [word = '', number = ''] = line.split(' ');
    if (word === 'intended') promised.intended.add(Number(number));
    if (word === 'settled') promised.settled.add(Number(number));
    left -= 1;
    // The child goes on while the signal is on its way: the kill falls anywhere in its next steps.
    if (left === 0) process.kill('SIGKILL');
  }
  await ended;
  if (errors !== '') throw new Error(errors);
}

test(`${KILLS} times kill -9 while saving leaves no torn state and loses no settled create`, async () => {
  const file = join(folder, 'killed/.kbsync/state.json');
  const random = seededRandom(20_261_120);
  const promised: Promised = { intended: new Set(), settled: new Set() };
  const faults: string[] = [];
  let number = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await killAfter(file, number, 1 + Math.floor(random() * 12), promised);
    const store = await openBase({ file, origin: ORIGIN, readOnly: true });
    const { state, open } = await store.load();
    const there = new Set([...state.records.values()].map(({ id }) => Number(id)));
    const pending = new Set(open.map(({ op }) => Number(op.slice('op-'.length))));
    for (const one of promised.settled) {
      if (!there.has(one)) faults.push(`kill ${kill}: ${one} was settled and is not there`);
    }
    for (const one of promised.intended) {
      if (there.has(one) === pending.has(one))
        faults.push(`kill ${kill}: ${one} is both, or neither, there and open`);
    }
    number = Math.max(number, ...there, ...pending);
  }
  expect(faults).toEqual([]);
  expect(promised.settled.size).toBeGreaterThan(KILLS);
});

test(`of two processes that race for the lock exactly one wins, ${RACES} times, and a killed winner hands it on`, async () => {
  const file = join(folder, 'raced/.kbsync/state.json');
  const wins = { fresh: 0, stale: 0 };
  const first = child('lock', file);
  const second = child('lock', file);
  const [sayFirst, saySecond] = [linesOf(first), linesOf(second)];
  expect([await sayFirst(), await saySecond()]).toEqual(['ready', 'ready']);
  const faults: string[] = [];
  for (let race = 1; race <= RACES; race += 1) {
    // Every second race starts on the lock of a process that was killed.
    const isStale = race % 2 === 0;
    if (isStale) await leaveLock(file);
    for (const one of [first, second]) one.stdin.write('go\n');
    const answers = [await sayFirst(), await saySecond()];
    if (answers.filter((answer) => answer === 'won').length === 1) wins[isStale ? 'stale' : 'fresh'] += 1;
    else faults.push(`race ${race}: ${answers.join(' | ')}`);
    if (answers.filter((answer) => answer.startsWith('locked ')).length !== 1)
      faults.push(answers.join(' | '));
    for (const one of [first, second]) one.stdin.write('close\n');
    await Promise.all([sayFirst(), saySecond()]);
  }
  first.stdin.end();
  second.stdin.end();
  expect(faults).toEqual([]);
  expect(wins).toEqual({ fresh: RACES / 2, stale: RACES / 2 });
  expect(await readdir(join(folder, 'raced/.kbsync'))).toEqual(['.gitignore']);
});

async function leaveLock(file: string): Promise<void> {
  const process = child('lock', file);
  const say = linesOf(process);
  await say();
  process.stdin.write('go\n');
  const answer = await say();
  if (answer !== 'won') throw new Error(answer);
  const ended = new Promise((resolve) => process.once('close', resolve));
  process.kill('SIGKILL');
  await ended;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { outcomesOf } from '../../src/session/outcome-file.ts';
import type { OutcomeBinding } from '../../src/session/outcome-file.ts';
import { keyOf, type Key } from '../../src/model/key.ts';
import { desiredState } from '../support/desired.ts';
import { CAREFUL } from '../support/rig.ts';

let folder: string;
let cacheFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kbsync-outcomes-'));
  cacheFile = join(folder, 'cache.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const BASE = {
  state: {
    origin: 'https://kb.example.com',
    serial: 1,
    capabilities: {},
    records: new Map(),
    unmanaged: new Map(),
  },
  open: [],
  isNew: false,
  digest: 'base',
};
const BINDING: OutcomeBinding = {
  version: '1.0.0',
  address: 'https://kb.example.com',
  content: { state: desiredState({}), problems: [], faulty: [], digest: 'files' },
  base: BASE,
  policy: CAREFUL,
};
const OUTCOME = {
  lists: { category: 'a', tag: 'b', article: 'c' },
  unchanged: 3,
  unmanaged: [],
};

test('an outcome is read under the binding that it was written under', () => {
  outcomesOf(cacheFile, BINDING)?.write(OUTCOME);
  expect(outcomesOf(cacheFile, { ...BINDING })?.read()).toEqual(OUTCOME);
});

test('what a run of edits leaves is read by the next one, which finds the state that it saved', () => {
  const { lists: _, ...after } = OUTCOME;
  outcomesOf(cacheFile, BINDING)?.writeAfter?.(after, 'saved');
  expect(outcomesOf(cacheFile, BINDING)?.read()).toBeUndefined();
  expect(outcomesOf(cacheFile, { ...BINDING, base: { ...BASE, digest: 'saved' } })?.read()).toEqual(after);
});

test('a first run reads no outcome, and leaves one for the run after it', () => {
  const { digest: _, ...state } = BASE;
  const first = { ...BINDING, base: { ...state, isNew: true } };
  outcomesOf(cacheFile, first)?.write(OUTCOME);
  expect(outcomesOf(cacheFile, first)?.read()).toBeUndefined();
  outcomesOf(cacheFile, first)?.writeAfter?.(OUTCOME, 'saved');
  expect(outcomesOf(cacheFile, first)?.read()).toBeUndefined();
  expect(outcomesOf(cacheFile, { ...BINDING, base: { ...BASE, digest: 'saved' } })?.read()).toEqual(OUTCOME);
});

const OTHERS: readonly (readonly [name: string, binding: OutcomeBinding])[] = [
  ['program', { ...BINDING, version: '1.0.1' }],
  ['address', { ...BINDING, address: 'https://other.example.com' }],
  ['tree of files', { ...BINDING, content: { ...BINDING.content, digest: 'changed' } }],
  ['state', { ...BINDING, base: { ...BASE, digest: 'changed' } }],
  ['wish', { ...BINDING, policy: { ...CAREFUL, prune: true } }],
  ['guard', { ...BINDING, policy: { ...CAREFUL, allow: new Set(['vanished'] as const) } }],
  ['language', { ...BINDING, policy: { ...CAREFUL, languages: ['en'] } }],
];
for (const [name, binding] of OTHERS) {
  test(`an outcome says nothing of another ${name}`, () => {
    outcomesOf(cacheFile, BINDING)?.write(OUTCOME);
    expect(outcomesOf(cacheFile, binding)?.read()).toBeUndefined();
  });
}

const { digest: _, ...undigested } = BINDING.content;
const { digest: __, ...journalled } = BASE;
const NONE: readonly (readonly [name: string, file: string | undefined, binding: OutcomeBinding])[] = [
  ['without a cache', undefined, BINDING],
  ['whose files no stamps tell apart', 'cache.json', { ...BINDING, content: undigested }],
  ['beside a journal', 'cache.json', { ...BINDING, base: journalled }],
  [
    'of chosen records',
    'cache.json',
    {
      ...BINDING,
      policy: { ...CAREFUL, only: { keys: new Set([keyOf('tag', 'cli', 'en')]), what: 'all' } },
    },
  ],
];
for (const [name, file, binding] of NONE) {
  test(`nothing is kept of a run ${name}`, () => {
    expect(outcomesOf(file === undefined ? undefined : cacheFile, binding)).toBeUndefined();
  });
}

const NONE_OF_THEM: ReadonlySet<Key> = new Set();

test('an outcome tells of the files before an edit, if all else is as it was', () => {
  outcomesOf(cacheFile, BINDING)?.write(OUTCOME);
  const keys = new Set([keyOf('article', 'a', 'en')]);
  const content = {
    ...BINDING.content,
    digest: 'now',
    edited: [
      { since: 'between', keys: NONE_OF_THEM },
      { since: 'files', keys },
    ],
  };
  expect(outcomesOf(cacheFile, { ...BINDING, content })?.beforeEdits?.()).toEqual({ outcome: OUTCOME, keys });
  expect(outcomesOf(cacheFile, { ...BINDING, content })?.read()).toBeUndefined();
  const other = { ...BINDING, content, base: { ...BASE, digest: 'changed' } };
  expect(outcomesOf(cacheFile, other)?.beforeEdits?.()).toBeUndefined();
  const older = { ...content, edited: [{ since: 'older', keys }] };
  expect(outcomesOf(cacheFile, { ...BINDING, content: older })?.beforeEdits?.()).toBeUndefined();
});

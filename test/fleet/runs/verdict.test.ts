import type { SyncSummary } from '../../../src/model/sync-summary.ts';
import { expect, test } from 'vitest';
import { nextOutcome, type Outcome } from '../../../src/fleet/runs/outcome.ts';
import { verdictOf } from '../../../src/fleet/runs/verdict.ts';

const NONE: SyncSummary = {
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 7,
  conflict: 0,
  drift: 0,
  failed: 0,
  pending: 0,
  skipped: 0,
};
const failure = (code: string) => ({ failure: { code, message: 'm' } });

test.each([
  [0, {}, 'in-sync', false],
  [0, { counts: { ...NONE, drift: 1 } }, 'drift', false],
  [3, { counts: { ...NONE, conflict: 1 } }, 'conflict', false],
  [4, failure('locked'), undefined, true],
  [4, failure('refused'), 'stopped', false],
  [1, failure('not-sent'), 'failing', true],
  [1, failure('unclear'), 'failing', true],
  [5, failure('throttled'), 'failing', true],
  [1, failure('unauthorized'), 'stopped', false],
  [1, failure('problems'), 'stopped', false],
  [5, { counts: { ...NONE, pending: 1 } }, 'failing', true],
  [5, { counts: { ...NONE, failed: 1, skipped: 3 } }, 'failing', true],
  [5, { counts: { ...NONE, failed: 1 } }, 'stopped', false],
  [64, failure('usage'), 'stopped', false],
  [130, {}, undefined, true],
] as const)('exit %i with %j is %s, again soon: %s', (exit, rest, condition, mayRetry) => {
  expect(verdictOf({ exit, counts: NONE, ...rest })).toMatchObject({ condition, mayRetry });
});

test('files whose records are all blocked are not said to hold none', () => {
  const counts = { ...NONE, unchanged: 0 };
  const said = (exit: number, blocked: number) => verdictOf({ exit, counts, blocked }).message;
  expect(said(0, 0)).toBe('the files hold no record');
  expect(said(0, 2)).toBe('0 unchanged, 2 blocked');
  expect(said(5, 2)).toBe('0 unchanged, 2 blocked');
  expect(said(1, 0)).toBe('0 unchanged');
});

const run = (condition: Outcome['condition'] | undefined, at: string, commit = 'c1') => ({
  verdict: { condition, mayRetry: false, message: condition ?? '' },
  counts: undefined,
  commit,
  behind: 2,
  at,
  id: `id-${at}`,
});

test('a condition keeps its beginning while it lasts, and a change is told until somebody heard it', () => {
  const first = nextOutcome(undefined, run('in-sync', 't1'));
  expect(first).toMatchObject({ since: 't1', behind: 0, synced: 'c1', runs: 1 });
  expect(first?.untold).toBeUndefined();
  const failing = nextOutcome(first, run('failing', 't2', 'c3'));
  expect(failing).toMatchObject({ since: 't2', behind: 2, synced: 'c1', commit: 'c3' });
  expect(failing?.untold).toEqual({ id: 'id-t2', from: 'in-sync' });
  const still = nextOutcome(failing, run('failing', 't3', 'c3'));
  expect(still).toMatchObject({ since: 't2', at: 't3', untold: { id: 'id-t2' }, runs: 3 });
  expect(nextOutcome(still, run(undefined, 't4'))).toBe(still);
});

test('a first run that does not end well is a change', () => {
  expect(nextOutcome(undefined, run('stopped', 't1'))?.untold).toEqual({ id: 'id-t1', from: 'new' });
});

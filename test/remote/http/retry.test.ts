import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RemoteError } from '../../../src/remote/error.ts';
import type { RemoteErrorCode } from '../../../src/remote/error.ts';
import { retryAfterMs } from '../../../src/remote/http/retry-after.ts';
import { createRetryBudget } from '../../../src/remote/http/retry.ts';
import type { Effect } from '../../../src/remote/http/retry.ts';

const NOW = Date.UTC(2026, 5, 1, 12, 0, 0);

test.each([
  ['0', 0],
  ['7', 7_000],
  ['1.5', 1_500],
  [' 30 ', 30_000],
  ['300', 300_000],
  ['86400', 86_400_000],
  ['99999999999999999999999', 604_800_000],
  ['Mon, 01 Jun 2026 12:00:10 GMT', 10_000],
  ['Monday, 01-Jun-26 12:00:10 GMT', 10_000],
  ['Mon Jun  1 12:00:10 2026', 10_000],
  ['Mon, 01 Jun 2026 11:00:00 GMT', 0],
  ['Tue, 02 Jun 2026 12:00:00 GMT', 86_400_000],
  ['', undefined],
  ['-5', undefined],
  ['soon', undefined],
  ['5, 10', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['Infinity', undefined],
  ['2026-06-01T12:00:10Z', undefined],
  ['Mon, 99 Foo 2026 12:00:10 GMT', undefined],
])('Retry-After %j waits %j ms', (value, expected) => {
  expect(retryAfterMs({ 'retry-after': value }, NOW)).toBe(expected);
});

test('a date is measured against the clock of the service', () => {
  const headers = { 'retry-after': 'Mon, 01 Jun 2026 09:00:05 GMT', date: 'Mon, 01 Jun 2026 09:00:00 GMT' };
  expect(retryAfterMs(headers, NOW)).toBe(5_000);
});

test('no header asks for nothing', () => {
  expect(retryAfterMs({}, NOW)).toBeUndefined();
});

const CODES = [
  'not-sent',
  'unclear',
  'rejected',
  'throttled',
  'unauthorized',
  'stale',
  'redirect',
  'not-understood',
  'aborted',
] as const satisfies readonly RemoteErrorCode[];

function error(code: RemoteErrorCode, status?: number, waitMs?: number): RemoteError {
  return new RemoteError(code, 'x', { request: 'GET /x', status, retryAfterMs: waitMs });
}

test('only what is safe is sent again', () => {
  const statuses = (code: RemoteErrorCode): readonly (number | undefined)[] =>
    code === 'throttled' ? [429, 503] : [undefined];
  const rows = (['read', 'change', 'create'] as const satisfies readonly Effect[]).flatMap((effect) =>
    CODES.flatMap((code) =>
      statuses(code)
        .filter((status) => createRetryBudget(() => 0).next(error(code, status), effect, 1) !== undefined)
        .map((status) => `${effect} ${code}${status === undefined ? '' : ` ${status}`}`),
    ),
  );
  expect(rows).toEqual([
    'read not-sent',
    'read unclear',
    'read throttled 429',
    'read throttled 503',
    'change not-sent',
    'change throttled 429',
    'change throttled 503',
    'create not-sent',
    'create throttled 429',
  ]);
});

test('a page in the place of an answer is read again where the address has answered before, and so is a refused list', () => {
  const page = error('not-understood', 200);
  const refusal = error('rejected', 200);
  const fresh = createRetryBudget(() => 0);
  expect(fresh.next(page, 'read', 1)).toBeUndefined();
  fresh.succeeded();
  expect(fresh.next(page, 'read', 1)).toBe(0);
  expect(createRetryBudget(() => 0, { isProved: true }).next(page, 'read', 1)).toBe(0);
  expect(fresh.next(page, 'create', 1)).toBeUndefined();
  expect(fresh.next(refusal, 'read', 1, true)).toBe(0);
  expect(fresh.next(refusal, 'read', 1)).toBeUndefined();
  expect(fresh.next(error('rejected', 400), 'read', 1, true)).toBeUndefined();
});

test('a read is tried four times, a throttled one ten', () => {
  const tries = (code: RemoteErrorCode): number => {
    const budget = createRetryBudget(() => 0);
    let made = 1;
    while (budget.next(error(code), 'read', made) !== undefined) made++;
    return made;
  };
  expect(tries('unclear')).toBe(4);
  expect(tries('not-sent')).toBe(4);
  expect(tries('throttled')).toBe(10);
});

test('an outage costs 50 retries, throttling 100, and each clean success earns one token', () => {
  const retries = (code: RemoteErrorCode, earned: number): number => {
    const budget = createRetryBudget(() => 0);
    let count = 0;
    while (budget.next(error(code), 'read', 1) !== undefined) count++;
    for (let i = 0; i < earned; i++) budget.succeeded();
    while (budget.next(error(code), 'read', 1) !== undefined) count++;
    return count;
  };
  expect(retries('unclear', 0)).toBe(50);
  expect(retries('throttled', 0)).toBe(100);
  expect(retries('unclear', 10)).toBe(51);
  expect(retries('unclear', 9)).toBe(50);
  expect(retries('unclear', 1_000_000)).toBe(100);
});

test('a wait lies between nothing and the cap, and keeps to Retry-After', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 1, max: 3 }),
      fc.option(fc.integer({ min: 0, max: 300_000 }), { nil: undefined }),
      fc.constantFrom('unclear' as const, 'throttled' as const),
      (random, tries, waitMs, code) => {
        const delay =
          createRetryBudget(() => random, { waits: true }).next(
            error(code, undefined, waitMs),
            'read',
            tries,
          ) ?? Number.NaN;
        const capMs = Math.min(20_000, (code === 'throttled' ? 500 : 100) * 2 ** (tries - 1));
        const [least, most] = waitMs === undefined ? [0, capMs] : [waitMs, waitMs + 1_000];
        expect(delay).toBeGreaterThanOrEqual(least);
        expect(delay).toBeLessThanOrEqual(most);
      },
    ),
  );
});

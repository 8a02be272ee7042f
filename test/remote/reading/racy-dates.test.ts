import { expect, test } from 'vitest';
import type { ListedRecord } from '../../../src/model/record.ts';
import { withRacyMarks } from '../../../src/remote/reading/racy-dates.ts';

const atMs = Date.UTC(2026, 10, 28, 7, 30, 20, 500);
const listed = (lastEdited: string): ListedRecord => ({
  kind: 'article',
  id: lastEdited,
  name: 'A',
  languages: [],
  view: { name: 'A', languages: [], lastEdited },
  seen: 'as before',
});
const racy = (text: string, isServiceTime = true, ...others: readonly string[]): boolean =>
  withRacyMarks([text, ...others].map(listed), { atMs, isServiceTime, mark: 'x' })[0]?.seen !== 'as before';

test.each([
  ['2026-11-28T07:30:20Z', true],
  ['2026-11-28 07:30:20', true],
  ['2026-11-28 16:30:20.000000', true],
  ['Sat, 28 Nov 2026 07:30:20 GMT', true],
  ['1795851020', true],
  ['1795851020000', true],
  ['2026-11-28T07:30:18Z', false],
  ['2026-11-28 07:30:10', false],
  ['2026-11-28T07:30:20.123Z', false],
  ['2026-11-28 07:30:20.000001', false],
  ['1795851020001', false],
  ['2026-11-28T07:30:00Z', true],
  ['2026-11-28T07:30Z', true],
  ['2026-11-28T07:28:00Z', false],
  ['2026-11-28', true],
  ['11.28.2026', true],
  ['2026-11-26', false],
  ['2025-11-28T07:30:20', false],
  ['', false],
  ['just now', false],
])('another edit may come with the date %j: %s', (text, is) => {
  expect(racy(text)).toBe(is);
});

test('the clocks of two machines may be some seconds apart', () => {
  expect(racy('2026-11-28T07:30:16Z', false)).toBe(true);
  expect(racy('2026-11-28T07:30:24Z', false)).toBe(true);
  expect(racy('2026-11-28T07:30:10Z', false)).toBe(false);
});

test('another date of the list tells how exact they all are', () => {
  expect(racy('2026-11-28T07:30:00Z', true, '2026-10-01T10:11:12Z')).toBe(false);
  expect(racy('2026-11-28T07:30:20Z', true, '2026-10-01T10:11:12Z')).toBe(true);
  expect(racy('2026-11-28T07:30:20Z', true, '2026-10-01T10:11:12.13Z')).toBe(false);
});

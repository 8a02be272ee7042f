import { expect, test } from 'vitest';
import { createNewId } from '../../src/service/ids.ts';
import { canonicalDate, isoDate, listDate, nowMicros } from '../../src/service/time.ts';

test('one moment has two spellings, both with six digits', () => {
  const micros = Date.UTC(2026, 0, 2, 3, 4, 5, 6) * 1000 + 7;
  expect(listDate(micros)).toBe('2026-01-02 03:04:05.006007');
  expect(isoDate(micros)).toBe('2026-01-02T03:04:05.006007Z');
  expect(nowMicros({ now: () => 1.5 })).toBe(1500);
});

test.each([
  ['2026-12-31', '2026-12-31T00:00:00.000Z'],
  ['2026-12-31T09:00', '2026-12-31T09:00:00.000Z'],
  ['2026-12-31T09:00:00Z', '2026-12-31T09:00:00.000Z'],
  ['2026-12-31T09:00:00.1234567Z', '2026-12-31T09:00:00.123Z'],
  ['2026-12-31 09:00:00+0530', '2026-12-31T03:30:00.000Z'],
  ['2026-12-31t09:00:00-01:00', '2026-12-31T10:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-02-29', undefined],
  ['2026-13-01', undefined],
  ['2026-12-31T25:00', undefined],
  ['2026-12-31T09:60', undefined],
  ['0000-01-01T00:00:00+01:00', undefined],
  ['31.12.2026', undefined],
  ['2026-W53', undefined],
  ['1767171600', undefined],
  ['', undefined],
])('the date %j is %j', (text, canonical) => {
  expect(canonicalDate(text)).toBe(canonical);
});

test('ids go up, also within one millisecond and when the clock goes back', () => {
  let nowMs = 1_800_000_000_000;
  const newId = createNewId({ now: () => nowMs });
  const ids = Array.from({ length: 10_000 }, (_, n) => {
    if (n === 5000) nowMs -= 60_000;
    return newId();
  });
  expect(new Set(ids).size).toBe(10_000);
  expect([...ids].sort()).toEqual(ids);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalDate, canonicalFields, canonicalValue } from '../../../src/model/compare/canonical.ts';

test.each([
  ['2026-06-01', '2026-06-01T00:00:00.000Z'],
  ['2026-06-01T00:00:00Z', '2026-06-01T00:00:00.000Z'],
  ['2026-06-01T00:00Z', '2026-06-01T00:00:00.000Z'],
  ['2026-06-01T02:00:00+02:00', '2026-06-01T00:00:00.000Z'],
  ['2026-05-31T19:30:00-0430', '2026-06-01T00:00:00.000Z'],
  ['2026-06-01 00:00:00.123456', '2026-06-01T00:00:00.123Z'],
  ['2026-06-01t00:00:00z', '2026-06-01T00:00:00.000Z'],
  [' 2026-06-01 ', '2026-06-01T00:00:00.000Z'],
  ['', null],
  ['2026-02-30', '2026-02-30'],
  ['2026-13-01', '2026-13-01'],
  ['2026-06-01T24:00:00Z', '2026-06-01T24:00:00Z'],
  ['June 1st', 'June 1st'],
  ['1', '1'],
])('the date %j is %j', (text, expected) => {
  expect(canonicalDate(text)).toBe(expected);
});

test('a date without a zone means the same on every machine', () => {
  expect(canonicalDate('2026-06-01T12:00:00')).toBe('2026-06-01T12:00:00.000Z');
});

test.each([
  ['text', null, ''],
  ['html', null, ''],
  ['text', ' kept ', ' kept '],
  ['url', '', null],
  ['ref', '', null],
  ['date', '', null],
  ['flag', null, false],
  ['number', null, 0],
  ['refs', null, []],
  ['status', 'draft', 'draft'],
] as const)('an empty %s has one spelling: %j is %j', (type, value, expected) => {
  expect(canonicalValue(type, value)).toEqual(expected);
});

test('references are a set', () => {
  expect(canonicalFields('article', { tags: ['b', 'a', 'b'], unknown: 'kept' })).toEqual({
    tags: ['a', 'b'],
    unknown: 'kept',
  });
});

test('canonical is canonical already', () => {
  const types = ['text', 'html', 'number', 'flag', 'date', 'url', 'status', 'ref', 'refs'] as const;
  const value = fc.oneof(
    fc.string(),
    fc.constant(null),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  );
  fc.assert(
    fc.property(fc.constantFrom(...types), value, (type, given) => {
      const once = canonicalValue(type, given);
      expect(canonicalValue(type, once)).toEqual(once);
    }),
  );
});

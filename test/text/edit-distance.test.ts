import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from '../../src/text/edit-distance.ts';

test.for([
  ['same', 'same', 0],
  ['', 'abc', 3],
  ['title', 'titel', 1],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
] as const)('%s and %s are %i edits apart', ([a, b, edits]) => {
  expect(editDistance(a, b, 9)).toBe(edits);
});

test('a bound changes nothing below it, and is all that is told above it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
  fc.assert(
    fc.property(word, word, fc.nat(9), (a, b, max) => {
      const whole = editDistance(a, b, 99);
      expect(editDistance(a, b, max)).toBe(Math.min(whole, max + 1));
      expect(editDistance(b, a, 99)).toBe(whole);
      expect(whole).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      expect(whole).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});

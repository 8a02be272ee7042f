import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anchorIndex, hasAnchor } from '../../../src/content/links/anchor-index.ts';
import { suggest } from '../../../src/content/suggest.ts';

const METHODS = Array.from(
  { length: 2000 },
  (_, at) => `client-method-${String(at * 7919).padStart(8, '0')}-options`,
);

test('a slip of the pen is understood among thousands of anchors with the same words', () => {
  const { mostLike } = anchorIndex(METHODS);
  expect(METHODS[1234]).toBe('client-method-09772046-options');
  expect(mostLike('client-method-09772064-options')).toBe('client-method-09772046-options');
  expect(mostLike('Client-method-09772046-option')).toBe('client-method-09772046-options');
  expect(mostLike('something else')).toBeUndefined();
});

test('letters in a row that all anchors share are no reason to name one of them', () => {
  expect(anchorIndex(METHODS).mostLike('client-method-xyz-options')).toBeUndefined();
});

test('a page with few anchors compares each', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'C', '-', '1'), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 100 }), word, (anchors, id) => {
      expect(anchorIndex(anchors).mostLike(id)).toBe(suggest(id, anchors));
    }),
  );
});

test.each([
  ['a sign that another generator writes', 'client--method-00000000_options', METHODS[0]],
  ['no letters at all', '---', undefined],
])('the same letters: %s', (_, id, found) => {
  expect(anchorIndex(METHODS).withSameLetters(id)).toBe(found);
});

test('the same letters in several anchors are none of them', () => {
  const { withSameLetters } = anchorIndex(['a-b', 'ab', 'a_b', 'c']);
  expect(withSameLetters('A.B')).toBeUndefined();
  expect(withSameLetters('C!')).toBe('c');
});

test('an anchor is found in a short and in a long page', () => {
  expect([hasAnchor(['a'], 'a'), hasAnchor(['a'], 'b')]).toEqual([true, false]);
  expect([hasAnchor(METHODS, METHODS[7] ?? ''), hasAnchor(METHODS, 'a')]).toEqual([true, false]);
});

import { array, assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { EXCERPT_CHARS_MAX, cutExcerpt } from '../../../src/content/document/excerpt.ts';

test('a short text stays, in one line', () => {
  expect(cutExcerpt('  a\n b  ')).toBe('a b');
  expect(cutExcerpt('x'.repeat(160))).toBe('x'.repeat(160));
});

test('a long text is cut after a word and says so', () => {
  expect(cutExcerpt(`${'a'.repeat(100)}, ${'b'.repeat(100)}`)).toBe(`${'a'.repeat(100)}…`);
});

test('a script without blanks is cut after a whole character', () => {
  expect(cutExcerpt('語'.repeat(200))).toBe(`${'語'.repeat(159)}…`);
  expect(cutExcerpt('👨‍👩‍👧‍👦'.repeat(40))).toBe(`${'👨‍👩‍👧‍👦'.repeat(14)}…`);
});

test('an excerpt is never longer than the service takes, never half a character, and cutting again changes nothing', () => {
  const word = string({ unit: 'grapheme', maxLength: 60 });
  assert(
    property(array(word, { maxLength: 40 }), (words) => {
      const text = words.join(' ');
      const excerpt = cutExcerpt(text);
      expect(excerpt.length).toBeLessThanOrEqual(EXCERPT_CHARS_MAX);
      expect(excerpt).not.toMatch(/\p{Surrogate}/u);
      expect(cutExcerpt(excerpt)).toBe(excerpt);
      const line = text.replaceAll(/\s+/g, ' ').trim();
      const isCut = excerpt.endsWith('…') && line.startsWith(excerpt.slice(0, -1));
      expect(excerpt === line || isCut).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

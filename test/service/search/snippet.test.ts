import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { snippetOf } from '../../../src/service/search/snippet.ts';
import { termsOf } from '../../../src/service/search/tokens.ts';

const WORDS = [
  'trace',
  'traces',
  'Trace',
  'a',
  'the',
  'x1',
  'snake_case',
  'it’s',
  '“so”',
  'of-the',
  'span',
  '…',
];

test('what is marked in a text is the same whether or not a letter of it is no ASCII', () => {
  const words = array(constantFrom(...WORDS), { minLength: 1, maxLength: 25 });
  assert(
    property(words, words, (text, query) => {
      const terms = termsOf(query.join(' '));
      const marked = (suffix: string) =>
        (snippetOf(text.join(' ') + suffix, terms) ?? [])
          .filter((part) => part.marked)
          .map((part) => part.text);
      expect(marked(' .')).toEqual(marked(' é'));
    }),
    { numRuns: 500 },
  );
});

import { expect, test } from 'vitest';
import { termsOf } from '../../../src/service/search/tokens.ts';

test('a word that a query says often is looked for once, and the last one may be half typed', () => {
  expect(termsOf(`${'a '.repeat(200)}b a`)).toEqual([
    { tokens: ['b'], isPrefix: false },
    { tokens: ['a'], isPrefix: true },
  ]);
});

test('of a long query only so many places are looked at: words, or pairs of a text without blanks', () => {
  const count = (query: string): number => termsOf(query).flatMap(({ tokens }) => tokens).length;
  const words = Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ');
  expect([count('漢'.repeat(400)), count('ﷺ '.repeat(100)), count(words)]).toEqual([32, 4, 32]);
  expect(count(`検索 ${'漢字'.repeat(100)} 検索`)).toBeLessThanOrEqual(32);
});

import { expect, test } from 'vitest';
import { fnmatch, globs } from '../../../../src/content/presets/settings/patterns.ts';

test.each([
  ['*.md', 'a/b.md', true],
  ['a*', 'b/a', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[!a-c]x', 'dx', true],
  ['[x', '[x', true],
  ['a.b', 'axb', false],
  ['**/draft-*', 'x/y/draft-1.md', true],
  ['', '', true],
])('fnmatch: %s means %s: %s', (pattern, path, isMeant) => {
  expect(fnmatch(pattern)(path)).toBe(isMeant);
});

test('a pattern of many stars takes no longer than the product of its length and the path\u2019s', () => {
  expect(fnmatch(`${'*a'.repeat(200)}b`)('a'.repeat(4000))).toBe(false);
});

test.each([
  '*a'.repeat(30),
  '{a,b}'.repeat(25),
  '+(+(+(a)))b',
  '**/*a'.repeat(20),
  '{1..1000000}',
  '{a..z}'.repeat(7),
])('a glob that nobody writes is answered at once: %s', (pattern) => {
  expect(globs([pattern])(`${'a/'.repeat(50)}${'a'.repeat(200)}!`)).toBe(false);
});

import { expect, test } from 'vitest';
import { fnmatch, gitignore, globs } from '../../../../src/content/presets/settings/patterns.ts';

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

test('a line of .gitignore with many `**` ends, and leaves out no less than it says', () => {
  const wild = Array.from({ length: 12 }, () => 'a').join('/**/');
  expect(gitignore(`${wild}/b`)(`${'a/'.repeat(200)}c.md`)).toBe(true);
  expect(gitignore(`!${wild}/b\n*.md`)(`${'a/'.repeat(200)}c.md`)).toBe(true);
  expect(gitignore(`${wild}/b`)('b/c.md')).toBe(false);
  expect(gitignore('**/**/**/**/**/x.md')('a/b/x.md')).toBe(true);
  expect(gitignore('a/**/b/**/c.md')('a/b/x/c.md')).toBe(true);
  expect(gitignore('a/**/b/**/c.md')('a/b/x/d.md')).toBe(false);
});

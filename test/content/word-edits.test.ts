import { expect, test } from 'vitest';
import { wordEdits } from '../../src/content/word-edits.ts';

test.each([
  [
    'All [releases][] are there.',
    'All releases are there.',
    'All builds are there.',
    'All [builds][releases] are there.',
  ],
  [
    'All [releases] are there.',
    'All releases are there.',
    'All builds are there.',
    'All [builds][releases] are there.',
  ],
  ['[newest *one*][].', 'newest one.', 'last one.', '[last *one*][newest *one*].'],
  [String.raw`[a \[b\] c][].`, 'a [b] c.', 'a [b] d.', String.raw`[a \[b\] d][a \[b\] c].`],
  [
    'Open <https://a.test/x>.',
    'Open https://a.test/x.',
    'Open https://b.test/x.',
    'Open [https://b.test/x](https://a.test/x).',
  ],
  [
    'Open https://a.test/x(1)y.',
    'Open https://a.test/x(1)y.',
    'Open https://b.test/x(1)y.',
    'Open [https://b.test/x(1)y](<https://a.test/x(1)y>).',
  ],
])('a link by its text keeps its address if its text changes: %s', (source, before, after, expected) => {
  expect(wordEdits(source, before, after)).toContain(expected);
});

test.each([
  ['[releases](/r) and [x]', '[builds](/r) and [x]'],
  ['[releases][r] and [x][]', '[builds][r] and [x][]'],
])('an address or a label of its own stays, and other brackets are left alone: %s', (source, expected) => {
  expect(wordEdits(source, 'releases and x', 'builds and x')).toEqual([expected]);
});

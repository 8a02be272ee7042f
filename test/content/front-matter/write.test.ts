import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withGap, editedFile, newFrontMatter } from '../../../src/content/front-matter/write.ts';
import { frontMatter } from '../../../src/content/front-matter/read.ts';

test('what is written is what is read, whatever the text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'no',
      'null',
      '007',
      '1.10',
      '2026-01-01',
      '- a',
      'a: b',
      '#x',
      "it's",
      '"q"',
      '\u2028',
      'a\nb',
      ' a ',
      '~',
      '@a',
      '[a]',
      'é',
      '{',
      '*a',
      '!b',
      '&c',
      '%d',
      '`',
    ),
  );
  fc.assert(
    fc.property(text, (value) => {
      const read = frontMatter(`${newFrontMatter([['title', value]])}\nBody.\n`);
      expect(read.problems).toEqual([]);
      expect(read.typed().get('title')).toBe(value);
    }),
  );
});

test('numbers, flags, nothing and lists keep their kind', () => {
  expect(
    newFrontMatter([
      ['a', 1],
      ['b', true],
      ['c', null],
      ['d', ['x/y', 'no', 'a, b']],
      ['e', '2026-03-01'],
    ]),
  ).toBe('---\na: 1\nb: true\nc: null\nd: [x/y, "no", "a, b"]\ne: 2026-03-01\n---\n');
});

describe('an edit leaves everything else as it is', () => {
  test.each([
    ['a plain value with a comment', 'a: 1 # why\nb: x\n', 'a: 2 # why\nb: x\n', ['a', 2]],
    ['single quotes', "t: 'x' # c\n", "t: 'it''s' # c\n", ['t', "it's"]],
    ['double quotes', 't: "x"\n', 't: "y: z"\n', ['t', 'y: z']],
    ['an empty value', 't:\nb: 1\n', 't: x\nb: 1\n', ['t', 'x']],
    ['an empty value with a comment', 't: # todo\nb: 1\n', 't: x # todo\nb: 1\n', ['t', 'x']],
    ['a block text', 't: |\n  a\n  b\nb: 1\n', 't: c\nb: 1\n', ['t', 'c']],
    ['a list in one line', 'tags: [a, b] # c\n', 'tags: [b, c] # c\n', ['tags', ['b', 'c']]],
    [
      'a list of lines',
      'tags:\n  - a # first\n  - b\nx: 1\n',
      'tags:\n  - a # first\n  - c\nx: 1\n',
      ['tags', ['a', 'c']],
    ],
    ['a list that becomes empty', 'tags:\n  - a\nx: 1\n', 'tags: []\nx: 1\n', ['tags', []]],
    ['a key that is new', '# head\na: 1\n', '# head\na: 1\nstatus: draft\n', ['status', 'draft']],
    ['no key at all', '', 'a: 1\n', ['a', 1]],
  ] as const)('%s', (_, before, after, entry) => {
    const file = (raw: string): string => `---\n${raw}---\n\nText.\n`;
    expect(editedFile(file(before), [entry], undefined)).toBe(file(after));
    const crlf = (raw: string): string => file(raw).replaceAll('\n', '\r\n');
    expect(editedFile(crlf(before), [entry], undefined)).toBe(crlf(after));
  });

  test('the body is another, the blank lines before it stay', () => {
    expect(editedFile('---\na: 1\n---\n\n\nOld.\n', [], (body) => withGap(body, 'New.\n'))).toBe(
      '---\na: 1\n---\n\n\nNew.\n',
    );
    expect(editedFile('\uFEFF---\na: 1\n---\nOld.\n', [], (body) => withGap(body, 'New.\n'))).toBe(
      '\uFEFF---\na: 1\n---\nNew.\n',
    );
    expect(editedFile('---\na: 1\n---', [], (body) => withGap(body, 'New.\n'))).toBe(
      '---\na: 1\n---\n\nNew.\n',
    );
  });

  test.each([
    ['no front matter', 'Text.\n', ['a', 2], '---\na: 2\n---\n\nText.\n'],
    ['a byte order mark', '\uFEFF\nText.\n', ['a', 2], '\uFEFF---\na: 2\n---\n\nText.\n'],
    ['a key inside', '---\ns:\n  o: 1 # x\n---\n', ['s.o', 2], '---\ns:\n  o: 2 # x\n---\n'],
    ['a new key inside', '---\ns:\n  p: 1\n---\n', ['s.o', 2], '---\ns:\n  o: 2\n  p: 1\n---\n'],
    ['a new map', '---\na: 1\n---\n', ['s.o', 2], '---\na: 1\ns:\n  o: 2\n---\n'],
    ['TOML', "+++\na = 'x'\n[b]\na = 1\n+++\n", ['a', 'y'], "+++\na = 'y'\n[b]\na = 1\n+++\n"],
    ['TOML with a comment', '+++\na = "x # y"  # z\n+++\n', ['a', 'y'], '+++\na = "y"  # z\n+++\n'],
    ['a TOML list with a comment', "+++\na = ['#']# z\n+++\n", ['a', ['b']], '+++\na = ["b"]# z\n+++\n'],
    ['a new TOML key', '+++\n[b]\na = 1\n+++\n', ['c', true], '+++\nc = true\n[b]\na = 1\n+++\n'],
  ] as const)('%s', (_, before, entry, after) => {
    expect(editedFile(before, [entry], undefined)).toBe(after);
  });

  test.each([
    ['TOML over several lines', '+++\na = [\n1]\n+++\n'],
    ['mixed line ends', '---\r\na: 1\n---\r\n'],
    ['an anchor', '---\na: &x 1\nb: *x\n---\n'],
    ['a new key in braces', '---\n{b: 1}\n---\n'],
  ])('what cannot be edited safely is left alone: %s', (_, text) => {
    expect(editedFile(text, [['a', 2]], undefined)).toBeUndefined();
  });
});

test('keys without `---` are not edited: below YAML they would be text', () => {
  expect(editedFile('title: A\n\nText.\n', [['order', 2]], undefined)).toBeUndefined();
  expect(editedFile('a: b\nc: d\n\nText.\n', [['order', 2]], undefined)).toBeUndefined();
  expect(editedFile('Note: a text.\n', [['order', 2]], undefined)).toContain('order: 2');
  expect(editedFile('title: A\n\nText.\n', [], () => 'New.\n')).toBe('New.\n');
});

import { expect, test } from 'vitest';
import { bodyOf } from '../../../src/content/front-matter/front-matter.ts';
import { frontMatter } from '../../../src/content/front-matter/read.ts';

const values = (text: string) => Object.fromEntries(frontMatter(text).values);

test.each([
  ['a plain one', '---\ntitle: A\n---\nBody\n', { title: 'A' }, 'Body\n', 4],
  ['blanks behind the fences', '---  \ntitle: A\n--- \t\nBody\n', { title: 'A' }, 'Body\n', 4],
  ['an empty one', '---\n---\nBody\n', {}, 'Body\n', 3],
  ['an empty one with an empty line', '---\n\n---\nBody\n', {}, 'Body\n', 4],
  ['a rule above the text', '---\n\nText.\n\n---\nMore.\n', {}, '---\n\nText.\n\n---\nMore.\n', 1],
  ['only a comment', '---\n# nothing\n---\nBody\n', {}, 'Body\n', 4],
  ['none', 'Body\n---\nx\n', {}, 'Body\n---\nx\n', 1],
  ['a longer line of dashes is none', '----\na: b\n----\n', {}, '----\na: b\n----\n', 1],
  ['no body and no last line end', '---\ntitle: A\n---', { title: 'A' }, '', 4],
  ['fences in the body', '---\ntitle: A\n---\n\n---\nx: y\n---\n', { title: 'A' }, '\n---\nx: y\n---\n', 4],
  [
    'an indented fence in a block',
    '---\ntitle: |\n  a\n  ---\n  b\n---\nB',
    { title: 'a\n---\nb\n' },
    'B',
    7,
  ],
  ['blanks behind the last fence at the end', '---\ntitle: A\n---  ', { title: 'A' }, '', 4],
  ['empty lines below', '---\ntitle: A\n--- \n\n\nBody', { title: 'A' }, '\n\nBody', 4],
  ['nothing', '', {}, '', 1],
])('splits %s', (_, text, expected, body, bodyLine) => {
  const found = frontMatter(text);
  expect(found.problems).toEqual([]);
  expect(values(text)).toEqual(expected);
  expect([found.body, found.bodyLine]).toEqual([body, bodyLine]);
});

test('the same broken text is broken each time', () => {
  const text = '---\ntitle: a: b\n---\nBody\n';
  for (let time = 0; time < 3; time += 1) expect(frontMatter(text).problems).toHaveLength(1);
});

test('scalars are those of YAML 1.2', () => {
  expect(values('---\na: no\nb: 2026-03-01\nc: 12:30:45\nd: 0755\ne: true\nf: ~\ng: 1e3\n---\n')).toEqual({
    a: 'no',
    b: '2026-03-01',
    c: '12:30:45',
    d: 755,
    e: true,
    f: null,
    g: 1000,
  });
});

test('a few aliases are fine', () => {
  expect(values('---\na: &x [1, 2]\nb: *x\n---\n')).toEqual({ a: [1, 2], b: [1, 2] });
});

test('a merge key brings the keys that the page does not have itself, as in the parsers of generators', () => {
  const text = '---\nbase: &x { draft: true, title: Base }\n<<: *x\ntitle: Own\n---\n';
  expect(values(text)).toEqual({ base: { draft: true, title: 'Base' }, draft: true, title: 'Own' });
  expect(values('---\n<<: [{ a: 1 }, { a: 2, b: 007 }]\n---\n')).toEqual({ a: 1, b: 7 });
  expect(frontMatter(text).problems).toEqual([]);
  expect(frontMatter('---\n<<: { slug: 007 }\n---\n').typed().get('slug')).toBe('007');
});

test('a key named like a prototype does nothing to any object', () => {
  const text = '---\n__proto__:\n  polluted: true\n---\n';
  expect(frontMatter(text).values.has('__proto__')).toBe(true);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('keys are found whether quoted, indented below or in one line of braces', () => {
  const spot = (text: string, key: string) => frontMatter(text).spotOf(key);
  expect(spot('---\n"a b": 1\n\'c\':  2\n---\n', 'a b')).toEqual({ line: 2, column: 8 });
  expect(spot('---\n"a b": 1\n\'c\':  2\n---\n', 'c')).toEqual({ line: 3, column: 7 });
  expect(spot('---\na: # why\n  - 1\n---\n', 'a')).toEqual({ line: 2, column: 1 });
  expect(spot('---\na: |\n  b: no key\nc: 1\n---\n', 'c')).toEqual({ line: 4, column: 4 });
  expect(spot('---\n{ a: 1, b: 2 }\n---\n', 'b')).toEqual({ line: 1, column: 1 });
});

test('items are found one after the other, also where one is part of another', () => {
  const { spotOfItem } = frontMatter('---\ntags: [cli, cli-tools, "cli"]\nother: cli\n---\n');
  const items = ['cli', 'cli-tools', 'cli'];
  expect(items.map((_, index) => spotOfItem('tags', items, index).column)).toEqual([8, 13, 25]);
  expect(spotOfItem('tags', ['nowhere'], 0)).toEqual({ line: 2, column: 7 });
});

test.each([
  ['after front matter', '---\ntitle: A\n---\n\nText\n'],
  ['after empty front matter', '---\n---\nText\n'],
  ['after fences with blanks behind them', '---  \ntitle: A\n--- \nText'],
  ['after front matter that the file ends with', '---\ntitle: A\n---'],
  ['with a rule in it', '---\ntitle: A\n---\nText\n\n---\n\nMore\n'],
  ['of a file without front matter', 'Text\n'],
  ['of a file without front matter and with rules', 'Text\n\n---\n\nMore\n\n---\n'],
  ['of a file that starts with a long rule', '-----\n\nText\n---\n'],
  ['of an empty file', ''],
])('the body alone is the same body: %s', (_, text) => {
  const { body, problems } = frontMatter(text);
  expect(problems).toEqual([]);
  expect(bodyOf(text)).toBe(body);
});

test.each(['strict', 'hugo', 'jekyll'] as const)(
  'the body alone below empty lines, as %s reads it',
  (form) => {
    const text = '\n+++\ntitle = "A"\n+++\nText\n';
    expect(bodyOf(text, form)).toBe(frontMatter(text, form).body);
  },
);

import { expect, test } from 'vitest';
import { mayHoldRawSyntax, rawSyntaxIn } from '../../../src/content/markdown/raw-syntax.ts';

test.each([
  ['a line of its own', 'Text.\n\nimport Tabs from "x"\n', true],
  ['the first line', 'import Tabs from "x"\n', true],
  ['behind blanks', 'Text.\n \timport\tTabs from "x"\n', true],
  ['a paragraph of HTML', '<p>import Tabs from "x"</p>', true],
  ['a later one', 'To import is easy.\nimportant\n> import Tabs\n', true],
  ['a word in a sentence', 'You import a file.\n', false],
  ['the beginning of a word', 'Text.\nimportant things\nimport\n', false],
  ['the end of a word', 'Text.\nreimport a file\n', false],
])('import as JavaScript has it: %s', (_, text, isRaw) => {
  expect(mayHoldRawSyntax(text)).toBe(isRaw);
});

test.each([
  ['!!! note', 1],
  ['!!! note inline end "A &quot;quoted&quot; title"', 1],
  ['??? 注意', 1],
  ['???+ "Title"', 1],
  ['!!!info', 1],
  ['<strong>!!! Not yet stable, so wait. !!!</strong>', 0],
  ['!!! Mind the gap.', 0],
])('a box is what MkDocs takes for one: %s', (text, count) => {
  const found = rawSyntaxIn(`<p>${text}\nText.</p>`, new Set(), 'plain');
  expect(found.map((each) => [each.kind, each.count])).toEqual(count === 0 ? [] : [['!!! name', count]]);
});

test('attributes in a line of their own are no text, also without a class', () => {
  const found = rawSyntaxIn(
    '<p><img src="/a.png">\n{width=1920 height="628"}</p><p>{a=1} and {b=2}</p>',
    new Set(),
    'kbsync',
  );
  expect(found.map(({ kind, shown, count }) => [kind, shown, count])).toEqual([
    ['{.class}', '{width=1920 height="628"}', 1],
  ]);
});

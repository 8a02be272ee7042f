import { expect, test } from 'vitest';
import { boxTitle } from '../../../../src/content/presets/syntax/tokens.ts';

test.each([
  ['1 < 2 <b>bold</b>', '1 2 bold'],
  ['see [Braces](https://example.com/a_(b)) first', 'see Braces first'],
  ['code of `<name>`', 'code of &#60;name&#62;'],
  ['[one](/a) [two](/b(c)', 'one two (/b(c)'],
])('a title of a box is one line of text: %s', (title, text) => {
  expect(boxTitle(title)).toBe(text);
});

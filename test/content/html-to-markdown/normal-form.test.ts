import { expect, test } from 'vitest';
import { parseHtml } from '../../../src/content/html-to-markdown/hast.ts';
import { normalForm } from '../../../src/content/html-to-markdown/normal-form.ts';

const formOf = (html: string): string => normalForm(parseHtml(html));

test.each([
  [
    'between options',
    '<p>a <select> <option>b</option>\n<option>c</option> </select> d</p>',
    '<p>a <select><option>b</option><option>c</option></select> d</p>',
  ],
  ['at the edges of a button', '<p>a <button> b </button> c</p>', '<p>a <button>b</button> c</p>'],
  [
    'behind a legend',
    '<fieldset><legend>a </legend> b</fieldset>',
    '<fieldset><legend>a</legend>b</fieldset>',
  ],
])('a blank that no browser shows does not count: %s', (_, html, without) => {
  expect(formOf(html)).toBe(formOf(without));
});

test.each([
  ['behind a list of options', '<select></select> a', '<select></select>a'],
  ['before a button', 'a <button>b</button>', 'a<button>b</button>'],
  ['behind a picture', '<p><img src="a"> b</p>', '<p><img src="a">b</p>'],
])('a blank that is seen counts: %s', (_, html, without) => {
  expect(formOf(html)).not.toBe(formOf(without));
});

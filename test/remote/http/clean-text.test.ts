import { expect, test } from 'vitest';
import { parseJson } from '../../../src/remote/http/json.ts';
import { createCleanText } from '../../../src/remote/http/clean-text.ts';
import { API_KEY } from '../support/support.ts';

const clean = createCleanText(API_KEY);

test.each([
  ['plain', 'plain'],
  ['a\nb\u001b[31m\u0000', 'a\\x0Ab\\x1B[31m\\x00'],
  ['\u009b2J', '\\x9B2J'],
  ['\u202egnp.exe', '\\u202Egnp.exe'],
  ['::error::x\r\n::stop', '::error::x\\x0D\\x0A::stop'],
  [`bad key ${API_KEY}!`, 'bad key [key]!'],
  [encodeURIComponent(API_KEY), '[key]'],
  [Buffer.from(API_KEY).toString('base64'), '[key]'],
])('%j is shown as %j', (text, expected) => {
  expect(clean(text)).toBe(expected);
});

test('a text is cut at 300 characters, also in the middle of a key', () => {
  const text = clean(`${'x'.repeat(290)}${API_KEY}`);
  expect(text).toHaveLength(297 - 2);
  expect(clean('y'.repeat(1_000_000))).toHaveLength(300);
  expect(clean(`${'x'.repeat(19_990)}${API_KEY}`)).not.toContain(API_KEY.slice(0, 8));
});

test.each([
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'UTF-8'],
  ['nothing', Buffer.alloc(0), 'empty'],
  ['a cut text', Buffer.from('{"a":[1,2'), 'truncated after 9 bytes'],
  ['an open string', Buffer.from('{"a":"b'), 'truncated after 7 bytes'],
  ['100,000 levels', Buffer.from('['.repeat(100_000)), '64 levels'],
  ['65 levels', Buffer.from('['.repeat(65) + ']'.repeat(65)), '64 levels'],
])('%s is no JSON', (_name, bytes, reason) => {
  expect(() => parseJson(bytes)).toThrow(reason);
});

test('a text that is no UTF-8 is read in the charset that its header names, if it is whole in that', () => {
  const value = { name: 'Début' };
  const latin = Buffer.from(JSON.stringify(value), 'latin1');
  expect(parseJson(latin, 'ISO-8859-1')).toEqual(value);
  expect(parseJson(Buffer.from(JSON.stringify(value), 'utf16le'), 'utf-16le')).toEqual(value);
  for (const charset of [undefined, 'utf-8', 'no-charset', 'utf-16le'])
    expect(() => parseJson(latin, charset)).toThrow(/UTF-8|JSON/);
});

test('UTF-8 is UTF-8, whatever charset a header names', () => {
  const value = { name: 'Début' };
  expect(parseJson(Buffer.from(JSON.stringify(value)), 'ISO-8859-1')).toEqual(value);
});

test('brackets inside strings are no levels', () => {
  const text = JSON.stringify({ a: `\\"${'[{'.repeat(200)}\\`, b: '"[[[' });
  expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  expect(parseJson(Buffer.from('['.repeat(64) + ']'.repeat(64)))).toBeInstanceOf(Array);
});

test('whole numbers that would lose digits are texts; all others stay numbers', () => {
  const text =
    '{"id":90071992547409931,"ids":[-18446744073709551615, 9007199254740991],"n":[0.5000000000000000000,1e20],' +
    '"name":"\\"id\\":90071992547409931"}';
  expect(parseJson(Buffer.from(text))).toEqual({
    id: '90071992547409931',
    ids: ['-18446744073709551615', 9007199254740991],
    n: [0.5, 1e20],
    name: '"id":90071992547409931',
  });
});

test('a text of megabytes, full of escapes, is read beside such a number', () => {
  const text = JSON.stringify({ content: 'a\n'.repeat(4_000_000) });
  expect(parseJson(Buffer.from(text.replace('{', '{"id":90071992547409931,')))).toEqual({
    id: '90071992547409931',
    ...JSON.parse(text),
  });
});

test('a byte order mark is skipped', () => {
  expect(parseJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
});

test.each(['{"__proto__":{"admin":true},"a":1}', '{"\\u005f_proto__":{"admin":true},"a":1}'])(
  'a prototype is not taken from outside: %s',
  (text) => {
    const value = parseJson(Buffer.from(text));
    expect(Object.keys(Object(value))).toEqual(['a']);
    expect(Reflect.get(Object({ ...Object(value) }), 'admin')).toBeUndefined();
  },
);

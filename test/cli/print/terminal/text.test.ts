import { visible } from '../../../../src/model/visible.ts';
import { array, assert, constant, dictionary, integer, jsonValue, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { cut, padTo, short, visibleJson, widthOf } from '../../../../src/cli/print/terminal/text.ts';

test('control characters are shown, never sent to the terminal', () => {
  expect(visible('a\u001b[31mred\u0007\r\nb')).toBe('a\\x1b[31mred\\x07\\x0d\\x0ab');
  expect(visible('\u009b2J')).toBe('\\x9b2J');
});

test('characters that turn the reading direction or hide are shown', () => {
  expect(visible('fr/\u202egnp.md')).toBe('fr/\\u{202e}gnp.md');
  expect(visible('a\u200bb\ufeff')).toBe('a\\u{200b}b\\u{feff}');
});

test('no text whatever leaves a control character', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(visible(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    }),
  );
});

test('letters of any script stay as they are', () => {
  expect(visible('Délais 返金 환불 مرحبا')).toBe('Délais 返金 환불 مرحبا');
});

test('a short value is one line, cut at a character', () => {
  expect(short('  two\n lines\t', 40)).toBe('two lines');
  expect(short('返金のルール', 7)).toBe('返金の…');
  expect(cut('👩‍💻👩‍💻', 3)).not.toContain('\ud83d\udc69\u200d…');
});

test('Chinese, Japanese and Korean characters take two columns', () => {
  expect(widthOf('返金')).toBe(4);
  expect(widthOf('é')).toBe(1);
  expect(widthOf('e\u0301')).toBe(1);
  expect(padTo('返金', 6)).toBe('返金  ');
});

test('a document in pieces is the indented JSON of its value', () => {
  const long = integer({ min: 6, max: 40 }).map((count) => Array.from({ length: count }, (_, n) => ({ n })));
  const item = oneof(jsonValue(), constant(undefined), long, array(string({ unit: 'binary' })));
  assert(
    property(dictionary(string(), item, { maxKeys: 4 }), (value) => {
      const text = [...visibleJson(value)].join('');
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(text.split('\n').length).toBe(JSON.stringify(value, undefined, 2).split('\n').length);
    }),
    { numRuns: 15 },
  );
  const plain = {
    format: 1,
    none: undefined,
    empty: [],
    changes: Array.from({ length: 1001 }, (_, n) => [n]),
  };
  expect([...visibleJson(plain)].join('')).toBe(JSON.stringify(plain, undefined, 2));
  expect([...visibleJson({})].join('')).toBe('{}');
});

test('a long list of a document comes in pieces that end with an item', () => {
  const pieces = [
    ...visibleJson({ a: 1, list: Array.from({ length: 24 }, () => 'x'), b: '##[error]\u009b' }),
  ];
  expect(pieces.map((piece) => piece.slice(-3))).toEqual(['"x"', '"x"', '"x"', '"\n}']);
  expect(pieces.at(-1)).toBe('\n  ],\n  "b": "#\\u0023[error]\\u009b"\n}');
});

test('no piece of an answer about many changes is so long that V8 keeps it apart', () => {
  const changes = Array.from({ length: 1_000 }, (_, n) => ({
    key: `article/page-${n}`,
    name: 'x'.repeat(560),
  }));
  const longest = Math.max(...[...visibleJson({ changes })].map((piece) => piece.length));
  // In two bytes a character.
  expect(longest * 2).toBeLessThan(128 * 1024);
});

import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf, digestOfText, same } from '../../src/model/digest.ts';

const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }),
);

describe('same', () => {
  test('holds exactly between values of equal digest', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(same(a, b)).toBe(digestOf(a) === digestOf(b));
      }),
    );
  });

  test('sees lists as sets', () => {
    expect(same(['b', 'a', 'b'], ['a', 'b'])).toBe(true);
    expect(same(['a', 'b'], ['a', 'c'])).toBe(false);
    expect(same([], ['a'])).toBe(false);
  });

  test('tells a text from the value that it spells', () => {
    expect(same('1', 1)).toBe(false);
    expect(same('null', null)).toBe(false);
    expect(same('["a"]', ['a'])).toBe(false);
  });
});

test('a digest is the first 16 hex digits of SHA-256', () => {
  expect(digestOfText('text')).toBe(createHash('sha256').update('text').digest('hex').slice(0, 16));
});

test('long texts have the digest of their JSON, whichever were asked for in between', () => {
  const texts = Array.from({ length: 200 }, (_, at) => `${'long "text" '.repeat(100)}${at}`);
  for (const text of [...texts, ...texts.toReversed(), ...texts])
    expect(digestOf(text)).toBe(digestOfText(JSON.stringify(text)));
});

import { expect, test } from 'vitest';
import { isJsonObject, jsonValue } from '../../src/text/json-value.ts';

test.each(['', '{', 'undefined', '[1,]'])('%j is not JSON, so it has no value', (text) => {
  expect(jsonValue(text)).toBeUndefined();
});

test('a JSON text has its value, null included', () => {
  expect(['null', '0', '{"a":[1]}'].map(jsonValue)).toEqual([null, 0, { a: [1] }]);
});

test('only what has members is an object: no list, and not null', () => {
  expect([{}, { a: 1 }, [], null, 'a', 1, undefined].map(isJsonObject)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

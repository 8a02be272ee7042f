import { expect, test } from 'vitest';
import { addAll, largest, smallest } from '../../src/text/many.ts';

const MANY = Array.from({ length: 300_000 }, (_, index) => index);

test('a list that no call could take is added to another one', () => {
  const list = [-1];
  addAll(list, MANY);
  expect([list.length, list.at(-1)]).toEqual([300_001, 299_999]);
});

test('the largest and the smallest of very many numbers are found', () => {
  expect([largest(MANY, 7), largest([], 7), smallest(MANY, 7), smallest([], 7)]).toEqual([299_999, 7, 0, 7]);
});

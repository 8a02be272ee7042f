import { expect, test } from 'vitest';
import { createAnswerBytes } from '../../../src/remote/http/answer-bytes.ts';

const KB = 2 ** 10;
const MB = 2 ** 20;
const CHUNKS = Array.from({ length: 40 }, (_, n) => Buffer.alloc(64 * KB, n + 1));
const WHOLE = Buffer.concat(CHUNKS);

test.each([
  ['is told', WHOLE.length],
  ['is not told', 0],
  ['is no number', Number.NaN],
  ['is told too short', MB + 1],
  ['is told too long', 2 * WHOLE.length],
])('the bytes of an answer are those that arrived where their number %s', (_, told) => {
  const bytes = createAnswerBytes(told);
  for (const chunk of CHUNKS) bytes.add(chunk);
  expect(bytes.whole().equals(WHOLE)).toBe(true);
});

test('an answer that tells a length and has no bytes is empty', () => {
  expect(createAnswerBytes(8 * MB).whole()).toHaveLength(0);
});

test('a large answer that tells its length does not keep its chunks', () => {
  const bytes = createAnswerBytes(WHOLE.length);
  const chunk = Buffer.from(WHOLE.subarray(0, 64 * KB));
  bytes.add(chunk);
  chunk.fill(0);
  for (const each of CHUNKS.slice(1)) bytes.add(each);
  expect(bytes.whole().equals(WHOLE)).toBe(true);
});

import { expect, test } from 'vitest';
import {
  shownWords,
  sourceWords,
  swallowedWords,
  swallowerIn,
} from '../../../src/content/markdown/losses.ts';

test('the words for a picture are words of the page', () => {
  expect(shownWords('<p>One <img src="a.png" alt="two words" width="3"> four<img alt="five"></p>')).toBe(5);
});

test.each(['<img ', '<img alt="" ', '<img alt="', '<a ', '<script', '<style ', '<code>', '](', '[a](b'])(
  '%s many times without an end costs a look each, not one at the rest of the page',
  (piece) => {
    const text = piece.repeat(20_000);
    const started = performance.now();
    shownWords(text);
    sourceWords(text);
    swallowedWords(text);
    swallowerIn([text]);
    // It took up to 35 seconds.
    expect(performance.now() - started).toBeLessThan(8000);
  },
);

import { expect, test } from 'vitest';
import { prefixIndex } from '../../src/text/prefix-index.ts';

test('texts that begin as another one does are found, the shorter and the longer ones', () => {
  const texts = ['how', 'how to', 'how to send', 'how too', 'hoist', '', 'send', 'how to'];
  const find = prefixIndex(texts, (text) => text);
  expect(find('how to')).toEqual(['how', 'how to', 'how to', 'how to send', 'how too']);
  expect(find('how to send a fax')).toEqual(['how', 'how to', 'how to', 'how to send']);
  expect(find('ho')).toEqual(['hoist', 'how', 'how to', 'how to', 'how to send', 'how too']);
  expect(find('x')).toEqual([]);
  expect(find('')).toEqual([]);
});

test('it finds what a comparison with each text finds', () => {
  const letters = ['a', 'b', 'ä'];
  const texts = Array.from({ length: 400 }, (_, index) =>
    index.toString(3).replaceAll(/./g, (digit) => letters[Number(digit)] ?? ''),
  );
  const find = prefixIndex(texts, (text) => text);
  for (const text of texts) {
    const fits = texts.filter((one) => one.startsWith(text) || text.startsWith(one));
    expect([...find(text)].sort()).toEqual(fits.sort());
  }
});

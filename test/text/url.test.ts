import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isUrl } from '../../src/text/url.ts';

test.each([
  ['https://example.com/a', undefined, true],
  ['https://münchen.example/größe', undefined, true],
  ['größe', undefined, false],
  ['https://[', undefined, false],
  ['größe', 'https://example.com/', true],
  ['a', 'https://münchen.example/', true],
  ['a', undefined, false],
])('%s from %s: %s', (text, base, expected) => {
  expect(isUrl(text, base)).toBe(expected);
});

test.each([
  ['https://münchen.example/größe', undefined],
  ['https://münchen.example/größe', 'https://example.com/'],
  ['/größe', 'https://münchen.example/'],
  ['page', 'https://münchen.example/'],
])('%s from %s is one after thousands of calls too', (text, base) => {
  let refused = 0;
  for (let call = 0; call < 100_000; call += 1) if (!isUrl(text, base)) refused += 1;
  expect(refused).toBe(0);
});

test('nothing else in src asks URL.canParse', () => {
  const root = join(import.meta.dirname, '../..');
  const found = execFileSync('git', ['grep', '-l', 'URL.canParse(', '--', 'src'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(found.trim().split('\n')).toEqual(['src/text/url.ts']);
});

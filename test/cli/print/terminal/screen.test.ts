import { describe, expect, test } from 'vitest';
import { hasColour, paint } from '../../../../src/cli/print/terminal/paint.ts';
import { glyphs } from '../../../../src/cli/print/terminal/paint.ts';
import { ago, counted, grouped, lasting, minutes } from '../../../../src/cli/print/terminal/numbers.ts';

describe('colour is decided per stream', () => {
  const cases: readonly (readonly [string, boolean, Record<string, string>, boolean, boolean])[] = [
    ['a terminal has colour', true, {}, false, true],
    ['a pipe has none', false, {}, false, false],
    ['--no-color wins over everything', true, { FORCE_COLOR: '1' }, true, false],
    ['NO_COLOR wins over FORCE_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false, false],
    ['an empty NO_COLOR says nothing', true, { NO_COLOR: '' }, false, true],
    ['FORCE_COLOR paints a pipe', false, { FORCE_COLOR: '1' }, false, true],
    ['FORCE_COLOR=0 paints nothing', true, { FORCE_COLOR: '0' }, false, false],
    ['a dumb terminal has none', true, { TERM: 'dumb' }, false, false],
    ['CI alone paints nothing', false, { CI: 'true' }, false, false],
  ];
  test.each(cases)('%s', (_, isTTY, env, noColor, expected) => {
    expect(hasColour(isTTY, env, noColor)).toBe(expected);
  });
});

test('paint that is off changes nothing', () => {
  expect(paint(false).red('x')).toBe('x');
  expect(paint(true).red('x')).toBe('\u001b[31mx\u001b[39m');
});

test('a locale that is not UTF-8 gets ASCII', () => {
  expect(glyphs({ LANG: 'C' }).arrow).toBe('->');
  expect(glyphs({}).arrow).toBe('->');
  expect(glyphs({ LANG: 'de_DE.UTF-8' }).arrow).toBe('→');
  expect(glyphs({ LC_ALL: 'C', LANG: 'de_DE.UTF-8' }).arrow).toBe('->');
});

test('numbers and times are written for people', () => {
  expect([0, 999, 1000, 1234567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([counted(1, 'file'), counted(2, 'file'), counted(0, 'entry', 'entries')]).toEqual([
    '1 file',
    '2 files',
    '0 entries',
  ]);
  expect([0, 32_400, 725_000, 3_723_000].map(minutes)).toEqual(['0:00', '0:32', '12:05', '1:02:03']);
  expect([40, 1_940, 12_300, 125_000].map(lasting)).toEqual(['0.0 s', '1.9 s', '12 s', '2:05 min']);
  expect([1_000, 300_000, 7_200_000, 3 * 86_400_000].map(ago)).toEqual([
    'just now',
    '5 min ago',
    '2 h ago',
    '3 days ago',
  ]);
});

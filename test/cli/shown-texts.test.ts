import { describe, expect, test } from 'vitest';
import { safeStack } from '../../src/cli/safe-stack.ts';
import { shellWord } from '../../src/cli/print/terminal/text.ts';
import { visible } from '../../src/model/visible.ts';
import { HOSTILE, wildParts } from './support/hostile-texts.ts';

test('a command that is shown can be pasted: whatever a key holds, a shell takes it for one word', () => {
  for (const key of [
    'article/a;rm -rf ~@en',
    'article/$(id)@en',
    'article/`id`@en',
    "article/it's@en",
    'article/a b@en',
    '-rf',
    'article/a\nb@en',
  ]) {
    const word = shellWord(key);
    expect(word).toMatch(/^('([^']|'\\'')*'|[\w@%+=:,./][\w@%+=:,./-]*)$/);
    expect(word.replaceAll("'\\''", '\u0001').replaceAll("'", '').replaceAll('\u0001', "'")).toBe(
      visible(key),
    );
  }
  expect(shellWord('article/billing/refunds@pt-BR')).toBe('article/billing/refunds@pt-BR');
});

describe('what a bug prints', () => {
  const key = 'kb_0123456789ab_c2VjcmV0';
  const base64 = Buffer.from(key).toString('base64');

  test('holds the key in no spelling', () => {
    const error = new Error(`bug: ${key} and ${encodeURIComponent(key)} and ${base64}`, { cause: key });
    const text = safeStack(error, [key]);
    expect(text).toContain('[key]');
    expect(text).not.toContain(key);
    expect(text).not.toContain(base64);
  });

  test.each(HOSTILE)('moves no cursor and gives no command: %j', (message) => {
    const text = safeStack(new Error(`bug: ${message}`), [undefined]);
    expect(wildParts(text, true)).toEqual([]);
    for (const line of text.split('\n')) expect(line.startsWith('  ')).toBe(true);
  });

  test('is said of anything that was thrown', () => {
    expect(safeStack('thrown text', [''])).toBe('  thrown text');
  });
});

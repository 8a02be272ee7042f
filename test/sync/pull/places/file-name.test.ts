import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { IGNORED_NAMES } from '../../../../src/content/files/tree.ts';
import { isSafePath, safeName, uniquePaths } from '../../../../src/sync/pull/places/file-name.ts';

test.each([
  ['../../.git/hooks/x', 'git-hooks-x'],
  ['con', 'con-page'],
  ['LPT1.txt', 'LPT1.txt-page'],
  ['a b', 'a-b'],
  ['a.', 'a'],
  ['.hidden', 'hidden'],
  ['a.md', 'a-md'],
  ['\u001b[31mred', '31mred'],
  ['', 'untitled'],
  ['???', 'untitled'],
])('%j is a file named %s', (slug, name) => {
  expect(safeName(slug)).toBe(name);
});

test('a name is safe on every system, whatever the slug, and is its own name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (slug) => {
      const name = safeName(slug);
      expect(name).toMatch(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._-]*$/u);
      expect(name.endsWith('.')).toBe(false);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(130);
      expect(IGNORED_NAMES.test(`${name}.md`)).toBe(false);
      expect(safeName(name)).toBe(name);
    }),
  );
});

test('two names that differ in case or form get two files, the same in every run', () => {
  const unique = uniquePaths(['article/Guide']);
  expect(unique('article/guide', '7f3a')).toBe('article/guide-7f3a');
  expect(unique('article/e\u0301', '1')).toBe('article/e\u0301');
  expect(unique('article/\u00E9', '2')).toBe('article/\u00E9-2');
});

test('a path of somebody else is taken only where it could be ours', () => {
  expect(isSafePath('billing/invoices')).toBe(true);
  for (const path of ['../x', 'a//b', '.git/x', 'a/con', 'a/', '/a', 'a\\b'])
    expect(isSafePath(path)).toBe(false);
});

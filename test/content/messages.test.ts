import { expect, test } from 'vitest';
import { keyOf } from '../../src/model/key.ts';
import {
  NEVER_ALLOWED,
  PROBLEM_SEVERITY,
  isProblemCode,
  problemMessage,
  showPlace,
} from '../../src/model/problem.ts';
import type { ProblemCase, ProblemCode } from '../../src/model/problem.ts';

const first = { file: 'content/en/articles/a.md', line: 3, column: 7 };
const unknown = { name: 'x', candidates: [], onlyIn: [], defaultLanguage: 'en' };

/** One of each code: the compiler asks for a new one here. */
const CASES: { readonly [Code in ProblemCode]: Extract<ProblemCase, { readonly code: Code }> } = {
  'front-matter-yaml': { code: 'front-matter-yaml', reason: 'quotes are missing', repaired: 'a: "b: c"' },
  'unreadable-settings': {
    code: 'unreadable-settings',
    reason: 'a space is missing after the colon',
    repaired: 'docs_dir: docs',
  },
  'wrong-type': { code: 'wrong-type', field: 'ordering', expected: 'a number', found: 'a list' },
  'missing-field': { code: 'missing-field', field: 'title', kind: 'article' },
  'unknown-key': { code: 'unknown-key', name: 'layout', kind: 'tag' },
  'locked-page': { code: 'locked-page', lockedBy: '`password`' },
  'control-character': { code: 'control-character', field: 'title', shown: 'U+009D' },
  'beyond-limit': { code: 'beyond-limit', subject: 'title', unit: 'characters', count: 1200, countMax: 1000 },
  'language-code': { code: 'language-code', name: 'pt_BR', lang: 'pt_BR', suggestion: 'pt-BR' },
  'excerpt-long': { code: 'excerpt-long', chars: 161, charsMax: 160 },
  'duplicate-key': { code: 'duplicate-key', key: keyOf('article', 'a', 'en'), first, differs: 'more' },
  'duplicate-slug': { code: 'duplicate-slug', slug: 'a', kind: 'article', lang: 'en', first },
  'unknown-category': { code: 'unknown-category', ...unknown, suggestion: 'y' },
  'unknown-tag': { code: 'unknown-tag', ...unknown },
  'category-cycle': { code: 'category-cycle', path: ['a', 'b', 'a'] },
  'dead-link': { code: 'dead-link', url: 'b.md', isOutside: false },
  'outside-link': { code: 'outside-link', url: '/x', reason: '`exclude` of x' },
  'dead-anchor': { code: 'dead-anchor', anchor: 'x', target: 'a.md' },
  'missing-image': { code: 'missing-image', url: '../../x.png', isOutside: true },
  'image-not-hosted': { code: 'image-not-hosted', url: 'x.png' },
  'html-dropped': { code: 'html-dropped', what: '<script>', reason: 'it is not safe' },
  'unknown-component': { code: 'unknown-component', what: 'shortcode', name: 'x', shown: '{{< x >}}' },
  'raw-syntax': { code: 'raw-syntax', kind: '{% … %}', shown: '{% hint %}', count: 3, layouts: ['gitbook'] },
  'html-swallows': { code: 'html-swallows', name: 'iframe', words: 40 },
  'text-lost': { code: 'text-lost', words: 40, all: 50, most: '<Demo>' },
  'include-failed': {
    code: 'include-failed',
    shown: '{{#include a.md}}',
    reason: 'the repository has no file `a.md`',
  },
  'orphan-translation': {
    code: 'orphan-translation',
    kind: 'tag',
    defaultLanguage: 'en',
    expected: 'en/tags/a.md',
  },
  'wrong-move': {
    code: 'wrong-move',
    from: 'billing/fax',
    reason: 'has-file',
    other: 'en/articles/billing/fax.md',
  },
  'released-file': { code: 'released-file', key: keyOf('article', 'old/fax', 'en') },
  'wrong-redirect': {
    code: 'wrong-redirect',
    from: '/old/fax',
    reason: 'dead',
    other: '/en/articles/fax',
  },
  'bad-encoding': { code: 'bad-encoding', reason: 'this byte is not UTF-8' },
  'too-large': { code: 'too-large', unit: 'bytes', size: 6, sizeMax: 5 },
  'merge-marker': { code: 'merge-marker', marker: '<<<<<<< HEAD' },
  'lfs-pointer': { code: 'lfs-pointer' },
  'unexpected-file': { code: 'unexpected-file', reason: 'this file is not read' },
  'unreadable-file': {
    code: 'unreadable-file',
    reason: 'the file cannot be read: this user lacks the permission (EACCES)',
  },
};

test.each(Object.values(CASES))(
  '$code has a sentence in one line, lower case, without a full stop',
  (problem) => {
    const message = problemMessage(problem);
    expect(message).toMatch(/^[a-z`][^\n]*[^.\n]$/);
    expect(message).not.toMatch(/undefined|\[object/);
  },
);

test('a sentence about faults says what would be right', () => {
  expect(problemMessage(CASES['category-cycle'])).toContain('take one `categoryParent` out');
  expect(problemMessage(CASES['merge-marker'])).toContain('choose one of the two texts');
  expect(problemMessage({ ...CASES['html-dropped'], what: 'style of <td>' })).toBe(
    '`style` of `<td>` is left out: it is not safe',
  );
});

test('every promised code exists, and codes are told from other words', () => {
  expect(Object.keys(PROBLEM_SEVERITY)).toEqual(Object.keys(CASES));
  expect(isProblemCode('dead-link')).toBe(true);
  expect(isProblemCode('toString')).toBe(false);
  expect([...NEVER_ALLOWED].every((code) => PROBLEM_SEVERITY[code] === 'error')).toBe(true);
});

test('a place is shown as editors and terminals open it', () => {
  expect(showPlace(first)).toBe('content/en/articles/a.md:3:7');
});

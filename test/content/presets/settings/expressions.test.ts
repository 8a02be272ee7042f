import { expect, test } from 'vitest';
import { expression, expressions } from '../../../../src/content/presets/settings/expressions.ts';
import { page, load } from '../../support/support.ts';

test.each([
  ['(a+)+$', 'a', true],
  [String.raw`\.draft\.md$`, '/content/x.draft.md', true],
  [String.raw`\/notes\/`, '/content/notes/a.md', true],
  [String.raw`^(?!docs/).*\.md$`, 'notes/a.md', true],
  [String.raw`^(?!docs/).*\.md$`, 'docs/a.md', false],
  [String.raw`^(?!(?:de|en|fr|it|ja|ko|zh)/)docs?/.*\.md$`, 'docs/a.md', true],
  [String.raw`^(\w)\1`, 'aab', true],
  [String.raw`.*\.tmp\.md\Z`, 'a.tmp.md', true],
  [String.raw`\Aa(?!b).*\.md\Z`, 'a/c.md', true],
  [String.raw`\Aa(?!b).*\.md\Z`, 'c/a/c.md', false],
  ['(?i)README', 'readme.md', true],
])('`%s` in %s: %s', (source, text, isIn) => {
  const pattern = expression(source);
  expect('test' in pattern && pattern.test(text)).toBe(isIn);
});

test.each([
  '(a+)+$',
  '(a|a)*b',
  '(a|aa)+$',
  '(.*a){20}$',
  '([a-z]+)*!',
  '(?:a?){30}a{30}b',
  '(a*)*(a*)*(a*)*!',
])('a pattern that a backtracking engine never ends with has an answer: %s', (source) => {
  const pattern = expression(source);
  expect('test' in pattern && pattern.test(`${'a'.repeat(4000)}-`)).toBe(false);
});

test.each([
  ['(?=(a+)+$)b', 'kbsync cannot run it, because it may take too long'],
  [String.raw`(a*)*\1!`, 'kbsync cannot run it, because it may take too long'],
  ['(?=a)a*a*a*b', 'kbsync cannot run it, because it may take too long'],
  [`(?=a)${'a?'.repeat(30)}${'a'.repeat(30)}`, 'kbsync cannot run it, because it may take too long'],
  [`(?=a)${'(a|aa)'.repeat(30)}b`, 'kbsync cannot run it, because it may take too long'],
  [`(?=a)${'a{1,9}'.repeat(20)}b`, 'kbsync cannot run it, because it may take too long'],
  ['(a', 'kbsync cannot read it: /(a/: Unterminated group'],
  ['a{600}b{600}', 'it counts further than 1000'],
  ['a'.repeat(2001), 'it has 2001 characters; kbsync reads at most 2000'],
])('what is no expression, or may never end, is refused (%#)', (source, fault) => {
  expect(expression(source)).toEqual({ fault });
});

test('one that cannot be read has its place, and those beside it count', () => {
  const text = 'ignoreFiles:\n  - "(a"\n  - b$\n';
  const { match, problems } = expressions(['(a', 'b$'], { path: '../hugo.yaml', text });
  expect(match('ab')).toBe(true);
  expect(problems).toMatchObject([{ path: '../hugo.yaml', problem: { spot: { line: 2, column: 6 } } }]);
});

test('settings of Hugo and MkDocs say which of their expressions is none', async () => {
  const hugo = await load(
    {
      'a.md': page('title: A'),
      'aaaa.md': page('title: A'),
      '../hugo.toml': 'ignoreFiles = ["(a+)+\\\\.md$", "(?=(a+)+$)"]\n',
    },
    { preset: 'hugo' },
  );
  expect(hugo.places).toEqual(['hugo.toml:1:32 unreadable-settings']);
  expect([...hugo.records.keys()].filter((key) => key.startsWith('article/'))).toEqual([]);
  const mkdocs = await load(
    {
      'a.md': page('title: A'),
      'b-draft.md': page('title: A'),
      '../mkdocs.yml':
        "plugins:\n  - exclude:\n      regex:\n        - '.*-draft'\n        - 'draft'\n        - '['\n",
    },
    { preset: 'mkdocs' },
  );
  expect(mkdocs.places).toEqual(['mkdocs.yml:6:12 unreadable-settings']);
  expect([...mkdocs.records.keys()].filter((key) => key.startsWith('article/'))).toEqual(['article/a@en']);
});

test('a place of VuePress that no engine reads locks all pages, because nobody knows which', async () => {
  const { places } = await load(
    {
      'a.md': page('title: A'),
      '.vuepress/config.ts':
        "export default defineUserConfig({ theme: hopeTheme({ encrypt: { config: { '^/(?=(a+)+$)': ['1'] } } }) });\n",
    },
    { preset: 'vuepress' },
  );
  expect(places).toEqual(['content/a.md:1:1 locked-page']);
});

import { expect, test } from 'vitest';
import type { ContentOptions } from '../../src/content/options.ts';
import { load, page } from './support/support.ts';
import type { Files } from './support/support.ts';

interface Case {
  readonly rule: string;
  readonly files: Files;
  /** All problems: `file:line:column code`, the file without its folders where the case has one article `a`. */
  readonly problems: readonly string[];
  /** A part of the first problem's sentence. */
  readonly says?: string;
  readonly options?: Partial<ContentOptions>;
}

const A = 'en/articles/a.md';
const one = (text: string | Uint8Array): Files => ({ [A]: text });
const at = (place: string): readonly string[] => [`content/${A}:${place}`];
const bytes = (text: string, ...more: readonly number[]): Uint8Array =>
  new Uint8Array([...new TextEncoder().encode(text), ...more]);

const YAML: readonly Case[] = [
  {
    rule: 'an unquoted colon is named at the colon, with the repaired line',
    files: one(page('slug: a\ntitle: Remboursements : délais')),
    problems: at('3:23 front-matter-yaml'),
    says: 'a value with `: ` inside needs quotes: `title: "Remboursements : délais"`',
  },
  {
    rule: 'a colon is found in the line above the one where the parser stops',
    files: one(page('title: Foo: bar\nslug: a')),
    problems: at('2:11 front-matter-yaml'),
  },
  {
    rule: 'a key that is written twice is named with its first line',
    files: one(page('title: A\nslug: a\ntitle: B')),
    problems: at('4:1 front-matter-yaml'),
    says: '`title` is written twice, first on line 2',
  },
  {
    rule: 'a tab for indentation is named',
    files: one(page('title: A\ntags:\n\t- b')),
    problems: at('4:1 front-matter-yaml'),
    says: 'a tab indents this line',
  },
  {
    rule: 'a double quote that is never closed is found where it opens',
    files: one(page('title: "A\nslug: a')),
    problems: at('2:8 front-matter-yaml'),
    says: 'never closed',
  },
  {
    rule: 'a single quote that is never closed is found where it opens',
    files: one(page("title: 'A\nslug: a")),
    problems: at('2:8 front-matter-yaml'),
  },
  {
    rule: 'a bracket that is never closed is found where it opens',
    files: one(page('title: A\ntags: [b, c\nslug: a')),
    problems: at('3:7 front-matter-yaml'),
    says: 'a `]` is missing',
  },
  {
    rule: 'a value that starts with @ is shown in quotes',
    files: one(page('title: @home')),
    problems: at('2:8 front-matter-yaml'),
    says: '`title: "@home"`',
  },
  {
    rule: 'a value that starts with a backtick is named',
    files: one(page('title: `a` and b')),
    problems: at('2:8 front-matter-yaml'),
    says: 'backtick',
  },
  {
    rule: 'an unknown alias is explained',
    files: one(page('title: *star')),
    problems: at('2:8 front-matter-yaml'),
    says: 'alias',
  },
  {
    rule: 'an unknown tag is explained',
    files: one(page('title: !important A')),
    problems: at('2:8 front-matter-yaml'),
    says: 'tag',
  },
  {
    rule: 'a missing space behind the colon is repaired',
    files: one(page('title:A\nslug: a')),
    problems: at('2:6 front-matter-yaml'),
    says: '`title: A`',
  },
  {
    rule: 'a line without a key is named',
    files: one(page('title: A\n\nstray words\nslug: a')),
    problems: at('4:1 front-matter-yaml'),
    says: 'not `key: value`',
  },
  {
    rule: 'text behind a closing quote is named',
    files: one(page('title: "A" or B')),
    problems: at('2:12 front-matter-yaml'),
    says: 'text after the closing quote',
  },
  {
    rule: 'a list instead of keys is named',
    files: one(page('- title: A')),
    problems: at('2:1 front-matter-yaml'),
  },
  {
    rule: 'an open fence is a problem, not a text',
    files: one('---\ntitle: A\n\nText\n'),
    problems: at('1:1 front-matter-yaml'),
    says: 'not closed',
  },
  {
    rule: 'a closing fence with text behind it is a problem',
    files: one('---\ntitle: A\n---- \nText\n---\n'),
    problems: at('3:1 front-matter-yaml'),
  },
  {
    rule: 'empty lines above the front matter are a problem',
    files: one(`\n\n${page('title: A')}`),
    problems: at('3:1 front-matter-yaml'),
    says: 'starts on line 1',
  },
  {
    rule: 'TOML is named',
    files: one('+++\ntitle = "A"\n+++\nText\n'),
    problems: at('1:1 front-matter-yaml'),
    says: 'TOML',
  },
  ...['js', 'javascript', 'coffee', 'json', 'cson', '__proto__'].map((language) => ({
    rule: `---${language} is refused and never run`,
    files: one(`---${language}\n{ title: globalThis.hacked = 'A' }\n---\n`),
    problems: at('1:4 front-matter-yaml'),
    says: 'never run',
  })),
  {
    rule: 'an alias bomb is refused',
    files: one(page(`title: A\na: &a [x,x,x,x,x,x,x,x,x]\n${bomb()}`)),
    problems: at('4:8 front-matter-yaml'),
    says: 'aliases (`*name`) make more than 20,000 values',
  },
  {
    rule: 'deep nesting is refused',
    files: one(page(`title: A\nlist: ${'['.repeat(5000)}${']'.repeat(5000)}`)),
    problems: at('3:106 front-matter-yaml'),
    says: 'nest',
  },
  {
    rule: 'more than 64 KB of front matter are refused',
    files: one(page(`title: A\nnote: ${'x'.repeat(70_000)}`)),
    problems: at('1:1 front-matter-yaml'),
    says: 'kbsync reads at most 65,536',
  },
  {
    rule: 'a value that two parsers read differently is refused',
    files: one(page('title: A\nordering: 0b11')),
    problems: at('3:11 front-matter-yaml'),
    says: 'do not agree on `ordering`: `3` or `0b11`',
  },
  {
    rule: 'a key that is a list is told as what it is',
    files: one(page('title: A\n? [a, b]\n: c')),
    problems: at('3:3 front-matter-yaml'),
    says: 'a key of the front matter must be text; this one is a list',
  },
  {
    rule: 'a key that is nothing is told as what it is',
    files: one(page('title: A\n? \n: c')),
    problems: at('3:3 front-matter-yaml'),
    says: 'this one is nothing',
  },
];

function bomb(): string {
  return ['b', 'c', 'd', 'e', 'f']
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcde'[index]}`).join(',')}]`)
    .join('\n');
}

const FIELDS: readonly Case[] = [
  { rule: 'a title is needed', files: one(page('slug: a')), problems: at('1:1 missing-field') },
  { rule: 'a file without front matter needs one', files: one('# A\n'), problems: at('1:1 missing-field') },
  {
    rule: 'an empty title is missing',
    files: one(page('slug: a\ntitle:')),
    problems: at('3:1 missing-field'),
  },
  {
    rule: 'a category needs a name',
    files: { 'en/categories/c.md': page('title: C') },
    problems: ['content/en/categories/c.md:1:1 missing-field', 'content/en/categories/c.md:2:8 unknown-key'],
  },
  {
    rule: 'a title is text',
    files: one(page('title: [A]')),
    problems: at('2:8 wrong-type'),
    says: 'it is a list',
  },
  {
    rule: 'ordering is a number',
    files: one(page('title: A\nordering: first')),
    problems: at('3:11 wrong-type'),
    says: '`ordering` must be a number; it is the text `first`',
  },
  {
    rule: 'a quoted number is a number, and a word is none',
    files: one(page('title: A\nordering: "three"')),
    problems: at('3:11 wrong-type'),
  },
  {
    rule: 'ordering is finite',
    files: one(page('title: A\nordering: .inf')),
    problems: at('3:11 wrong-type'),
  },
  {
    rule: 'a flag is true or false, not yes',
    files: one(page('title: A\nhideFromSearch: yes')),
    problems: at('3:17 wrong-type'),
    says: '`true` or `false`',
  },
  {
    rule: 'a status is one of two',
    files: one(page('title: A\nstatus: publish')),
    problems: at('3:9 wrong-type'),
    says: 'did you mean `published`?',
  },
  { rule: 'a status cannot be empty', files: one(page('title: A\nstatus:')), problems: at('3:1 wrong-type') },
  {
    rule: 'a date is one of the calendar',
    files: one(page('title: A\narticleReviewDate: 2026-02-30')),
    problems: at('3:20 wrong-type'),
  },
  {
    rule: 'a date is ISO 8601',
    files: one(page('title: A\narticleReviewDate: 1 March 2026')),
    problems: at('3:20 wrong-type'),
  },
  {
    rule: 'a banner is no script',
    files: one(page('title: A\nseoBannerUrl: "javascript:alert(1)"')),
    problems: at('3:15 wrong-type'),
  },
  { rule: 'a slug has no slash', files: one(page('title: A\nslug: a/b')), problems: at('3:7 wrong-type') },
  { rule: 'a slug has no blank', files: one(page('title: A\nslug: a b')), problems: at('3:7 wrong-type') },
  {
    rule: 'tags are a list of names',
    files: one(page('title: A\ntags: [{ a: b }]')),
    problems: at('3:7 wrong-type'),
  },
  {
    rule: 'lang must be that of the folder',
    files: one(page('title: A\nlang: fr')),
    problems: at('3:7 wrong-type'),
    says: '`en`, the language of the folder `en`',
  },
  {
    rule: 'a translation key has no @',
    files: one(page('title: A\ntranslationKey: a@b')),
    problems: at('3:17 wrong-type'),
  },
  {
    rule: 'an unknown key is a warning with a guess',
    files: one(page('title: A\nexerpt: Text')),
    problems: at('3:9 unknown-key'),
    says: 'an article has no field `exerpt`; did you mean `excerpt`?',
  },
  {
    rule: 'a key of a prototype is as unknown as any other',
    files: one(page('title: A\n__proto__: x\nconstructor: y')),
    problems: [...at('3:12 unknown-key'), ...at('4:14 unknown-key')],
  },
  {
    rule: 'a title, a name and a slug have no control characters, other fields no NUL',
    files: {
      'en/articles/a.md': page(
        'title: "Ref\\u009Dunds"\nslug: "a\\u0007b"\nexcerpt: "x\\0"\nseoBannerUrl: https://a.b/c',
      ),
      'en/tags/b.md': page('name: "B\\eB"\ndescription: "x\\u009D"'),
    },
    problems: [
      ...at('2:8 control-character'),
      ...at('3:7 control-character'),
      ...at('4:10 control-character'),
      'content/en/tags/b.md:2:7 control-character',
    ],
    says: '`title` contains U+009D, a control character; no page shows it, and a service may refuse the record: remove it',
  },
  {
    rule: 'an excerpt is counted in UTF-16 units',
    files: one(page(`title: A\nexcerpt: ${'😀'.repeat(81)}`)),
    problems: at('3:10 excerpt-long'),
    says: 'the excerpt has 162 characters, and the service accepts at most 160; kbsync cuts it after a word',
  },
  {
    rule: 'half a character from an escape is refused',
    files: one(page(String.raw`title: "A \ud83d"`)),
    problems: at('2:8 bad-encoding'),
  },
];

const FILES: readonly Case[] = [
  {
    rule: 'a byte that is not UTF-8 is found',
    files: one(bytes('---\ntitle: é', 0xff, 0x0a)),
    problems: at('2:9 bad-encoding'),
    says: 'not UTF-8',
  },
  {
    rule: 'Latin-1 is not UTF-8',
    files: one(bytes('---\ntitle: caf', 0xe9, 0x0a)),
    problems: at('2:11 bad-encoding'),
  },
  {
    rule: 'a NUL is found',
    files: one('---\ntitle: A\n---\nab\0c'),
    problems: at('4:3 bad-encoding'),
    says: 'NUL',
  },
  {
    rule: 'UTF-16 is not UTF-8',
    files: one(new Uint8Array([0xff, 0xfe, 0x2d, 0, 0x2d, 0])),
    problems: at('1:1 bad-encoding'),
  },
  {
    rule: 'more than 5 MB are refused',
    files: one(page('title: A', 'x'.repeat(5_000_000))),
    problems: at('1:1 too-large'),
    says: 'bytes; kbsync reads at most 5,000,000',
  },
  {
    rule: 'a table that would write a hundred megabytes is refused',
    files: one(page('title: A', `${'|a'.repeat(5000)}|\n${'|-'.repeat(5000)}|\n${'|\n'.repeat(100)}`)),
    problems: at('1:1 too-large'),
    says: 'table cells',
  },
  {
    // To parse it takes hours.
    rule: 'a line that opens more than a thousand lists and quotations is refused before it is parsed',
    files: one(page('title: A', `Text.\n\n${'- > 1. '.repeat(600_000)}a\n`)),
    problems: at('1:1 too-large'),
    says: '1,800,000 levels in a line; kbsync reads at most 1,000',
  },
  {
    // The parser copies the paragraph at each of them, and the copies are more than a string can hold.
    rule: 'a quotation of 40,000 entities is refused before it is parsed',
    files: one(page('title: A', `> [!NOTE]\n> ${'&amp;'.repeat(40_000)}\n`)),
    problems: at('1:1 too-large'),
    says: '800,340,000 characters in front of entities like `&amp;` in long paragraphs; kbsync reads at most 100,000,000',
  },
  {
    rule: 'a Git LFS pointer is no text',
    files: one('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'),
    problems: at('1:1 lfs-pointer'),
  },
  {
    rule: 'a merge marker in the body is found',
    files: one(page('title: A', 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> main\n')),
    problems: at('5:1 merge-marker'),
    says: '`<<<<<<< HEAD`',
  },
  {
    rule: 'a merge marker in the front matter is found beside the YAML that it breaks',
    files: one('---\n<<<<<<< HEAD\ntitle: A\n=======\ntitle: B\n>>>>>>> main\n---\n'),
    problems: [...at('2:1 merge-marker'), ...at('2:1 front-matter-yaml')],
  },
  {
    rule: 'a folder that is misspelt is named with the right one',
    files: { 'en/artciles/a.md': page('title: A'), [A]: page('title: A') },
    problems: ['content/en/artciles/a.md:1:1 unexpected-file'],
    says: 'did you mean `en/articles/a.md`?',
  },
  {
    rule: 'MDX is not read',
    files: { 'en/articles/a.mdx': page('title: A') },
    problems: ['content/en/articles/a.mdx:1:1 unexpected-file'],
    says: 'MDX',
  },
];

const TOGETHER: readonly Case[] = [
  {
    rule: 'two files with one key are named',
    files: { [A]: page('title: A'), 'en/articles/b.md': page('title: B\nslug: b\ntranslationKey: a') },
    problems: ['content/en/articles/b.md:4:17 duplicate-key'],
    says: '`article/a@en` is also made by content/en/articles/a.md',
  },
  {
    rule: 'files whose names differ in capital letters have one key',
    files: { 'en/articles/A.md': page('title: A'), [A]: page('title: B') },
    problems: ['content/en/articles/a.md:1:1 duplicate-key'],
    says: 'is also made by content/en/articles/A.md, whose name differs only in capital letters; rename one',
  },
  {
    rule: 'files whose names differ in how an accent is encoded have one key',
    files: { 'en/articles/caf\u00e9.md': page('title: A'), 'en/articles/cafe\u0301.md': page('title: B') },
    problems: ['content/en/articles/caf\u00e9.md:1:1 duplicate-key'],
    says: 'whose name looks the same but is encoded in another Unicode form (NFC, NFD)',
  },
  {
    rule: 'several tags in one text are told to be a list',
    files: one(page('title: A\ntags: cli, api')),
    problems: at('3:7 unknown-tag'),
    says: 'no tag file defines `cli, api`; several names are a list: `[cli, api]`',
  },
  {
    rule: 'a list in a list of categories is named',
    files: one(page('title: A\ncategories: [[a]]')),
    problems: at('3:13 wrong-type'),
    says: '`categories` must be a list of names; it is a list with a list in it',
  },
  {
    rule: 'what is no number is named as it is',
    files: one(page('title: A\nordering: .nan')),
    problems: at('3:11 wrong-type'),
    says: '`ordering` must be a number; it is the number `NaN`',
  },
  {
    rule: 'a file and the index of its folder have one key',
    files: { 'en/articles/a/index.md': page('title: A'), [A]: page('title: A') },
    problems: ['content/en/articles/a/index.md:1:1 duplicate-key'],
  },
  {
    rule: 'keys that differ only in case are one',
    files: { 'en/articles/Straße.md': page('title: A'), 'en/articles/STRASSE.md': page('title: B') },
    problems: ['content/en/articles/Straße.md:1:1 duplicate-key'],
  },
  {
    rule: 'two articles with one slug in one language are named',
    files: { [A]: page('title: A\nslug: same'), 'en/articles/b.md': page('title: B\nslug: SAME') },
    problems: ['content/en/articles/b.md:3:7 duplicate-slug'],
    says: 'already used by content/en/articles/a.md:3:7',
  },
  {
    rule: 'a slug that differs in capital letters only is told in both spellings',
    files: {
      'en/articles/a.md': page('title: A\nslug: same'),
      'en/articles/b.md': page('title: B\nslug: Same'),
    },
    problems: ['content/en/articles/b.md:3:7 duplicate-slug'],
    says: 'the slug `Same` is already used by content/en/articles/a.md:3:7 as `same`, and a service may treat the two as one',
  },
  {
    rule: 'an unknown tag is found in its list',
    files: {
      'en/tags/refund.md': page('name: Refund'),
      [A]: page('title: A\nslug: a\ntags: [refund, refnd]'),
    },
    problems: at('4:16 unknown-tag'),
    says: 'no tag file defines `refnd`; did you mean `refund`?',
  },
  {
    rule: 'an unknown category is found in a block list',
    files: one(page('title: A\ncategories:\n  - nowhere')),
    problems: at('4:5 unknown-category'),
  },
  {
    rule: 'a category that exists only as a translation cannot be used',
    files: { [A]: page('title: A\ncategories: [c]'), 'fr/categories/c.md': page('name: C') },
    problems: [...at('3:14 unknown-category'), 'content/fr/categories/c.md:1:1 orphan-translation'],
    says: 'the category `c` exists only in `fr`; add it in the default language `en`',
  },
  {
    rule: 'a last segment that fits two categories is not guessed',
    files: {
      'en/categories/a.md': page('name: A'),
      'en/categories/a/faq.md': page('name: FAQ\nslug: faq-a'),
      'en/categories/b.md': page('name: B'),
      'en/categories/b/faq.md': page('name: FAQ\nslug: faq-b'),
      'en/articles/x.md': page('title: X\ncategories: [faq]'),
    },
    problems: ['content/en/articles/x.md:3:14 unknown-category'],
    says: '`faq` fits several categories: `a/faq`, `b/faq`',
  },
  {
    rule: 'a circle of categories is named once, with its members',
    files: {
      'en/categories/a.md': page('name: A\ncategoryParent: b'),
      'en/categories/b.md': page('name: B\ncategoryParent: c'),
      'en/categories/c.md': page('name: C\ncategoryParent: a'),
    },
    problems: ['content/en/categories/c.md:3:17 category-cycle'],
    says: '`a` in `b` in `c` in `a`',
  },
  {
    rule: 'a category is not its own parent',
    files: { 'en/categories/a.md': page('name: A\ncategoryParent: a') },
    problems: ['content/en/categories/a.md:3:17 category-cycle'],
  },
  {
    rule: 'a translation without an original is a warning that says what to add',
    files: { 'fr/articles/a.md': page('title: A') },
    problems: ['content/fr/articles/a.md:1:1 orphan-translation'],
    says: 'add content/en/articles/a.md',
  },
  {
    rule: 'if all files are in another language than the default one, a warning names the setting',
    files: { 'fr/articles/a.md': page('title: A'), 'fr/articles/b.md': page('title: B') },
    problems: [
      'content/fr/articles/a.md:1:1 orphan-translation',
      'content/fr/articles/b.md:1:1 orphan-translation',
    ],
    says: 'if the originals are in `fr`, write `defaultLanguage: fr` into kbsync.yaml',
  },
  {
    rule: 'a dead link is found at its place, with the file that was meant',
    files: {
      [A]: page('title: A', 'One.\n\nSee [B](intsall.md).\n'),
      'en/articles/install.md': page('title: Install'),
    },
    problems: at('6:5 dead-link'),
    says: 'no file for the link `intsall.md`; did you mean `install.md`?',
  },
  {
    rule: 'a mail address without its scheme is told to have one',
    files: one(page('title: A', '[Write](team@acme.test)')),
    problems: at('4:1 dead-link'),
    says: 'no file for the link `team@acme.test`; did you mean `mailto:team@acme.test`?',
  },
  {
    rule: 'a link out of the content folder is dead',
    files: one(page('title: A', '[x](../../../README.md)\n')),
    problems: at('4:1 dead-link'),
    says: 'leads out of the content folder',
  },
  {
    rule: 'a link in raw HTML is checked',
    files: one(page('title: A', 'See <a href="b.md">B</a>.\n')),
    problems: at('4:5 dead-link'),
  },
  {
    rule: 'a dead anchor names the heading that was meant',
    files: one(page('title: A', '## Quota limits\n\n[x](#quota-limit)\n')),
    problems: at('6:1 dead-anchor'),
    says: 'no heading `#quota-limit` in content/en/articles/a.md; did you mean `#quota-limits`?',
  },
  {
    rule: 'a missing image is found',
    files: one(page('title: A', 'a ![x](img/x.png)\n')),
    problems: at('4:3 missing-image'),
  },
  {
    rule: 'an image without a host is a problem',
    files: { ...one(page('title: A', '![x](x.png)\n')), 'en/articles/x.png': 'png' },
    problems: at('4:1 image-not-hosted'),
    says: '`assets.baseUrl`',
  },
  {
    rule: 'a banner that is no file is found',
    files: one(page('title: A\nseoBannerUrl: ./banner.png')),
    problems: at('3:15 missing-image'),
  },
  {
    rule: 'dropped HTML is a warning at each tag',
    files: one(page('title: A', 'a\n\n<div>\n  <script>x</script>\n</div>\n\nb <blink>c</blink>\n')),
    problems: [...at('7:3 html-dropped'), ...at('10:3 html-dropped')],
    says: '`<script>` is left out',
  },
  {
    rule: 'an unsafe address is named',
    files: one(page('title: A', '[x](javascript:alert(1))\n')),
    problems: at('4:1 html-dropped'),
    says: '`javascript:` addresses are not safe',
  },
];

test.each([...YAML, ...FIELDS, ...FILES, ...TOGETHER])(
  '$rule',
  async ({ files, problems, says, options }) => {
    const loaded = await load(files, options);
    expect(loaded.places).toEqual(problems);
    expect(loaded.messages[0]).toContain(says ?? '');
    expect('hacked' in globalThis).toBe(false);
  },
);

test('problems of all files are collected and sorted by file and line', async () => {
  const { places } = await load({
    'en/articles/b.md': page('title: [B]\nordering: x'),
    'en/articles/a.md': page('title: A: b'),
    'en/tags/t.md': page('name: T\nfoo: bar'),
  });
  expect(places).toEqual([
    'content/en/articles/a.md:2:9 front-matter-yaml',
    'content/en/articles/b.md:2:8 wrong-type',
    'content/en/articles/b.md:3:11 wrong-type',
    'content/en/tags/t.md:3:6 unknown-key',
  ]);
});

test('places count lines of a file with CRLF and a BOM as an editor shows them', async () => {
  const { places } = await load(
    one(`\uFEFF${page('title: A', 'a\n\n[x](b.md)\n').replaceAll('\n', '\r\n')}`),
  );
  expect(places).toEqual(at('6:1 dead-link'));
});

test('an allowed code is a warning, and what it concerns is left out or mended', async () => {
  const { problems, record } = await load(
    {
      [A]: page(
        `title: A\ncategories: [c, nowhere]\ntags: [nowhere]\nexcerpt: ${'word '.repeat(50)}`,
        '[x](b.md)\n',
      ),
      'en/articles/untitled.md': page('slug: u'),
      'en/categories/c.md': page('name: C'),
    },
    { allow: new Set(['unknown-category', 'unknown-tag', 'excerpt-long', 'dead-link', 'missing-field']) },
  );
  expect(problems.map(({ severity }) => severity)).toEqual(Array(5).fill('warning'));
  expect(record('article', 'a').fields['categories']).toEqual(['category/c']);
  expect(record('article', 'a').fields['tags']).toBeUndefined();
  expect(String(record('article', 'a').fields['excerpt']).length).toBeLessThanOrEqual(160);
  expect(record('article', 'a').body?.render()).toContain('href="b.md"');
  expect(record('article', 'untitled').fields['title']).toBe('untitled');
});

test('a code that costs the record stays an error, whatever is allowed', async () => {
  const { problems } = await load(one(page('title: A: b')), { allow: new Set(['front-matter-yaml']) });
  expect(problems.map(({ severity }) => severity)).toEqual(['error']);
});

test('a circle of categories that is allowed leaves a tree', async () => {
  const { record } = await load(
    {
      'en/categories/a.md': page('name: A\ncategoryParent: b'),
      'en/categories/b.md': page('name: B\ncategoryParent: a'),
    },
    { allow: new Set(['category-cycle']) },
  );
  expect([
    record('category', 'a').fields['categoryParent'],
    record('category', 'b').fields['categoryParent'],
  ]).toEqual(['category/b', undefined]);
});

import { expect, test } from 'vitest';
import { articleCreateBody } from '../../../src/contract/article.ts';
import { validate } from '../../../src/service/api/validate.ts';
import { load, page } from '../support/support.ts';
import type { Files } from '../support/support.ts';

const words = (count: number): string => Array.from({ length: count }, (_, index) => `t${index}`).join(', ');
const links = (count: number): string =>
  Array.from({ length: count }, (_, index) => `<https://example.com/${index}>`).join('\n');

type Case = readonly [what: string, text: string, problems: readonly string[], says?: RegExp];

const CASES: readonly Case[] = [
  [
    'a title of 1,001 characters',
    page(`title: ${'x'.repeat(1001)}`),
    ['2:8 beyond-limit'],
    /^`title` has 1,001 characters; a service may refuse more than 1,000$/,
  ],
  ['characters, not UTF-16 units, are counted', page(`title: ${'😀'.repeat(1000)}`), []],
  ['a slug of 256 characters', page(`title: A\nslug: ${'x'.repeat(256)}`), ['3:7 beyond-limit']],
  ['a slug that turns directions', page('title: A\nslug: "a\\u202eb"'), ['3:7 control-character'], /U\+202E/],
  ['a slug of dots', page('title: A\nslug: ".."'), ['3:7 wrong-type']],
  ['a slug that nobody can see', page('title: A\nslug: "\\u200b"'), ['3:7 wrong-type']],
  [
    'a number without its last digits',
    page('title: A\nordering: 9007199254740993'),
    ['3:11 beyond-limit'],
    /beyond ±9,007,199,254,740,991/,
  ],
  [
    'more links than a service keeps',
    page('title: A', `${links(5001)}\n`),
    ['1:1 beyond-limit'],
    /^the text links to 5,001 addresses/,
  ],
  ['as many links as it keeps', page('title: A', `${links(5000)}\n`), []],
  ['quotes in quotes', page('title: A', `${'> '.repeat(300)}x\n`), ['4:1 beyond-limit'], /nested 301 deep/],
  [
    'lists in lists',
    page('title: A', Array.from({ length: 130 }, (_, index) => `${'  '.repeat(index)}- x`).join('\n')),
    ['4:1 beyond-limit'],
    /nested 260 deep/,
  ],
  ['a wide table of tags is not deep', page('title: A', `${'<b>x</b>'.repeat(400)}\n`), []],
  [
    'more bytes than a request may have',
    page('title: A', `${'x'.repeat(2_100_000)}\n`),
    ['4:1 beyond-limit'],
    /2,100,\d+ bytes as HTML/,
  ],
  [
    'a picture within its address is not sent, so its bytes do not count',
    page(
      'title: A',
      `![x](data:image/png;base64,${'A'.repeat(3_000_000)})
`,
    ),
    ['4:1 html-dropped'],
    /^`data:image/,
  ],
];

test.each(CASES.map(([rule, text, problems, says]) => ({ rule, text, problems, says })))(
  'check names what a service may refuse: $rule',
  async ({ text, problems, says }) => {
    const { places, messages } = await load({ 'en/articles/a.md': text });
    expect(places).toEqual(problems.map((problem) => `content/en/articles/a.md:${problem}`));
    expect(messages[0] ?? '').toMatch(says ?? '');
  },
);

test('check names a thousand tags too many', async () => {
  const files: Files = { 'a.md': page(`title: A\ntags: [${words(1001)}]`) };
  const { messages } = await load(files, { preset: 'plain' });
  expect(messages).toContain('`tags` has 1,001 entries; a service may refuse more than 1,000');
});

const REST = { content: '', categories: [], excerpt: '', ordering: 0, status: 'draft' };

/** Whatever a title and a slug are made of: if check is silent, the service takes them. */
test('what check says nothing of, the service takes', async () => {
  const marks = [0, 7, 9, 0x7f, 0x85, 0x9d, 0xa0, 0xad, 0x200b, 0x2028, 0x202e, 0x2066, 0xfeff, 0xe0001];
  const files: Record<string, string> = {};
  for (const [index, mark] of marks.entries()) {
    const shown = `\\U${mark.toString(16).padStart(8, '0')}`;
    files[`en/articles/t${index}.md`] = page(`title: "T${shown}${index}"`);
    files[`en/articles/s${index}.md`] = page(`title: S${index}\nslug: "s${shown}${index}"`);
    files[`en/articles/o${index}.md`] = page(`title: "${shown}"\nslug: o${index}`);
    files[`en/articles/p${index}.md`] = page(`title: P${index}\nslug: "${shown}"`);
  }
  const { records, problems } = await load(files);
  const named = new Set(problems.map(({ at }) => at.file));
  let silent = 0;
  for (const record of records.values()) {
    if (named.has(record.at.file)) continue;
    silent += 1;
    const slug = record.fields['slug'] ?? record.key.replace(/^article\/|@en$/g, '');
    expect(() => validate(articleCreateBody, { ...REST, title: record.fields['title'], slug })).not.toThrow();
  }
  expect(silent).toBeGreaterThan(10);
});

test('check names each language once whose code no service takes', async () => {
  const { messages, places } = await load({
    'en/articles/a.md': page('title: A'),
    'pt_BR/articles/a.md': page('title: A'),
    'pt_BR/articles/b.md': page('title: B'),
    'en/articles/b.md': page('title: B'),
    'zh-hant/articles/a.md': page('title: A'),
  });
  expect(places).toEqual(['content/pt_BR/articles/a.md:1:1 language-code']);
  expect(messages).toEqual([
    '`pt_BR` is no language code (BCP 47), and a service may refuse it; write `languages: { pt_BR: pt-BR }`',
  ]);
});

test('check names control characters that only the name of a file has, in every layout', async () => {
  const files: Files = { 'a\u202eb.md': page('title: A'), 'c\u0085d.md': page('title: C') };
  const { problems } = await load(files, { preset: 'plain' });
  expect(problems.map(({ code }) => code)).toEqual(['control-character', 'control-character']);
});

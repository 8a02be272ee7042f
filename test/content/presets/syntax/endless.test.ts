import { expect, test } from 'vitest';
import { summaryItems } from '../../../../src/content/presets/pages/summary.ts';
import type { PresetName } from '../../../../src/content/presets/names.ts';
import { markedElements } from '../../../../src/content/presets/syntax/families/html-markdown.ts';
import type { Source } from '../../../../src/content/presets/syntax/family.ts';
import { load } from '../../support/support.ts';

const blanks = ' '.repeat(20_000);

/** Text that a pattern reads again from each of its characters: with what was there before, hours to centuries. */
test.each<[PresetName, string, string]>([
  ['docusaurus', 'an export', `export const a =${blanks}${blanks}; =\n`],
  ['docusaurus', 'values without an end', `${'<A b={ '.repeat(20_000)}>\n`],
  ['docusaurus', 'an expression of slashes', `a {${'/'.repeat(60)}\nx} b\n`],
  ['docusaurus', 'imports of types in a line', `import "a"${';import type a from "b"'.repeat(60)} x\n`],
  ['docusaurus', 'a note behind a heading', `# A${' [#a'.repeat(5000)}${blanks}[\n`],
  ['mkdocs', 'a block of slashes', `/// note |${blanks}${blanks}x\n${`/// note ${blanks}x\n`.repeat(10)}`],
  ['mkdocs', 'a row below a head that ends otherwise', `| a \`b|c\` |\n${blanks}${'- | '.repeat(5000)}x\n`],
  ['mkdocs', 'code in the head of a table', `a ${'`'.repeat(20_000)} | a\n- -|-\n`],
  ['vocs', 'a subtitle without an end', `#${' a'.repeat(10_000)}${' [a'.repeat(10_000)}${blanks}x\n`],
  ['myst', 'lines of code', `\`\`\`{literalinclude} a.md\n:lines: 1${blanks}${blanks}x\n\`\`\`\n`],
  ['mkdocs', 'an include of code', `{* ${'}'.repeat(20_000)}${blanks}\n`],
  ['mkdocs', 'a row of hyphens that is none', `| a |\n${'-'.repeat(400_000)}x\n`],
  ['mkdocs', 'a module', `::: a.b\n${'   \n'.repeat(5000)}x\n`],
  ['docfx', 'code of another file', `:::code ${blanks}${blanks}\n`],
  ['retype', 'code of another file', `:::code source="a.js"${`${blanks}x`.repeat(10)}\n`],
  ['vitepress', 'an include', `<!--@include: a${blanks}\n`],
  ['docsify', 'options of a link', `[a](b "${':id=1'.repeat(5000)}\n`],
  ['docsify', 'options of many links', `${'[a](b ":id='.repeat(5000)}\n`],
  ['nuxt', 'a tag of Markdoc', `{% /a %}\n\n{%A${'A-'.repeat(20_000)}\n`],
  ['quarto', 'a caption', `| a |\n|---|\n| b |\n\n: ${blanks}${blanks}\u2028}\n`],
  ['quarto', 'a cell of many breaks', `+---+\n| a |\n${'|   |\n'.repeat(2000)}| b |\n+---+\n`],
  ['quarto', 'commands of TeX in one line', String.raw`\begin a `.repeat(100_000)],
  ['quarto', 'a div that is none', `::: a${blanks.repeat(15)}b\n`],
  ['nuxt', 'a line of blanks', `a\n${blanks.repeat(15)}b\n`],
  ['jekyll', 'an include', `{% include ${'a'.repeat(40_000)}\n`],
  ['vitepress', 'a name of a fence', `\`\`\`js ${'['.repeat(40_000)}\nx\n\`\`\`\n`],
  ['mkdocs', 'marks of a fence', `${'~~~'.repeat(7000)}${blanks}\u2028\n`],
  ['vitepress', 'scripts without an end', '<script setup>\n'.repeat(20_000)],
  ['kbsync', 'comments without an end', `x ${'<!-- a\n'.repeat(40_000)}\n`],
  ['vuepress', 'comments without an end, in a line', `${'<!-- '.repeat(200_000)}\n\n::: tip\n`],
  ['myst', 'signs of formulas that close none', `${'$a '.repeat(300_000)}\n`],
  ['kbsync', 'code in a heading', `# a -- ${'`'.repeat(20_000)} b\n`],
  ['kbsync', 'a comment in a heading that does not end', `# a {/* #${'x'.repeat(600_000)}}\n`],
  ['plain', 'a line of blanks and a letter', `${blanks}${blanks}x\n`],
  ['kbsync', 'a cell of hyphens', `| a | b |\n|---|---|\n| ${'-'.repeat(40_000)}x | c |\n`],
  // To Markdown, a line separator is no blank, so this is no rule but lists in lists.
  ['kbsync', 'a rule that is none', `${'- '.repeat(20_000)}\u2028\n`],
  // Parts of which each looked at all others.
  [
    'vitepress',
    'marks in code that reach far',
    `\`\`\`js\n${'a // [!code ++:99999]\n'.repeat(40_000)}\`\`\`\n`,
  ],
  ['jekyll', 'many attributes', '{: .note }\na{:.x}\n\n'.repeat(6000)],
  [
    'docfx',
    'many pictures and rows',
    `:::image source="/a.png" alt-text="b":::\n\n:::row:::\n\n`.repeat(10_000),
  ],
  ['docusaurus', 'many steps', `<Steps>\n\n${'<Step title="a">\n\na\n\n</Step>\n\n'.repeat(6000)}</Steps>\n`],
  // Each of its folders was looked into for a .gitignore.
  ['plain', 'a link through many folders', `[a](${'a/'.repeat(40_000)}x)\n`],
  ['plain', 'a link of slashes', `[a](${'/'.repeat(300_000)}x)\n`],
  ['plain', 'an address of many signs before its end', `<a href="${'#'.repeat(300_000)}\n">a</a>\n`],
])('%s: %s ends', async (preset, _, text) => {
  const end = preset === 'docusaurus' ? 'mdx' : preset === 'quarto' ? 'qmd' : 'md';
  const file = `${preset === 'kbsync' ? 'en/articles/' : ''}a.${end}`;
  const { records, problems } = await load({ [file]: `---\ntitle: A\n---\n\n${text}` }, { preset });
  const bodies = [...records.values()].map(({ body }) => body?.render());
  expect(bodies.length + problems.length).toBeGreaterThan(0);
});

test('opening signs of formulas that nothing closes cost one look', async () => {
  const settings = String.raw`[markup.goldmark.extensions.passthrough]
enable = true
[markup.goldmark.extensions.passthrough.delimiters]
inline = [['\(', '\)']]
`;
  const signs = String.raw`\(a `.repeat(200_000);
  const loaded = await load(
    { 'a.md': `---\ntitle: A\n---\n\n${signs}\n`, '../hugo.toml': settings },
    { preset: 'hugo' },
  );
  expect(loaded.record('article', 'a').body?.render()).toContain('(a (a');
});

test('attributes below a block of Hugo end too, and are still read', async () => {
  const settings = '[markup.goldmark.parser.attribute]\nblock = true\n';
  const loaded = await load(
    {
      'a.md': `---\ntitle: A\n---\n\nWords.\n{.- -=>${',-=#'.repeat(5000)}"}\n`,
      'b.md': '---\ntitle: B\n---\n\nWords.\n{#own .wide, width=100 title="a, b"}\n',
      '../hugo.toml': settings,
    },
    { preset: 'hugo' },
  );
  expect(loaded.record('article', 'a').body?.render()).toContain('Words.');
  expect(loaded.record('article', 'b').body?.render()).toContain('id="own"');
});

test('a heading of a navigation ends before its closing marks, however long its blanks are', () => {
  const text = `# Summary\n\n## One ##\n\n- [A](a.md)\n\n# ${' '.repeat(3900)}\u2028x\n\n## \u2028 ${' '.repeat(3900)}\u2028\n\n- [B](b.md)\n`;
  const items = summaryItems(text, (address) => address);
  expect(items.map(({ title }) => title)[0]).toBe('One');
  expect(JSON.stringify(items)).toContain('b.md');
});

test('a first line of more than a thousand characters is no title, and stays whole', async () => {
  const { record } = await load(
    { 'a.md': `---\ntitle: A\n---\n\n# a ${'- '.repeat(600)}b\n` },
    { preset: 'plain' },
  );
  expect(record('article', 'a').body?.render()).toMatch(/^<h1[^>]*>a (?:- ){600}b<\/h1>\s*$/);
});

test.each([
  ['without an end', '<div markdown="1">\n'.repeat(30_000)],
  ['inside each other', '<div markdown="1">\n'.repeat(8000) + '</div>\n'.repeat(8000)],
  ['of other names', Array.from({ length: 30_000 }, (_, at) => `<a${at} markdown="1">\n`).join('')],
])('elements %s whose text is Markdown cost a look each, not one at the rest of the page', (_, body) => {
  const source: Partial<Source> = { body, inCode: () => false };
  const started = performance.now();
  markedElements({ ...source, context: { isMdx: false } } as Source);
  // It took up to 24 seconds.
  expect(performance.now() - started).toBeLessThan(8000);
});

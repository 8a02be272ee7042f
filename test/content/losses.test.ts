import { expect, test } from 'vitest';
import { load, page } from './support/support.ts';
import type { Files } from './support/support.ts';
import type { PresetName } from '../../src/content/presets/names.ts';
import type { ContentOptions } from '../../src/content/options.ts';

const WORDS = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

async function said(preset: PresetName, files: Files, options: Partial<ContentOptions> = {}) {
  const { places, messages } = await load(files, { preset, ...options });
  return places.map((place, index) => `${place}: ${messages[index]}`);
}

test('an element that is never closed is an error that says how much would be lost, with its place', async () => {
  const body = `Text.\n\n<iframe src="https://x.test" />\n\n${WORDS}\n`;
  const found = await said('kbsync', { 'en/articles/a.md': page('title: A', body) });
  expect(found.filter((line) => line.includes('html-swallows'))).toEqual([
    'content/en/articles/a.md:6:1 html-swallows: `<iframe>` is never closed, so the 60 words below it would be lost; close it with `</iframe>`',
  ]);
  const closed = body.replace('/>', '></iframe>');
  const fine = await said('kbsync', { 'en/articles/a.md': page('title: A', closed) });
  expect(fine.filter((line) => line.includes('html-swallows'))).toEqual([]);
});

test('a page that loses more than a third of its words says so, with the piece that loses most', async () => {
  const files = {
    'a.md': page('title: A', `Text that stays.\n\n{% comment %}\n${WORDS}\n{% endcomment %}\n`),
  };
  expect(await said('gitbook', files)).toEqual([
    'content/a.md:6:1 text-lost: the page would lose 60 of its 63 words, most of them with `{% comment %}`; give that part a rule in `components:`, or leave the page out with `exclude:`',
  ]);
});

test('what a rule of the author drops is no loss', async () => {
  const files = { 'docs/a.mdx': page('title: A', `Text that stays.\n\n<Demo>\n${WORDS}\n</Demo>\n`) };
  expect(await said('docusaurus', files, { components: { Demo: 'drop' } })).toEqual([]);
});

test('the words of a picture are seen, also where a comment of the page is not', async () => {
  const pictures = Array.from(
    { length: 8 },
    (_, n) => `![downloads of part ${n}](https://img.test/${n}.svg)`,
  );
  const body = `%% ${WORDS} %%\n\n${pictures.join('\n')}\n`;
  expect(await said('wiki', { 'a.md': page('title: A', body) })).toEqual([]);
});

test('what abbreviations mean is no text of the page, so a page of nothing else loses none', async () => {
  const meanings = Array.from({ length: 30 }, (_, n) => `*[A${n}]: meaning of word ${n}`).join('\n');
  expect(await said('mkdocs', { 'a.md': page('title: A', `${meanings}\n`) })).toEqual([]);
});

test('syntax that the layout does not know is named once for each kind, with its count and who knows it', async () => {
  const body = `{% hint style="info" %}\nText.\n{% endhint %}\n\n=== "Tab"\n\n\`{% code %}\` [[Page]]\n\n\`\`\`\n{{ code }}\n\`\`\`\n`;
  expect(await said('plain', { 'a.md': page('title: A', body) })).toEqual([
    'content/a.md:4:1 raw-syntax: `{% hint style="info" %}` would be published as it is written, and 1 more of `{% … %}`; `preset: gitbook` reads it; in this layout write plain Markdown',
    'content/a.md:8:1 raw-syntax: `=== "Tab"` would be published as it is written; `preset: mkdocs` reads it; in this layout write plain Markdown',
    'content/a.md:10:14 raw-syntax: `[[Page]]` would be published as it is written; `preset: wiki` reads it; in this layout write plain Markdown',
  ]);
});

test('the variable of a plugin does not make another layout likely', async () => {
  const body = 'Version {{ version }}.\n';
  expect(await said('mkdocs', { 'a.md': page('title: A', body) })).toEqual([
    expect.stringMatching(/as it is written; kbsync does not read it; write plain Markdown/),
  ]);
  expect(await said('plain', { 'a.md': page('title: A', body) })).toEqual([
    expect.stringMatching(/as it is written; `preset: jekyll` or `preset: vitepress`/),
  ]);
});

test('what a preprocessor of mdBook would replace is named', async () => {
  const body = '{{#releaselink repo:"x" asset:"y.yaml"}}\n\n{{#/more}} and `{{#if x}}`\n';
  expect(await said('mdbook', { 'SUMMARY.md': '- [A](a.md)\n', 'a.md': `# A\n\n${body}` })).toEqual([
    'content/a.md:3:1 raw-syntax: `{{#releaselink repo:"x" asset:"y.yaml"}}` would be published as it is written, and 1 more of `{{#name … }}`; kbsync does not read it; write plain Markdown, or put it in backticks if readers need to see it',
  ]);
});

test('what is named as an unknown part is not named again', async () => {
  const found = await said('vitepress', { 'a.md': page('title: A', '{{ version }}\n') });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('unknown-component');
});

test('what only looks like syntax of a generator is text', async () => {
  const loaded = await load(
    {
      'a.md': page(
        'title: A',
        [
          'Files node_metadata{.h, .cc} and {.spec.name} and {:ok, value}.',
          'Go templates {{ .Values.x }} and {{- $y }}.',
          'Bash [[ -f x ]] and lists [[1, 2], [3]].',
        ].join('\n\n'),
      ),
    },
    { preset: 'plain' },
  );
  expect(loaded.messages).toEqual([]);
  const named = await load(
    { 'a.md': page('title: A', 'A{.is-info}\n\n> B\n\n{: .note #x }\n\n::: package.module.Name\n') },
    { preset: 'plain' },
  );
  expect(named.messages.map((message) => message.replace(/^.*?raw-syntax: /, ''))).toEqual([
    expect.stringMatching(/^`\{\.is-info\}` would be published as it is written, and 1 more/),
    expect.stringMatching(
      /^`::: package\.module\.Name` would be published as it is written; kbsync does not read it/,
    ),
  ]);
});

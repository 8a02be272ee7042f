import { expect, test } from 'vitest';
import { headingIds, headingSlug } from '../../../src/content/markdown/heading-id.ts';
import { scanMarkdown, tableCells } from '../../../src/content/markdown/markdown.ts';
import { html, load, page } from '../support/support.ts';

test.each([
  ['CommonMark emphasis', '*a* __b__ `c`', '<p><em>a</em> <strong>b</strong> <code>c</code></p>'],
  ['a setext heading', 'Two\nlines\n---', '<h2 id="twolines">Two\nlines</h2>'],
  ['a hard break', 'a\\\nb', '<p>a<br>\nb</p>'],
  [
    'a code block with a language',
    '```js\n<a>\n```',
    '<pre><code class="language-js">&lt;a&gt;\n</code></pre>',
  ],
  ['entities', '&copy; &amp; &#35;', '<p>© &amp; #</p>'],
  ['strikethrough', '~~a~~', '<p><del>a</del></p>'],
  ['bare addresses', 'www.example.com', '<p><a href="http://www.example.com">www.example.com</a></p>'],
  ['nested lists', '- a\n  1. b', '<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>'],
  [
    'task lists',
    '- [x] a',
    '<ul class="contains-task-list">\n<li class="task-list-item"><input type="checkbox" checked disabled> a</li>\n</ul>',
  ],
  [
    'tables with alignment and escaped bars',
    '| a | b |\n|:-:|--:|\n| x \\| y | `z` |',
    '<table>\n<thead>\n<tr>\n<th align="center">a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="center">x | y</td>\n<td align="right"><code>z</code></td>\n</tr>\n</tbody>\n</table>',
  ],
  ['a dash line in the body', 'a\n\n---\n\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
  ['no link in code', '`[x](missing.md)`', '<p><code>[x](missing.md)</code></p>'],
])('renders %s', async (_, source, expected) => {
  expect(await html(`${source}\n`)).toBe(expected);
});

test('headings get the ids of GitHub, numbered where they repeat', async () => {
  const out = await html(
    '# A b\n## A b\n## A *b*: `c` & d!\n## Größe & Ö\n## 概要 (一)\n## x {#my-id}\n## A b-1\n',
  );
  expect([...out.matchAll(/id="([^"]+)"/g)].map((match) => match[1])).toEqual([
    'a-b',
    'a-b-1',
    'a-b-c--d',
    'größe--ö',
    '概要-一',
    'my-id',
    'a-b-1-1',
  ]);
});

test.each([
  ['GET /users/{id}', '<h2 id="get-usersid">GET /users/{id}</h2>'],
  ['up{job="api"}', '<h2 id="upjobapi">up{job="api"}</h2>'],
  ['T{#own}', '<h2 id="own">T</h2>'],
  ['T{.x}', '<h2 id="t" class="x">T</h2>'],
  ['The option {name}', '<h2 id="the-option-name">The option {name}</h2>'],
  [String.raw`The option \{name}`, '<h2 id="the-option-name">The option {name}</h2>'],
  ['`code` {name}', '<h2 id="code-name"><code>code</code> {name}</h2>'],
  ['{name}', '<h2 id="name">{name}</h2>'],
  ['Body {"k": 1} ##', '<h2 id="body-k-1">Body {"k": 1}</h2>'],
  ['x {#own}', '<h2 id="own">x</h2>'],
  ['x {: .big #own }', '<h2 id="own" class="big">x</h2>'],
  ['x {id="own" lang=fr}', '<h2 id="own">x</h2>'],
  ["x {#own title='a b'}", '<h2 id="own">x</h2>'],
  ['x {title="see id=other"}', '<h2 id="x">x</h2>'],
  ['x {/*own-id*/}', '<h2 id="own-id">x</h2>'],
  ['x {/* #own-id why */}', '<h2 id="own-id">x</h2>'],
  ['x {/* some words */}', '<h2 id="x">x</h2>'],
  ['x {onclick="alert(1)"}', '<h2 id="x">x</h2>'],
  ['x {#own onclick=alert(1) style="color:red"}', '<h2 id="own">x</h2>'],
])('braces at the end of a heading are text, but for a list of attributes: %s', async (heading, expected) => {
  expect(await html(`## ${heading}\n`)).toBe(expected);
  const id = /id="([^"]*)"/.exec(expected)?.[1] ?? '';
  expect(scanMarkdown(`## ${heading}\n`).headingIds).toEqual([id]);
  expect(await html(`${heading.replace(/ ##$/, '')}\n---\n`)).toBe(expected);
});

test('a heading has the same id for those who link to it and for those who read it', async () => {
  const body =
    '## One & two\n## ~~Gone~~ `code` ![img](x.png)\n## [Link](https://example.com) 😀 end ##\n### &amp; \\* x\nSet\n===\n';
  const { record } = await load(
    { 'en/articles/a.md': page('title: A', body) },
    { allow: new Set(['missing-image']) },
  );
  const rendered = [...(record('article', 'a').body?.render() ?? '').matchAll(/<h\d id="([^"]+)"/g)].map(
    ([, id]) => id,
  );
  expect(scanMarkdown(body).headingIds).toEqual(rendered);
  expect(rendered).toHaveLength(5);
});

test('ids are counted per document', () => {
  const [first, second] = [headingIds(), headingIds()];
  expect([first('a'), first('a'), second('a')]).toEqual(['a', 'a-1', 'a']);
  expect(headingSlug('  Héllo_World -- x ')).toBe('héllo_world----x');
});

test.each(['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION', 'note'])(
  'an alert of kind %s is an admonition',
  async (kind) => {
    const name = kind.toLowerCase();
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    expect(await html(`> [!${kind}]\n> Be *careful*.\n>\n> - x\n`)).toBe(
      `<div class="admonition ${name}">\n<p class="admonition-title">${title}</p>\n<p>Be <em>careful</em>.</p>\n<ul>\n<li>x</li>\n</ul>\n</div>`,
    );
  },
);

test('an alert may start with a link, a break or nothing; other quotes stay quotes', async () => {
  expect(await html('> [!TIP]\n> [x](https://example.com)\n')).toContain(
    '<p class="admonition-title">Tip</p>\n<p><a href="https://example.com">x</a></p>',
  );
  expect(await html('> [!TIP]\n>\n> Text\n')).toBe(
    '<div class="admonition tip">\n<p class="admonition-title">Tip</p>\n<p>Text</p>\n</div>',
  );
  expect(await html('> [!TIP] on one line\n')).toContain('<blockquote>');
  expect(await html('> [!TIP|Mind the gap]\n> Text\n')).toBe(
    '<div class="admonition tip">\n<p class="admonition-title">Mind the gap</p>\n<p>Text</p>\n</div>',
  );
  expect(await html('> [!OTHER]\n> x\n')).toContain('<blockquote>');
});

test('words that rendering adds are in the language of the text', async () => {
  const { record } = await load({
    'en/articles/a.md': page('title: A', 'x'),
    'fr/articles/a.md': page('title: A', '> [!NOTE]\n> Texte[^1]\n\n[^1]: Bas\n'),
  });
  const out = record('article', 'a', 'fr').body?.render() ?? '';
  expect(out).toContain('<p class="admonition-title">Remarque</p>');
  expect(out).toContain('id="footnote-label">Notes</h2>');
  expect(out).toContain('aria-label="Retour à la référence 1"');
});

test('spots are lines and columns of the source, in UTF-16 units', () => {
  const { links, html: pieces } = scanMarkdown(
    'é😀 [a](b.md)\n\n> - <b>x</b>\n>   ![i](c.png)\n\n[r]: d.md\n\n![q][r]\n',
  );
  expect(links).toEqual([
    { url: 'b.md', isImage: false, spot: { line: 1, column: 5 } },
    { url: 'c.png', isImage: true, spot: { line: 4, column: 5 } },
    { url: 'd.md', isImage: true, spot: { line: 6, column: 1 } },
  ]);
  expect(pieces[0]).toEqual({ value: '<b>', spot: { line: 3, column: 5 } });
});

test('the cells of tables are counted before they are written', () => {
  expect(tableCells('no | table\n')).toBe(0);
  expect(tableCells('| a | b |\n|---|---|\n| x | y |\n| z |\n')).toBeGreaterThanOrEqual(4);
  expect(tableCells(`${'|a'.repeat(5000)}\n${'|-'.repeat(5000)}\n${'|\n'.repeat(100)}`)).toBeGreaterThan(
    500_000,
  );
});

test.each([
  ['deep quotes', '> '.repeat(20_000)],
  ['deep lists', Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}- x`).join('\n')],
  ['backticks', Array.from({ length: 3000 }, (_, count) => '`'.repeat(count % 300)).join(' ')],
  ['brackets', '['.repeat(50_000)],
  ['stars', '*a **a '.repeat(20_000)],
  ['tags', '<a '.repeat(50_000)],
])('renders %s', async (_, source) => {
  expect(await html(source)).toMatch(/^<|^$/);
});

import { array, assert, constantFrom, dictionary, property } from 'fast-check';
import { expect, test } from 'vitest';
import { outlineOf } from '../../../src/content/markdown/outline.ts';
import { renderedBody } from '../../../src/content/markdown/render.ts';

/** As a run renders a body, with and without the short way for plain texts. */
function both(body: string, links: ReadonlyMap<string, string>) {
  const { outline } = outlineOf(body, { html: 'sanitize', firstLine: 1 });
  const options = { links, html: 'sanitize', needsSanitiser: outline.needsSanitiser, lang: 'en' } as const;
  return {
    isPlain: outline.isPlain === true,
    byTree: renderedBody(body, options),
    plain: renderedBody(body, {
      ...options,
      plainIds: outline.isPlain === true ? outline.anchors : undefined,
    }),
  };
}

const PIECES = [
  '# A title',
  '## A *second* `one` & more',
  'Setext\n===',
  '> ### In a quote\n> [x](a.md)',
  '> [!NOTE]\n> An alert',
  '> &#91;!TIP]\n> An alert too',
  '## Named {#own-id}',
  '## Classed {.c}',
  '### !!!',
  '### 概要 é',
  '[x](a.md) and [y](b.md "a \\"title\\" <h2> &lt;h3&gt; href=") ![z](a.md)',
  '[odd](a&b.md) [blank](<a b.md>)',
  '[ref] ![ref]\n\n[ref]: a.md',
  'https://example.com/a?b=c&d=e www.example.com a@example.com <https://example.com>',
  '`<a href="a.md">` and &lt;a href="a.md"&gt; and &lt;h2&gt;',
  '```html\n<a href="a.md"><h2>x</h2>\n```',
  '```<h2> "a.md"\ncode\n```',
  '![<h2>](b.md) ![a "q" &lt;h2&gt;](c.md)',
  '<h2>Raw</h2>',
  'A <a href="a.md">raw</a> link',
  '<!-- a comment -->',
  'A note[^1]\n\n[^1]: ## Its [text](a.md)',
  '- [ ] a\n- ## In a list\n  1. [x](b.md)',
  '| a | b |\n|:-:|--:|\n| [x](a.md) | `<h2>` |',
  '[script](javascript:alert)',
  '&copy; \\<h2> \\[!NOTE]',
];

test('a plain text is rendered as by its tree, whatever stands beside each other', () => {
  const links = dictionary(
    constantFrom('a.md', 'b.md', 'c.md', 'a&b.md', 'a b.md', 'https://example.com'),
    constantFrom('/en/a', 'https://kb.example/x?y=1#z', '/a%20b', '/a b', '/ü', '/a&b', 'b.md', 'a.md'),
  );
  let plain = 0;
  assert(
    property(array(constantFrom(...PIECES), { maxLength: 5 }), links, (pieces, written) => {
      const made = both(pieces.join('\n\n'), new Map(Object.entries(written)));
      if (made.isPlain) plain += 1;
      expect(made.plain).toBe(made.byTree);
    }),
    { numRuns: 1000 },
  );
  expect(plain).toBeGreaterThan(20);
});

test.each([
  ['headings, links, images, tables and code', '# A\n\n[x](a.md) ![y](b.png)\n\n`<h2>`', true],
  ['raw HTML', 'a <b>c</b>', false],
  ['a comment', '<!-- x -->', false],
  ['an alert', '> [!NOTE]\n> x', false],
  ['a footnote', 'a[^1]\n\n[^1]: b', false],
  ['an id of its own', '## A {#b}', false],
  ['a class of a heading, and a language that looks like one', '## A {.b}\n\n```<h2>\n```', false],
  ['a heading without letters', '## !', false],
  ['an address that is written in another way in HTML', '[x](a&b.md)', false],
])('%s: plain is %s', (_, body, isPlain) => {
  expect(both(body, new Map()).isPlain).toBe(isPlain);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHtml } from '../../../src/content/html-to-markdown/hast.ts';
import { htmlToMarkdown } from '../../../src/content/html-to-markdown/html-to-markdown.ts';
import { normalForm, withoutAddedIds } from '../../../src/content/html-to-markdown/normal-form.ts';
import { renderedBody } from '../../../src/content/markdown/render.ts';

const words = fc.constantFrom(
  'a',
  'b c',
  ' d',
  'e ',
  '  ',
  '\n',
  '*',
  '_x_',
  '1.',
  '# h',
  '- i',
  '> q',
  '`',
  '```',
  '|',
  '&nbsp;',
  '&lt;',
  '&amp;lt;',
  '[x]',
  '[x](y)',
  '[^1]',
  '![z]',
  '~~',
  '\\',
  'www.example.com',
  'https://example.com/?a=1&amp;b=2',
  '{#id}',
  '===',
  '+++',
  '---',
  ':',
  'שלום',
  '日本',
  '😀',
  '<br>',
  '\u200B',
);
const attributes = fc.constantFrom(
  '',
  '',
  '',
  ' class="x"',
  ' id="i"',
  ' dir="rtl"',
  ' title="a &quot;b&quot;"',
  ' lang="de"',
);
const { inline, block } = fc.letrec<{ inline: string; block: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    words,
    element(
      [
        'strong',
        'em',
        'del',
        'code',
        'kbd',
        'sub',
        'span',
        'b',
        'i',
        'u',
        'mark',
        'a href="/x"',
        'a name="y"',
      ],
      fc.array(tie('inline'), { maxLength: 3 }),
    ),
    fc.constantFrom(
      '<img src="/i.png" alt="">',
      '<img src="/i.png" alt="a" width="3">',
      '<a href="#i">t</a>',
    ),
  ),
  block: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    element(
      ['p', 'p', 'h2', 'h3', 'blockquote', 'div', 'pre', 'li', 'td'],
      fc.array(tie('inline'), { maxLength: 4 }),
    ),
    element(
      ['ul', 'ol', 'ol start="3"'],
      fc.array(element(['li'], fc.array(fc.oneof(tie('inline'), tie('block')), { maxLength: 3 })), {
        maxLength: 3,
      }),
    ),
    element(['blockquote', 'div', 'details', 'section', 'dl'], fc.array(tie('block'), { maxLength: 3 })),
    fc
      .array(fc.array(tie('inline'), { maxLength: 2 }), { minLength: 1, maxLength: 3 })
      .map(
        (rows) =>
          `<table><thead><tr><th>h</th></tr></thead><tbody>${rows.map((row) => `<tr><td>${row.join('')}</td></tr>`).join('')}</tbody></table>`,
      ),
    fc.constantFrom(
      '<hr>',
      '<pre><code class="language-js">a\n\n  b\n</code></pre>',
      '<pre><code>\n```\n</code></pre>',
    ),
  ),
}));
const page = fc
  .array(fc.oneof({ arbitrary: block, weight: 4 }, inline), { maxLength: 5 })
  .map((parts) => parts.join('\n'));

function element(names: readonly string[], children: fc.Arbitrary<readonly string[]>): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom(...names), attributes, children).map(([name, attribute, inside]) => {
    const tag = name.split(' ')[0] ?? name;
    return `<${name}${attribute}>${inside.join('')}</${tag}>`;
  });
}

const OPTIONS = { lang: 'en', html: 'trust' } as const;

function rendered(markdown: string): string {
  return renderedBody(markdown, { links: new Map(), html: 'trust', needsSanitiser: false, lang: 'en' });
}

test('without cleaning the Markdown renders to the page as it was', () => {
  fc.assert(
    fc.property(page, (html) => {
      const { markdown, isExact } = htmlToMarkdown(html, { ...OPTIONS, clean: false });
      const original = parseHtml(html);
      const back = withoutAddedIds(parseHtml(rendered(markdown)), original);
      // What says that it is exact is; and what nothing odd is in has to be.
      expect(isExact).toBe(normalForm(back) === normalForm(original));
      expect(isExact).toBe(true);
      // The signs that stand for the blanks of code while it is converted.
      expect(markdown).not.toMatch(/[\uFDD0-\uFDD2]/);
    }),
    { numRuns: 300, seed: 6 },
  );
});

test('what was pulled and sent comes back as the same Markdown', () => {
  fc.assert(
    fc.property(page, (html) => {
      const first = htmlToMarkdown(html, { ...OPTIONS, clean: true });
      fc.pre(first.isExact);
      const second = htmlToMarkdown(rendered(first.markdown), { ...OPTIONS, clean: true });
      expect(second.isExact).toBe(true);
      const third = htmlToMarkdown(rendered(second.markdown), { ...OPTIONS, clean: true });
      expect(third.markdown).toBe(second.markdown);
    }),
    { numRuns: 150, seed: 6 },
  );
});

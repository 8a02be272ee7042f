import { expect, test } from 'vitest';
import { htmlToMarkdown } from '../../../src/content/html-to-markdown/html-to-markdown.ts';

const OPTIONS = { lang: 'en', html: 'sanitize', clean: true } as const;

test.each([
  ['emphasis', '<p><strong>a</strong> <em>b</em> <del>c</del></p>', '**a** *b* ~~c~~\n'],
  [
    'a code block with its language',
    '<pre><code class="language-js">a\n\nb\n</code></pre>',
    '```js\na\n\nb\n```\n',
  ],
  ['nested lists', '<ul><li>a<ol><li>b</li></ol></li></ul>', '- a\n  1. b\n'],
  ['a blank that does not break', '<p>10&nbsp;km</p>', '10&nbsp;km\n'],
])('writes %s as Markdown', (_, html, markdown) => {
  expect(htmlToMarkdown(html, OPTIONS)).toEqual({
    markdown,
    rawBlocks: [],
    cleaned: [],
    dropped: [],
    isExact: true,
  });
});

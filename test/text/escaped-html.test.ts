import { expect, test } from 'vitest';
import { escapedHtml } from '../../src/text/escaped-html.ts';

test('signs of HTML become references, each once; an apostrophe stays', () => {
  expect(escapedHtml(`<a href="x">Tom & Jerry's &amp;</a>`)).toBe(
    `&lt;a href=&quot;x&quot;&gt;Tom &amp; Jerry's &amp;amp;&lt;/a&gt;`,
  );
});

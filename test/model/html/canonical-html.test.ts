import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalHtml } from '../../../src/model/html/canonical-html.ts';
import { ALL_REWRITINGS, REWRITINGS, isRewriting } from '../../../src/model/html/rewritings.ts';
import type { Rewriting } from '../../../src/model/html/rewritings.ts';
import { anyPage, anySpelling, changedPage, htmlOf } from '../support/page.ts';

const ORIGIN = 'https://help.example.com';
const WITHOUT_ALL = { without: ALL_REWRITINGS, origin: ORIGIN };

function isAlike(a: string, b: string, without: ReadonlySet<Rewriting> = new Set()): boolean {
  const look = { without, origin: ORIGIN };
  return canonicalHtml(a, look) === canonicalHtml(b, look);
}

/** A browser shows both in the same way. */
const ALIKE = {
  'order and quotes of attributes': [`<img alt="a" src='x.png'>`, '<IMG SRC=x.png ALT="a"/>'],
  entities: ['<p>caf&eacute; &lt;b&gt; &#8212; &amp;&nbsp;x</p>', '<p>café &lt;b> — &#38;\u00A0x</p>'],
  'blanks between blocks': ['<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>', '<ul><li>a</li><li>b</li></ul>'],
  'blanks in a line': ['<p> a\n b <em> c</em> </p>', '<p>a b <em>c</em></p>'],
  'line ends': ['<pre>a\r\nb\r\n</pre>\r\n', '<pre>a\nb\n</pre>'],
  'the line end that ends code': ['<pre><code>a\n</code></pre>', '<pre><code>a</code></pre>'],
  'line breaks in code': ['<pre><code>a\n\n b\n</code></pre>', '<pre><code>a<br><br /> b<br></code></pre>'],
  comments: ['<p>a<!-- b -->c</p><!-- d -->', '<p>ac</p>'],
  'names of one look': [
    '<p><b>a</b> <i>b</i> <s>c</s></p>',
    '<p><strong>a</strong> <em>b</em> <del>c</del></p>',
  ],
  'implied tags': [
    '<table><tr><td>a<tr><td>b</table><p>c<p>d',
    '<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table><p>c</p><p>d</p>',
  ],
  'empty paragraphs and marks': ['<p>a</p><p></p><p>b<strong></strong></p><p> </p>', '<p>a</p><p>b</p>'],
  'a mark cut in two': ['<p><strong>a</strong><strong> b</strong></p>', '<p><strong>a b</strong></p>'],
  'spans that say nothing': ['<p><span>a</span> b</p>', '<p>a b</p>'],
  'a line break that ends a block': ['<p>a<br></p>', '<p>a</p>'],
  'Unicode composition': ['<p>cafe\u0301</p>', '<p>café</p>'],
  flags: ['<input type=checkbox disabled checked>', '<input checked="checked" disabled="" type="checkbox">'],
  'order of classes': ['<p class="b a b">x</p>', '<p class="a b">x</p>'],
  'spelling of a style': ['<td style="text-align: center;">a</td>', '<td style="text-align:center">a</td>'],
  'spelling of an address': [
    '<a href="HTTPS://Example.com:443/a b/é?x=1&amp;y=%c3">a</a> <a href="https://example.com">b</a>',
    '<a href="https://example.com/a%20b/%C3%A9?x=1&y=%C3">a</a> <a href="https://example.com/">b</a>',
  ],
  'values that are the default': ['<ol start="1"><li>a</li></ol>', '<ol><li>a</li></ol>'],
} as const;

describe('HTML that a browser shows alike has one canonical form', () => {
  test.each(Object.entries(ALIKE))('%s', (_, [a, b]) => {
    expect(canonicalHtml(a)).toBe(canonicalHtml(b));
  });

  test('whatever way a page is written in', () => {
    fc.assert(
      fc.property(anyPage, anySpelling, anySpelling, (page, one, other) => {
        expect(canonicalHtml(htmlOf(page, one))).toBe(canonicalHtml(htmlOf(page, other)));
      }),
      { numRuns: 500 },
    );
  });
});

/** A reader meets something else. */
const OTHER = {
  'a word': ['<p>do it</p>', '<p>do not do it</p>'],
  'two words joined': ['<p>a b</p>', '<p>ab</p>'],
  'an address of a link': ['<a href="/a">x</a>', '<a href="/b">x</a>'],
  'an anchor of a link': ['<a href="/a#b">x</a>', '<a href="/a#c">x</a>'],
  'a query of a link': ['<a href="/a?b=1">x</a>', '<a href="/a?b=2">x</a>'],
  'another host': ['<a href="https://a.example/x">x</a>', '<a href="https://b.example/x">x</a>'],
  'a link to the same path elsewhere': ['<a href="/a">x</a>', '<a href="https://other.example/a">x</a>'],
  'another scheme': ['<a href="mailto:a@b.example">x</a>', '<a href="https://a@b.example">x</a>'],
  'a link taken out': ['<p><a href="/a">x</a></p>', '<p>x</p>'],
  'a picture': ['<img src="a.png">', '<img src="b.png">'],
  'the text of a picture': ['<img src="a.png" alt="a">', '<img src="a.png" alt="b">'],
  'a paragraph cut in two': ['<p>a b</p>', '<p>a</p><p>b</p>'],
  'an item cut in two': ['<ul><li>a b</li></ul>', '<ul><li>a</li><li>b</li></ul>'],
  'a list for a paragraph': ['<p>a</p>', '<ul><li>a</li></ul>'],
  'another list': ['<ul><li>a</li></ul>', '<ol><li>a</li></ol>'],
  'where a list starts': ['<ol><li>a</li></ol>', '<ol start="3"><li>a</li></ol>'],
  'how deep an item stands': ['<ul><li>a<ul><li>b</li></ul></li></ul>', '<ul><li>a</li><li>b</li></ul>'],
  'a cell': ['<table><tr><td>a<td>b</table>', '<table><tr><td>b<td>a</table>'],
  'how wide a cell is': ['<table><tr><td>a</table>', '<table><tr><td colspan=2>a</table>'],
  'a heading for a paragraph': ['<h2>a</h2>', '<p>a</p>'],
  'levels of headings against each other': ['<h2>a</h2><h3>b</h3>', '<h2>a</h2><h2>b</h2>'],
  bold: ['<p>a <strong>b</strong></p>', '<p>a b</p>'],
  'where bold stands': ['<p><strong>a</strong> b</p>', '<p>a <strong>b</strong></p>'],
  'blanks in code': ['<pre>a  b</pre>', '<pre>a b</pre>'],
  'lines of code': ['<pre>a\nb</pre>', '<pre>a b</pre>'],
  'quotes in code': ['<pre>a "b"</pre>', '<pre>a “b”</pre>'],
  'a box that is ticked': ['<input type=checkbox>', '<input type=checkbox checked>'],
  'a video': [
    '<iframe src="https://video.example/1"></iframe>',
    '<iframe src="https://video.example/2"></iframe>',
  ],
  'a quote': ['<blockquote><p>a</p></blockquote>', '<p>a</p>'],
  'a line of its own': ['<div>a</div><div>b</div>', '<div>a b</div>'],
  'a tag that is text': ['<p>&lt;b>a</p>', '<p><b>a</b></p>'],
} as const;

describe('HTML that says something else is never alike, whatever rewritings are left out', () => {
  test.each(Object.entries(OTHER))('%s', (_, [a, b]) => {
    expect(canonicalHtml(a)).not.toBe(canonicalHtml(b));
    expect(canonicalHtml(a, WITHOUT_ALL)).not.toBe(canonicalHtml(b, WITHOUT_ALL));
  });

  test('whatever is changed in a page', () => {
    fc.assert(
      fc.property(anyPage, fc.nat(), anySpelling, (page, seed, spelling) => {
        const changed = htmlOf(changedPage(page, seed), spelling);
        expect(canonicalHtml(changed, WITHOUT_ALL)).not.toBe(canonicalHtml(htmlOf(page), WITHOUT_ALL));
      }),
      { numRuns: 2000 },
    );
  });
});

const REWRITTEN: Readonly<
  Record<Exclude<Rewriting, 'entities' | 'case'>, readonly (readonly [string, string])[]>
> = {
  'link-attributes': [['<a href="/a">x</a>', '<a href="/a" rel="nofollow noopener" target="_blank">x</a>']],
  proxies: [['<a href="https://a.example/b">x</a>', '<a href="/out?to=https%3A%2F%2Fa.example%2Fb">x</a>']],
  signatures: [['<img src="https://a.example/b">', '<img src="https://a.example/b?se=2026&amp;sig=a%2Bb">']],
  ids: [
    ['<h2 id="a">a</h2>', '<h2>a</h2>'],
    ['<h2 id="a">a</h2>', '<h2 id="user-content-a">a</h2>'],
    ['<h2><a name="a"></a>a</h2>', '<h2>a</h2>'],
  ],
  classes: [['<ul class="a"><li>a</li></ul>', '<ul><li>a</li></ul>']],
  styles: [
    ['<ul><li>a</li></ul>', '<ul style="margin:0 0 1em"><li>a</li></ul>'],
    ['<img src="a.png" width="20">', '<img src="a.png">'],
    ['<p><font color="red">a</font></p>', '<p>a</p>'],
  ],
  attributes: [
    ['<a href="/a" title="t">x</a>', '<a href="/a">x</a>'],
    ['<img src="a.png">', '<img src="a.png" loading="lazy" data-id="7">'],
  ],
  wrappers: [
    ['<p>a</p>', '<div><p>a</p></div>'],
    ['<div>a</div>', '<p>a</p>'],
    ['<pre><code>a</code></pre>', '<pre>a</pre>'],
    [
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</table>',
      '<table><tr><th>a</th></tr><tr><td>b</table>',
    ],
  ],
  paragraphs: [
    ['<ul><li>a</li><li>b</li></ul>', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['<ul><li>a<ul><li>b</li></ul></li></ul>', '<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul>'],
    ['<blockquote>a</blockquote>', '<blockquote><p>a</p></blockquote>'],
    ['a<h2>b</h2>', '<p>a</p><h2>b</h2>'],
  ],
  'line-breaks': [['<p>a\nb</p>', '<p>a<br>\nb</p>']],
  blanks: [
    ['<p>a&nbsp;b</p>', '<p>a b</p>'],
    ['<p>a\u200Bb\u00ADc</p>', '<p>abc</p>'],
    ['<p>a <em>b</em> c</p>', '<p>a<em> b </em>c</p>'],
  ],
  marks: [['<p><ins>a</ins> <kbd>b</kbd></p>', '<p><u>a</u> <code>b</code></p>']],
  headings: [['<h1>a</h1><h2>b</h2><h2>c</h2>', '<h2>a</h2><h3>b</h3><h3>c</h3>']],
  'page-heading': [['<h1>a</h1><h2>b</h2><h3>c</h3>', '<h2>a</h2><h2>b</h2><h3>c</h3>']],
  typography: [[`<p>"a" 'b' -- c...</p>`, '<p>“a” ‘b’ – c…</p>']],
  emoji: [['<p>a 😀</p>', '<p>a <img class="emoji" src="/1f600.svg" alt="😀"></p>']],
  autolinks: [
    [
      '<p>see https://example.org/a and a@b.example</p>',
      '<p>see <a href="https://example.org/a">https://example.org/a</a> and <a href="mailto:a@b.example">a@b.example</a></p>',
    ],
    ['<p>see example.org</p>', '<p>see <a href="http://example.org/">example.org</a></p>'],
  ],
  addresses: [
    ['<a href="http://a.example/b">x</a>', '<a href="https://a.example/b/">x</a>'],
    ['<a href="/b#c">x</a>', '<a href="https://help.example.com/b#c">x</a>'],
    ['<a href="/b">x</a>', '<a href="/b?utm_source=kb&utm_medium=web">x</a>'],
    ['<a href="/b/?q=1">x</a>', '<a href="//help.example.com/b?q=1">x</a>'],
  ],
};

describe('a rewriting', () => {
  const rows = Object.entries(REWRITTEN).flatMap(([name, pairs]) =>
    pairs.map(([a, b]) => [name, a, b] as const),
  );

  test.each(rows)('%s: %s is %s without it, and something else with it', (name, a, b) => {
    if (!isRewriting(name)) throw new Error(`${name} is no rewriting`);
    const others = new Set([...ALL_REWRITINGS].filter((each) => each !== name));
    expect(isAlike(a, b, new Set<Rewriting>([name]))).toBe(true);
    expect(isAlike(a, b, others)).toBe(false);
    expect(isAlike(a, b)).toBe(false);
  });

  test('has a name that says what it does', () => {
    expect(Object.values(REWRITINGS).every((words) => words.length > 10)).toBe(true);
  });
});

describe('hostile HTML', () => {
  test('that is nested 2,000 deep is compared to its last word', () => {
    const deep = (word: string): string => `${'<div>'.repeat(2000)}${word}`;
    expect(canonicalHtml(deep('a'))).toBe(canonicalHtml(`${deep('a')}<!-- b -->`));
    expect(canonicalHtml(deep('a'))).not.toBe(canonicalHtml(deep('b')));
  });

  test.each([
    ['of more than 2 MiB', '<p>a</p>'.repeat(300_000)],
    ['that is nested 100,000 deep', '<div>'.repeat(100_000)],
    [
      'with a thousand marks that each paragraph opens again',
      Array.from({ length: 1000 }, (_, index) => `<b class=${index}>`).join('') + '<p>a'.repeat(50_000),
    ],
  ])('%s is compared byte by byte', (_, html) => {
    expect(canonicalHtml(html)).toBe(html);
  });

  test('may hold half a surrogate pair and addresses that are none', () => {
    expect(() =>
      canonicalHtml('<a href="http://[x">\uD800</a><img src="\uDC00 %zz">', WITHOUT_ALL),
    ).not.toThrow();
  });
});

test('more tags in a row than a call takes are compared', () => {
  const tags = '<i></i>'.repeat(100_000);
  expect(canonicalHtml(`<p>${tags}a</p>`)).toBe(canonicalHtml(`<p>${tags}a</p> `));
});

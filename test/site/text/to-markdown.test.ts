import { describe, expect, test } from 'vitest';
import { renderedBody } from '../../../src/content/markdown/render.ts';
import { articleMarkdown } from '../../../src/site/text/to-markdown.ts';
import { elementsIn, textOf, treeOf } from '../../../src/site/text/tree.ts';
import { harmIn } from '../support/harm.ts';
import { HOSTILE } from '../support/hostile.ts';

const markdown = (html: string, values: object = {}) =>
  articleMarkdown({
    title: 'T',
    excerpt: '',
    html,
    language: 'en',
    address: 'https://a.test/en/page',
    ...values,
  });

/** As a reader of Markdown shows it who trusts what it is given. */
const rendered = (text: string) =>
  renderedBody(text, { links: new Map(), html: 'trust', needsSanitiser: false, lang: 'en' });

describe('an article as Markdown', () => {
  test.each([
    ['<h2 id="a">A</h2><p>b <em>c</em> <code>d`e</code></p>', '## A\n\nb *c* ``d`e``\n'],
    ['<ul><li>a<ul><li>b</li></ul></li></ul>', '- a\n  - b\n'],
    ['<ol start="3"><li>a</li><li>b</li></ol>', '3. a\n4. b\n'],
    ['<p><a href="/en/x">y</a></p>', '[y](https://a.test/en/x)\n'],
    ['<p><img src="z.png" alt="w"></p>', '![w](https://a.test/en/z.png)\n'],
    ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b\n'],
    ['<pre><code>```\nx\n</code></pre>', '````\n```\nx\n````\n'],
    ['<p>1 * 2 &lt;b&gt;</p><script>x</script>', '1 \\* 2 \\<b>\n'],
  ])('%s is %j', (html, text) => {
    expect(markdown(html)).toBe(`# T\n\n${text}`);
  });

  test('has its excerpt as a quotation under its title', () => {
    expect(markdown('<p>a</p>', { title: 'Install', excerpt: 'How to.' })).toBe(
      '# Install\n\n> How to.\n\na\n',
    );
  });

  test.each([
    '# x',
    '- x',
    '1. x',
    '+ x',
    '> x',
    '```',
    '    x',
    '***',
    'a\n---',
    '| a |',
    '&copy;',
    '[a]: b',
    '<b>',
  ])('keeps a paragraph that begins like something else: %j', (text) => {
    const html = `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`;
    const tree = treeOf(rendered(markdown(html)));
    expect(elementsIn(tree).map(({ name }) => name)).toEqual(['h1', 'p']);
    expect(textOf(tree.slice(1)).trim().replaceAll(/\s+/g, ' ')).toBe(text.trim().replaceAll(/\s+/g, ' '));
  });

  test.each([
    '<p><img src="a.png" alt="](x) [click](javascript:alert(1)) ![">b</p>',
    '<p><a href="https://a.test/x)y">z</a></p>',
    '<pre><code class="language-```">x\n</code></pre><p>after</p>',
    ...HOSTILE,
  ])('harms nobody who renders it: %s', (html) => {
    const shown = rendered(markdown(html));
    expect(harmIn(shown)).toEqual([]);
  });

  test.each([
    'Line\n\n[click](javascript:alert(1))\n\n<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '](javascript:alert(1))',
    '\u001b]8;;javascript:alert(1)\u0007x',
  ])('its title and excerpt are text: %j', (text) => {
    const shown = rendered(markdown('<p>a</p>', { title: text, excerpt: text }));
    expect(harmIn(shown)).toEqual([]);
    expect(elementsIn(treeOf(shown)).map(({ name }) => name)).toEqual(['h1', 'blockquote', 'p', 'p']);
  });

  test('what is nested too deep is its words', () => {
    expect(markdown(`${'<div>'.repeat(2000)}deep`)).toBe('# T\n\ndeep\n');
  });
});

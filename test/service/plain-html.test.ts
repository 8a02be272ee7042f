import { array, assert, constantFrom, letrec, nat, oneof, property, tuple } from 'fast-check';
import { type Handler, Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { DEPTH_MAX, readHtml } from '../../src/service/html.ts';
import { walkPlainHtml } from '../../src/service/plain-html.ts';

type Told = readonly (readonly string[])[];

/** What a reader of HTML hears: the texts in their pieces, and of attributes the address of a link. */
function listener(): { readonly told: string[][]; readonly handler: Partial<Handler> } {
  const told: string[][] = [];
  return {
    told,
    handler: {
      onopentag: (name, attributes) =>
        void told.push(['open', name, ...(name === 'a' ? [String(attributes['href'])] : [])]),
      onclosetag: (name) => void told.push(['close', name]),
      ontext: (text) => void told.push(['text', text]),
    },
  };
}

function toldByParser(html: string): Told {
  const { told, handler } = listener();
  new Parser(handler).end(html);
  return told;
}

function toldInShort(html: string): Told | undefined {
  const { told, handler } = listener();
  return walkPlainHtml(html, handler, DEPTH_MAX) ? told : undefined;
}

const NAMES =
  'a abbr b blockquote br code dd details div dl dt em figure h2 hr img li ol p pre script span strong sub summary svg table tbody td textarea tfoot th thead title tr ul wbr'.split(
    ' ',
  );
const name = constantFrom(...NAMES);
const attribute = constantFrom(
  ' href="https://a.example/?a=1&amp;b=2"',
  ' href="/x"',
  ' href="&copy"',
  ' href="a&b"',
  ' href',
  ' HREF="/y"',
  ' class="x > y"',
  ' title="x href="',
  ' data-href="/z"',
  ' id=x',
  " alt='x'",
  '\nid="x"',
  ' checked',
);
const text = constantFrom(
  'words',
  ' ',
  '\n',
  'a < b',
  '<',
  '>',
  '&',
  '&amp;',
  '&lt;p&gt;',
  '&nbsp;',
  '&copy;',
  '&amp',
  '&#39;',
  '&#x27;',
  '"',
  '<!-- a note -->',
  '<!---->',
  '<!-->',
  '<!-- > -->',
  '<!-- a -- b -->',
  '<!doctype html>',
  '<?php ?>',
  '<![CDATA[x]]>',
  '</',
  '</p>',
  '</br>',
);
const { markup } = letrec<{ markup: string; element: string }>((tie) => ({
  element: tuple(name, array(attribute, { maxLength: 3 }), tie('markup'), nat(20)).map(
    ([tag, attributes, inside, form]) => {
      const open = `<${form === 1 ? tag.toUpperCase() : tag}${attributes.join('')}${form === 2 ? ' /' : ''}>`;
      return ['br', 'hr', 'img', 'wbr'].includes(tag) || form === 3 ? open : `${open}${inside}</${tag}>`;
    },
  ),
  markup: array(oneof({ depthSize: 'small', withCrossShrink: true }, text, tie('element')), {
    maxLength: 4,
  }).map((parts) => parts.join('')),
}));

describe('the short way through HTML', () => {
  test('tells what the parser tells, or leaves it to the parser', () => {
    let short = 0;
    assert(
      property(markup, (html) => {
        const told = toldInShort(html);
        if (told === undefined) return;
        if (html.includes('<')) short += 1;
        expect(told).toEqual(toldByParser(html));
      }),
      { numRuns: 5000 },
    );
    expect(short).toBeGreaterThan(200);
  });

  test('takes what a renderer of Markdown writes', () => {
    const html = `<h2 id="set-up">Set up</h2>
<p>Run <code>npm i &amp;&amp; npm t</code>, see <a href="https://a.example/?a=1&amp;b=2" title="x">there</a>.<br>
<img src="/x.png" alt="a picture" /></p>
<ul>
<li><p>one</p></li>
<li>two <strong>three</strong></li>
</ul>
<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>
<pre><code class="language-sh">a &lt; b
</code></pre>
<hr>
<!-- kbsync:article/set-up -->`;
    expect(toldInShort(html)).toEqual(toldByParser(html));
    expect(readHtml(html)).toMatchObject({ links: ['https://a.example/?a=1&b=2'], isTooDeep: false });
  });

  test.each(['<div>', '<br>', '<em>'])('knows where %s is nested too deep', (tag) => {
    const around = (depth: number) => `${'<div>'.repeat(depth)}${tag}x${'</div>'.repeat(depth)}`;
    expect(readHtml(around(DEPTH_MAX - 1)).isTooDeep).toBe(false);
    expect(readHtml(around(DEPTH_MAX)).isTooDeep).toBe(true);
  });
});

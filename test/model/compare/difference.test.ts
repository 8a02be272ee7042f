import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  differenceOf,
  formOf,
  hasForm,
  isAlike,
  isFormal,
  isUnread,
} from '../../../src/model/compare/difference.ts';
import { digestOfText } from '../../../src/model/digest.ts';
import type { FieldValue } from '../../../src/model/fields.ts';
import { ALL_REWRITINGS } from '../../../src/model/html/rewritings.ts';
import { anyPage, changedPage, htmlOf } from '../support/page.ts';

const ORIGIN = 'https://help.example.com';
const TABLE = '<table><tr><th>Name</th><th>Size</th></tr><tr><td>alpha</td><td>one</td></tr></table>';

describe('what a service cut to a few characters', () => {
  test('names the length, so that another length is somebody’s edit', () => {
    expect(differenceOf('text', 'How to begin', 'How to beg')?.losses).toEqual(['end@10']);
    const within = { rewritings: [], losses: ['end@10'], additions: [] };
    expect(differenceOf('text', 'In a terminal', 'In a termi', { within })?.losses).toEqual(['end@10']);
    expect(differenceOf('text', 'In a terminal', 'In a term', { within })).toBeUndefined();
    expect(differenceOf('text', 'In a terminal', 'In a')).toBeUndefined();
  });
});

const COPY = `button=${digestOfText(' Copy')}`;

describe('what a service made of HTML', () => {
  test('is nothing where a browser shows the same', () => {
    expect(differenceOf('html', '<p>a</p>\n<p>b</p>', '<P>a<P>b<!-- c -->')).toEqual({
      rewritings: [],
      losses: [],
    });
  });

  test('is named by the fewest rewritings that explain it', () => {
    const sent = '<h2 id="a">a</h2><p>see <a href="http://x.example/y">y</a></p>';
    const shown = '<h2>a</h2><p>see <a href="http://x.example/y" rel="nofollow">y</a></p>';
    expect(differenceOf('html', sent, shown)).toEqual({ rewritings: ['link-attributes', 'ids'], losses: [] });
  });

  test('is explained by what the service was seen doing, where that is enough', () => {
    const likely = new Set(['ids', 'classes'] as const);
    expect(differenceOf('html', '<h2 id="a">a</h2>', '<h2>a</h2>', { likely })).toEqual({
      rewritings: ['ids', 'classes'],
      losses: [],
    });
  });

  test.each([
    [
      'elements with their text',
      `<p>before</p>${TABLE}<p>after</p>`,
      '<p>before</p><p>after</p>',
      ['table', 'td', 'th'],
    ],
    [
      'elements whose text stays',
      `<p>before</p>${TABLE}`,
      '<p>before</p>\nName Size\nalpha one',
      ['table', 'td', 'th'],
    ],
    ['frames', '<p>a</p><iframe src="https://v.example/1"></iframe>', '<p>a</p>', ['iframe']],
    ['pictures', '<p>a <img src="a.png" alt="b"> c</p>', '<p>a  c</p>', ['img']],
    ['texts of pictures', '<p><img src="a.png" alt="b"></p>', '<p><img src="a.png" /></p>', ['alt']],
    ['addresses', '<p>a <img src="a.png"> b</p>', '<p>a <img src> b</p>', ['address']],
    ['all marks', '<p>a <strong>b</strong> <em>c</em></p>', '<p>a b c</p>', ['em', 'strong']],
    ['emoji', '<p>done 🎉 now</p>', '<p>done ? now</p>', ['signs']],
    [
      'the end',
      '<p>one two three four five six seven</p><p>eight</p>',
      '<p>one two three four five six se…</p>',
      ['end'],
    ],
    ['everything', '<p>a</p>', '', ['value']],
  ])('names what it did not keep: %s', (_, sent, shown, losses) => {
    expect(differenceOf('html', sent, shown)).toEqual({ rewritings: [], losses });
  });

  test.each([
    ['an element with a class of its own', '<p class="kb-footer">Helpful?</p>', ['p.kb-footer']],
    ['a paragraph at the end', '<p>Helpful?</p>', ['$Helpful?']],
    ['a button without a class', '<button>Copy</button>', [COPY]],
    ['a script', '<script nonce="a7">count(1)</script>', [`script=${digestOfText(' count(1)')}`]],
    ['a signature', '<nav id="toc"><a href="#a">one</a></nav>', ['nav#toc']],
  ])('names what it put in: %s', (_, added, additions) => {
    const sent = `<h2 id="a">one</h2><p>two</p>${TABLE}`;
    expect(differenceOf('html', sent, sent + added)).toEqual({ rewritings: [], losses: [], additions });
    const within = { rewritings: [], losses: [], additions };
    expect(differenceOf('html', sent, sent + added, { within })).toEqual(within);
    const edited = sent.replace('two', 'three') + added;
    expect(differenceOf('html', sent, edited, { within })).toBeUndefined();
    expect(differenceOf('html', sent, `${sent + added}<p>four</p>`, { within })).toBeUndefined();
  });

  test('names a button within the page, and shows what an editor writes beside it', () => {
    const sent = '<p>one</p><pre><code>run</code></pre><p>two</p>';
    const shown = sent.replace('</pre>', '</pre><button>Copy</button>');
    const within = { rewritings: [], losses: [], additions: [COPY] };
    expect(differenceOf('html', sent, shown)).toEqual(within);
    expect(differenceOf('html', sent, shown, { within })).toEqual(within);
    expect(differenceOf('html', sent, shown.replace('two', 'three'), { within })).toBeUndefined();
    expect(
      differenceOf('html', sent, shown.replace('two', '<button>Book</button>two'), { within }),
    ).toBeUndefined();
  });

  test('names the parameters that it added to addresses', () => {
    const sent = '<a href="https://a.example/b?c=1">a</a>';
    const shown = sent.replace('c=1', 'c=1&amp;v=7');
    const within = { rewritings: [], losses: [], additions: ['?v'] };
    expect(differenceOf('html', sent, shown)).toEqual(within);
    expect(differenceOf('html', sent, shown.replace('v=7', 'v=8'), { within })).toEqual(within);
    expect(differenceOf('html', sent, shown.replace('c=1', 'c=2'), { within })).toBeUndefined();
  });

  test.each([
    [
      'proxies',
      '<a href="https://a.example/b?c=d">a</a>',
      '<a href="https://help.example.com/out?to=https%3A%2F%2Fa.example%2Fb%3Fc%3Dd">a</a>',
    ],
    [
      'signatures',
      '<img src="https://a.example/b.png?v=1">',
      '<img src="https://a.example/b.png?v=1&amp;X-Amz-Date=2&amp;X-Amz-Signature=3">',
    ],
  ])('is one of the rewritings of addresses: %s', (rewriting, sent, shown) => {
    expect(differenceOf('html', sent, shown)).toEqual({ rewritings: [rewriting], losses: [] });
    expect(differenceOf('html', sent, shown.replace('%2Fb', '%2Fc').replace('/b.', '/c.'))).toBeUndefined();
  });

  test('is explained within what the service was seen doing, and not beyond', () => {
    const sent = `<p>one <a href="/a">two</a> three</p>${TABLE}`;
    const shown = '<p style="top:0">one <a href="/a">two</a> three</p>';
    const within = { rewritings: ['styles'] as const, losses: ['table', 'td', 'th'], additions: [] };
    expect(differenceOf('html', sent, shown, { within })).toEqual(within);
    expect(differenceOf('html', sent, shown, { within: { ...within, losses: ['table'] } })).toBeUndefined();
    expect(differenceOf('html', sent, shown, { within: { ...within, rewritings: [] } })).toBeUndefined();
    expect(differenceOf('html', sent, shown.replace('three', 'four'), { within })).toBeUndefined();
  });

  test('is not explained where a table that is still there says something else', () => {
    expect(
      differenceOf('html', `<p>a</p>${TABLE}`, `<p>a</p>${TABLE.replace('one', 'two')}`),
    ).toBeUndefined();
  });

  test('is not explained by a loss where words changed too', () => {
    expect(differenceOf('html', `<p>a b</p>${TABLE}`, '<p>a c</p>')).toBeUndefined();
  });

  test('may be the page that addresses are resolved against', () => {
    const sent = '<a href="#one">a</a><a href="img/b.png">b</a><a href="/c">c</a>';
    const page = 'https://help.example.com/en/articles/x';
    const shown = `<a href="${page}#one">a</a><a href="https://help.example.com/en/articles/img/b.png">b</a><a href="https://help.example.com/c">c</a>`;
    expect(differenceOf('html', sent, shown, { origin: ORIGIN })).toEqual({
      rewritings: ['addresses'],
      losses: [],
    });
    const elsewhere = shown.replace('x#one', 'y#one').replace('/en/articles/img', '/fr/img');
    expect(differenceOf('html', sent, elsewhere, { origin: ORIGIN })).toBeUndefined();
  });

  test('is not one link that leads elsewhere', () => {
    expect(
      differenceOf('html', '<a href="/a">a</a>', '<a href="https://other.example/a">a</a>'),
    ).toBeUndefined();
    expect(
      differenceOf('html', '<a href="#a">a</a>', '<a href="https://help.example.com/b#a">a</a>', {
        origin: ORIGIN,
      }),
    ).toBeUndefined();
  });

  test('is never an explanation of a changed page', () => {
    fc.assert(
      fc.property(anyPage, fc.nat(), (page, seed) => {
        const difference = differenceOf('html', htmlOf(page), htmlOf(changedPage(page, seed)), {
          origin: ORIGIN,
        });
        expect(difference !== undefined && isFormal(difference)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('what a service made of a text', () => {
  test.each<readonly [string, FieldValue, FieldValue, readonly string[], readonly string[]]>([
    ['Unicode and blanks at the ends', 'cafe\u0301  one\r\n', 'café one', [], []],
    ['entities', `It's "quoted" & more`, 'It&#039;s &quot;quoted&quot; &amp;amp; more', ['entities'], []],
    ['quotation marks', `It's "so" -- there`, 'It’s “so” – there', ['typography'], []],
    ['blanks', 'one two', 'one\u00A0two', ['blanks'], []],
    ['its end', 'one two three four five six seven', 'one two three four five...', [], ['end']],
    ['tags', 'A Map<String> of it', 'A Map of it', [], ['tags']],
    ['emoji', 'Done 🎉', 'Done ?', [], ['signs']],
    ['everything', 'one', '', [], ['value']],
  ])('%s', (_, sent, shown, rewritings, losses) => {
    expect(differenceOf('text', sent, shown)).toEqual({ rewritings, losses });
  });

  test('is not explained where words changed', () => {
    expect(differenceOf('text', 'Install', 'Instant')).toBeUndefined();
    expect(
      differenceOf('text', 'one two three four five six', 'one two three four five seven'),
    ).toBeUndefined();
  });
});

describe('what a service made of other values', () => {
  test('of an address: another spelling of the same place', () => {
    expect(differenceOf('url', 'http://a.example/b', 'https://a.example/b/')).toEqual({
      rewritings: ['addresses'],
      losses: [],
    });
    expect(differenceOf('url', 'https://a.example/b', 'https://a.example/c')).toBeUndefined();
  });

  test.each<readonly ['refs' | 'flag' | 'number' | 'date', FieldValue, FieldValue]>([
    ['refs', ['1', '2'], []],
    ['flag', true, false],
    ['number', 3, 0],
    ['date', '2026-03-01T00:00:00.000Z', null],
  ])('of %s: that it was not kept', (type, sent, shown) => {
    expect(differenceOf(type, sent, shown)).toEqual({ rewritings: [], losses: ['value'] });
  });

  test('is not explained where another one is shown', () => {
    expect(differenceOf('status', 'published', 'draft')).toBeUndefined();
    expect(differenceOf('number', 3, 4)).toBeUndefined();
    expect(differenceOf('refs', ['1', '2'], ['1'])).toBeUndefined();
  });
});

describe('values', () => {
  test('are alike where a browser shows them alike', () => {
    expect(isAlike('html', '<p>a</p>', '<p>a', { without: new Set() })).toBe(true);
    expect(isAlike('url', 'https://A.example', 'https://a.example/', { without: new Set() })).toBe(true);
    expect(isAlike('status', 'draft', 'Draft', { without: ALL_REWRITINGS })).toBe(false);
    expect(isAlike('refs', ['b', 'a'], ['a', 'b'], { without: new Set() })).toBe(true);
  });

  test('have one digest of their meaning whatever their form, and another one for another meaning', () => {
    const digest = (html: string) => formOf('html', html, ALL_REWRITINGS, { origin: ORIGIN });
    expect(digest('<p class="a">a <a href="/b">b</a></p>')).toBe(
      digest('<p>a <a rel="nofollow" href="https://help.example.com/b/">b</a></p>'),
    );
    expect(digest('<p>a</p>')).not.toBe(digest('<p>b</p>'));
    expect(formOf('number', 3, ALL_REWRITINGS, {})).toBeUndefined();
    expect(formOf('text', null, ALL_REWRITINGS, {})).toBeUndefined();
  });

  test('are known by a form again, under what it leaves out', () => {
    const form = formOf('html', '<p class="a">a</p>', new Set(['classes']), {}) ?? '';
    expect(hasForm('html', '<p class="b">a</p>', form, {})).toBe(true);
    expect(hasForm('html', '<p style="top:0">a</p>', form, {})).toBe(false);
    expect(hasForm('html', '<p class="a">a</p>', `fffffffff${form}`, {})).toBe(false);
    expect(isUnread(form)).toBe(false);
    expect(isUnread(formOf('html', '<p>a</p>', ALL_REWRITINGS, {}) ?? '')).toBe(true);
  });
});

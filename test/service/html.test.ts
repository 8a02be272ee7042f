import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEPTH_MAX, readHtml } from '../../src/service/html.ts';
import { articleText, checkLongText } from '../../src/service/records/article-text.ts';
import { urlOf } from '../../src/text/url.ts';

describe('readHtml', () => {
  test('finds each web link once, decoded, wherever it stands', () => {
    const html = `
      <p><A HREF='https://A.example/x?a=1&amp;b=2'>x</A> <a href=http://b.example>y</a>
      <a href="https://a.example/x?a=1&b=2">again</a><area href="//c.example/p">
      <!-- <a href="https://comment.example"> --><script>'<a href="https://script.example">'</script>
      <a title="> <a href='https://title.example'>" href="https://d.example/é x">z</a>
      <a href="mailto:a@b.c"></a><a href="ftp://e.example"></a><a href="/p"></a><a href="#t"></a><a href="http://"></a>
      <a href="javascript:alert(1)"></a><a name="x"></a><a href="https://f.example/${'x'.repeat(3000)}"></a><a href="https://g.example/${'é'.repeat(1000)}"></a>`;
    expect(readHtml(html).links).toEqual([
      'https://a.example/x?a=1&b=2',
      'http://b.example/',
      'https://c.example/p',
      'https://d.example/%C3%A9%20x',
    ]);
  });

  test('finds the same links as a URL parser that is asked for each of them', () => {
    const start = fc.constantFrom(
      '',
      ' ',
      '/',
      '//',
      '/\t/',
      '\\\\',
      '#',
      '.',
      '?',
      'h',
      'HTTPS:',
      'http://',
      'mailto:',
    );
    const href = fc.array(fc.oneof(start, fc.constantFrom('a.example', '/p', 'é', ':', '@', '\n')), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(href, (parts) => {
        const text = parts.join('').trim();
        const address = text.startsWith('//') ? `https:${text}` : text;
        const url = urlOf(address);
        const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
        expect(readHtml(`<a href="${parts.join('')}">x</a>`).links).toEqual(
          isWeb && url !== undefined ? [url.href] : [],
        );
      }),
    );
  });

  test('sums up the text in whole sentences or words', () => {
    expect(readHtml('<h1>Set&nbsp;up</h1><p>Run <code>x</code>.</p><pre>code</pre><p>Done</p>').summary).toBe(
      'Set up Run x. Done',
    );
    const sentence = `${'word '.repeat(20)}end.`;
    expect(readHtml(`<p>${sentence} ${sentence} ${sentence}</p>`).summary).toBe(sentence.trim());
    const words = readHtml(`<p>${'word '.repeat(100)}</p>`).summary;
    expect(words).toMatch(/^(word )+word…$/);
    expect(words.length).toBeLessThanOrEqual(200);
    const faces = readHtml('😀'.repeat(300)).summary;
    expect(faces).toMatch(/^😀+…$/u);
    expect(readHtml('').summary).toBe('');
  });

  test('makes one space of each run of white space', () => {
    const html = '<pre> a \t\n b\u00a0\u2003c  d\ne\tf </pre>&nbsp; <p>g</p>\u2028h';
    expect(readHtml(html).text).toBe('a b c d e f g h');
    expect(readHtml(`<p>${html}</p><script></script>`).text).toBe('a b c d e f g h');
  });

  test('takes any text, and gives the same for the same', () => {
    for (const html of [
      '<',
      '<a href',
      '</p></p>',
      '<svg><a href="https://x.example">',
      '&#0;&#xD800;',
      '<pre><pre>x',
    ]) {
      expect(readHtml(html)).toEqual(readHtml(html));
    }
  });

  test.each([
    ['elements that are never closed', '<div>a'.repeat(60_000)],
    ['lists in lists', '<ul><li>'.repeat(30_000)],
    ['emphasis in emphasis', '<em><strong>'.repeat(30_000)],
    ['tables in tables', '<table><tr><td>'.repeat(20_000)],
  ])('a text of %s is refused, however long it is', async (_name, html) => {
    const message = `its elements are nested more than ${DEPTH_MAX} deep`;
    await expect(articleText({ title: '', content: html, dialect: 'sqlite' })).rejects.toMatchObject({
      status: 400,
      message: `content: ${message}`,
    });
    await expect(checkLongText('longDescription', html.slice(0, 20_000))).rejects.toMatchObject({
      status: 400,
      message: `longDescription: ${message}`,
    });
  });
});

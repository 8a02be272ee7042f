import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { sanitise } from '../../../src/content/markdown/sanitise.ts';
import { html, load, page } from '../support/support.ts';

const VECTORS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" onerror="alert(1)" />',
  '<IMG SRC="javascript:alert(1)">',
  '<img src="java\tscript:alert(1)">',
  '<img src=" &#14; javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java&#x0A;script:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<input type="image" src="x" onerror="alert(1)">',
  '<input type="checkbox" onfocus="alert(1)" autofocus>',
  '<body onload=alert(1)>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<style>@import "javascript:alert(1)";</style>',
  '<link rel="stylesheet" href="javascript:alert(1)">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<base href="javascript:alert(1)//">',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror="alert(1)"></video>',
  '<video poster="javascript:alert(1)"></video>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<template><script>alert(1)</script></template>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><script>alert(1)</script> -->',
  '<a href="https://x.example" onclick="alert(1)">x</a>',
  '<p/onmouseover=alert(1)>x</p>',
  '<img """><script>alert(1)</script>">',
  '<<script>alert(1)//<</script>',
  '[x](javascript:alert(1))',
  '[x](<java\u00a0script:alert(1)>)',
  '![x](javascript:alert(1))',
  '<javascript:alert(1)>',
  '[x][r]\n\n[r]: javascript:alert(1)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
  '[^1]\n\n[^1]: <script>alert(1)</script>',
  '## <img src=x onerror=alert(1)> {#x onclick=alert(1)}',
  '## x {onclick=alert(1)}',
  '## x {#x .y onmouseover="alert(1)" style="background:url(//evil.example)"}',
] as const;

const HARMFUL_TAGS =
  /^(?:script|style|iframe|frame|object|embed|applet|form|button|svg|math|link|meta|base|template|textarea|body|html|head|title|marquee|noscript|xmp|plaintext|select|option)$/;

/** What a browser could run of it, found without the lists of the sanitiser. */
function harmIn(html: string): readonly string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (HARMFUL_TAGS.test(name)) found.push(name);
      for (const [attribute, value] of Object.entries(attributes)) {
        const scheme =
          /^([\w+.-]+):/.exec(value.replaceAll(/[\p{Cc}\p{Z}]+/gu, ''))?.[1]?.toLowerCase() ?? '';
        const isAddress = ['href', 'src', 'poster', 'cite', 'action', 'data', 'background'].includes(
          attribute,
        );
        if (attribute.startsWith('on') || ['style', 'srcdoc', 'formaction', 'srcset'].includes(attribute))
          found.push(attribute);
        if (isAddress && ['javascript', 'vbscript', 'data', 'file', 'blob'].includes(scheme))
          found.push(value);
      }
    },
    oncomment: (text) => void found.push(`<!--${text}`),
  });
  parser.end(html);
  return found;
}

test.each(VECTORS)('leaves nothing harmful of %s', async (vector) => {
  const out = await html(`${vector}\n`);
  expect(harmIn(out)).toEqual([]);
  expect(sanitise(out)).toBe(sanitise(sanitise(out)));
});

test('the check finds what is harmful before it is sanitised', () => {
  const missed = VECTORS.filter((vector) => vector.startsWith('<') && harmIn(vector).length === 0);
  expect(missed).toEqual(['<javascript:alert(1)>']);
});

test('the alignment of a table outlives the sanitiser', async () => {
  expect(await html('| <b>a</b> |\n|:-:|\n| x |\n')).toContain('<td align="center">x</td>');
});

test('what authors use stays as it is', () => {
  const kept =
    '<details open><summary>More</summary><p>Press <kbd>Ctrl</kbd> <mark>x</mark> H<sub>2</sub>O</p></details>' +
    '<table border="1"><tbody><tr><td colspan="2" align="center">x</td></tr></tbody></table>' +
    '<img src="https://cdn.example.com/x.png" alt="" width="300" />' +
    '<a href="mailto:a@example.com" title="t">m</a><a href="#x">a</a><a href="/en/x">r</a><a href="//e.com/x">p</a>' +
    '<ol start="3" type="a"><li value="4">x</li></ol><video src="https://e.com/v.mp4" controls></video>';
  expect(sanitise(kept)).toBe(kept);
});

test('a box stays a box that nobody can tick, and no other field stays', () => {
  expect(sanitise('<input type="checkbox" checked name="x">')).toBe(
    '<input type="checkbox" checked disabled />',
  );
  expect(sanitise('a<input type="password">b')).toBe('ab');
});

test('a link that opens a window cannot reach back', () => {
  expect(sanitise('<a href="https://e.com" target="_blank">x</a>')).toContain('rel="noopener"');
});

test('a body does not end in the space of what was left out there', async () => {
  expect(await html('Text.\n\n<footer>\n</footer>\n\n<script src="/a.js"></script>\n')).toBe('<p>Text.</p>');
});

test('sanitising twice is sanitising once', () => {
  const piece = oneof(
    constantFrom(
      ...VECTORS,
      '<b>',
      '</b>',
      '<p title="',
      '">',
      '&lt;',
      '&amp;lt;',
      '&',
      '<',
      '>',
      '"',
      '<!--',
      '-->',
      ']]>',
      '<![CDATA[',
    ),
    constantFrom(
      '<textarea>',
      '</textarea>',
      '<title>',
      '<xmp>',
      '<plaintext>',
      '<select><option>',
      '<td>',
      '</table>',
    ),
    string({ unit: 'grapheme', maxLength: 12 }),
  );
  assert(
    property(array(piece, { maxLength: 12 }), (pieces) => {
      const once = sanitise(pieces.join(''));
      expect(sanitise(once)).toBe(once);
      expect(harmIn(once)).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});

test('raw HTML is untouched where the config trusts it, and nothing is reported', async () => {
  const { record, messages } = await load(
    {
      'en/articles/a.md': page(
        'title: A',
        '<iframe src="https://video.example/1"></iframe>\n\n<!-- kept -->\n',
      ),
    },
    { html: 'trust' },
  );
  expect(messages).toEqual([]);
  expect(record('article', 'a').body?.render()).toBe(
    '<iframe src="https://video.example/1"></iframe>\n<!-- kept -->',
  );
});

test('comments are left out without a word, and none can pass for our stamp', async () => {
  const { record, messages } = await load({
    'en/articles/a.md': page('title: A', 'a <!-- b -->\n\n<!-- c -->\n'),
  });
  expect(messages).toEqual([]);
  expect(record('article', 'a').body?.render().trim()).toBe('<p>a </p>');
  const stamp = '<!-- kbsync 1 article/a@en title:0123456789 -->';
  expect(await html(`a\n\n${stamp}\n`, { html: 'trust' })).toBe('<p>a</p>');
});

test('text without raw HTML never meets the sanitiser', async () => {
  expect(await html('a<br>b\n')).toBe('<p>a<br />b</p>');
  expect(await html('a\\\nb\n')).toBe('<p>a<br>\nb</p>');
});

test('what is left out is told if a reader may miss it: not the attributes of other languages', async () => {
  const told = async (attributes: string) => {
    const body = `<table><tr><td ${attributes}>A cell</td></tr></table>\n`;
    const { problems } = await load({ 'en/articles/a.md': page('title: A', body) });
    return problems.flatMap((problem) => (problem.code === 'html-dropped' ? [problem.what] : []));
  };
  expect(await told('colname="1" rowsep="0"')).toEqual([]);
  expect(await told('data-view="cards" data-hidden')).toEqual([]);
  expect(await told('onclick="x()"')).toEqual(['onclick of <td>']);
  expect(await told('style="color: red"')).toEqual(['style of <td>']);
  expect(await told('v-if="isNew"')).toEqual(['v-if of <td>']);
});

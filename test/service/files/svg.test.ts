import { expect, test } from 'vitest';
import { sanitisedSvg } from '../../../src/service/files/svg.ts';

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (inner: string, attributes = '') => `<svg ${XMLNS}${attributes}>${inner}</svg>`;

test.each([
  svg('<linearGradient id="a"/><rect fill="url(#a)" width="5"/>', ' viewBox="0 0 10 10"'),
  svg('<style>.a { fill: red; mask: url(#m) }</style><text>1 &lt; 2 &amp; 3</text>'),
  svg(
    '<image href="data:image/png;base64,AAAA"/><use xlink:href="#a"/>',
    ' xmlns:xlink="http://www.w3.org/1999/xlink"',
  ),
  `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg('<!-- a --><g/>')}`,
])('a drawing without harm keeps its bytes: %s', (text) => {
  expect(sanitisedSvg(text)).toBe(text);
});

test.each([
  ['a handler', svg('<g/>', ' onload="alert(1)"'), svg('<g></g>')],
  ['a script in another namespace', svg('<x:script>alert(1)</x:script>'), svg('')],
  ['a page inside', svg('<foreignObject><body onload="a()">x</body></foreignObject><g/>'), svg('<g></g>')],
  [
    'a link that runs',
    svg('<a href="java&#115;cript:alert(1)"><text>x</text></a>'),
    svg('<a><text>x</text></a>'),
  ],
  [
    'an animation of an address',
    svg('<a href="#"><set attributeName="href" to="javascript:a()"/></a>'),
    svg('<a href="#"></a>'),
  ],
  ['a picture from elsewhere', svg('<image href="https://e.example/x.png"/>'), svg('<image></image>')],
  [
    'a style from elsewhere',
    svg('<style>@import "https://e.example/a.css";</style>'),
    svg('<style></style>'),
  ],
  [
    'a style in pieces',
    svg('<style>@im<![CDATA[port "https://e.example/a.css"]]></style>'),
    svg('<style></style>'),
  ],
  [
    'a style with escapes',
    svg('<style>a { fill: u\\72l(https://e.example) }</style>'),
    svg('<style></style>'),
  ],
  ['a fill from elsewhere', svg('<path fill="url(https://e.example/#a)"/>'), svg('<path></path>')],
  [
    'an entity with a script',
    `<!DOCTYPE svg [<!ENTITY x "<script>a()</script>">]>${svg('&x;')}`,
    svg('&amp;x;'),
  ],
  [
    'a style sheet of a processing instruction',
    `<?xml-stylesheet href="https://e.example/a.css"?>${svg('<g/>')}`,
    svg('<g></g>'),
  ],
  ['a script as text', svg('<![CDATA[<script>a()</script>]]>'), svg('&lt;script&gt;a()&lt;/script&gt;')],
])('%s goes', (_, text, left) => {
  expect(sanitisedSvg(text)).toBe(left);
  // What is kept is what is kept again.
  expect(sanitisedSvg(left)).toBe(left);
});

test('the namespaces that old drawing programs keep in entities stay', () => {
  const text = `<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"><g/></svg>`;
  expect(sanitisedSvg(text)).toBe(svg('<g></g>'));
});

test('a drawing that is nested deeper than any is refused', () => {
  expect(() => sanitisedSvg(`<svg>${'<g>'.repeat(100_000)}`)).toThrow('nested more than 1000 deep');
});

test('a drawing of any kind is read in proportion to its length', () => {
  for (const piece of [
    '<g/>',
    '<!DOCTYPE',
    '<!DOCTYPE svg [',
    '<style></style>',
    '&a;',
    '<path d="url(',
    '<a b="',
  ]) {
    const text = `<svg ${XMLNS}>${piece.repeat(Math.floor(400_000 / piece.length))}`;
    expect(sanitisedSvg(text).length).toBeLessThan(6 * text.length);
  }
});

import * as fc from 'fast-check';
import { toMdast } from 'hast-util-to-mdast';
import { expect, it } from 'vitest';
import { collapsed } from '../../../src/content/html-to-markdown/collapsed.ts';
import { parseHtml, type HastRoot } from '../../../src/content/html-to-markdown/hast.ts';

const NAMES =
  `p div ul li pre code table tr td th textarea em a strong br hr img input select svg template style nobr
  span h1 blockquote details summary video button dialog sup`.split(/\s+/);

const text = fc
  .array(fc.constantFrom(' ', '\n', '\t', '\f', '\r', 'a', 'b', '\u00A0', '<!-- c -->', 'x y'), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''));

const html = fc.letrec<{ readonly node: string; readonly element: string }>((tie) => ({
  node: fc.oneof({ maxDepth: 5 }, text, tie('element')),
  element: fc
    .tuple(
      fc.constantFrom(...NAMES),
      fc.constantFrom('', '', ' hidden', ' nowrap'),
      fc.array(tie('node'), { maxLength: 4 }),
    )
    .map(([name, attribute, inner]) => `<${name}${attribute}>${inner.join('')}</${name}>`),
}));

const page = fc.array(html.node, { maxLength: 5 }).map((nodes) => nodes.join(''));

it('a tree without unseen blanks is the one that the library makes of it', () => {
  fc.assert(
    fc.property(page, (given) => {
      expect(readAsIs(collapsed(parseHtml(given)))).toEqual(read(parseHtml(given)));
    }),
    { numRuns: 1500 },
  );
});

it('a blank behind a place where a word may break is seen', () => {
  const tree = collapsed(parseHtml('<p>a —<wbr> b <wbr>c</p>'));
  expect(tree).toEqual(parseHtml('<p>a —<wbr> b <wbr>c</p>'));
});

it('the tree that was given stays as it was', () => {
  const tree = parseHtml('<p> a  <em> b </em> </p>\n<ul>\n<li> c</li></ul>');
  const before = structuredClone(tree);
  expect(collapsed(tree)).not.toEqual(before);
  expect(tree).toEqual(before);
});

/** As the library reads a page: it takes the blanks away first. */
function read(tree: HastRoot): unknown {
  return toMdast(tree, { document: true });
}

/** As it reads the tree that it is given, blanks and all. */
function readAsIs(tree: HastRoot): unknown {
  const held = { type: 'element', tagName: '#held', properties: {}, children: [] } as const;
  return toMdast(
    { type: 'root', children: [{ ...held, children: [] }] },
    { document: true, handlers: { '#held': (state) => state.all(tree) } },
  );
}

import type { HastContent, HastElement, HastRoot } from './hast.ts';

/**
 * A copy of a tree without the blanks that no browser shows: runs of them are one, and at the edges of blocks there is none. It is
 * what `hast-util-minify-whitespace` makes, step by step; that asks each node lists of names one after the other, which was
 * a sixth of a conversion. But for `<wbr>`: a blank behind it is seen, as one behind U+200B is
 * (https://html.spec.whatwg.org/multipage/rendering.html#phrasing-content-3), and the library drops it.
 */
export function collapsed(tree: HastRoot): HastRoot {
  const { children } = inside(tree.children, { before: true, after: true, blanks: 'normal' });
  return { ...tree, children };
}

/** `before`, `after`: a blank at the start or the end is not seen. */
interface Place {
  readonly before: boolean;
  readonly after: boolean;
  readonly blanks: Blanks;
}

type Blanks = 'normal' | 'nowrap' | 'pre';

interface Inside {
  readonly children: HastContent[];
  /** A blank that follows is not seen. */
  readonly endsInBlank: boolean;
}

function inside(nodes: readonly HastContent[], { before, after, blanks }: Place): Inside {
  const children: HastContent[] = [];
  let isBefore = before;
  for (const [index, node] of nodes.entries()) {
    if (node.type === 'element') {
      const place = { before: isBefore, after: isEdgeAfter(nodes, index + 1) ?? after, blanks };
      const made = inElement(node, place);
      children.push(made.element);
      isBefore = made.endsInBlank && !CONTENT.has(node.tagName);
    } else if (node.type === 'text') {
      const place = { before: isBefore, after: isEdgeAfter(nodes, index + 1) ?? after, blanks };
      const made = inText(node.value, place);
      if (made === undefined) continue;
      children.push({ type: 'text', value: made.value });
      isBefore = made.endsInBlank;
    } else children.push(node);
  }
  return { children, endsInBlank: isBefore || after };
}

function inElement(
  node: HastElement,
  place: Place,
): { readonly element: HastElement; readonly endsInBlank: boolean } {
  const isEdge = EDGES.has(node.tagName);
  const { children, endsInBlank } = inside(node.children, {
    before: isEdge || place.before,
    after: isEdge || place.after,
    blanks: blanksIn(node, place.blanks),
  });
  // An element and its copy hold the same kinds of nodes.
  return { element: { ...node, children: children as HastElement['children'] }, endsInBlank };
}

/** undefined: nothing of it is seen. */
function inText(
  text: string,
  { before, after, blanks }: Place,
): { readonly value: string; readonly endsInBlank: boolean } | undefined {
  if (blanks === 'pre') return { value: text, endsInBlank: false };
  const value = text.replaceAll(/[\t\n\v\f\r ]+/g, ' ');
  if (blanks === 'nowrap') return { value, endsInBlank: false };
  const start = before && value.startsWith(' ') ? 1 : 0;
  const hasEnd = value.length > start && value.endsWith(' ');
  const end = hasEnd && after ? value.length - 1 : value.length;
  if (start === end) return undefined;
  return { value: value.slice(start, end), endsInBlank: hasEnd && !after };
}

/** Whether a blank before these nodes is at the edge of a block; undefined: nothing among them says so. */
function isEdgeAfter(nodes: readonly HastContent[], from: number): boolean | undefined {
  for (let index = from; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node?.type === 'text') {
      if (/[^ \t\n\f\r]/.test(node.value)) return false;
    } else if (node?.type === 'element') {
      if (CONTENT.has(node.tagName)) return false;
      if (EDGES.has(node.tagName)) return true;
      if (Boolean(node.properties['hidden']) || UNSEEN.has(node.tagName)) continue;
      const found = isEdgeAfter(node.children, 0);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function blanksIn({ tagName, properties }: HastElement, around: Blanks): Blanks {
  if (KEEPING.has(tagName)) return 'pre';
  if (tagName === 'nobr') return 'nowrap';
  const isCell = tagName === 'td' || tagName === 'th';
  return isCell && Boolean(properties['noWrap']) ? 'nowrap' : around;
}

const KEEPING = words('listing plaintext pre script style textarea xmp');

/** Shown in a text without being text. */
const CONTENT = words(
  'audio button canvas embed iframe img input math object picture select svg textarea video',
);

/** Text begins anew behind them. */
const EDGES = words(
  `address article aside blockquote body br caption center col colgroup dd dialog dir div dl dt figcaption figure footer form
  h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre section
  summary table tbody td tfoot th thead tr ul xmp`,
);

/** What is in them is shown nowhere, or elsewhere. */
const UNSEEN = words(
  `area base basefont dialog datalist head link meta noembed noframes param rp script source style template track title`,
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

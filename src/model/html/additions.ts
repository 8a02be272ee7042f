import { digestOfText } from '../digest.ts';
import { canonicalHtml, canonicalNodes } from './canonical-html.ts';
import { ALL_REWRITINGS } from './rewritings.ts';
import { elementsIn, textOf } from './losses.ts';
import type { Look } from './shape.ts';
import { isParsable, parseHtml } from './tree.ts';
import type { HtmlElement, HtmlNode } from './tree.ts';

/**
 * Something that a service puts into pages by itself: `p.kb-footer`, an element with a class or an id that no author wrote,
 * wherever it stands; `button=3f2a…`, such a button with these very words; or `^<p>…` and `$<p>…`, that very content at the start or the end.
 */
export type Addition = string;

/** Longer ones are pages of their own, and no state shall hold them. */
const EDGE_CHARS_MAX = 500;
const EDGE_NODES_MAX = 3;

/** A page without what a service is known to add. */
export function withoutAdditions(
  nodes: readonly HtmlNode[],
  additions: readonly Addition[],
): readonly HtmlNode[] {
  if (additions.length === 0) return nodes;
  const known = new Set(additions);
  let rest = withoutMarked(nodes, known);
  for (let at = 0; at < EDGE_NODES_MAX; at += 1) {
    const first = rest.find((node) => !isBlank(node));
    if (first !== undefined && known.has(edgeOf('^', first))) rest = rest.slice(rest.indexOf(first) + 1);
    const last = rest.findLast((node) => !isBlank(node));
    if (last !== undefined && known.has(edgeOf('$', last))) rest = rest.slice(0, rest.lastIndexOf(last));
  }
  return rest;
}

/** So many tags are looked at, from the end. */
const CUT_TAGS_MAX = 40;

/**
 * An HTML text without what a service is known to add at its end. Only this part is sent back, for the service adds the rest again. The
 * rest is left to the letter.
 */
export function cutAdditions(html: string, additions: readonly Addition[]): string {
  if (additions.length === 0 || !isParsable(html)) return html;
  const left = (part: string): string =>
    canonicalNodes(withoutAdditions(parseHtml(part), additions), { without: ALL_REWRITINGS });
  const whole = left(html);
  let cut = html;
  let at = html.length;
  for (let tags = 0; tags < CUT_TAGS_MAX; tags += 1) {
    at = html.lastIndexOf('<', at - 1);
    if (at <= 0) return cut;
    if (left(html.slice(at)) === '' && left(html.slice(0, at)) === whole) cut = html.slice(0, at).trimEnd();
  }
  return cut;
}

/** The canonical form of an HTML text without what a service is known to add. */
export function formWithout(html: string, additions: readonly Addition[], look: Look): string {
  if (additions.length === 0 || !isParsable(html)) return canonicalHtml(html, look);
  return canonicalNodes(withoutAdditions(parseHtml(html), additions), look);
}

/**
 * What `shown` has beyond `sent`: elements with marks of their own, and nodes at the start and the end, if the rest
 * is alike; undefined where it is not.
 */
export function additionsTo(
  sent: readonly HtmlNode[],
  shown: readonly HtmlNode[],
  isAlike: (rest: readonly HtmlNode[]) => boolean,
): readonly Addition[] | undefined {
  const marks = newMarks(sent, shown);
  const unmarked = withoutMarked(shown, new Set(marks));
  if (marks.length > 0 && isAlike(unmarked)) return marks;
  const solid = unmarked.filter((node) => !isBlank(node));
  for (let count = 1; count <= EDGE_NODES_MAX; count += 1)
    for (let first = 0; first <= count; first += 1) {
      const last = solid.length - (count - first);
      if (last <= first || !isAlike(solid.slice(first, last))) continue;
      const edges = [
        ...solid.slice(0, first).map((node) => edgeOf('^', node)),
        ...solid.slice(last).map((node) => edgeOf('$', node)),
      ];
      return edges.every((edge) => edge.length <= EDGE_CHARS_MAX) ? [...marks, ...edges] : undefined;
    }
  return undefined;
}

/** Marks that only `shown` has, of elements that hold nothing of what was sent. */
function newMarks(sent: readonly HtmlNode[], shown: readonly HtmlNode[]): readonly Addition[] {
  const known = new Set(elementsIn(sent).map(markOf));
  const found = new Set(elementsIn(shown).flatMap((element) => markOf(element) ?? []));
  const chars = textOf(sent).length;
  const marks: Addition[] = [];
  let rest = shown;
  for (const mark of found) {
    if (known.has(mark)) continue;
    const without = withoutMarked(rest, new Set([mark]));
    if (textOf(without).length < chars) continue;
    marks.push(mark);
    rest = without;
  }
  return marks;
}

function withoutMarked(nodes: readonly HtmlNode[], marks: ReadonlySet<string>): readonly HtmlNode[] {
  if (marks.size === 0) return nodes;
  return nodes.flatMap((node): readonly HtmlNode[] => {
    if (typeof node === 'string') return [node];
    const mark = markOf(node);
    if (mark !== undefined && marks.has(mark)) return [];
    return [{ ...node, children: withoutMarked(node.children, marks) }];
  });
}

/** `div.note.box`, else `nav#contents`, else `button=3f2a…`; undefined for any other element that bears neither class nor id. */
function markOf({ name, attributes, children }: HtmlElement): string | undefined {
  const classes = (attributes.get('class') ?? '').split(/\s+/).filter((part) => part !== '');
  if (classes.length > 0) return [name, ...new Set(classes.sort())].join('.');
  const id = attributes.get('id') ?? '';
  if (id !== '') return `${name}#${id}`;
  if (!MACHINERY.has(name)) return undefined;
  const [source = ''] = (attributes.get('src') ?? attributes.get('href') ?? '').split('?');
  return `${name}=${digestOfText(`${source} ${textOf(children)}`)}`;
}

/**
 * A button that copies code, and the parts that make it work: services put them into pages without a class. By its name alone an
 * editor's own button would be one of them.
 */
const MACHINERY: ReadonlySet<string> = new Set('button script style noscript template link meta'.split(' '));

function edgeOf(edge: '^' | '$', node: HtmlNode): string {
  return edge + canonicalNodes([node], { without: ALL_REWRITINGS });
}

function isBlank(node: HtmlNode): boolean {
  return typeof node === 'string' && node.trim() === '';
}

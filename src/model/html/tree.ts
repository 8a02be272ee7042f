import { addAll } from '../../text/many.ts';
import { createRequire } from 'node:module';
import type { DefaultTreeAdapterTypes } from 'parse5';

/** A piece of a page: text with its entities decoded, or an element. Comments are left out, because no reader sees them. */
export type HtmlNode = string | HtmlElement;

export interface HtmlElement {
  /** In lower case, as the parser writes it. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly HtmlNode[];
}

const CHARS_MAX = 2 ** 21;

/** Tags, each times the number of elements that are open there: 10 ms for every million, at worst. */
const WORK_MAX = 10_000_000;

const TAG = /<(\/?)([a-z][a-z0-9]*)/gi;
/** Closed without a tag of their own, so a missing one does not nest. */
const CLOSED = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd tr td th option'.split(
    ' ',
  ),
);

/**
 * Whether a text can be parsed in reasonable time. Tree construction looks through the open elements at each tag, so the
 * cost of hostile nesting grows with its square; such texts, and those above 2 MiB, are to be compared byte by byte.
 */
export function isParsable(html: string): boolean {
  if (html.length > CHARS_MAX) return false;
  let depth = 0;
  let work = 0;
  for (const [, slash, name = ''] of html.matchAll(TAG)) {
    if (CLOSED.has(name.toLowerCase())) work += depth;
    else if (slash === '') work += depth += 1;
    else depth = Math.max(0, depth - 1);
    if (work > WORK_MAX) return false;
  }
  return true;
}

/** Browsers stop nesting at 512; deeper elements are read as if they stood side by side. */
const DEPTH_MAX = 400;

/** The nodes of an HTML text as a browser builds them inside a page (WHATWG tree construction). */
export function parseHtml(html: string): readonly HtmlNode[] {
  const { parseFragment } = parse5();
  box ??= parseFragment('<div></div>').childNodes[0] as Parent;
  return nodesOf(parseFragment(box, html, { scriptingEnabled: false }).childNodes, 0);
}

type Child = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.Element;

/** Where the text stands; a service shows it inside some element of its page. */
let box: Parent | undefined;

function nodesOf(children: readonly Child[], depth: number): readonly HtmlNode[] {
  const nodes: HtmlNode[] = [];
  for (const child of children) {
    if ('value' in child) nodes.push(child.value);
    else if ('tagName' in child) {
      if (depth < DEPTH_MAX) nodes.push(elementOf(child, nodesOf(contentOf(child), depth + 1)));
      else addAll(nodes, flatNodes(child));
    }
  }
  return nodes;
}

function elementOf({ tagName, attrs }: Parent, children: readonly HtmlNode[]): HtmlElement {
  return { name: tagName, attributes: new Map(attrs.map(({ name, value }) => [name, value])), children };
}

function contentOf(element: Parent): readonly Child[] {
  return 'content' in element
    ? (element as DefaultTreeAdapterTypes.Template).content.childNodes
    : element.childNodes;
}

/** What lies too deep to be walked by recursion: every element without its children, every text, in order. */
function flatNodes(root: Parent): readonly HtmlNode[] {
  const nodes: HtmlNode[] = [];
  const open: Child[] = [root];
  for (let child = open.pop(); child !== undefined; child = open.pop()) {
    if ('value' in child) nodes.push(child.value);
    else if ('tagName' in child) {
      nodes.push(elementOf(child, []));
      for (const inner of contentOf(child).toReversed()) open.push(inner);
    }
  }
  return nodes;
}

/** Loaded at its first use: a run that finds nothing changed compares no HTML. `require`, because plans are synchronous. */
const require = createRequire(import.meta.url);
let loaded: typeof import('parse5') | undefined;

function parse5(): typeof import('parse5') {
  // The cast names the module that the literal beside it loads.
  return (loaded ??= require('parse5') as typeof import('parse5'));
}

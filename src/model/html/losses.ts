import type { HtmlElement, HtmlNode } from './tree.ts';

/**
 * What a service did not keep of a page, by name: an element (`table`, `iframe`), `alt` for the texts of pictures, `address`
 * for where links lead or pictures come from, `end` for the end of the text, `signs` for characters such as emoji, `markup`
 * for the elements that the words stand in. Of a status, `word`: the service shows another one. `draft`: it stays one though
 * it was sent as published. Of an empty text, `filled`: the service wrote one;
 * `derived`: it made one of the beginning of the page.
 */
export type Loss = string;

/** Whoever lost a table has lost its cells: only the whole is worth a word. */
export function withoutParts(losses: readonly Loss[]): readonly Loss[] {
  return losses.filter((loss) => !(WHOLES[loss] ?? []).some((whole) => losses.includes(whole)));
}

const WHOLES: Readonly<Record<Loss, readonly Loss[]>> = {
  caption: ['table'],
  td: ['table'],
  th: ['table'],
  li: ['ol', 'ul'],
  dt: ['dl'],
  dd: ['dl'],
  source: ['audio', 'video'],
  track: ['audio', 'video'],
  summary: ['details'],
};

/** Two pages without what one of them lacks. */
export interface Remains {
  readonly sent: readonly HtmlNode[];
  readonly shown: readonly HtmlNode[];
  readonly losses: readonly Loss[];
}

/**
 * Takes from `sent` what `shown` has nowhere: whole elements, with or without the text in them, texts and addresses of
 * pictures and links. What both have is left alone, so a table that somebody changed is not taken for a lost one.
 */
export function remainsOf(sent: readonly HtmlNode[], shown: readonly HtmlNode[]): Remains {
  const kept = namesIn(shown);
  const text = textOf(shown);
  const lost = [...namesIn(sent)].filter((name) => !kept.has(name) && name !== 'p');
  const withText = new Set(lost.filter((name) => isTextGone(name, sent, text)));
  const lostAttributes = LOST_ATTRIBUTES.filter(
    ([, elements, names]) =>
      elements.some((name) => kept.has(name)) &&
      hasAttribute(sent, elements, names) &&
      !hasAttribute(shown, elements, names),
  );
  const attributes = new Set(lostAttributes.flatMap(([, , names]) => names));
  return {
    sent: cutNodes(sent, { elements: new Set(lost), withText, attributes }),
    shown: cutNodes(shown, { elements: new Set(), withText: new Set(), attributes }),
    losses: [...lost.filter((name) => !FORMAL.has(name)).sort(), ...lostAttributes.map(([name]) => name)],
  };
}

/** Elements that carry no sense of their own: see the rewritings. */
const FORMAL = new Set(
  'br wbr span div section article main header footer aside nav figure picture thead tbody tfoot tr colgroup col font center'.split(
    ' ',
  ),
);

const LOST_ATTRIBUTES = [
  ['alt', ['img'], ['alt']],
  ['address', ['img', 'a'], ['src', 'href']],
] as const satisfies readonly (readonly [Loss, readonly string[], readonly string[]])[];

interface Cut {
  readonly elements: ReadonlySet<string>;
  readonly withText: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
}

function cutNodes(nodes: readonly HtmlNode[], cut: Cut): readonly HtmlNode[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [node];
    if (cut.withText.has(node.name)) return [];
    const children = cutNodes(node.children, cut);
    if (cut.elements.has(node.name)) return children;
    const attributes = new Map([...node.attributes].filter(([name]) => !cut.attributes.has(name)));
    return [{ ...node, attributes, children }];
  });
}

function namesIn(nodes: readonly HtmlNode[]): ReadonlySet<string> {
  return new Set(elementsIn(nodes).map(({ name }) => name));
}

/** Of the first such element with a text: whether the other page has that text less often, so a short one counts too. */
function isTextGone(name: string, nodes: readonly HtmlNode[], text: string): boolean {
  const own = elementsIn(nodes)
    .filter((element) => element.name === name)
    .map(({ children }) => textOf(children))
    .find((each) => each !== '');
  return own !== undefined && timesIn(text, own) < timesIn(textOf(nodes), own);
}

function timesIn(text: string, part: string): number {
  return text.split(part).length - 1;
}

function hasAttribute(
  nodes: readonly HtmlNode[],
  elements: readonly string[],
  names: readonly string[],
): boolean {
  return elementsIn(nodes).some(
    ({ name, attributes }) =>
      elements.includes(name) && names.some((attribute) => (attributes.get(attribute) ?? '') !== ''),
  );
}

export function elementsIn(nodes: readonly HtmlNode[]): readonly HtmlElement[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...elementsIn(node.children)]));
}

/** Every letter in order, without blanks. */
export function textOf(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node.replaceAll(/\s+/g, '') : textOf(node.children)))
    .join('');
}

import { addAll } from '../../text/many.ts';
import type { Look } from './shape.ts';
import { BLOCKS, shapedNodes } from './shape.ts';
import { NO_REWRITINGS } from './rewritings.ts';
import type { HtmlElement, HtmlNode } from './tree.ts';
import { isParsable, parseHtml } from './tree.ts';
import { escapedHtml } from '../../text/escaped-html.ts';

/** Nothing is left out but what no browser shows. */
export const AS_SHOWN: Look = { without: NO_REWRITINGS };

/**
 * A text that two HTML texts share exactly if a browser shows them alike: comments, blanks that are not seen, the order,
 * quoting and case of what is in a tag, entities, implied tags, Unicode composition and other names of one look (`<b>`,
 * `<strong>`) are one spelling here. A `look` leaves out more. Texts that cannot be parsed in reasonable time stay as they are.
 */
export function canonicalHtml(html: string, look: Look = AS_SHOWN): string {
  return isParsable(html) ? canonicalNodes(parseHtml(html), look) : html;
}

/** The same for nodes that are parsed already. */
export function canonicalNodes(nodes: readonly HtmlNode[], look: Look): string {
  const ranks = look.without.has('headings') ? headingRanks(nodes, look) : undefined;
  const page: Page = {
    out: [],
    look,
    ranks,
    atEdge: true,
    blankAt: undefined,
    isParagraphOpen: false,
    isNewParagraph: false,
  };
  for (const node of shapedNodes(nodes, look)) write(node, page, false);
  return look.without.has('blanks') ? withBlanksOutside(page.out).join('') : page.out.join('');
}

interface Page {
  /** Tags and texts; a blank is a part of its own. */
  readonly out: string[];
  readonly look: Look;
  /** Of each heading that occurs: which level it is of those that occur. */
  readonly ranks: ReadonlyMap<string, number> | undefined;
  /** Whether a blank here would stand at the edge of a block, where none is seen. */
  atEdge: boolean;
  /** Where a blank will be, if something that is seen follows in the same block. */
  blankAt: number | undefined;
  /** Whether the last thing shown runs in a text, so another paragraph has to be told from it. */
  isParagraphOpen: boolean;
  /** Whether a paragraph has ended since. */
  isNewParagraph: boolean;
}

function write(node: HtmlNode, page: Page, isPre: boolean): void {
  if (typeof node === 'string') {
    if (isPre) writePre(node, page);
    else writeText(node, page);
  } else if (node.name === 'p' && page.look.without.has('paragraphs')) {
    paragraphEdge(page);
    for (const child of node.children) write(child, page, isPre);
    paragraphEdge(page);
  } else if (node.name === 'br') {
    // In preformatted text a break and a line end are one.
    if (isPre) writePre('\n', page);
    else writeBreak(node, page);
  } else writeElement(node, page, isPre);
}

function writeElement(node: HtmlElement, page: Page, isPre: boolean): void {
  const isBlock = BLOCKS.has(node.name);
  if (isBlock) blockEdge(page);
  else if (SHOWN.has(node.name)) show(page);
  else newParagraph(page);
  page.out.push(openTag(node, page));
  const start = page.out.length;
  for (const child of node.children) write(child, page, isPre || PRE.has(node.name));
  if (isBlock) blockEdge(page);
  if (node.name === 'pre') {
    if (page.look.without.has('blanks')) dropOuterBlanks(page, start);
    else dropLastLineEnd(page, start);
  }
  page.out.push(`</${tagName(node, page)}>`);
}

const PRE = new Set(['pre', 'textarea', 'script', 'style']);

/** Blanks before and behind these are seen. */
const SHOWN = new Set(
  'audio button canvas embed iframe img input meter object progress select svg textarea video'.split(' '),
);

function writeBreak(node: HtmlElement, page: Page): void {
  if (page.look.without.has('line-breaks')) {
    blank(page);
    return;
  }
  page.blankAt = undefined;
  newParagraph(page);
  page.out.push(openTag(node, page));
  page.atEdge = true;
}

/** At the edge of a block no blank is seen, and no paragraph has to be told from another. */
function blockEdge(page: Page): void {
  page.blankAt = undefined;
  page.atEdge = true;
  page.isParagraphOpen = false;
  page.isNewParagraph = false;
}

function paragraphEdge(page: Page): void {
  page.blankAt = undefined;
  page.atEdge = true;
  page.isNewParagraph = page.isParagraphOpen;
}

function newParagraph(page: Page): void {
  if (!page.isNewParagraph) return;
  page.out.push('<p>');
  page.isNewParagraph = false;
}

/** Something that is seen: a blank before it is seen too, at the place where it was first. */
function show(page: Page): void {
  if (page.blankAt !== undefined) page.out[page.blankAt] = ' ';
  page.blankAt = undefined;
  newParagraph(page);
  page.atEdge = false;
  page.isParagraphOpen = true;
}

function blank(page: Page): void {
  if (page.atEdge || page.blankAt !== undefined) return;
  page.blankAt = page.out.push('') - 1;
}

function writeText(text: string, page: Page): void {
  const parts = text.replaceAll(/[ \t\n\f\r]+/g, ' ');
  if (parts.startsWith(' ')) blank(page);
  const words = parts.replaceAll(/^ | $/g, '');
  if (words === '') return;
  show(page);
  page.out.push(escapedHtml(words));
  if (parts.endsWith(' ')) blank(page);
}

function writePre(text: string, page: Page): void {
  if (text === '') return;
  show(page);
  page.out.push(escapedHtml(text.replaceAll(/\r\n?/g, '\n')));
}

/** The line end that ends a block of code is not seen. */
function dropLastLineEnd({ out }: Page, start: number): void {
  for (let index = out.length - 1; index >= start; index -= 1) {
    const part = out[index] ?? '';
    if (part.startsWith('</')) continue;
    out[index] = part.replace(/\n$/, '');
    return;
  }
}

/** Indented HTML puts blanks between `<pre>` and `<code>`. */
function dropOuterBlanks({ out }: Page, start: number): void {
  const isText = (part: string): boolean => !part.startsWith('<');
  for (let index = start; index < out.length; index += 1) {
    if (!isText(out[index] ?? '')) continue;
    out[index] = (out[index] ?? '').trimStart();
    if (out[index] !== '') break;
  }
  for (let index = out.length - 1; index >= start; index -= 1) {
    if (!isText(out[index] ?? '')) continue;
    out[index] = (out[index] ?? '').trimEnd();
    if (out[index] !== '') break;
  }
}

function openTag(node: HtmlElement, page: Page): string {
  let text = `<${tagName(node, page)}`;
  for (const [name, value] of node.attributes) text += ` ${name}="${escapedHtml(value)}"`;
  return `${text}>`;
}

function tagName({ name: own }: HtmlElement, { ranks, look }: Page): string {
  const name = levelOf(own, look);
  const rank = ranks?.get(name);
  return rank === undefined ? name : `heading-${rank}`;
}

function levelOf(name: string, { without }: Look): string {
  return name === 'h1' && without.has('page-heading') ? 'h2' : name;
}

function headingRanks(nodes: readonly HtmlNode[], look: Look): ReadonlyMap<string, number> {
  const found = new Set<string>();
  const visit = (children: readonly HtmlNode[]): void => {
    for (const child of children) {
      if (typeof child === 'string') continue;
      if (/^h[1-6]$/.test(child.name)) found.add(levelOf(child.name, look));
      visit(child.children);
    }
  };
  visit(nodes);
  return new Map([...found].sort().map((name, index) => [name, index + 1]));
}

/** A blank stands behind the marks that end beside it and before those that begin. */
function withBlanksOutside(parts: readonly string[]): readonly string[] {
  const out: string[] = [];
  for (let index = 0; index < parts.length;) {
    let end = index;
    while (end < parts.length && isTagOrBlank(parts[end] ?? '')) end += 1;
    const run = parts.slice(index, end);
    if (run.includes(' ')) {
      const rest = run.filter((part) => part !== ' ');
      const ends = rest.findIndex((part) => !part.startsWith('</'));
      const at = ends < 0 ? rest.length : ends;
      addAll(out, [...rest.slice(0, at), ' ', ...rest.slice(at)]);
    } else addAll(out, run);
    if (end < parts.length) out.push(parts[end] ?? '');
    index = end + 1;
  }
  return out;
}

function isTagOrBlank(part: string): boolean {
  return part === ' ' || part === '' || (part.startsWith('<') && !SHOWN.has(/\w+/.exec(part)?.[0] ?? ''));
}

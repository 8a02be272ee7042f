import { find, html, svg } from 'property-information';
import { RUN, isBlank, isBlock, plainBlanks } from './hast.ts';
import type { HastContent, HastElement } from './hast.ts';

/** The address to write for one that stands in an attribute. */
export type Rewrite = (url: string) => string;

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const ADDRESSES = new Set(['href', 'src']);
/** Their text has no entities (https://html.spec.whatwg.org/multipage/parsing.html#serialising-html-fragments). */
const RAW_TEXT = new Set('iframe noembed noframes plaintext script style xmp'.split(' '));

/**
 * A piece of HTML that can stand in Markdown: it has no empty line, which would end a block of raw HTML. Names are those
 * of attributes (hast keeps those of the DOM).
 */
export function htmlOf(nodes: readonly HastContent[], rewrite: Rewrite = (url) => url): string {
  return nodes.map((node) => piece(node, rewrite, 'text')).join('');
}

export function openTag(element: HastElement, rewrite: Rewrite = (url) => url): string {
  const attributes = attributesOf(element).map(([name, value]) => {
    const written = ADDRESSES.has(name) ? rewrite(value) : value;
    return ` ${name}="${escapeAttribute(written)}"`;
  });
  return `<${element.tagName}${attributes.join('')}>`;
}

/** Attributes as HTML spells them, in the order of the source. */
export function attributesOf(element: HastElement): readonly (readonly [name: string, value: string])[] {
  return Object.entries(element.properties).flatMap(([property, value]) => {
    if (value === null || value === undefined || value === false) return [];
    const name = attributeName(property);
    if (value === true) return [[name, ''] as const];
    if (!Array.isArray(value)) return [[name, String(value)] as const];
    return [[name, value.join(COMMA_LISTS.has(property) ? ', ' : ' ')] as const];
  });
}

const COMMA_LISTS = new Set(['accept', 'coords']);

/** hast names attributes by their properties in the DOM; those of pictures in the text are in a list of their own. */
function attributeName(property: string): string {
  const list = property in html.property || !(property in svg.property) ? html : svg;
  return find(list, property).attribute;
}

/** What becomes of blanks: in code each counts, and a line end is one of them. */
type Blanks = 'text' | 'code' | 'pre';

function piece(node: HastContent, rewrite: Rewrite, blanks: Blanks): string {
  if (node.type === 'text') return text(node.value, blanks);
  if (node.type === 'comment') return `<!--${node.value.replaceAll(/\n\s*\n/g, '\n')}-->`;
  if (node.type !== 'element') return '';
  if (node.tagName === RUN) return node.children.map((child) => piece(child, rewrite, blanks)).join('');
  const open = openTag(node, rewrite);
  if (VOID.has(node.tagName)) return open;
  if (RAW_TEXT.has(node.tagName)) return `${open}${verbatim(node)}</${node.tagName}>`;
  const isPre = blanks === 'pre';
  const inPre = isPre || node.tagName === 'pre' || node.tagName === 'textarea';
  if (!inPre && isLined(node)) {
    const lines = node.children
      .filter((child) => !isBlank(child))
      .map((child) => piece(child, rewrite, 'text'));
    return `${open}\n${lines.join('\n')}\n</${node.tagName}>`;
  }
  const within = inPre ? 'pre' : node.tagName === 'code' ? 'code' : blanks;
  const inner = node.children.map((child) => piece(child, rewrite, within)).join('');
  // A parser drops the first line break behind these tags, and an empty line would end a block of raw HTML.
  const shown = inPre && !isPre ? filledLines(inner).replace(/^(?:\n|&#10;)/, '\n&#10;') : inner;
  return `${open}${shown}</${node.tagName}>`;
}

/** Rows and items on lines of their own, so raw HTML stays readable and its changes small. */
function isLined(node: HastElement): boolean {
  const shown = node.children.filter((child) => !isBlank(child));
  return LINED.has(node.tagName) && shown.length > 0 && shown.every((child) => isBlock(child));
}

const LINED = new Set('table thead tbody tfoot tr ul ol dl div section details figure colgroup'.split(' '));

function text(value: string, blanks: Blanks): string {
  const escaped = plainBlanks(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00A0', '&nbsp;');
  if (blanks === 'code') return escaped.replaceAll(/[\t\n\r]/g, ' ');
  return blanks === 'pre' ? escaped : escaped.replaceAll(/(?<![ \t\r\f])[ \t\r\f]*\n\s*/g, '\n');
}

/** Preformatted text without an empty line. Tags stand in it, so a text alone does not know its lines. */
function filledLines(text: string): string {
  return text.replaceAll(/\n(?=[ \t]*(?:\n|$))/g, '&#10;');
}

function verbatim(node: HastElement): string {
  return node.children
    .map((child) => (child.type === 'text' ? child.value.replaceAll(/\n\s*\n/g, '\n') : ''))
    .join('');
}

function escapeAttribute(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('\u00A0', '&nbsp;')
    .replaceAll('\n', '&#10;');
}

import { numberOf } from './context.ts';
import type { Conversion } from './context.ts';
import { collapsed } from './collapsed.ts';
import { RUN, elementsOf, hasBlock, isApart, isBlank, isBlock, runOf, textOf } from './hast.ts';
import type { ElementContent, HastElement, HastParent, HastRoot } from './hast.ts';
import { hastToMdast } from '../parsers.ts';
import { codeBlock, listItem, listOf, tableOf } from './lists-and-tables.ts';
import type { HandleState, MdastContent, MdastRoot } from './mdast.ts';
import { admonitionOf, footnoteSection, footnoteReference } from './notes.ts';
import { htmlOf, openTag } from './serialise.ts';

/** Markdown's tree for a page. What Markdown has no words for becomes raw HTML, noted in `conversion.raw`. */
export function mdastOf(tree: HastRoot, conversion: Conversion): MdastRoot {
  const handle = (state: HandleState, node: HastElement) => element(state, node, conversion);
  const handlers = Object.fromEntries([...tagNames(tree)].map((name) => [name, handle]));
  // The library copies and cleans a tree by general rules, at a fifth of a conversion's cost: it gets one that holds nothing,
  // and the real one where it asks what to make of that.
  const root = hastToMdast().toMdast(HOLDER, {
    document: true,
    handlers: { ...handlers, [RUN]: handle, [HELD]: (state: HandleState) => state.all(collapsed(tree)) },
    nodeHandlers: { comment: (_state, node: { readonly value: string }) => comment(node.value) },
  });
  if (root.type !== 'root') throw new Error(`bug: a tree became a ${root.type}`);
  return root;
}

/** No page has it: names of elements are letters, digits and dashes at most. */
const HELD = '#held';
const HOLDER: HastRoot = {
  type: 'root',
  children: [{ type: 'element', tagName: HELD, properties: {}, children: [] }],
};

function tagNames(parent: HastParent, names = new Set<string>()): ReadonlySet<string> {
  for (const child of elementsOf(parent)) {
    names.add(child.tagName);
    tagNames(child, names);
  }
  return names;
}

function element(
  state: HandleState,
  node: HastElement,
  conversion: Conversion,
): MdastContent | MdastContent[] {
  if (conversion.forced.has(numberOf(node))) return rawOf(node, 'its Markdown gives other HTML', conversion);
  const made = markdownFor(state, node, conversion);
  return typeof made === 'string' ? rawOf(node, made, conversion) : made;
}

/** Markdown for an element, or the reason why there is none. */
function markdownFor(
  state: HandleState,
  node: HastElement,
  conversion: Conversion,
): MdastContent | MdastContent[] | string {
  const { tagName } = node;
  switch (tagName) {
    case 'p':
      return paragraph(state, node);
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return heading(state, node, conversion);
    case 'hr':
      return only(node, []) ?? { type: 'thematicBreak' };
    case 'br':
      return only(node, []) ?? (state.inTable ? inText('<br>') : { type: 'break' });
    case 'ul':
    case 'ol':
      return listOf(state, node);
    case 'li':
      return listItem(state, node);
    case 'pre':
      return codeBlock(node);
    case 'table':
      return tableOf(state, node);
    case 'section':
    case 'div':
      return (
        admonitionOf(state, node, conversion) ??
        footnoteSection(state, node) ??
        wrapper(state, node, conversion)
      );
    case 'blockquote':
      return only(node, []) === undefined
        ? { type: 'blockquote', children: flow(state, node) }
        : wrapper(state, node, conversion);
    case 'thead':
    case 'tbody':
    case 'tr':
      return 'it is a part of a table without its table';
    case 'th':
    case 'td':
      return phrasing(state.all(node));
    default:
      return isBlock(node) ? wrapper(state, node, conversion) : inline(state, node, conversion);
  }
}

function paragraph(state: HandleState, node: HastElement): MdastContent | string {
  const children = phrasing(state.all(node));
  if (node.children.every((child) => isBlank(child))) return 'it is an empty paragraph';
  return only(node, []) ?? { type: 'paragraph', children };
}

function heading(state: HandleState, node: HastElement, conversion: Conversion): MdastContent | string {
  const refused = only(node, ['id']);
  if (refused !== undefined) return refused;
  const children = phrasing(withoutBreaks(state.all(node)));
  const id = conversion.headingIds.get(numberOf(node));
  if (id !== undefined) {
    if (!/^[\w\p{L}\p{N}:.-]+$/u.test(id)) return 'its id has characters that `{#id}` cannot hold';
    children.push({ type: 'html', value: ` {#${id}}` });
  }
  const depth = Number(node.tagName.slice(1));
  // The six tags above end in a digit from 1 to 6.
  return { type: 'heading', depth: depth as 1 | 2 | 3 | 4 | 5 | 6, children };
}

/** A heading is one line. */
function withoutBreaks(nodes: readonly MdastContent[]): MdastContent[] {
  return nodes.map((node) => {
    if (node.type === 'break') return inText('<br>');
    if (!('children' in node)) return node;
    // Children of a phrasing node are phrasing.
    return { ...node, children: withoutBreaks(node.children) } as MdastContent;
  });
}

/** The tags as raw HTML, Markdown between them; what stands loose among the blocks inside stays raw HTML, in a line of its own. */
function wrapper(state: HandleState, node: HastElement, conversion: Conversion): MdastContent[] | string {
  if (!WRAPPERS.has(node.tagName)) return only(node, []) ?? 'Markdown has no such block';
  const start = node.children.findIndex((child) => !isBlank(child));
  const summary = node.tagName === 'details' ? node.children[start] : undefined;
  const isSummary = summary?.type === 'element' && summary.tagName === 'summary';
  const inside = isSummary ? node.children.slice(start + 1) : node.children;
  if (!inside.some((child) => isBlock(child))) return 'it contains text that is not in a paragraph';
  conversion.raw.push({ element: node.tagName, reason: 'Markdown has no such block', scope: 'wrapper' });
  const head = isSummary ? `\n${htmlOf([summary], conversion.rewrite)}` : '';
  return [
    block(`${openTag(node, conversion.rewrite)}${head}`),
    ...flow(state, { ...node, children: withRuns(inside) }),
    block(`</${node.tagName}>`),
  ];
}

function withRuns(nodes: readonly ElementContent[]): ElementContent[] {
  const children: ElementContent[] = [];
  let run: ElementContent[] = [];
  const close = (): void => {
    if (run.some((node) => !isBlank(node))) children.push(runOf(run));
    run = [];
  };
  for (const node of nodes) {
    if (isBlock(node) || isApart(node)) {
      close();
      children.push(isBlock(node) ? node : runOf([node]));
    } else run.push(node);
  }
  close();
  return children;
}

const WRAPPERS = new Set(
  'address article aside blockquote center details div figure footer header main nav section'.split(' '),
);

function inline(
  state: HandleState,
  node: HastElement,
  conversion: Conversion,
): MdastContent | MdastContent[] | string {
  const { tagName, properties } = node;
  const reference = footnoteReference(node);
  if (reference !== undefined) return reference;
  if (OPAQUE.has(tagName)) return 'Markdown has no such element';
  if (hasBlock(node)) return 'blocks stand in it';
  switch (tagName) {
    case 'strong':
    case 'em':
    case 'del':
      if (only(node, []) !== undefined || textOf(node).trim() === '') break;
      return { type: MARKS[tagName], children: phrasing(state.all(node)) };
    case 'code':
      if (only(node, []) !== undefined || elementsOf(node).length > 0 || textOf(node) === '') break;
      return { type: 'inlineCode', value: textOf(node).replaceAll(/[\t\n\r]/g, ' ') };
    case 'a': {
      const url = properties['href'];
      if (only(node, ['href', 'title']) !== undefined || typeof url !== 'string') break;
      const title = typeof properties['title'] === 'string' ? properties['title'] : null;
      return { type: 'link', url: conversion.rewrite(url), title, children: phrasing(state.all(node)) };
    }
    case 'img': {
      const url = properties['src'];
      if (only(node, ['src', 'alt', 'title']) !== undefined || typeof url !== 'string') break;
      if (typeof properties['alt'] !== 'string') break;
      const title = typeof properties['title'] === 'string' ? properties['title'] : null;
      return { type: 'image', url: conversion.rewrite(url), title, alt: properties['alt'] };
    }
  }
  conversion.raw.push({ element: tagName, reason: reasonFor(node), scope: 'inline' });
  const open = inText(openTag(node, conversion.rewrite));
  if (VOID.has(tagName)) return open;
  return [open, ...phrasing(state.all(node)), inText(`</${tagName}>`)];
}

const MARKS = { strong: 'strong', em: 'emphasis', del: 'delete' } as const;
const VOID = new Set(['img', 'br', 'wbr', 'input']);
const OPAQUE = new Set(
  'audio button canvas embed iframe map math meter noscript object picture progress script select style svg template textarea video'.split(
    ' ',
  ),
);

function rawOf(node: HastElement, reason: string, conversion: Conversion): MdastContent {
  const isWhole = isBlock(node);
  if (node.tagName === RUN) return rawRun(node, conversion);
  conversion.raw.push({ element: node.tagName, reason, scope: isWhole ? 'block' : 'inline' });
  const html = htmlOf([node], conversion.rewrite);
  return isWhole ? block(html) : inText(html);
}

/** A comment starts a block of raw HTML, with anything that follows on its line. */
function rawRun(node: HastElement, conversion: Conversion): MdastContent {
  const shown = elementsOf(node);
  const element = shown[0]?.tagName ?? '#text';
  const html = htmlOf(node.children, conversion.rewrite).trim();
  const reason = 'it is between blocks, and not in a paragraph';
  conversion.raw.push({ element, reason, scope: 'block' });
  return block(/^<(?:iframe|script|style|!--)/.test(html) ? html : `<!-- -->${inOneLine(html)}`);
}

/** Lines of preformatted text are lines. */
function inOneLine(html: string): string {
  return html
    .replaceAll(/<(pre|textarea)\b[^]*?<\/\1>/g, (text) => text.replaceAll('\n', '&#10;'))
    .replaceAll('\n', ' ');
}

/** A block of raw HTML; `hName` tells the converter that it is none of the words of a paragraph. */
function block(value: string): MdastContent {
  const data: object = { hName: 'div' };
  return { type: 'html', value, data };
}

/** Raw HTML among words. */
function inText(value: string): MdastContent {
  const data: object = { hName: 'span' };
  return { type: 'html', value, data };
}

function comment(value: string): MdastContent {
  return block(`<!--${value.replaceAll(/\n\s*\n/g, '\n')}-->`);
}

function flow(state: HandleState, node: HastElement) {
  return state.toFlow(state.all(node));
}

type Phrasing = Extract<MdastContent, { readonly type: 'paragraph' }>['children'];

/** Where an element may only hold phrasing, anything else would be found by comparing what is rendered. */
function phrasing(nodes: MdastContent[]): Phrasing {
  return nodes as Phrasing;
}

/** undefined when an element has no attributes but these; else the reason to keep it. */
function only(node: HastElement, allowed: readonly string[]): string | undefined {
  const others = Object.keys(node.properties).filter((name) => !allowed.includes(name));
  return others.length === 0 ? undefined : `it has attributes: ${others.join(', ')}`;
}

function reasonFor(node: HastElement): string {
  return Object.hasOwn(MARKS, node.tagName) || ['a', 'img', 'code'].includes(node.tagName)
    ? (only(node, ['href', 'title', 'src', 'alt']) ?? 'Markdown cannot write it here')
    : 'Markdown has no such element';
}

import type { Note } from './names.ts';
import { elementsOf, hasBlock, isBlank, isBlock } from '../hast.ts';
import type { HastContent, HastElement, HastParent } from '../hast.ts';

/** Blocks as one would write them by hand: no spacers, no boxes that say nothing, lists in items, heads in heads. */
export function blocksStep(parent: HastParent, note: Note): void {
  for (const child of elementsOf(parent)) {
    if (!['pre', 'svg', 'math'].includes(child.tagName)) blocksStep(child, note);
  }
  const children = parent.children.flatMap((child) =>
    child.type === 'element' ? block(child, note) : [child],
  );
  // A fragment and its elements hold the same kinds of nodes.
  parent.children = children as typeof parent.children;
  if (parent.type === 'element') {
    if (parent.tagName === 'ul' || parent.tagName === 'ol') list(parent, note);
    if (parent.tagName === 'td' || parent.tagName === 'th') cellParagraph(parent, note);
    if (parent.tagName === 'table') tableHead(parent, note);
    if (parent.tagName === 'blockquote') inParagraphs(parent, () => note('bare-text'));
    if (isBlock(parent) && !hasBlock(parent)) edgeBreaks(parent, note);
  }
}

function block(element: HastElement, note: Note): readonly HastContent[] {
  const { tagName, properties, children } = element;
  const isPlain = Object.keys(properties).length === 0;
  if (tagName === 'p' && isPlain && children.every(isSpacer)) {
    note('empty-paragraphs');
    return [];
  }
  if (
    tagName === 'figure' &&
    isPlain &&
    !elementsOf(element).some((child) => child.tagName === 'figcaption')
  ) {
    note('plain-figures');
    return hasBlock(element) ? children : [{ ...element, tagName: 'p' }];
  }
  if (tagName !== 'div' || !isPlain) return [element];
  note('plain-divs');
  if (hasBlock(element)) return children;
  return children.every(isSpacer) ? [] : [{ ...element, tagName: 'p' }];
}

function isSpacer(node: HastContent): boolean {
  if (node.type === 'text') return /^[\s\u00A0\u200B\uFEFF]*$/.test(node.value);
  return isBlank(node) || (node.type === 'element' && node.tagName === 'br');
}

function list(element: HastElement, note: Note): void {
  strayLists(element, note);
  const items = elementsOf(element).filter(({ tagName }) => tagName === 'li');
  const isLoose = (item: HastElement): boolean => elementsOf(item).some(({ tagName }) => tagName === 'p');
  if (items.some(isLoose)) for (const item of items) inParagraphs(item, () => note('loose-lists'));
  for (const item of items) taskItem(item, element, note);
}

/** Puts text that stands beside or instead of paragraphs into one. */
function inParagraphs(item: HastElement, onWrap: () => void): void {
  const children: HastElement['children'] = [];
  let run: HastElement['children'] = [];
  const close = (): void => {
    if (run.some((node) => !isBlank(node))) {
      onWrap();
      children.push({ type: 'element', tagName: 'p', properties: {}, children: run });
    }
    run = [];
  };
  for (const child of item.children) {
    if (isBlock(child)) {
      close();
      children.push(child);
    } else run.push(child);
  }
  close();
  item.children = children;
}

function taskItem(item: HastElement, parent: HastElement, note: Note): void {
  const shown = item.children.filter((child) => !isBlank(child));
  const first = shown[0]?.type === 'element' && shown[0].tagName === 'p' ? shown[0].children[0] : shown[0];
  if (first?.type !== 'element' || first.tagName !== 'input' || first.properties['type'] !== 'checkbox')
    return;
  const isKnown = item.properties['className'] !== undefined || Object.keys(item.properties).length > 0;
  if (
    isKnown ||
    Object.keys(first.properties).some((name) => !['type', 'checked', 'disabled'].includes(name))
  )
    return;
  first.properties['disabled'] = true;
  item.properties['className'] = ['task-list-item'];
  parent.properties['className'] = ['contains-task-list'];
  note('task-lists');
}

function strayLists(list: HastElement, note: Note): void {
  const items: HastElement['children'] = [];
  for (const child of list.children) {
    const last = items.findLast((item) => item.type === 'element');
    const isList = child.type === 'element' && (child.tagName === 'ul' || child.tagName === 'ol');
    if (isList && last?.type === 'element' && last.tagName === 'li') {
      note('stray-lists');
      last.children.push(child);
    } else items.push(child);
  }
  list.children = items;
}

function cellParagraph(cell: HastElement, note: Note): void {
  const shown = cell.children.filter((child) => !isBlank(child));
  const [only] = shown;
  if (shown.length !== 1 || only?.type !== 'element' || only.tagName !== 'p') return;
  if (Object.keys(only.properties).length > 0) return;
  note('cell-paragraphs');
  cell.children = only.children;
}

function tableHead(table: HastElement, note: Note): void {
  if (elementsOf(table).some((part) => part.tagName === 'thead')) return;
  const body = elementsOf(table).find((part) => part.tagName === 'tbody');
  const row = body === undefined ? undefined : elementsOf(body)[0];
  if (body === undefined || row === undefined || elementsOf(row).length === 0) return;
  if (!elementsOf(row).every((cell) => cell.tagName === 'th')) return;
  note('table-heads');
  body.children = body.children.filter((child) => child !== row);
  const index = table.children.indexOf(body);
  const head: HastElement = { type: 'element', tagName: 'thead', properties: {}, children: [row] };
  const isEmpty = elementsOf(body).length === 0;
  table.children.splice(index, isEmpty ? 1 : 0, head);
}

function edgeBreaks(element: HastElement, note: Note): void {
  if (element.tagName === 'pre') return;
  element.children = withoutEdgeBreaks(element.children, note);
}

/** Line breaks at the edges of a text are no lines of it. */
export function withoutEdgeBreaks<T extends HastContent>(children: T[], note: Note): T[] {
  const isEdge = (node: HastContent | undefined): boolean =>
    node !== undefined && (isBlank(node) || (node.type === 'element' && node.tagName === 'br'));
  let start = 0;
  let end = children.length;
  while (start < end && isEdge(children[start])) start += 1;
  while (end > start && isEdge(children[end - 1])) end -= 1;
  const kept = children.slice(start, end);
  const dropped = children.length - kept.length;
  const breaks = children.filter((child) => child.type === 'element' && child.tagName === 'br').length;
  const left = kept.filter((child) => child.type === 'element' && child.tagName === 'br').length;
  if (dropped === 0 || breaks === left) return children;
  note('trailing-breaks');
  return kept;
}

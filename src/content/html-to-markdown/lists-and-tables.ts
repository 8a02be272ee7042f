import { mergeMarker } from '../source-text.ts';
import { classesOf, elementsOf, hasBlock, isBlank, textOf } from './hast.ts';
import type { HastElement } from './hast.ts';
import type { HandleState, MdastContent, MdastTable } from './mdast.ts';

/** A list, or the reason why it is none in Markdown. */
export function listOf(state: HandleState, node: HastElement): MdastContent | string {
  const isOrdered = node.tagName === 'ol';
  const items = node.children.filter((child) => !isBlank(child));
  if (items.length === 0 || !items.every((child) => child.type === 'element' && child.tagName === 'li')) {
    return 'the list contains something that is not an item';
  }
  const names = Object.keys(node.properties).filter((name) => {
    if (name === 'start') return !isOrdered;
    return !(name === 'className' && classesOf(node).join(' ') === 'contains-task-list');
  });
  if (names.length > 0) return `it has attributes: ${names.join(', ')}`;
  const odd = elementsOf(node).find((item) => !isPlainItem(item));
  if (odd !== undefined) return `an item has attributes: ${Object.keys(odd.properties).join(', ')}`;
  // A list is loose or tight as a whole; one paragraph makes it loose.
  const spread = elementsOf(node).some((item) => elementsOf(item).some((child) => child.tagName === 'p'));
  const children = state
    .all(node)
    .flatMap((child) => (child.type === 'listItem' ? [{ ...child, spread }] : []));
  const start = typeof node.properties['start'] === 'number' ? node.properties['start'] : 1;
  return { type: 'list', ordered: isOrdered, start: isOrdered ? start : null, spread, children };
}

function isPlainItem(item: HastElement): boolean {
  return (
    Object.keys(item.properties).every((name) => name === 'className') &&
    classesOf(item).join(' ').replace('task-list-item', '') === ''
  );
}

/** An item; a box at its start makes it a task. */
export function listItem(state: HandleState, node: HastElement): MdastContent {
  const isTask = classesOf(node).includes('task-list-item');
  const rest: Task = isTask ? withoutBox(node) : { node, isChecked: null };
  const children = state.toFlow(state.all(rest.node));
  return { type: 'listItem', spread: false, checked: rest.isChecked, children };
}

interface Task {
  readonly node: HastElement;
  readonly isChecked: boolean | null;
}

function withoutBox(node: HastElement): Task {
  const start = node.children.findIndex((child) => !isBlank(child));
  const [first, ...others] = node.children.slice(Math.max(0, start));
  if (first?.type !== 'element') return { node, isChecked: null };
  if (first.tagName === 'input') {
    return { node: { ...node, children: others }, isChecked: first.properties['checked'] === true };
  }
  if (first.tagName !== 'p') return { node, isChecked: null };
  const inner = withoutBox(first);
  return { node: { ...node, children: [inner.node, ...others] }, isChecked: inner.isChecked };
}

/** A fenced block, or the reason why it is none. */
export function codeBlock(node: HastElement): MdastContent | string {
  const [code, ...others] = node.children;
  if (Object.keys(node.properties).length > 0) {
    return `it has attributes: ${Object.keys(node.properties).join(', ')}`;
  }
  if (code?.type !== 'element' || code.tagName !== 'code' || others.length > 0) {
    return 'its text is not in one `code` element';
  }
  if (elementsOf(code).length > 0) return 'the code contains elements';
  const classes = classesOf(code);
  const lang = /^language-([^\s`]+)$/.exec(classes[0] ?? '')?.[1];
  const isPlain = Object.keys(code.properties).every((name) => name === 'className');
  if (!isPlain || classes.length > 1 || (classes.length === 1 && lang === undefined)) {
    return 'its code has attributes that name no language';
  }
  const value = textOf(code).replace(/\n$/, '');
  // As it stands there, the file would be one with an unresolved conflict.
  if (mergeMarker(value) !== undefined) return 'its code shows the marks of a merge conflict';
  return { type: 'code', lang: lang ?? null, value };
}

/** A table with one row of heads and plain cells, or the reason why it is none. */
export function tableOf(state: HandleState, node: HastElement): MdastContent | string {
  if (state.inTable) return 'it is inside another table';
  const [head, ...bodies] = elementsOf(node);
  if (Object.keys(node.properties).length > 0)
    return `it has attributes: ${Object.keys(node.properties).join(', ')}`;
  if (elementsOf(node).some((part) => !['thead', 'tbody'].includes(part.tagName))) {
    return 'it has a caption, a footer or columns of their own';
  }
  const heads = head?.tagName === 'thead' ? elementsOf(head) : [];
  const first = heads[0];
  if (first === undefined || heads.length > 1) return 'it does not have exactly one header row';
  if (bodies.length > 1) return 'it has several bodies';
  const rows = [first, ...bodies.flatMap(elementsOf)];
  const refused = rows.map((row, index) => refusedRow(row, elementsOf(first).length, index === 0));
  const reason = refused.find((found) => found !== undefined);
  if (reason !== undefined) return reason;
  const align = elementsOf(first).map((cell) => alignOf(cell) ?? null);
  state.inTable = true;
  const children = rows.map((row) => ({
    type: 'tableRow' as const,
    children: elementsOf(row).map((cell) => ({ type: 'tableCell' as const, children: state.all(cell) })),
  }));
  state.inTable = false;
  // What no cell may hold was refused above, and comparing finds the rest.
  return { type: 'table', align, children: children as MdastTable['children'] };
}

function refusedRow(row: HastElement, columns: number, isHead: boolean): string | undefined {
  const cells = elementsOf(row);
  if (row.tagName !== 'tr' || Object.keys(row.properties).length > 0) return 'a row has attributes';
  if (cells.length !== columns) return 'its rows differ in length';
  const wanted = isHead ? 'th' : 'td';
  for (const cell of cells) {
    if (cell.tagName !== wanted) return `a row of ${isHead ? 'heads' : 'cells'} has a \`${cell.tagName}\``;
    const names = Object.keys(cell.properties).filter((name) => name !== 'align' && name !== 'style');
    if (names.includes('colSpan') || names.includes('rowSpan')) return 'cells span rows or columns';
    if (names.length > 0) return `a cell has attributes: ${names.join(', ')}`;
    if (hasBlock(cell)) return 'a cell contains blocks';
  }
  return undefined;
}

function alignOf(cell: HastElement): 'left' | 'right' | 'center' | undefined {
  const { align, style } = cell.properties;
  const value = typeof align === 'string' ? align : /text-align:\s*(\w+)/.exec(style ?? '')?.[1];
  return value === 'left' || value === 'right' || value === 'center' ? value : undefined;
}

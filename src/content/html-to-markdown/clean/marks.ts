import type { Note } from './names.ts';
import { isBlank, isBlock } from '../hast.ts';
import type { ElementContent, HastContent, HastElement, HastParent } from '../hast.ts';

const NEW_NAMES: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', strike: 'del' };
const MARKS = new Set(['strong', 'em', 'del', 'a']);

/** Bold, italic, struck and links, as one would write them by hand; and the blanks around them. */
export function marksStep(parent: HastParent, note: Note): void {
  for (const child of parent.children) {
    if (child.type === 'element' && !['pre', 'code', 'svg', 'math'].includes(child.tagName)) {
      rename(child, note);
      marksStep(child, note);
    }
  }
  const children = parent.children.flatMap((child) => outside(child, note));
  parent.children = joined(children, note) as typeof parent.children;
  blanks(parent, note);
}

function rename(element: HastElement, note: Note): void {
  const name = NEW_NAMES[element.tagName];
  if (name === undefined) return;
  element.tagName = name;
  note('old-tags');
}

/** A mark with its blanks outside of it; without text or picture it is gone. */
function outside(node: HastContent, note: Note): readonly HastContent[] {
  if (node.type !== 'element' || !MARKS.has(node.tagName)) return [node];
  if (node.children.length === 0 || node.children.every((child) => isBlank(child) || isBreak(child))) {
    // An anchor is empty on purpose.
    if (
      node.tagName === 'a' &&
      (node.properties['id'] !== undefined || node.properties['name'] !== undefined)
    )
      return [node];
    note('edge-blanks');
    return node.children;
  }
  const before = takeEdge(node, 'start');
  const after = takeEdge(node, 'end');
  if (before.length + after.length === 0) return [node];
  note('edge-blanks');
  return [...before, node, ...after];
}

function takeEdge(mark: HastElement, side: 'start' | 'end'): readonly HastContent[] {
  const taken: ElementContent[] = [];
  for (;;) {
    const node = side === 'start' ? mark.children[0] : mark.children.at(-1);
    if (node === undefined) return taken;
    if (isBreak(node)) {
      remove(mark, side);
      if (side === 'start') taken.push(node);
      else taken.unshift(node);
      continue;
    }
    if (node.type !== 'text') return taken;
    const text = side === 'start' ? node.value.trimStart() : node.value.trimEnd();
    if (text.length === node.value.length) return taken;
    const blank = {
      type: 'text',
      value:
        side === 'start'
          ? node.value.slice(0, node.value.length - text.length)
          : node.value.slice(text.length),
    } as const;
    if (side === 'start') taken.push(blank);
    else taken.unshift(blank);
    if (text === '') remove(mark, side);
    else {
      node.value = text;
      return taken;
    }
  }
}

function remove(mark: HastElement, side: 'start' | 'end'): void {
  if (side === 'start') mark.children.shift();
  else mark.children.pop();
}

function isBreak(node: HastContent): boolean {
  return node.type === 'element' && node.tagName === 'br';
}

/** `<strong>a</strong><strong>b</strong>` is one mark; texts side by side are one text. */
function joined(nodes: readonly HastContent[], note: Note): HastContent[] {
  const out: HastContent[] = [];
  for (const node of nodes) {
    const last = out.at(-1);
    if (last?.type === 'text' && node.type === 'text') {
      out[out.length - 1] = { type: 'text', value: last.value + node.value };
    } else if (last?.type === 'element' && node.type === 'element' && isSameMark(last, node)) {
      note('edge-blanks');
      last.children = joined([...last.children, ...node.children], note) as typeof last.children;
    } else out.push(node);
  }
  return out;
}

function isSameMark(a: HastElement, b: HastElement): boolean {
  return (
    a.tagName === b.tagName &&
    a.tagName !== 'a' &&
    MARKS.has(a.tagName) &&
    Object.keys(a.properties).length + Object.keys(b.properties).length === 0
  );
}

/** Blanks that do not break stay between two words; beside another blank or at a block's edge they are typing habits. */
function blanks(parent: HastParent, note: Note): void {
  if (parent.type === 'element' && ['pre', 'code', 'textarea'].includes(parent.tagName)) return;
  const isEdge = parent.type === 'root' || isBlock(parent);
  for (const [index, child] of parent.children.entries()) {
    if (child.type !== 'text' || !child.value.includes('\u00A0')) continue;
    const value = child.value
      .replaceAll(
        /(?<![ \t\n\r\f\u00A0])[ \t\n\r\f\u00A0]*(?:[ \t\n\r\f]\u00A0|\u00A0[ \t\n\r\f\u00A0])[ \t\n\r\f\u00A0]*/g,
        ' ',
      )
      .replace(/^\u00A0/, isEdge && startsBlock(parent, index) ? '' : '\u00A0')
      .replace(/\u00A0$/, isEdge && endsBlock(parent, index) ? '' : '\u00A0');
    if (value === child.value) continue;
    note('non-breaking-blanks');
    child.value = value;
  }
}

function startsBlock(parent: HastParent, index: number): boolean {
  const before = parent.children[index - 1];
  return before === undefined || isBlock(before) || isBreak(before);
}

function endsBlock(parent: HastParent, index: number): boolean {
  const after = parent.children[index + 1];
  return after === undefined || isBlock(after) || isBreak(after);
}

import { classesOf, elementsOf, isBlock, plainBlanks } from './hast.ts';
import type { HastContent, HastElement, HastParent, HastRoot } from './hast.ts';
import { attributesOf } from './serialise.ts';

/**
 * What a reader sees of HTML, as text: equal normal forms are the same page. Left out are comments, blanks that no browser
 * shows, the order of attributes and classes, the spelling of a cell's alignment, and the line break that ends a code
 * block. Nothing else is forgiven.
 */
export function normalForm(root: HastRoot): string {
  const draft: Draft = { out: [], atEdge: true, blankAt: undefined };
  write(root, draft, 'collapse');
  return draft.out.join('');
}

/**
 * Takes from `rendered` the heading ids that only rendering added: ours has an id on every heading, which changes nothing
 * for the reader of a page that had none.
 */
export function withoutAddedIds(rendered: HastRoot, original: HastRoot): HastRoot {
  const ours = headings(rendered);
  const theirs = headings(original);
  for (const [index, heading] of ours.entries()) {
    const match = theirs[index];
    if (match !== undefined && match.properties['id'] === undefined) delete heading.properties['id'];
  }
  return rendered;
}

/** What becomes of blanks; in code a line break is a blank, and every blank counts. */
type Blanks = 'collapse' | 'code' | 'pre';

interface Draft {
  readonly out: string[];
  atEdge: boolean;
  /** Where a blank will be, if something that is seen follows in the same block. */
  blankAt: number | undefined;
}

function write(parent: HastParent, draft: Draft, blanks: Blanks): void {
  for (const child of parent.children) writeOne(child, draft, blanks);
}

function writeOne(node: HastContent, draft: Draft, blanks: Blanks): void {
  if (node.type === 'text') writeText(plainBlanks(node.value), draft, blanks);
  if (node.type !== 'element') return;
  const isEdge = isBlock(node) || LINES.has(node.tagName);
  const isShown = SHOWN.has(node.tagName);
  if (isEdge) edge(draft);
  else if (isShown) show(draft);
  draft.out.push(`<${node.tagName}${attributes(node)}>`);
  if (isShown) edge(draft);
  if (node.tagName === 'pre') writePre(node, draft);
  else if (node.tagName === 'code') write(node, draft, blanks === 'pre' ? 'pre' : 'code');
  else write(node, draft, node.tagName === 'textarea' ? 'pre' : blanks);
  if (isEdge || isShown) edge(draft);
  if (isShown) draft.atEdge = false;
  draft.out.push(`</${node.tagName}>`);
}

/** A line ends there, or the element is one of its own. */
const LINES = new Set(['br', 'legend', 'optgroup', 'option']);

/** Blanks before and behind these are seen; what is in them stands in a box of its own, at whose edges none is. */
const SHOWN = new Set(
  'audio button canvas embed iframe img input meter object progress select svg textarea video'.split(' '),
);

/** At the edge of a block no blank is seen. */
function edge(draft: Draft): void {
  draft.blankAt = undefined;
  draft.atEdge = true;
}

/** Something that is seen: a blank before it is seen too, at its own place among the tags. */
function show(draft: Draft): void {
  if (draft.blankAt !== undefined) draft.out[draft.blankAt] = ' ';
  draft.blankAt = undefined;
  draft.atEdge = false;
}

function blank(draft: Draft): void {
  if (draft.atEdge || draft.blankAt !== undefined) return;
  draft.blankAt = draft.out.push('') - 1;
}

function writeText(value: string, draft: Draft, blanks: Blanks): void {
  if (blanks !== 'collapse') {
    if (value === '') return;
    show(draft);
    draft.out.push(escaped(blanks === 'code' ? value.replaceAll(/[\t\n\r]/g, ' ') : value));
    return;
  }
  const words = value.replaceAll(/[ \t\n\f\r]+/g, ' ');
  if (words.startsWith(' ')) blank(draft);
  const text = words.replaceAll(/^ | $/g, '');
  if (text === '') return;
  show(draft);
  draft.out.push(escaped(text));
  if (words.endsWith(' ')) blank(draft);
}

function writePre(node: HastElement, draft: Draft): void {
  const start = draft.out.length;
  write(node, draft, 'pre');
  // The last text of the block, behind which only closing tags stand.
  for (let index = draft.out.length - 1; index >= start; index -= 1) {
    const part = draft.out[index] ?? '';
    if (part.startsWith('</')) continue;
    draft.out[index] = part.replace(/\n$/, '');
    break;
  }
}

function attributes(node: HastElement): string {
  const found = attributesOf(node).flatMap(([name, value]): readonly string[] => {
    if (name === 'class')
      return classesOf(node).length === 0 ? [] : [` class="${[...classesOf(node)].sort().join(' ')}"`];
    const align = name === 'style' && /^t[hd]$/.test(node.tagName) ? ALIGN.exec(value)?.[1] : undefined;
    return [align === undefined ? ` ${name}="${escaped(value)}"` : ` align="${align}"`];
  });
  return found.sort().join('');
}

const ALIGN = /^\s*text-align:\s*(left|right|center)\s*;?\s*$/i;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function headings(parent: HastParent): readonly HastElement[] {
  return elementsOf(parent).flatMap((child) => (/^h[1-6]$/.test(child.tagName) ? [child] : headings(child)));
}

import { classesOf, elementsOf, isBlock } from './hast.ts';
import type { HastContent, HastElement, HastParent, HastRoot } from './hast.ts';
import { attributesOf } from './serialise.ts';

/**
 * What a reader sees of HTML, as text: equal normal forms are the same page. Left out are comments, blanks that no browser
 * shows, the order of attributes and classes, the spelling of a cell's alignment, and the line break that ends a code
 * block. Nothing else is forgiven.
 */
export function normalForm(root: HastRoot): string {
  const draft: Draft = { out: [], atEdge: true, blankPending: false };
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
  blankPending: boolean;
}

function write(parent: HastParent, draft: Draft, blanks: Blanks): void {
  for (const child of parent.children) writeOne(child, draft, blanks);
}

function writeOne(node: HastContent, draft: Draft, blanks: Blanks): void {
  if (node.type === 'text') writeText(node.value, draft, blanks);
  if (node.type !== 'element') return;
  const edge = isBlock(node) || node.tagName === 'br';
  if (edge) {
    draft.blankPending = false;
    draft.atEdge = true;
  } else flush(draft, node.tagName === 'img' || node.tagName === 'input');
  draft.out.push(`<${node.tagName}${attributes(node)}>`);
  if (node.tagName === 'pre') writePre(node, draft);
  else if (node.tagName === 'code') write(node, draft, blanks === 'pre' ? 'pre' : 'code');
  else write(node, draft, node.tagName === 'textarea' ? 'pre' : blanks);
  if (edge) {
    draft.blankPending = false;
    draft.atEdge = true;
  }
  draft.out.push(`</${node.tagName}>`);
}

/** A blank before something that shows is shown, unless a block starts there. */
function flush(draft: Draft, shows: boolean): void {
  if (draft.blankPending) {
    draft.out.push(' ');
    draft.blankPending = false;
    draft.atEdge = true;
  }
  if (shows) draft.atEdge = false;
}

function writeText(value: string, draft: Draft, blanks: Blanks): void {
  if (blanks !== 'collapse') {
    flush(draft, true);
    draft.out.push(escaped(blanks === 'code' ? value.replaceAll(/[\t\n\r]/g, ' ') : value));
    return;
  }
  const words = value.replaceAll(/[ \t\n\f\r]+/g, ' ');
  if (words.startsWith(' ') && !draft.atEdge) draft.blankPending = true;
  const text = words.trimStart() === '' ? '' : words.replace(/^ | $/g, '');
  if (text === '' || text === ' ') return;
  flush(draft, true);
  draft.out.push(escaped(text));
  draft.atEdge = false;
  draft.blankPending = words.endsWith(' ');
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

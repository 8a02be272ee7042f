import { isBlock, parseHtml } from '../../content/html-to-markdown/hast.ts';
import type { ElementContent, HastContent, HastElement } from '../../content/html-to-markdown/hast.ts';
import { htmlOf } from '../../content/html-to-markdown/serialise.ts';
import { unlessTooDeep } from './plain-text.ts';

/** Boxes that hold paragraphs as a page does. */
const BOXES = new Set(['blockquote', 'div', 'section', 'article', 'aside', 'center', 'details', 'figure']);
/** Text in these breaks at line ends, and has paragraphs only where it has empty lines. */
const CELLS = new Set(['li', 'td', 'th', 'dd', 'dt', 'figcaption', 'p']);
const VERBATIM = new Set([
  'pre',
  'script',
  'style',
  'textarea',
  'iframe',
  'object',
  'video',
  'audio',
  'svg',
  'code',
]);

/**
 * The text of WordPress's old editor as a page shows it: empty lines separate paragraphs, line ends are breaks. Text that
 * has paragraphs already keeps them.
 */
export function classicHtml(text: string): string {
  return unlessTooDeep(() => htmlOf(paragraphs(parseHtml(text.replaceAll(/\r\n?/g, '\n')).children)), text);
}

function paragraphs(nodes: readonly HastContent[]): ElementContent[] {
  const made: ElementContent[] = [];
  let run: ElementContent[] = [];
  const close = (): void => {
    const inner = withBreaks(trimmed(run));
    if (inner.length > 0) made.push({ type: 'element', tagName: 'p', properties: {}, children: inner });
    run = [];
  };
  for (const node of nodes) {
    if (node.type === 'text') {
      node.value.split(/\n[^\S\n]*\n\s*/).forEach((part, index) => {
        if (index > 0) close();
        if (part !== '') run.push({ type: 'text', value: part });
      });
    } else if (node.type === 'element') {
      if (!isBlock(node) && (!VERBATIM.has(node.tagName) || node.tagName === 'code')) run.push(inside(node));
      else {
        close();
        made.push(inside(node));
      }
    } else if (node.type === 'comment') {
      if (run.length > 0) run.push(node);
      else made.push(node);
    }
  }
  close();
  return made;
}

/** An element with what is in it broken into paragraphs and lines. */
function inside(node: HastElement): HastElement {
  if (VERBATIM.has(node.tagName)) return node;
  const { children } = node;
  const hasEmptyLine = children.some((child) => child.type === 'text' && hasTextBeside(child.value));
  if (BOXES.has(node.tagName) || (CELLS.has(node.tagName) && node.tagName !== 'p' && hasEmptyLine)) {
    return { ...node, children: paragraphs(children) };
  }
  const inner = children.map((child) => (child.type === 'element' ? inside(child) : child));
  return { ...node, children: CELLS.has(node.tagName) ? withBreaks(trimmed(inner)) : inner };
}

/** An empty line with text on one of its sides. */
function hasTextBeside(text: string): boolean {
  return /\n[^\S\n]*\n/.test(text) && text.trim() !== '';
}

/** Without blanks at both ends; empty if it shows nothing. */
function trimmed(nodes: readonly ElementContent[]): ElementContent[] {
  const kept = nodes.map((node) => (node.type === 'text' ? { ...node } : node));
  const isEmpty = (node: ElementContent | undefined): boolean =>
    node?.type === 'text' && node.value.trim() === '';
  while (isEmpty(kept[0])) kept.shift();
  while (isEmpty(kept.at(-1))) kept.pop();
  const [first] = kept;
  const last = kept.at(-1);
  if (first?.type === 'text') first.value = first.value.trimStart();
  if (last?.type === 'text') last.value = last.value.trimEnd();
  return kept;
}

/** Line ends as `<br>`, but not beside a block or a break that is there. */
function withBreaks(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node, index): ElementContent[] => {
    if (node.type !== 'text' || !node.value.includes('\n')) return [node];
    const isFree = (other: ElementContent | undefined): boolean =>
      other !== undefined && !isBlock(other) && !(other.type === 'element' && other.tagName === 'br');
    const pieces = node.value.split(/\n\s*/);
    const lines = pieces.map((line, at) => (at < pieces.length - 1 ? line.trimEnd() : line));
    return lines.flatMap((line, at): ElementContent[] => {
      const text: ElementContent[] = line === '' ? [] : [{ type: 'text', value: line }];
      if (at === 0) return text;
      const isFirst = at === 1 && lines[0] === '';
      const isLast = at === lines.length - 1 && line === '';
      if ((isFirst && !isFree(nodes[index - 1])) || (isLast && !isFree(nodes[index + 1]))) return text;
      return [{ type: 'element', tagName: 'br', properties: {}, children: [] }, ...text];
    });
  });
}

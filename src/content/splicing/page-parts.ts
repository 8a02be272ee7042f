import { satteri } from '../parsers.ts';
import { cleanTree } from '../html-to-markdown/clean/clean.ts';
import { isBlank, parseHtml, textOf } from '../html-to-markdown/hast.ts';
import type { HastContent } from '../html-to-markdown/hast.ts';
import { normalForm, withoutAddedIds } from '../html-to-markdown/normal-form.ts';
import type { HtmlToMarkdownOptions } from '../html-to-markdown/options.ts';
import { DEFINITION_LISTS } from '../markdown/definition-lists.ts';
import type { BodyDraft } from '../options.ts';
import { splitStamp } from '../../model/stamp.ts';

export type PageOptions = Pick<HtmlToMarkdownOptions, 'clean' | 'address' | 'makesHeadingIds'>;

/** What a page shows, block by block; without what web editors leave behind, where it is cleaned. */
export function pageNodes(html: string, options: PageOptions): readonly HastContent[] {
  const tree = parseHtml(splitStamp(html).body);
  cleanTree(tree, options);
  return tree.children.filter((child) => !isBlank(child));
}

/** Whether both show the same. Ids of headings that only our rendering adds are forgiven; `found` is changed by asking. */
export function areSame(found: readonly HastContent[], wanted: readonly HastContent[]): boolean {
  return (
    found.length === wanted.length &&
    wanted.every((node, index) => {
      const own = found[index];
      return own !== undefined && isSame(own, node);
    })
  );
}

function isSame(own: HastContent, wanted: HastContent): boolean {
  const there = { type: 'root' as const, children: [wanted] };
  const here = withoutAddedIds({ type: 'root' as const, children: [own] }, there);
  return normalForm(here) === normalForm(there);
}

/** Equal where two blocks may be the same. */
export function formOf(node: HastContent): string {
  return normalForm({ type: 'root', children: [node] });
}

export function wordsOf(nodes: readonly HastContent[]): string {
  return nodes.map((node) => blockText(node)).join('\n');
}

/** Text with a line for each block, so words of two cells never run together. */
function blockText(node: HastContent): string {
  if (node.type !== 'element') return textOf(node);
  if (node.tagName === 'br') return '\n';
  const inner = node.children.map(blockText).join('');
  return /^(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var)$/.test(
    node.tagName,
  )
    ? inner
    : `\n${inner}\n`;
}

/** A piece of a body that stands alone: a block of Markdown, or several where one element holds them. */
export interface PagePart {
  /** Its lines in the author's body, from 0, the last not included. */
  readonly first: number;
  readonly end: number;
  /** The lines are Markdown as they stand: the layout's own syntax has no part in them. */
  readonly isPlain: boolean;
  readonly nodes: readonly HastContent[];
}

const MARK = 'kbsyncmarkofpart';

/**
 * The body part by part, in order. Which elements a block becomes is asked of the renderer: a word is put between all
 * blocks, and blocks whose words end up inside of one element are one part. Undefined: the rendering cannot be taken apart.
 */
export function pageParts(draft: BodyDraft, options: PageOptions): readonly PagePart[] | undefined {
  const { markdown, body, render } = draft;
  const blocks = blocksOf(markdown);
  if (blocks.length === 0) return undefined;
  const lines = markdown.split('\n');
  const marked: string[] = [];
  for (const [index, line] of lines.entries()) {
    const at = blocks.findIndex(({ first }) => first === index);
    if (at >= 0) marked.push('', `${MARK}${at}`, '');
    marked.push(line);
  }
  marked.push('', `${MARK}${blocks.length}`, '');
  const groups = groupsOf(pageNodes(render(marked.join('\n')), options), blocks.length);
  if (groups === undefined) return undefined;
  const own = body.split('\n');
  const sourceLine = (line: number): number => draft.sourceSpot({ line: line + 1, column: 1 }).line - 1;
  let lowest = 0;
  return groups.map(({ from, to, nodes }): PagePart => {
    const [opening, closing] = [blocks[from], blocks[to - 1]];
    if (opening === undefined || closing === undefined)
      return { first: own.length, end: own.length, isPlain: false, nodes };
    const first = Math.max(lowest, sourceLine(opening.first));
    const end = Math.max(first, sourceLine(closing.end - 1) + 1);
    lowest = end;
    const isPlain = own.slice(first, end).join('\n') === lines.slice(opening.first, closing.end).join('\n');
    return { first, end, isPlain, nodes };
  });
}

interface Block {
  readonly first: number;
  readonly end: number;
}

function blocksOf(markdown: string): readonly Block[] {
  // A list of definitions is one block. In a layout that has none, what looks like one is taken for one block too.
  const root = satteri().markdownToMdast(markdown, { features: DEFINITION_LISTS });
  if (root.type !== 'root') return [];
  return root.children.flatMap(({ position }) =>
    position === undefined ? [] : [{ first: position.start.line - 1, end: position.end.line }],
  );
}

interface Group {
  /** Blocks, the last not included. */
  readonly from: number;
  readonly to: number;
  readonly nodes: readonly HastContent[];
}

/** The nodes between the marks that stand at the top; the last group holds what belongs to no block (footnotes). */
function groupsOf(nodes: readonly HastContent[], count: number): readonly Group[] | undefined {
  const groups: { from: number; to: number; nodes: HastContent[] }[] = [];
  for (const node of nodes) {
    const text = node.type === 'element' && node.tagName === 'p' ? textOf(node).trim() : '';
    const at = /^kbsyncmarkofpart(\d+)$/.exec(text)?.[1];
    const open = groups.at(-1);
    if (at === undefined) {
      if (open === undefined) return undefined;
      open.nodes.push(node);
    } else {
      if (open !== undefined) open.to = Number(at);
      groups.push({ from: Number(at), to: count, nodes: [] });
    }
  }
  const last = groups.at(-1);
  if (groups[0]?.from !== 0 || last?.from !== count) return undefined;
  return groups.map((group) => ({ ...group, nodes: group.nodes.filter((node) => !withoutMarks(node)) }));
}

/** Takes the marks inside of a node away; true: nothing else was in it. */
function withoutMarks(node: HastContent): boolean {
  if (node.type !== 'element') return false;
  const before = node.children.length;
  node.children = node.children.filter((child) => {
    if (child.type === 'element') {
      if (child.tagName === 'p' && /^\s*kbsyncmarkofpart\d+\s*$/.test(textOf(child))) return false;
      withoutMarks(child);
    }
    return !(child.type === 'text' && /^\s*kbsyncmarkofpart\d+\s*$/.test(child.value));
  });
  return before > 0 && node.children.length === 0 && node.tagName === 'p';
}

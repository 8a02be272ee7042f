import { diffArrays } from 'diff';
import { htmlToMarkdown } from '../html-to-markdown/html-to-markdown.ts';
import { isBlank } from '../html-to-markdown/hast.ts';
import type { HastContent, HastElement } from '../html-to-markdown/hast.ts';
import type { HtmlToMarkdownOptions } from '../html-to-markdown/options.ts';
import { attributesOf, htmlOf } from '../html-to-markdown/serialise.ts';
import type { BodyDraft } from '../options.ts';
import type { PresetName } from '../presets/names.ts';
import { unsaid } from './constructs.ts';
import { areSame, formOf, pageNodes, pageParts, wordsOf } from './page-parts.ts';
import type { PagePart } from './page-parts.ts';
import { rangeOf, wordEdits } from '../word-edits.ts';
import { lineMerge } from './lines.ts';

export interface SpliceInput {
  /** The file as it is. */
  readonly draft: BodyDraft;
  /** The same file with another body; undefined: it could not be read. */
  readonly redraft: (body: string) => BodyDraft | undefined;
  /** The HTML that the site shows. */
  readonly wanted: string;
  readonly layout: PresetName;
  readonly options: HtmlToMarkdownOptions;
}

/** The body that shows what the site shows, or the reason why none is known; `line` counts from the body's first, from 1. */
export type Spliced = { readonly body: string } | { readonly why: string; readonly line: number };

/**
 * Brings what changed on the site into the author's lines: words first, then the smallest piece of a block, then the
 * lines of a block, then the block. Each answer is rendered as a sync would render it; one that does not show what the site
 * shows is none. Blocks that did not change keep their lines.
 */
export function splicedBody(input: SpliceInput): Spliced {
  const { draft, redraft, options } = input;
  const html = draft.render(draft.markdown);
  const wanted = pageNodes(input.wanted, options);
  const parts = partsOf(draft, html, options);
  const lines = draft.body.split('\n');
  const hunks = hunksOf(parts, wanted);
  const found: { readonly hunk: Hunk; readonly text: readonly string[] | undefined }[] = [];
  for (const hunk of hunks) {
    const expected = expectedNodes(parts, hunk);
    const holds = (text: readonly string[]): boolean => {
      const next = redraft(replaced(lines, [{ hunk, text }]));
      return next !== undefined && areSame(pageNodes(next.render(next.markdown), options), expected());
    };
    if (areSame(hunk.before(), hunk.nodes)) continue;
    const answer = answerFor(hunk, lines, input, holds);
    if ('why' in answer) return { why: answer.why, line: Math.min(hunk.first, lines.length - 1) + 1 };
    found.push({ hunk, text: answer.text });
  }
  const body = replaced(lines, found);
  const after = redraft(body);
  // Answers can be right one by one and wrong together.
  const isRight = after !== undefined && areSame(pageNodes(after.render(after.markdown), options), wanted);
  if (isRight) return { body };
  return {
    why: 'the changes together do not make the text that the site shows',
    line: (hunks[0]?.first ?? 0) + 1,
  };
}

/** Blocks that changed, side by side. */
interface Hunk {
  readonly first: number;
  readonly end: number;
  readonly isPlain: boolean;
  /** Parts, the last not included. */
  readonly from: number;
  readonly to: number;
  /** What the site shows there. */
  readonly nodes: readonly HastContent[];
  /** What the file shows there: new nodes at each call, because comparing changes them. */
  readonly before: () => readonly HastContent[];
}

/** The whole body as one part where its blocks cannot be told apart. */
function partsOf(draft: BodyDraft, html: string, options: HtmlToMarkdownOptions): readonly PagePart[] {
  const nodes = pageNodes(html, options);
  const parts = pageParts(draft, options);
  const all = parts?.flatMap((part) => part.nodes) ?? [];
  const isWhole =
    parts !== undefined &&
    all.length === nodes.length &&
    all.every((node, index) => {
      const other = nodes[index];
      return other !== undefined && formOf(node) === formOf(other);
    });
  if (isWhole) return parts;
  return [{ first: 0, end: draft.body.split('\n').length, isPlain: false, nodes }];
}

function hunksOf(parts: readonly PagePart[], wanted: readonly HastContent[]): readonly Hunk[] {
  const owner = parts.flatMap(({ nodes }, index) => nodes.map(() => index));
  const before = parts.flatMap(({ nodes }) => nodes.map(formOf));
  const spans: { from: number; to: number; start: number; end: number }[] = [];
  let [old, next] = [0, 0];
  for (const { value, added, removed } of diffArrays(before, wanted.map(formOf))) {
    const count = value.length;
    if (added || removed) {
      const open = spans.at(-1);
      const span = open !== undefined && open.to === old && open.end === next ? open : undefined;
      const made = span ?? { from: old, to: old, start: next, end: next };
      if (removed) made.to += count;
      if (added) made.end += count;
      if (span === undefined) spans.push(made);
    }
    if (!added) old += count;
    if (!removed) next += count;
  }
  return merged(spans.map((span) => wholeParts(span, owner))).map((span) => {
    const inside = parts.slice(span.fromPart, span.toPart);
    const above = parts[span.fromPart - 1];
    const first = inside[0]?.first ?? above?.end ?? parts[0]?.first ?? 0;
    const nodes = inside.flatMap((part) => part.nodes);
    return {
      first,
      end: inside.at(-1)?.end ?? first,
      isPlain: inside.every(({ isPlain }) => isPlain),
      from: span.fromPart,
      to: span.toPart,
      nodes: wanted.slice(span.start, span.end),
      before: () => structuredClone(nodes),
    };
  });
}

interface Span {
  readonly fromPart: number;
  readonly toPart: number;
  readonly start: number;
  readonly end: number;
}

/** A part changes as a whole: nodes of it that stay come along. */
function wholeParts(
  { from, to, start, end }: { from: number; to: number; start: number; end: number },
  owner: readonly number[],
): Span {
  const isInsertion = from === to;
  const isWithin = isInsertion && from > 0 && owner[from] !== undefined && owner[from - 1] === owner[from];
  if (isInsertion && !isWithin) {
    const fromPart = from === 0 ? 0 : (owner[from - 1] ?? -1) + 1;
    return { fromPart, toPart: fromPart, start, end };
  }
  const last = isInsertion ? from : to - 1;
  const fromPart = owner[from] ?? 0;
  const toPart = (owner[last] ?? 0) + 1;
  const head = from - owner.indexOf(fromPart);
  const tail = owner.lastIndexOf(toPart - 1) - (to - 1);
  return { fromPart, toPart, start: start - head, end: end + tail };
}

function merged(spans: readonly Span[]): readonly Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (last !== undefined && (span.start < last.end || span.fromPart < last.toPart))
      out[out.length - 1] = {
        ...last,
        start: Math.min(last.start, span.start),
        toPart: Math.max(last.toPart, span.toPart),
        end: Math.max(last.end, span.end),
      };
    else out.push(span);
  }
  return out;
}

/** The page with this change and no other. */
function expectedNodes(parts: readonly PagePart[], { from, to, nodes }: Hunk): () => readonly HastContent[] {
  const above = parts.slice(0, from).flatMap((part) => part.nodes);
  const below = parts.slice(to).flatMap((part) => part.nodes);
  return () => [...above, ...nodes, ...below];
}

function replaced(
  lines: readonly string[],
  changes: readonly { readonly hunk: Hunk; readonly text: readonly string[] | undefined }[],
): string {
  let out = [...lines];
  for (const { hunk, text } of [...changes].sort((a, b) => b.hunk.first - a.hunk.first)) {
    if (text === undefined) continue;
    const above = out.slice(0, hunk.first);
    const below = out.slice(hunk.end);
    if (hunk.first === hunk.end || text.length === 0) {
      // A new block stands between blank lines; a removed one leaves a single one.
      while (above.length > 0 && above.at(-1)?.trim() === '') above.pop();
      const isLast = below.every((line) => line.trim() === '');
      const rest = isLast ? below : below.slice(below.findIndex((line) => line.trim() !== ''));
      const head = above.length === 0 ? lines.slice(0, firstText(lines)) : [...above, ''];
      if (text.length > 0) out = [...head, ...text, ...(isLast ? rest : ['', ...rest])];
      else if (isLast) out = [...above, ...(below.length === 0 ? [''] : below)];
      else out = [...head, ...rest];
    } else out = [...above, ...text, ...below];
  }
  return out.join('\n');
}

function firstText(lines: readonly string[]): number {
  return Math.max(
    0,
    lines.findIndex((line) => line.trim() !== ''),
  );
}

type Answer = { readonly text: readonly string[] } | { readonly why: string };

function answerFor(
  hunk: Hunk,
  lines: readonly string[],
  { layout, options }: SpliceInput,
  holds: (text: readonly string[]) => boolean,
): Answer {
  const own = lines.slice(hunk.first, hunk.end);
  const source = own.join('\n');
  if (hunk.nodes.length === 0 && hunk.isPlain && holds([])) return { text: [] };
  const before = hunk.before();
  for (const text of wordEdits(source, wordsOf(before), wordsOf(hunk.nodes)))
    if (holds(text.split('\n'))) return { text: text.split('\n') };
  const written = (nodes: readonly HastContent[]): string =>
    htmlToMarkdown(htmlOf(nodes), options).markdown.trimEnd();
  const piece = pieceEdit(source, before, hunk.nodes, written);
  let refused: string | undefined;
  if (piece !== undefined) {
    refused = unsaid(piece.added, source, layout);
    if (refused === undefined && holds(piece.text.split('\n'))) return { text: piece.text.split('\n') };
  }
  if (!hunk.isPlain) return { why: refused === undefined ? LAYOUT : `this layout cannot write ${refused}` };
  const after = written(hunk.nodes);
  const construct = unsaid(after, source, layout);
  if (construct !== undefined) return { why: `this layout cannot write ${construct}` };
  for (const text of [lineMerge(own, written(before).split('\n'), after.split('\n')), after.split('\n')])
    if (text !== undefined && holds(text)) return { text };
  return { why: 'no Markdown was found that shows it as the site does' };
}

const LAYOUT = 'the changed block contains the layout’s own syntax';

interface Piece {
  readonly text: string;
  readonly added: string;
}

/** Blocks of which only an inner piece changed (an item, a cell, a paragraph in a box): that piece alone. */
function pieceEdit(
  source: string,
  before: readonly HastContent[],
  after: readonly HastContent[],
  written: (nodes: readonly HastContent[]) => string,
): Piece | undefined {
  const changed = changedPieces(before, after);
  if (changed === undefined || changed.length === 0) return undefined;
  const shown = wordsOf(before);
  let text = source;
  let added = '';
  for (const { old, next } of changed.toReversed()) {
    const words = wordsOf([old]).trim();
    const at = placeOf(words, old, before);
    const range =
      at === undefined ? undefined : rangeOf(source, shown, { start: at, end: at + words.length });
    if (range === undefined) return undefined;
    const inner: HastElement = { ...next, tagName: 'p', properties: {} };
    const markdown = written([inner]).replaceAll('\n', ' ');
    if (next.tagName === 'td' || next.tagName === 'th') added += markdown.replaceAll('|', String.raw`\|`);
    else added += markdown;
    const { start, end } = widened(source, range);
    text = `${text.slice(0, start)}${markdown}${text.slice(end)}`;
  }
  return { text, added };
}

/** Marks around the first and last word belong to them. */
function widened(source: string, { start, end }: { start: number; end: number }) {
  const head = /(?:[*_~`[<!"'(]+)$/.exec(source.slice(0, start))?.[0].length ?? 0;
  const tail =
    /^(?:[*_~`]+|\]\([^)\n]*\)|\]\[[^\]\n]*\]|[^\s|]*?(?=[\s|]|$))/.exec(source.slice(end))?.[0].length ?? 0;
  return { start: start - head, end: end + tail };
}

interface Change {
  readonly old: HastElement;
  readonly next: HastElement;
}

/** Innermost elements that differ, where everything around them is the same; undefined: more differs than that. */
function changedPieces(
  before: readonly HastContent[],
  after: readonly HastContent[],
): readonly Change[] | undefined {
  const here = before.filter((node) => !isBlank(node));
  const there = after.filter((node) => !isBlank(node));
  if (here.length !== there.length) return undefined;
  const changes: Change[] = [];
  for (const [index, old] of here.entries()) {
    const next = there[index];
    if (next === undefined) return undefined;
    if (formOf(old) === formOf(next)) continue;
    if (old.type !== 'element' || next.type !== 'element' || old.tagName !== next.tagName) return undefined;
    if (JSON.stringify(attributesOf(old)) !== JSON.stringify(attributesOf(next))) return undefined;
    const inner = HOLDS_TEXT.test(old.tagName) ? undefined : changedPieces(old.children, next.children);
    if (inner !== undefined) changes.push(...inner);
    else if (isTextHolder(old) && isTextHolder(next)) changes.push({ old, next });
    else return undefined;
  }
  return changes;
}

const HOLDS_TEXT = /^(?:p|h[1-6]|td|th|dt|summary|figcaption)$/;

/** Runs in one line of text: nothing in it stands apart. */
function isTextHolder(node: HastElement): boolean {
  if (!HOLDS_TEXT.test(node.tagName) && node.tagName !== 'li' && node.tagName !== 'dd') return false;
  return node.children.every(
    (child) =>
      child.type !== 'element' || !/^(?:p|ul|ol|pre|table|blockquote|div|dl|h[1-6]|hr)$/.test(child.tagName),
  );
}

/** Where the words of an element begin among all words shown, the n-th of equal ones by its place. */
function placeOf(words: string, wanted: HastContent, all: readonly HastContent[]): number | undefined {
  const shown = wordsOf(all);
  if (words === '') return undefined;
  let before = 0;
  const count = (nodes: readonly HastContent[]): boolean =>
    nodes.some((node) => {
      if (node === wanted) return true;
      if (node.type !== 'element') return false;
      if (wordsOf([node]).trim() === words) before += 1;
      return count(node.children);
    });
  count(all);
  let at = shown.indexOf(words);
  for (; before > 0 && at >= 0; before -= 1) {
    const next = shown.indexOf(words, at + 1);
    if (next < 0) break;
    at = next;
  }
  return at < 0 ? undefined : at;
}

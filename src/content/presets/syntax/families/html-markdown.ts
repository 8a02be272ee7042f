import { once } from '../../../../model/once.ts';
import { smallest } from '../../../../text/many.ts';
import type { Edit } from '../../preset.ts';
import { inRanges } from '../code-ranges.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';

/** The word in a value (`alt="The markdown logo"`) is no attribute. */
const OPEN =
  /^([ \t]*)<([a-z][a-z\d]*)((?:\s(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*?)?)\smarkdown(?:=(?:"[^"\n]*"|'[^'\n]*'|\w+))?((?:\s[^<>]*)?)>/gim;
/** In a tag amid a text it says nothing: that is Markdown anyway, and no generator writes the attribute. */
const IN_LINE =
  /(<[a-z][a-z\d]*(?:\s(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*?)?)(\smarkdown(?:=(?:"[^"\n]*"|'[^'\n]*'|\w+))?)(?=[\s>])/gi;
/** A line with nothing but tags of a line of text: CommonMark would take the lines below it for HTML. */
const TAGS_ALONE = /^[ \t]*(?:<(?:img|br|input|wbr)\b[^<>]*>[ \t]*)+(\n)(?=[ \t]*[^\s<])/gim;

/** The lines of an element are read again for each one around it. */
const DEPTH_MAX = 20;

/**
 * `markdown="1"` (kramdown) and `markdown` (python-markdown's `md_in_html`): the element's text is Markdown. CommonMark reads
 * Markdown in an element only behind a blank line, so blank lines are put in, and the indent of the text goes. A `<p>` goes
 * itself: its text makes one.
 */
export function htmlMarkdown(source: Source): Found {
  const elements = once(() => outermost(source.body));
  return withElements(source, [
    ...endsOfBlocks(source, elements),
    ...spansAlone(source),
    ...deepLines(source, elements),
  ]);
}

/** Elements with that attribute alone: without a generator, all other HTML is CommonMark's. */
export function markedElements(source: Source): Found {
  return source.context.isMdx ? NOTHING : withElements(source, []);
}

function withElements({ body, inCode }: Source, edits: Edit[]): Found {
  if (!/<[a-z][^<>]*\smarkdown\b/i.test(body)) return edits.length === 0 ? NOTHING : { edits };
  const indents = new Map<number, number>();
  const closingAt = closings(body);
  const around: ClosingTag[] = [];
  for (const { 0: whole, 1: lead = '', 2: name = '', 3: before = '', 4: behind = '', index } of body.matchAll(
    OPEN,
  )) {
    const inner = index + whole.length;
    if (inCode(index)) continue;
    const bare = `<${name}${before}${behind}>`;
    if (/\smarkdown=["']?0/i.test(whole)) {
      edits.push({ start: index + lead.length, end: inner, text: bare });
      continue;
    }
    const close = closingAt.get(inner);
    while ((around.at(-1)?.end ?? Infinity) <= index) around.pop();
    if (close === undefined || around.length >= DEPTH_MAX) continue;
    around.push(close);
    const isParagraph = name.toLowerCase() === 'p';
    const closeTag = isParagraph ? '' : body.slice(close.start, close.end);
    const openTag = isParagraph ? '\n' : bare;
    edits.push(
      { start: index + lead.length, end: inner, text: `${openTag}\n\n` },
      { start: close.start, end: close.end, text: `\n\n${lead}${closeTag}\n` },
    );
    const lines = linesIn(body, inner, close.start).filter(({ start }) => !inCode(start));
    const shared = smallest(
      lines.map(({ indent }) => indent),
      100,
    );
    for (const { start } of lines) {
      const indent = Math.max(0, shared - (indents.has(index) ? 0 : lead.length));
      if (indent > (indents.get(start) ?? 0)) indents.set(start, indent);
    }
    for (const found of body.slice(inner, close.start).matchAll(TAGS_ALONE)) {
      const newline = inner + found.index + found[0].length - 1;
      if (!inCode(newline)) edits.push({ start: newline, end: newline + 1, text: ' ' });
    }
  }
  for (const [start, indent] of indents) edits.push({ start, end: start + indent, text: '' });
  const isTaken = inRanges(edits.map(({ start, end }) => [start, end] as const).sort(([a], [b]) => a - b));
  for (const { 1: before = '', 2: attribute = '', index } of body.matchAll(IN_LINE)) {
    const start = index + before.length;
    if (!inCode(index) && !isTaken(start)) edits.push({ start, end: start + attribute.length, text: '' });
  }
  return edits.length === 0 ? NOTHING : { edits };
}

/**
 * Tags of a line of text begin a paragraph, also alone in their line (https://kramdown.gettalong.org/syntax.html#html-blocks, and so in python-markdown). CommonMark
 * would take the lines below them for HTML, up to the next blank one.
 */
function spansAlone({ body, inCode }: Pick<Source, 'body' | 'inCode'>): readonly Edit[] {
  if (!SPAN_ALONE.test(body)) return [];
  const edits: Edit[] = [];
  /** The ends of the first and the last line of tags. */
  let run: { readonly first: number; readonly last: number } | undefined;
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    const line = body.slice(start, end);
    if (!inCode(start) && line.length < LINE_CHARS_MAX && LINE_OF_SPANS.test(line))
      run = { first: run?.first ?? end, last: end };
    else {
      // What begins a block stays in its line.
      if (run !== undefined && line.trim() !== '' && !STARTS_OTHER.test(line))
        edits.push({ start: run.first, end: run.first + 1, text: ' ' });
      else if (run !== undefined && STARTS_BLOCK.test(line))
        edits.push({ start: run.last, end: run.last, text: '\n' });
      run = undefined;
    }
    start = end + 1;
  }
  return edits;
}

const SPAN_ALONE = /^ {0,3}<(?:span|small|strong|b|em|i|u|font|mark|sub|sup|a|br|img|wbr|input)\b/im;
/** One tag that opens something, or tags of what has no end. */
const LINE_OF_SPANS =
  /^ {0,3}(?:<(?:span|small|strong|b|em|i|u|font|mark|sub|sup|a)(?:[ \t](?:[^<>"']|"[^"]*"|'[^']*')*)?>[ \t]*|(?:<(?:br|img|wbr|input)(?:[ \t/](?:[^<>"']|"[^"]*"|'[^']*')*)?>[ \t]*)+)$/i;
const LINE_CHARS_MAX = 2000;
const STARTS_OTHER = /^[ \t]*(?:[<>#|]|[*+-][ \t]|\d+[.)][ \t]|`{3}|~{3}|[*_-]{3})/;
const STARTS_BLOCK = /^ {0,3}(?:`{3}|~{3}|#{1,6}[ \t])/;

/**
 * A block of HTML ends with its closing tag: what stands in the next line is Markdown again, but inside another element only code and headings
 * are. CommonMark wants a blank line first.
 */
function endsOfBlocks(
  { body, inCode }: Pick<Source, 'body' | 'inCode'>,
  elements: Elements,
): readonly Edit[] {
  if (!body.includes('</')) return [];
  const ends = once(() => new Set(elements().map(({ start }) => start)));
  return [...body.matchAll(BLOCK_END)]
    .filter(({ 0: whole, index }) => {
      if (inCode(index)) return false;
      const behind = index + whole.length;
      return STARTS_BLOCK.test(body.slice(behind, behind + 12)) || ends().has(index);
    })
    .map(({ 0: whole, index }) => ({ start: index + whole.length, end: index + whole.length, text: '\n' }));
}

const BLOCK_END =
  /<\/(?:div|p|table|details|figure|section|article|aside|ul|ol|dl|video|iframe|center|blockquote|h[1-6])>[ \t]*\n(?=[ \t]*[^\s<])/gi;

/**
 * An element of HTML goes on behind an empty line, up to its closing tag, whatever the indent of its lines (https://kramdown.gettalong.org/syntax.html#html-blocks,
 * and so in python-markdown). CommonMark would take deep lines there for code.
 */
function deepLines({ body, inCode }: Pick<Source, 'body' | 'inCode'>, elements: Elements): readonly Edit[] {
  if (!DEEP.test(body)) return [];
  const edits: Edit[] = [];
  for (const { inner, start } of elements()) {
    const inside = body.slice(inner, start);
    if (!DEEP.test(inside) || /\smarkdown\b|<(?:pre|textarea|script|style)\b/i.test(inside)) continue;
    for (const { 0: indent, index } of inside.matchAll(/(?<=\n)(?: {4}|\t)[ \t]*(?=\S)/g)) {
      const at = inner + index;
      if (!inCode(at)) edits.push({ start: at, end: at + indent.length, text: '' });
    }
  }
  return edits;
}

const DEEP = /\n[ \t]*\n(?: {4}|\t)[ \t]*</;

/** Behind the opening tag, and where the closing one starts. Asked only by pages that need them. */
type Elements = () => readonly { readonly inner: number; readonly start: number }[];

/** The elements that start a line and stand in no other one. */
function outermost(body: string): ReturnType<Elements> {
  const found: { inner: number; start: number }[] = [];
  let behind = 0;
  const pairs = [...closings(body)].sort(([a], [b]) => a - b);
  for (const [inner, { start, end }] of pairs) {
    if (inner < behind) continue;
    behind = end;
    const tag = body.lastIndexOf('<', inner - 1);
    if (/(?:^|\n) {0,3}$/.test(body.slice(Math.max(0, tag - 4), tag))) found.push({ inner, start });
  }
  return found;
}

/** Python-Markdown takes code in fences out before it looks for HTML, so a fence directly below a tag is code. CommonMark wants a blank line first. */
export function fencesBelowTags({ body, inCode }: Source): Found {
  const edits = [...body.matchAll(OPEN_ABOVE_FENCE)]
    .filter(({ index }) => !inCode(index))
    .map(({ 0: whole, index }) => ({ start: index + whole.length, end: index + whole.length, text: '\n' }));
  return edits.length === 0 ? NOTHING : { edits };
}

const OPEN_ABOVE_FENCE =
  /^ {0,3}<(?:div|p|table|tr|td|details|figure|section|article|aside|center|blockquote)(?:[ \t][^<>\n]*)?>[ \t]*\n(?= {0,3}(?:`{3}|~{3}))/gim;

/** Lines with text that start in a part of the body, with their indents. */
function linesIn(
  body: string,
  from: number,
  to: number,
): readonly { readonly start: number; readonly indent: number }[] {
  return [...body.slice(from, to).matchAll(/\n([ \t]*)(?=[^\s])/g)].map(({ 1: indent = '', index }) => ({
    start: from + index + 1,
    indent: indent.length,
  }));
}

interface ClosingTag {
  readonly start: number;
  readonly end: number;
}

/** The tags that close elements, those of their own names inside counted: by the places behind the tags that open them. */
function closings(body: string): ReadonlyMap<number, ClosingTag> {
  const found = new Map<number, ClosingTag>();
  const open = new Map<string, number[]>();
  for (const { 0: tag, 1: slash = '', 2: name = '', index } of body.matchAll(TAG)) {
    const end = index + tag.length;
    const its = open.get(name.toLowerCase()) ?? [];
    open.set(name.toLowerCase(), its);
    if (slash === '') {
      if (!tag.endsWith('/>')) its.push(end);
      continue;
    }
    const opened = its.pop();
    if (opened !== undefined) found.set(opened, { start: index, end });
  }
  return found;
}

const TAG = /<(\/?)([a-z][a-z\d]*)\b[^<>]*>/gi;

import type { Labels } from '../../labels.ts';
import type { Edit } from '../preset.ts';
import type { Range } from './code-ranges.ts';
import { columnsOf, listMarkers, mdxColumns } from './indents.ts';
import type { ListIndents } from './indents.ts';
import type { Meaning, Part } from './tag.ts';
import { tokensOf } from './tokens.ts';
import type { Container, Token } from './tokens.ts';
import { lineAt, lineStarts } from '../../source-text.ts';

export interface Arrangement {
  readonly body: string;
  readonly parts: readonly Part[];
  readonly meaning: (part: Part) => Meaning;
  readonly labels: Labels;
  /** Fenced blocks of code, each from the start of its first line to the start of the line behind it, in order. */
  readonly fences: readonly Range[];
  /** Names of blocks of code, as Markdown of one line, by the start of their fence. */
  readonly names: ReadonlyMap<number, string>;
  /** Ranges that other rules replace: modules, comments, expressions. */
  readonly others: readonly Edit[];
  /** Indents mean nothing but lists: MDX has no indented code. */
  readonly isMdx: boolean;
}

/**
 * Puts parts into a text of CommonMark. Every block gets the blank lines that make it one, what is inside a part gets the
 * indent and the `>` of where it stands now, and no tag swallows the lines below it.
 */
export function arranged(input: Arrangement): readonly Edit[] {
  const starts = lineStarts(input.body);
  const tokens = tokensOf(input, starts);
  if (tokens.length + input.names.size === 0 && !input.isMdx) return [];
  const flow: Flow = {
    input,
    starts,
    tokens,
    edits: [],
    levels: [{ container: undefined, pad: '', outer: '', indent: 0, quotes: 0, lists: { open: [] } }],
    next: 0,
    above: 'blank',
    lead: '',
    isWritten: false,
    isSealed: false,
    isLead: false,
    hasText: false,
  };
  const isFence = fenceLines(input.fences, starts);
  for (let line = 0; line < starts.length;) {
    const fence = isFence(line);
    line = fence === undefined ? flowLine(flow, line) : flowFence(flow, line, fence);
  }
  return flow.edits;
}

/** What is open around a line. */
interface Level {
  readonly container: Container | undefined;
  /** What each line in it begins with. */
  readonly pad: string;
  /** What the line of its opening tag began with. */
  readonly outer: string;
  /** Columns and `>` of the source that are taken away from its lines. */
  readonly indent: number;
  readonly quotes: number;
  readonly lists: ListIndents;
}

/** One way through the lines. */
interface Flow {
  readonly input: Arrangement;
  readonly starts: readonly number[];
  readonly tokens: readonly Token[];
  readonly edits: Edit[];
  readonly levels: Level[];
  /** The token that comes next. */
  next: number;
  /** What stands above the line: nothing, text, a block that text must not follow directly, or tags alone in their line. */
  above: 'blank' | 'text' | 'block' | 'tags';
  /** What a line would begin with that is added here. */
  lead: string;
  /** Something was written in this line. */
  isWritten: boolean;
  /** What was written last in this line is a block of its own. */
  isSealed: boolean;
  /** What was written last in this line leads what follows. */
  isLead: boolean;
  /** The line has a text of the page in it. */
  hasText: boolean;
}

/** Fence of code that starts in a line, by number of the line; the look-up goes forward. */
function fenceLines(fences: readonly Range[], starts: readonly number[]) {
  let at = 0;
  return (line: number): Range | undefined => {
    const start = starts[line] ?? 0;
    while ((fences[at]?.[0] ?? Infinity) < start) at += 1;
    return fences[at]?.[0] === start ? fences[at] : undefined;
  };
}

function lineEnd(flow: Flow, line: number): number {
  const next = flow.starts[line + 1];
  return next === undefined ? flow.input.body.length : next - 1;
}

function top(flow: Flow): Level {
  const level = flow.levels.at(-1);
  if (level === undefined) throw new Error('bug: the text around all tags was closed');
  return level;
}

/** One line, or several that one tag joins; answers the line behind. */
function flowLine(flow: Flow, first: number): number {
  const { body } = flow.input;
  const start = flow.starts[first] ?? 0;
  let end = lineEnd(flow, first);
  const tagStart = flow.tokens[flow.next]?.start ?? Infinity;
  const isTagged = tagStart <= end;
  const level = isTagged ? levelAtStart(flow, start, end) : top(flow);
  // A tag may begin with the sign of a quote (`>>> Step` of Retype).
  const head = headOf(body.slice(start, isTagged ? Math.max(start, tagStart) : end), level.quotes, isTagged);
  const text = body.slice(start + head.length, end);
  if (text === '' && !isTagged) {
    write(flow, start, start + head.length, level.pad.trimEnd());
    flow.above = 'blank';
    return first + 1;
  }
  // A mark that is replaced is none.
  const marks = tagStart === start + head.length ? '' : listMarkers(text);
  const lead = isPlain(flow, level)
    ? body.slice(start, start + head.length)
    : leadOf(flow, level, head, marks);
  flow.lead = lead + marks.replaceAll(/[^\t]/g, ' ');
  flow.isWritten = false;
  flow.isSealed = false;
  flow.isLead = false;
  flow.hasText = false;
  const isBelowText = flow.above === 'text';
  const isParted = opensLine(flow, start + head.length + marks.length, end);
  const quote = flow.above === 'tags' ? quoteOf(text, body.slice(flow.starts[first - 1] ?? 0, start)) : '';
  write(flow, start, start + head.length, `${isParted ? `${`${lead}${quote}`.trimEnd()}\n` : ''}${lead}`);
  if (marks !== '') flow.above = 'blank';
  let at = start + head.length + marks.length;
  let line = first;
  for (;;) {
    const token = flow.tokens[flow.next];
    const isHere = token !== undefined && token.start <= end;
    passText(flow, at, isHere ? token.start : end);
    if (!isHere) break;
    flow.next += 1;
    passToken(flow, token);
    at = token.end;
    line = Math.max(line, lineAt(flow.starts, at));
    end = lineEnd(flow, line);
  }
  if (flow.isWritten) flow.above = flow.isSealed ? 'block' : isBelowText ? 'text' : written(flow);
  else if (marks === '') flow.above = 'blank';
  return line + 1;
}

/** `> ` of a line whose line above begins with it as well: a blank line between the two would end the quote. */
function quoteOf(line: string, above: string): string {
  const [quote = ''] = /^(?:>[ \t]*)+/.exec(line) ?? [];
  return above.trimStart().startsWith(quote.trimEnd()) ? quote : '';
}

/** In MDX, tags alone in a line are no part of the text below. CommonMark would take that text for HTML. */
function written({ input, hasText }: Flow): Flow['above'] {
  return input.isMdx && !hasText ? 'tags' : 'text';
}

/** Tags that close at the start of a line: the line belongs to what is around them. */
function levelAtStart(flow: Flow, start: number, end: number): Level {
  const { body } = flow.input;
  let depth = flow.levels.length - 1;
  let at = start;
  for (let next = flow.next; ; next += 1) {
    const token = flow.tokens[next];
    if (token?.closes === undefined || token.start > end || !/^[\s>]*$/.test(body.slice(at, token.start)))
      break;
    const closed = flow.levels.findLastIndex(({ container }) => container === token.closes);
    if (closed > 0) depth = Math.min(depth, closed - 1);
    at = token.end;
  }
  return flow.levels[depth] ?? top(flow);
}

/** The start of a line: what its level takes away, blanks as columns, and further `>` of a line with tags. */
interface Head {
  readonly length: number;
  readonly columns: number;
  readonly kept: string;
}

function headOf(line: string, quotes: number, isTagged: boolean): Head {
  let length = 0;
  for (let count = 0; count < quotes; count += 1) {
    const found = /^[ \t]*>[ \t]?/.exec(line.slice(length))?.[0].length ?? 0;
    if (found === 0) break;
    length += found;
  }
  const blanks = /^[ \t]*/.exec(line.slice(length))?.[0] ?? '';
  length += blanks.length;
  const kept = isTagged ? (/^(?:>[ \t]*)+/.exec(line.slice(length))?.[0] ?? '') : '';
  return { length: length + kept.length, columns: columnsOf(blanks), kept };
}

/** What a line begins with as written. */
function leadOf(flow: Flow, level: Level, { columns, kept }: Head, marks: string): string {
  const inside = Math.max(0, columns - level.indent);
  const isContinued = flow.above === 'text';
  const wanted = flow.input.isMdx ? mdxColumns(level.lists, inside, { marks, isContinued }) : inside;
  return `${level.pad}${' '.repeat(wanted)}${kept}`;
}

/** Whether a blank line must come before this one, so its first block or text stands for itself. */
function opensLine(flow: Flow, at: number, end: number): boolean {
  if (flow.above === 'blank') return false;
  const { body } = flow.input;
  let isParted = flow.above === 'block';
  for (let next = flow.next, from = at; ; next += 1) {
    const token = flow.tokens[next];
    const isHere = token !== undefined && token.start <= end;
    const hasText = body.slice(from, isHere ? token.start : end).trim() !== '';
    if (hasText) return isParted || (flow.above === 'tags' && from === at);
    if (!isHere) return false;
    isParted ||= token.isBlock;
    if (token.text !== '') return isParted;
    from = token.end;
  }
}

/** Text between tags. */
function passText(flow: Flow, start: number, end: number): void {
  const text = flow.input.body.slice(start, end);
  if (text.trim() === '') return;
  if (flow.isWritten && flow.isSealed) {
    const blanks = /^\s*/.exec(text)?.[0].length ?? 0;
    flow.edits.push({ start, end: start + blanks, text: parting(flow) });
  } else if (flow.isLead) {
    const blanks = /^\s*/.exec(text)?.[0].length ?? 0;
    flow.edits.push({ start, end: start + blanks, text: `\n${flow.lead}` });
  }
  flow.isLead = false;
  flow.isWritten = true;
  flow.isSealed = false;
  flow.hasText = true;
}

/** A blank line, then the start of the next. */
function parting({ lead }: Flow): string {
  return `\n${lead.trimEnd()}\n${lead}`;
}

function passToken(flow: Flow, token: Token): void {
  const { start, end, isBlock, isLead, opens, closes } = token;
  if (closes !== undefined) {
    flow.lead = flow.levels.find(({ container }) => container === closes)?.outer ?? flow.lead;
  }
  const text = token.text.replaceAll('\n', `\n${flow.lead}`);
  const isParted = text !== '' && flow.isWritten && (flow.isSealed || isBlock);
  const before = isParted ? parting(flow) : flow.isLead && text !== '' ? `\n${flow.lead}` : '';
  flow.edits.push({ start, end, text: `${before}${text}` });
  if (text !== '') {
    flow.isLead = false;
    flow.isWritten = true;
    flow.isSealed = isBlock && isLead !== true;
  } else if (isBlock && flow.isWritten) flow.isSealed = true;
  if (opens !== undefined) {
    const pad = `${flow.lead}${opens.prefix}`;
    const { indent, quotes } = takenAway(flow, token, opens);
    flow.levels.push({ container: opens, pad, outer: flow.lead, indent, quotes, lists: { open: [] } });
    flow.lead = pad;
    flow.isLead = isLead === true;
  }
  if (closes !== undefined) close(flow, closes);
}

function close(flow: Flow, closed: Container): void {
  const at = flow.levels.findLastIndex(({ container }) => container === closed);
  const level = flow.levels[at];
  if (at <= 0 || level === undefined) return;
  flow.lead = level.outer;
  flow.levels.length = at;
}

/** What the lines inside a part have in common at their start; what is inside its own parts and code does not count. */
function takenAway(flow: Flow, { start }: Token, { part }: Container): { indent: number; quotes: number } {
  const { body } = flow.input;
  const { tag, closer, children } = part;
  const openLine = flow.starts[lineAt(flow.starts, start)] ?? 0;
  const quotes = (/^[ \t>]*/.exec(body.slice(openLine, start))?.[0].split('>').length ?? 1) - 1;
  if (tag.insideIndent !== undefined || closer === undefined)
    return { indent: tag.insideIndent ?? 0, quotes };
  const last = lineAt(flow.starts, closer.start);
  const inner = children.map((child): Range => [child.tag.start, child.closer?.start ?? child.tag.end]);
  const skip = skipper([inner, flow.input.fences.map(([from, end]): Range => [from, end])]);
  let indent = Infinity;
  for (let line = lineAt(flow.starts, tag.end) + 1; line <= last; line += 1) {
    const from = flow.starts[line] ?? 0;
    if (skip(from)) continue;
    const whole = body.slice(from, line === last ? closer.start : lineEnd(flow, line));
    const { length, columns } = headOf(whole, quotes, false);
    if (length < whole.length) indent = Math.min(indent, columns);
  }
  return { indent: indent === Infinity ? 0 : indent, quotes };
}

/** Whether an offset lies inside one of the ranges, behind its start; offsets come in order. */
function skipper(lists: readonly (readonly Range[])[]): (offset: number) => boolean {
  const at = lists.map(() => 0);
  return (offset) =>
    lists.some((ranges, list) => {
      let index = at[list] ?? 0;
      while ((ranges[index]?.[1] ?? Infinity) <= offset) index += 1;
      at[list] = index;
      return (ranges[index]?.[0] ?? Infinity) < offset;
    });
}

/** Lines at the top of a text that has indented code stay as they are. */
function isPlain(flow: Flow, { container }: Level): boolean {
  return container === undefined && !flow.input.isMdx;
}

/** Code in a fence: its lines move with the fence, and stay as they are. */
function flowFence(flow: Flow, first: number, [start, end]: Range): number {
  const { body } = flow.input;
  const level = top(flow);
  const line = body.slice(start, lineEnd(flow, first));
  const head = headOf(line, level.quotes, false);
  const marks = listMarkers(line.slice(head.length));
  const before = line.slice(0, head.length);
  const lead =
    isPlain(flow, level) || head.length === line.length ? before : leadOf(flow, level, head, marks);
  const inner = lead + marks.replaceAll(/[^\t]/g, ' ');
  const name = flow.input.names.get(start);
  const isParted =
    flow.above === 'block' || flow.above === 'tags' || (name !== undefined && flow.above === 'text');
  write(flow, start, start + head.length, `${isParted ? `${lead.trimEnd()}\n` : ''}${lead}`);
  if (name !== undefined) {
    const at = start + head.length + marks.length;
    flow.edits.push({ start: at, end: at, text: `${name}\n${inner.trimEnd()}\n${inner}` });
  }
  const columns = head.columns + columnsOf(marks.replaceAll(/[^\t]/g, ' '));
  flow.above = 'text';
  let next = first + 1;
  // What is put into code (an include) moves with it.
  const behind = body.charAt(end - 1) === '\n' ? end - 1 : end;
  for (; (flow.tokens[flow.next]?.start ?? Infinity) <= behind; flow.next += 1) {
    const token = flow.tokens[flow.next];
    if (token === undefined) break;
    if (token.start === behind && token.closes !== undefined) {
      closeBehindFence(flow, token, token.closes);
      continue;
    }
    const text = lead === before ? token.text : token.text.replaceAll('\n', `\n${inner}`);
    flow.edits.push({ start: token.start, end: token.end, text });
    if (token.closes !== undefined) close(flow, token.closes);
  }
  for (; next < flow.starts.length && (flow.starts[next] ?? 0) < end; next += 1) {
    if (lead === before) continue;
    const from = flow.starts[next] ?? 0;
    const text = body.slice(from, lineEnd(flow, next));
    const its = headOf(text, level.quotes, false);
    const isBlank = its.length === text.length;
    const rest = ' '.repeat(Math.max(0, its.columns - columns));
    write(flow, from, from + its.length, isBlank ? level.pad.trimEnd() : `${inner}${rest}`);
  }
  return next;
}

/** A part that ends with a fence: what closes it must not stand in the fence's last line, or the fence would never end. */
function closeBehindFence(flow: Flow, { start, end, text }: Token, closes: Container): void {
  const outer = flow.levels.find(({ container }) => container === closes)?.outer ?? '';
  const lines = text.replaceAll('\n', `\n${outer}`);
  flow.edits.push({ start, end, text: text === '' ? '' : `\n${outer.trimEnd()}\n${outer}${lines}` });
  if (text !== '') flow.above = 'block';
  close(flow, closes);
}

function write(flow: Flow, start: number, end: number, text: string): void {
  if (text !== flow.input.body.slice(start, end)) flow.edits.push({ start, end, text });
}

import { endsBlock, statementEnd } from './modules.ts';

/** A part of a text, from its first character to the one behind its last. */
export type Range = readonly [start: number, end: number];

export interface Code {
  /** Fenced code and code spans, in order. */
  readonly all: readonly Range[];
  /** Fenced code alone, each from the start of its first line to the start of the line behind it. */
  readonly fences: readonly Range[];
  /** Modules of MDX, which may hold what looks like fences; they are among all code. */
  readonly modules: readonly Range[];
}

const FENCE = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})/;

/** The code in a text. Indented code is not among it: under a list the same indent is text. */
export function codeIn(body: string, isMdx: boolean): Code {
  const all: Range[] = [];
  const fences: Range[] = [];
  const modules: Range[] = [];
  if (!(isMdx ? /[`~]|^(?:im|ex)port/m : /[`~]/).test(body)) return { all, fences, modules };
  let isBlockStart = true;
  let open: { readonly mark: string; readonly start: number; readonly indent: number } | undefined;
  let prose = 0;
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline + 1;
    const line = body.slice(start, end);
    // A line that stands further left than the text of a list's item ends the item, and code that was open in it.
    if (open !== undefined && open.indent > 0 && line.trim() !== '' && indentOf(line) < open.indent) {
      all.push([open.start, start]);
      fences.push([open.start, start]);
      open = undefined;
      prose = start;
    }
    const module = isMdx && open === undefined && isBlockStart ? statementEnd(body, start) : undefined;
    if (module !== undefined) {
      spansIn(body, prose, start, all);
      all.push([start, module]);
      modules.push([start, module]);
      prose = module;
      start = body.charAt(module) === '\n' ? module + 1 : module;
      continue;
    }
    const [opening = '', before = '', mark] = FENCE.exec(line) ?? [];
    if (
      open === undefined &&
      mark !== undefined &&
      !(mark.startsWith('`') && line.slice(opening.length).includes('`'))
    ) {
      spansIn(body, prose, start, all);
      open = { mark, start, indent: /[^ \t>]/.test(before) ? columns(before) : 0 };
    } else if (
      open !== undefined &&
      mark?.startsWith(open.mark) === true &&
      line.trim().replace(/^[>\s]*/, '') === mark
    ) {
      all.push([open.start, end]);
      fences.push([open.start, end]);
      open = undefined;
      prose = end;
    }
    isBlockStart = open === undefined && (mark !== undefined || !isMdx || endsBlock(line.trimEnd()));
    start = end;
  }
  if (open === undefined) spansIn(body, prose, body.length, all);
  else {
    all.push([open.start, body.length]);
    fences.push([open.start, body.length]);
  }
  return { all, fences, modules };
}

function indentOf(line: string): number {
  return columns(/^[ \t>]*/.exec(line)?.[0] ?? '');
}

function columns(text: string): number {
  let column = 0;
  for (const sign of text) column += sign === '\t' ? 4 - (column % 4) : 1;
  return column;
}

/** A look-up in ranges that are in order and do not overlap. */
export function inRanges(ranges: readonly Range[]): (offset: number) => boolean {
  return (offset) => {
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const [start, end] = ranges[middle] ?? [0, 0];
      if (offset < start) high = middle;
      else if (offset >= end) low = middle + 1;
      else return true;
    }
    return false;
  };
}

/** What any of these covers, as ranges in order that do not touch each other. */
export function merged(parts: readonly { readonly start: number; readonly end: number }[]): readonly Range[] {
  const ranges: [start: number, end: number][] = [];
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

/** Code spans: a run of backticks up to the next run of the same length, within one paragraph. */
function spansIn(body: string, from: number, to: number, ranges: Range[]): void {
  const text = body.slice(from, to);
  if (!text.includes('`')) return;
  const runs = /(?<!\\)`+|\n[^\S\n]*\n/g;
  let open: { readonly length: number; readonly start: number } | undefined;
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (run.startsWith('\n')) open = undefined;
    else if (open === undefined) open = { length: run.length, start: index };
    else if (open.length === run.length) {
      ranges.push([from + open.start, from + index + run.length]);
      open = undefined;
    }
  }
}

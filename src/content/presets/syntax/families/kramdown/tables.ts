import type { Edit } from '../../../preset.ts';
import { inRanges } from '../../code-ranges.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';

/**
 * Tables as kramdown has them (https://kramdown.gettalong.org/syntax.html#tables): the line below the heads may have more or fewer columns
 * than these, and a table needs no heads. GitHub's tables need a line of as many columns, and heads.
 */
export function tables({ body, fences }: Source): Found {
  if (!/^ {0,3}\|/m.test(body)) return NOTHING;
  const edits: Edit[] = [];
  const inFence = inRanges(fences);
  let isBlankAbove = true;
  /** The first line of a block, and what the second one decides. */
  let first: Line | undefined;
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    const line = { text: body.slice(start, end), start, end };
    if (first !== undefined) edits.push(...headsOf(first, line));
    first = isBlankAbove && isRow(line.text) && !inFence(start) ? line : undefined;
    isBlankAbove = line.text.trim() === '';
    start = end + 1;
  }
  return { edits };
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function headsOf(first: Line, second: Line): readonly Edit[] {
  const columns = columnsIn(first.text);
  if (DELIMITERS.test(first.text)) return [];
  if (DELIMITERS.test(second.text)) {
    const marks = second.text
      .trim()
      .replaceAll(/^\||\|$/g, '')
      .split(/[|+]/)
      .map((cell) => cell.trim());
    if (marks.length === columns && !second.text.includes('+')) return [];
    const row = Array.from({ length: columns }, (_, index) => marks[index] ?? '---');
    return [{ start: second.start, end: second.end, text: `| ${row.join(' | ')} |` }];
  }
  // A line alone may be a text with two signs in it.
  if (!isRow(second.text)) return [];
  const row = (cell: string): string => `|${cell.repeat(columns)}\n`;
  return [{ start: first.start, end: first.start, text: `${row('  |')}${row(' --- |')}` }];
}

/** A row with a sign at both ends: others may be text. */
function isRow(line: string): boolean {
  return (
    line.length < ROW_CHARS_MAX && /^ {0,3}\|/.test(line) && /\|[ \t]*$/.test(line) && columnsIn(line) > 0
  );
}

const ROW_CHARS_MAX = 10_000;
const DELIMITERS = /^ {0,3}\|[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

function columnsIn(row: string): number {
  return cellsOf(row).length;
}

/** The cells of a row; a sign with a backslash, or in code, is no end of one. */
function cellsOf(row: string): readonly string[] {
  const bare = row.replaceAll(/`[^`]*`|\\./g, (piece) => 'x'.repeat(piece.length));
  const ends = [...bare.matchAll(/\|/g)].map(({ index }) => index);
  const last = bare.trimEnd().length - 1;
  const cells = ends.map((at, index) => row.slice(at + 1, ends[index + 1] ?? row.length));
  return ends.at(-1) === last ? cells.slice(0, -1) : cells;
}

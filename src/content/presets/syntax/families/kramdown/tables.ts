import type { Edit } from '../../../preset.ts';
import { largest } from '../../../../../text/many.ts';
import { inRanges } from '../../code-ranges.ts';
import { NOTHING } from '../../family.ts';
import { escapes, isDelimiters } from '../../table-code.ts';
import type { Found, Source } from '../../family.ts';

/**
 * Tables as kramdown has them (https://kramdown.gettalong.org/syntax.html#tables): lines with `|` between two empty ones. The line below the heads may
 * have more or fewer columns than these, a row may be longer, a table needs no heads, and lines of signs between rows only part them. GitHub's
 * tables need heads with all columns, and a line with as many.
 */
export function tables({ body, fences }: Source): Found {
  if (!body.includes('|')) return NOTHING;
  const edits: Edit[] = [];
  const inFence = inRanges(fences);
  let block: Line[] | undefined;
  let isBoundary = true;
  const close = (isWhole: boolean): void => {
    if (block !== undefined && isWhole && block.length > 1) edits.push(...tableEdits(block));
    block = undefined;
  };
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    const text = body.slice(start, end);
    const isEnd = text.trim() === '' || ATTRIBUTES.test(text);
    if (isEnd) close(true);
    else if (end - start < ROW_CHARS_MAX && text.includes('|') && !inFence(start)) {
      const line = { text, start, end, cells: cellsOf(text) };
      const isRow = line.cells > 1 || /^ {0,3}\|/.test(text);
      if (isBoundary && isRow && !OTHER_BLOCK.test(text)) block = [line];
      else if (isRow) block?.push(line);
      else close(false);
    } else close(false);
    isBoundary = isEnd;
    start = end + 1;
  }
  close(true);
  return edits.length === 0 ? NOTHING : { edits };
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly cells: number;
}

function tableEdits(lines: readonly Line[]): readonly Edit[] {
  const [first, second, ...others] = lines;
  if (first === undefined || second === undefined || SEPARATOR.test(first.text)) return [];
  const hasHeads = SEPARATOR.test(second.text);
  const parting = (hasHeads ? others : [second, ...others]).filter(({ text }) => SEPARATOR.test(text));
  const columns = largest(
    lines.flatMap(({ text, cells }) => (SEPARATOR.test(text) ? [] : [cells])),
    1,
  );
  // A line of signs inside goes, with the end of the line.
  const edits: Edit[] = parting.map(({ start, end }) => ({ start: start - 1, end, text: '' }));
  if (!isDelimiters(second.text, first.text))
    edits.push(...lines.flatMap(({ start, text }) => (SEPARATOR.test(text) ? [] : escapes(start, text))));
  if (!hasHeads) {
    const row = (cell: string): string => `|${cell.repeat(columns)}\n`;
    return [{ start: first.start, end: first.start, text: `${row('  |')}${row(' --- |')}` }, ...edits];
  }
  const missing = columns - first.cells;
  if (missing > 0) {
    const more = missing + Number(!/\|[ \t]*$/.test(first.text));
    edits.push({ start: first.end, end: first.end, text: ' |'.repeat(more) });
  }
  if (missing > 0 || second.cells !== columns || !GITHUB_SEPARATOR.test(second.text)) {
    const marks = second.text
      .trim()
      .replaceAll(/^\||\|$/g, '')
      .split(/[|+]/)
      .map((mark) => mark.trim());
    const row = Array.from({ length: columns }, (_, index) => {
      const mark = marks[index] ?? '';
      return /^:?-+:?$/.test(mark) ? mark : '---';
    });
    edits.push({ start: second.start, end: second.end, text: `| ${row.join(' | ')} |` });
  }
  return edits;
}

const ROW_CHARS_MAX = 10_000;
const ATTRIBUTES = /^ {0,3}\{:[^}]*\}[ \t]*$/;
/** Lists, quotes, headings, HTML, code and what is defined come first. */
const OTHER_BLOCK = /^(?: {4}|[ \t]*(?:[-*+:][ \t]|\d+\.[ \t]|>|#{1,6}[ \t]|<|\t|\[[^\]]{1,200}\]:))/;
const SEPARATOR = /^(?=.*[-=]) {0,3}(?:[+|:][+|: \t=-]*|[-=][-=: \t]*[|+][+|: \t=-]*)$/;
const GITHUB_SEPARATOR = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** How many cells a row has; a sign with a backslash, or in code, is no end of one. */
function cellsOf(row: string): number {
  // Only blanks and tabs go: a no-break space is a cell.
  const bare = row
    .replaceAll(/^[ \t]+|[ \t]+$/g, '')
    .replaceAll(/`[^`]*`|\\./g, (piece) => 'x'.repeat(piece.length))
    .replace(/^\|/, '')
    .replace(/\|$/, '');
  return bare.split('|').length;
}

import type { TextLine } from '../../../../source-text.ts';

/** The lines of one cell, without what the whole cell is indented by. */
type Cell = readonly string[];

/**
 * A grid table of Pandoc (https://pandoc.org/MANUAL.html#extension-grid_tables) as Markdown that CommonMark shows: a table of rows, or
 * HTML with Markdown in it if a cell holds blocks. Without a text: a cell spans others. `last`: the last line that was looked at.
 */
export function gridTable(
  lines: readonly TextLine[],
  from: number,
): { readonly text: string | undefined; readonly last: number } {
  const border = lines[from]?.text.trimEnd() ?? '';
  const columns = [...border.matchAll(/\+(?=[-=:])/g)].map(({ index }) => index);
  const rows: (readonly Cell[])[] = [];
  let cells: string[][] = columns.map(() => []);
  let headers = 0;
  let last = from;
  for (let at = from + 1; at < lines.length; at += 1) {
    const text = lines[at]?.text.trimEnd() ?? '';
    if (text.startsWith('+')) {
      if (text.length !== border.length || !/^\+[-=+:]+$/.test(text))
        return { text: undefined, last: Math.max(from, at - 1) };
      if (columns.some((column) => text.charAt(column) !== '+')) return { text: undefined, last: at };
      rows.push(cells.map(trimmed));
      if (text.includes('=')) headers = rows.length;
      cells = columns.map(() => []);
      last = at;
      continue;
    }
    if (!text.startsWith('|')) break;
    for (const [index, column] of columns.entries()) {
      if (text.charAt(column) !== '|') return { text: undefined, last: at };
      cells[index]?.push(text.slice(column + 1, columns[index + 1] ?? text.length - 1).trimEnd());
    }
  }
  if (rows.length === 0) return { text: undefined, last };
  const [first] = rows;
  const head = headers === 1 && first?.some((cell) => cell.length > 0) === true ? first : undefined;
  const body = headers === 1 ? rows.slice(1) : rows;
  const hasBlocks = rows.some((row) => row.some((cell) => cell.some(isBlock)));
  return { text: hasBlocks ? htmlTable(head, body) : pipeTable(head, body, columns.length), last };
}

/** Whether a line is more than text that goes on: an empty one, a hard break, the first of a list, heading, quotation or of code. */
function isBlock(line: string): boolean {
  return line === '' || /^(?:[-*+] |\d{1,9}[.)] |#{1,6} |>|`{3}|~{3}|:{3}| {4})|\\$/.test(line);
}

/** Without empty lines at both ends, and without the blanks that all lines begin with. */
function trimmed(lines: readonly string[]): Cell {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return [];
  const inside = lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
  const indents = inside.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = indents.reduce((least, each) => Math.min(least, each), Infinity);
  return inside.map((line) => line.slice(indent));
}

function pipeTable(
  head: readonly Cell[] | undefined,
  body: readonly (readonly Cell[])[],
  columns: number,
): string {
  const shown = (row: readonly Cell[]): string =>
    `| ${row.map((cell) => cell.join(' ').replaceAll(/(?<!\\)\|/g, String.raw`\|`)).join(' | ')} |`;
  const first = head ?? Array.from({ length: columns }, (): Cell => []);
  return [shown(first), `|${' --- |'.repeat(columns)}`, ...body.map(shown)].join('\n');
}

/** Between empty lines Markdown is Markdown, also below a tag (https://spec.commonmark.org/0.31.2/#html-blocks). */
function htmlTable(head: readonly Cell[] | undefined, body: readonly (readonly Cell[])[]): string {
  const shown = (row: readonly Cell[], name: 'th' | 'td'): string[] => [
    '<tr>',
    ...row.flatMap((cell) =>
      cell.length === 0 ? [`<${name}></${name}>`] : [`<${name}>`, '', ...cell, '', `</${name}>`],
    ),
    '</tr>',
  ];
  return [
    '<table>',
    ...(head === undefined ? [] : ['<thead>', ...shown(head, 'th'), '</thead>']),
    '<tbody>',
    ...body.flatMap((row) => shown(row, 'td')),
    '</tbody>',
    '</table>',
  ].join('\n');
}

/** Marks of lists at the start of a line, each with its blanks; not a thematic break, not emphasis. */
const LIST_MARKERS = /^(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))+/;
const THEMATIC_BREAK = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

export function listMarkers(text: string): string {
  if (THEMATIC_BREAK.test(text)) return '';
  return LIST_MARKERS.exec(text)?.[0] ?? '';
}

/** Columns of blanks at the start of a text; a tab goes to the next fourth column. */
export function columnsOf(blanks: string): number {
  let columns = 0;
  for (const char of blanks) columns += char === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}

/** Indents of list items as they are open, in the source and as written. */
export interface ListIndents {
  open: { readonly source: number; readonly written: number }[];
}

/** From here on a line is indented code, where the Markdown has such. */
const CODE_COLUMNS = 4;

/**
 * The columns to write before a line of MDX, which knows no indented code: a line that CommonMark would take for code
 * stands at the indent of the list item that it is in. `isMarked`: the line begins with marks of a list.
 */
export function mdxColumns(
  lists: ListIndents,
  columns: number,
  { marks, isContinued }: { readonly marks: string; readonly isContinued: boolean },
): number {
  if (!isContinued || marks !== '') {
    while ((lists.open.at(-1)?.source ?? 0) > columns) lists.open.pop();
  }
  const { source, written } = lists.open.at(-1) ?? { source: 0, written: 0 };
  const extra = Math.max(0, columns - source);
  const wanted = written + (extra >= CODE_COLUMNS && (!isContinued || marks !== '') ? 0 : extra);
  if (marks !== '') {
    const width = columnsOf(marks.replaceAll(/[^\t]/g, ' '));
    lists.open.push({ source: columns + width, written: wanted + width });
  }
  return wanted;
}

import type { Spot } from '../source-text.ts';
import type { Edit, EditedText } from './preset.ts';

/**
 * The text with all edits. They keep every line end, so that line numbers stay; columns are found back edit by edit.
 * Of two edits that overlap the first stands; insertions at one place keep their order and come before a replacement.
 */
export function editedText(source: string, edits: readonly Edit[]): EditedText {
  if (edits.length === 0) return { text: source, sourceSpot: (spot) => spot };
  const sorted = [...edits].sort(
    (a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start),
  );
  const done: { readonly edit: Edit; readonly at: number; readonly text: string }[] = [];
  let text = '';
  let cursor = 0;
  for (const edit of sorted) {
    if (edit.start < cursor) continue;
    text += source.slice(cursor, edit.start);
    const kept = withLines(edit.text, lineEnds(source.slice(edit.start, edit.end)));
    done.push({ edit, at: text.length, text: kept });
    text += kept;
    cursor = edit.end;
  }
  text += source.slice(cursor);
  return { text, sourceSpot: (spot) => sourceSpot(spot, source, text, done) };
}

/** Edits that replace a whole range by nothing but its line ends. */
export function blank(start: number, end: number): Edit {
  return { start, end, text: '' };
}

function withLines(text: string, count: number): string {
  const have = lineEnds(text);
  return have >= count ? text : text + '\n'.repeat(count - have);
}

function lineEnds(text: string): number {
  let count = 0;
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) count += 1;
  return count;
}

function sourceSpot(
  spot: Spot,
  source: string,
  text: string,
  done: readonly { readonly edit: Edit; readonly at: number; readonly text: string }[],
): Spot {
  const lineStart = offsetOfLine(text, spot.line);
  const offset = lineStart + spot.column - 1;
  let shift = 0;
  for (const { edit, at, text: put } of done) {
    if (at > offset) break;
    // Inside what was put in: its start is the nearest place the author knows.
    if (offset < at + put.length) {
      shift = edit.start - offset;
      break;
    }
    shift = edit.end - (at + put.length);
  }
  const column = offset + shift - offsetOfLine(source, spot.line) + 1;
  return { line: spot.line, column: Math.max(1, column) };
}

function offsetOfLine(text: string, line: number): number {
  let start = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    const next = text.indexOf('\n', start);
    if (next < 0) return start;
    start = next + 1;
  }
  return start;
}

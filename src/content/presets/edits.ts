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
  const done: Done[] = [];
  let text = '';
  let cursor = 0;
  for (const edit of sorted) {
    if (edit.start < cursor) continue;
    text += source.slice(cursor, edit.start);
    const kept = withLines(edit.text, lineEnds(source.slice(edit.start, edit.end)));
    done.push({ edit, at: text.length, length: kept.length });
    text += kept;
    cursor = edit.end;
  }
  text += source.slice(cursor);
  const result = text;
  let find: ((spot: Spot) => Spot) | undefined;
  return { text, sourceSpot: (spot) => (find ??= spotFinder(source, result, done))(spot) };
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

interface Done {
  readonly edit: Edit;
  /** Where its text stands in the new text. */
  readonly at: number;
  readonly length: number;
}

function spotFinder(source: string, text: string, done: readonly Done[]): (spot: Spot) => Spot {
  const newLines = lineStarts(text);
  const oldLines = lineStarts(source);
  return ({ line, column }) => {
    const offset = (newLines[line - 1] ?? 0) + column - 1;
    const last = lastBefore(done, offset);
    const put = last === undefined ? 0 : last.at + last.length;
    // Inside what was put in, its start is the nearest place the author knows.
    const old = last === undefined ? offset : offset < put ? last.edit.start : last.edit.end + offset - put;
    return { line, column: Math.max(1, old - (oldLines[line - 1] ?? 0) + 1) };
  };
}

/** The last edit whose text starts at or before the offset. */
function lastBefore(done: readonly Done[], offset: number): Done | undefined {
  let low = 0;
  let high = done.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((done[middle]?.at ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return done[low - 1];
}

/** Places of offsets in one text, for texts with many of them. */
export function spotsIn(text: string): (offset: number) => Spot {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return { line: low, column: offset - (starts[low - 1] ?? 0) + 1 };
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) starts.push(next + 1);
  return starts;
}

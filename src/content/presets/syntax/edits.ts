import type { Spot } from '../../source-text.ts';
import type { Edit, EditedText } from '../preset.ts';
import { lineAt, lineStarts } from '../../source-text.ts';

/**
 * The text with all edits. Edits may add and remove lines, so a spot of the new text is traced back edit by edit. If two edits
 * overlap, the first one counts. Insertions at one place keep their order and come before a replacement.
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
    done.push({ edit, at: text.length });
    text += edit.text;
    cursor = edit.end;
  }
  text += source.slice(cursor);
  const result = text;
  let find: ((spot: Spot) => Spot) | undefined;
  return { text, sourceSpot: (spot) => (find ??= spotFinder(source, result, done))(spot) };
}

interface Done {
  readonly edit: Edit;
  /** Where its text stands in the new text. */
  readonly at: number;
}

function spotFinder(source: string, text: string, done: readonly Done[]): (spot: Spot) => Spot {
  const newLines = lineStarts(text);
  const sourceSpot = spotsIn(source);
  return ({ line, column }) => {
    const offset = Math.min((newLines[line - 1] ?? text.length) + column - 1, text.length);
    const last = lastBefore(done, offset);
    if (last === undefined) return sourceSpot(offset);
    // A spot in inserted text: the nearest place in the author's file is where the insertion starts.
    const behind = offset - last.at - last.edit.text.length;
    return sourceSpot(behind < 0 ? last.edit.start : last.edit.end + behind);
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
    const line = lineAt(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

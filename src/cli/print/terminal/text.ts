import { HIDDEN, visible } from '../../../model/visible.ts';

/**
 * Indented JSON in which the characters that `visible` escapes, and `##[` of a CI runner, are written as escapes: the value stays
 * what it is. Long lists come in pieces that end with an item: the answer to a run of ten thousand changes is never held as one text.
 */
export function* visibleJson(value: object): Generator<string> {
  let text = '';
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    text += `${text === '' ? '{' : ','}\n  ${safe(JSON.stringify(name))}: `;
    if (!Array.isArray(item) || item.length <= PIECE_ITEMS) {
      text += inner(item);
      continue;
    }
    for (let from = 0; from < item.length; from += PIECE_ITEMS) {
      const items = inner(item.slice(from, from + PIECE_ITEMS));
      yield `${text}${from === 0 ? '[' : ','}${items.slice(1, -LIST_END.length)}`;
      text = '';
    }
    text = LIST_END;
  }
  yield text === '' ? '{}' : `${text}\n}`;
}

/**
 * V8 keeps texts above 128 kB apart, where only a full collection finds them: pieces of 500 items left 10 MB after ten thousand changes.
 */
const PIECE_ITEMS = 8;
const LIST_END = '\n  ]';

/** One level further in. A text holds no line end of its own in JSON. */
function inner(item: unknown): string {
  return safe(JSON.stringify(item, undefined, 2)).replaceAll('\n', '\n  ');
}

function safe(json: string): string {
  return json
    .replaceAll('##[', '#\\u0023[')
    .replaceAll(HIDDEN_IN_LINES, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** A line end of JSON is its own: looking at each of half a million costs more than the rest. */
const HIDDEN_IN_LINES = new RegExp(`(?!\\n)${HIDDEN.source}`, 'g');

/** Visible text on one line, cut at a character's boundary; white space of any kind becomes one space. */
export function short(text: string, widthMax: number): string {
  return cut(visible(oneLine(text)), widthMax);
}

/** White space of any kind as one space. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** As many characters as fit into `widthMax` columns, with `…` in the last one when something is left out. */
export function cut(text: string, widthMax: number): string {
  if (widthOf(text) <= widthMax) return text;
  let width = 0;
  let kept = '';
  for (const char of text) {
    const next = widthOf(char);
    if (width + next > widthMax - 1) break;
    width += next;
    kept += char;
  }
  return `${kept}…`;
}

/** Columns a terminal gives the text: 2 for CJK and emoji, 0 for combining marks. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) {
    if (/\p{Mark}/u.test(char)) continue;
    width += WIDE.test(char) ? 2 : 1;
  }
  return width;
}

/** Pads to a column, measured in columns and not in characters. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Cells in columns, two spaces apart, made visible. */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const shown = rows.map((row) => row.map(visible));
  const widths = shown.reduce<readonly number[]>(
    (most, row) => row.map((cell, index) => Math.max(most[index] ?? 0, Math.min(cell.length, 60))),
    [],
  );
  return shown.map((row) =>
    row
      .map((cell, index) => padTo(cell, widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** One word of a command line, as a shell takes it: quoted where it holds more than letters that mean themselves. */
export function shellWord(text: string): string {
  const word = visible(text);
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

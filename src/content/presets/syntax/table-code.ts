import type { Edit } from '../preset.ts';
import { inRanges } from './code-ranges.ts';
import { NOTHING } from './family.ts';
import type { Found, Source } from './family.ts';

const DELIMITERS = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
/** A longer row is looked at no further. */
const ROW_CHARS_MAX = 10_000;
const RUNS_MAX = 500;

/**
 * `|` in code in a table is no end of a cell for Python-Markdown and kramdown, as it is for GitHub: there it has a backslash
 * (https://python-markdown.github.io/extensions/tables/).
 */
export function tableCode({ body, fences }: Source): Found {
  if (!/[-:] ?\|/.test(body) || !/`[^\n]*\|/.test(body)) return NOTHING;
  const edits: Edit[] = [];
  const inFence = inRanges(fences);
  let before: readonly [start: number, line: string] = [0, ''];
  let isTable = false;
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    const line = body.slice(start, end);
    if (!isTable && isDelimiters(line, before[1]) && !inFence(start)) {
      isTable = true;
      edits.push(...escapes(...before));
    } else if (isTable) {
      isTable = line.trim() !== '' && line.includes('|');
      if (isTable) edits.push(...escapes(start, line));
    }
    before = [start, line];
    start = end + 1;
  }
  return { edits };
}

/** Is this the line below the heads of a table? */
export function isDelimiters(line: string, heads: string): boolean {
  return line.includes('|') && heads.includes('|') && DELIMITERS.test(line);
}

/** A backslash before each sign in code. */
export function escapes(start: number, row: string): readonly Edit[] {
  if (row.length > ROW_CHARS_MAX || !row.includes('`')) return [];
  const edits: Edit[] = [];
  // Of a run of backticks that no equal run ends, each is a sign.
  const runs = [...row.matchAll(/(?<!\\)`+/g)];
  if (runs.length > RUNS_MAX) return [];
  for (let at = 0; at < runs.length; at += 1) {
    const open = runs[at];
    const to = runs.findIndex((run, index) => index > at && run[0] === open?.[0]);
    const close = runs[to];
    if (open === undefined || close === undefined) continue;
    for (
      let sign = row.indexOf('|', open.index);
      sign >= 0 && sign < close.index;
      sign = row.indexOf('|', sign + 1)
    )
      if (row[sign - 1] !== '\\') edits.push({ start: start + sign, end: start + sign, text: '\\' });
    at = to;
  }
  return edits;
}

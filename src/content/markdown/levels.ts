/** Browsers stop at half of it; each level costs the parser a walk through all levels above. */
export const LINE_LEVELS_MAX = 1000;

/**
 * The most lists and quotations that one line of a text opens, found in one walk without parsing. Where no line has so many signs of them as is the limit, it is 0. A rule
 * (`- - -`) opens none, nor does fenced code.
 */
export function levelsOpened(body: string): number {
  if (!MAY_BE_TOO_DEEP.test(body)) return 0;
  let most = 0;
  let fence: string | undefined;
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    const line = body.slice(start, end);
    start = end + 1;
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence === undefined) most = Math.max(most, marksOf(line));
    else if (mark?.startsWith(fence) === true && line.trimEnd().endsWith(mark)) fence = undefined;
  }
  return most;
}

const MAY_BE_TOO_DEEP = new RegExp(String.raw`^[ \t>*+.\d)-]{${LINE_LEVELS_MAX}}`, 'm');

/** Whether a line begins with 200 signs that may nest, such as `>` and `-`. */
export function mayBeDeep(body: string): boolean {
  return MANY_MARKS.test(body);
}

const MANY_MARKS = /^[ \t>*+.\d)-]{200}/m;
const FENCE = /^[ \t>]*(`{3,}(?=[^`]*$)|~{3,})/;

function marksOf(line: string): number {
  if (line.length <= LINE_LEVELS_MAX || /^(?:[- \t]*|[* \t]*)$/.test(line)) return 0;
  const mark = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))/y;
  let marks = 0;
  while (mark.test(line)) marks += 1;
  return marks;
}

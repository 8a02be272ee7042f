export interface Span {
  readonly start: number;
  /** Behind what closes it. */
  readonly end: number;
}

/**
 * Parts of a text that something opens and something else closes: comments, scripts. A pattern with `[\s\S]*?` reads the
 * whole rest again for each opening that nothing closes; here the rest is read once for each way of closing.
 */
export function closedSpans(
  text: string,
  opening: RegExp,
  closingOf: (open: RegExpExecArray) => string,
): Span[] {
  const spans: Span[] = [];
  const search = spanSearch(text, closingOf);
  const pattern = new RegExp(opening, [...new Set(`${opening.flags}g`)].join(''));
  for (let open = pattern.exec(text); open !== null; open = pattern.exec(text)) {
    const end = search(open);
    if (end === undefined) continue;
    spans.push({ start: open.index, end });
    pattern.lastIndex = end;
  }
  return spans;
}

/** The place behind what closes an opening, if anything does. Openings are asked for from the start of the text to its end. */
export function spanSearch(
  text: string,
  closingOf: (open: RegExpExecArray) => string,
): (open: RegExpExecArray) => number | undefined {
  const endless = new Set<string>();
  return (open) => {
    const closing = closingOf(open);
    if (endless.has(closing)) return undefined;
    const at = text.indexOf(closing, open.index + open[0].length);
    if (at >= 0) return at + closing.length;
    endless.add(closing);
    return undefined;
  };
}

/** Without the comments of HTML that end. */
export function withoutComments(html: string, instead = ''): string {
  return withoutSpans(html, /<!--/, { closingOf: () => '-->', instead });
}

export function withoutSpans(
  text: string,
  opening: RegExp,
  rest: { readonly closingOf: (open: RegExpExecArray) => string; readonly instead: string },
): string {
  let done = 0;
  let out = '';
  for (const { start, end } of closedSpans(text, opening, rest.closingOf)) {
    out += text.slice(done, start) + rest.instead;
    done = end;
  }
  return done === 0 ? text : out + text.slice(done);
}

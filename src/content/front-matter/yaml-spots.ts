import { START, spotAt } from '../source-text.ts';
import type { Spot } from '../source-text.ts';

/** A key of the front matter and the part of the text that is its value. */
export interface KeyLine {
  readonly spot: Spot;
  /** Offsets in the raw text: just behind the colon, and where the next key starts. */
  readonly start: number;
  end: number;
}

const KEY =
  /^(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([^\s#'"[\]{}&*!|>%@`,?-][^#\n]*?|-[^\s#][^#\n]*?))[^\S\n]*:(?=\s|$)/gm;

/** The keys at column 1. A block mapping at the top has all its keys there; a flow mapping (`{a: b}`) has none. */
export function keyLines(raw: string): ReadonlyMap<string, KeyLine> {
  const found = new Map<string, KeyLine>();
  let last: KeyLine | undefined;
  let line = 2;
  let counted = 0;
  for (const match of raw.matchAll(KEY)) {
    const key = match[1] ?? match[2] ?? match[3] ?? '';
    for (
      let next = raw.indexOf('\n', counted);
      next >= 0 && next < match.index;
      next = raw.indexOf('\n', next + 1)
    ) {
      line += 1;
      counted = next + 1;
    }
    if (last !== undefined) last.end = match.index;
    const start = match.index + match[0].length;
    const lineEnd = raw.indexOf('\n', start);
    const value = /\S/.exec(raw.slice(start, lineEnd < 0 ? raw.length : lineEnd));
    const isHere = value !== null && value[0] !== '#';
    last = { spot: { line, column: isHere ? match[0].length + value.index + 1 : 1 }, start, end: raw.length };
    if (!found.has(key)) found.set(key, last);
  }
  return found;
}

export function itemSpot(raw: string, key: KeyLine | undefined, items: readonly string[]): Spot {
  if (key === undefined) return START;
  let cursor = key.start;
  let at = -1;
  for (const item of items) {
    at = raw.indexOf(item, cursor);
    if (at < 0 || at >= key.end) return key.spot;
    cursor = at + item.length;
  }
  return fileSpot(spotAt(raw, at));
}

/** The raw text starts on line 2 of the file. */
export function fileSpot(spot: Spot): Spot {
  return { line: spot.line + 1, column: spot.column };
}

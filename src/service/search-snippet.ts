import { normalised, type Term, type Token, tokensIn } from './search-tokens.ts';

/** A piece of plain text; `marked`: the query is found here. */
export interface SnippetPart {
  readonly text: string;
  readonly marked: boolean;
}

const SNIPPET_UNITS = 160;
/** How much of a snippet may stand before its first find. */
const LEAD_UNITS = 40;
const TEXT_UNITS_MAX = 200_000;

interface Range {
  readonly start: number;
  readonly end: number;
  /** Which term it is. */
  readonly term: number;
}

/** The piece of a text that shows most terms of a query, with what was found marked; undefined when nothing is. */
export function snippetOf(plain: string, terms: readonly Term[]): readonly SnippetPart[] | undefined {
  const text = plain.slice(0, TEXT_UNITS_MAX);
  const ranges = rangesOf(text, terms);
  const first = bestStart(ranges);
  if (first === undefined) return undefined;
  const start = wordStart(text, Math.max(0, first.start - LEAD_UNITS), first.start);
  return partsOf(text, start, ranges);
}

/** The beginning of a text, nothing marked. */
export function startOf(plain: string): readonly SnippetPart[] {
  return plain === '' ? [] : partsOf(plain, 0, []);
}

function partsOf(text: string, start: number, ranges: readonly Range[]): readonly SnippetPart[] {
  const end = wordEnd(text, start + SNIPPET_UNITS);
  const parts: SnippetPart[] = [];
  let at = start;
  const upTo = (to: number, marked: boolean): void => {
    if (to <= at) return;
    const piece = text.slice(at, to);
    const last = parts.at(-1);
    // Pairs of characters overlap, so that neighbours are one find.
    if (last?.marked === marked) parts[parts.length - 1] = { text: last.text + piece, marked };
    else parts.push({ text: piece, marked });
    at = to;
  };
  if (start > 0) parts.push({ text: '… ', marked: false });
  for (const range of ranges) {
    if (range.end <= start || range.end > end) continue;
    upTo(Math.max(range.start, start), false);
    upTo(range.end, true);
  }
  upTo(end, false);
  if (end < text.length) parts.push({ text: ' …', marked: false });
  return parts;
}

/** The find from which a snippet shows the most different terms. */
function bestStart(ranges: readonly Range[]): Range | undefined {
  let best: Range | undefined;
  let bestCount = 0;
  for (const [at, range] of ranges.entries()) {
    const seen = new Set<number>();
    for (const other of ranges.slice(at)) {
      if (other.end > range.start + SNIPPET_UNITS - LEAD_UNITS) break;
      seen.add(other.term);
    }
    if (seen.size > bestCount) [best, bestCount] = [range, seen.size];
  }
  return best;
}

/** Where the terms are found in the text as it is, in order. */
function rangesOf(text: string, terms: readonly Term[]): readonly Range[] {
  const spelled = spellingOf(text);
  const tokens = tokensIn(spelled.text);
  const firsts = new Map<string, number[]>();
  for (const [number, { tokens: wanted, isPrefix }] of terms.entries()) {
    const key = isPrefix && wanted.length === 1 ? '' : (wanted[0] ?? '');
    firsts.set(key, [...(firsts.get(key) ?? []), number]);
  }
  const ranges: Range[] = [];
  for (const [at, token] of tokens.entries()) {
    for (const number of [...(firsts.get(token.text) ?? []), ...(firsts.get('') ?? [])]) {
      const term = terms[number];
      const units = term && foundUnits(tokens, at, term);
      if (units === undefined) continue;
      ranges.push({ start: spelled.origin(units.start), end: spelled.origin(units.end), term: number });
    }
  }
  return ranges;
}

function foundUnits(
  tokens: readonly Token[],
  at: number,
  { tokens: wanted, isPrefix }: Term,
): Pick<Range, 'start' | 'end'> | undefined {
  const fits = wanted.every((want, n) => {
    const found = tokens[at + n]?.text;
    return isPrefix && n === wanted.length - 1 ? found?.startsWith(want) : found === want;
  });
  const [first, last] = [tokens[at], tokens[at + wanted.length - 1]];
  if (!fits || first === undefined || last === undefined) return undefined;
  // Of a pair that a single character found, only that character.
  const isHalf = isPrefix && /^\P{ASCII}/u.test(last.text) && wanted.at(-1) !== last.text;
  const end = isHalf ? last.start + (wanted.at(-1)?.length ?? 0) : last.end;
  return { start: first.start, end };
}

/** Pieces that can be normalised each by itself: none begins with what changes the one before. */
const PIECE =
  /[\0-\x7f]+(?!\p{M})|[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]+(?![\p{M}\uff9e\uff9f\u1100-\u11ff])|[\u1100-\u11ff]+|\P{M}[\p{M}\p{Cf}\uff9e\uff9f]*|\p{M}+/gu;

/** The normalised text, and where each of its places is in the text itself. */
function spellingOf(text: string): { readonly text: string; readonly origin: (at: number) => number } {
  let spelled = '';
  const starts: number[] = [];
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const made = normalised(piece);
    const isEven = made.length === piece.length;
    for (let at = 0; at < made.length; at += 1) starts.push(isEven ? index + at : index);
    spelled += made;
  }
  return { text: spelled, origin: (at) => starts[at] ?? text.length };
}

const CUT = /\s/;

function wordStart(text: string, from: number, to: number): number {
  if (from === 0) return 0;
  for (let at = from; at < to; at += 1) if (CUT.test(text[at - 1] ?? '')) return at;
  return wholeUnit(text, Math.max(from, to - LEAD_UNITS / 2));
}

function wordEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  for (let at = wanted; at > wanted - LEAD_UNITS / 2; at -= 1) if (CUT.test(text[at] ?? '')) return at;
  return wholeUnit(text, wanted);
}

/** Not between the halves of a surrogate pair. */
function wholeUnit(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at;
}

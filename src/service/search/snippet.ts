import { normalised, normalisedAscii, piecesOf, type Term, type Token, tokensIn } from './tokens.ts';

/** A piece of plain text; `marked`: the query is found here. */
export interface SnippetPart {
  readonly text: string;
  readonly marked: boolean;
}

const SNIPPET_UNITS = 160;
/** How much of a snippet may stand before its first find. */
const LEAD_UNITS = 40;
/** Most texts have what is looked for near their beginning. */
const PIECE_UNITS = 2000;
/** Of normalised text, which may be eighteen times as long. A page of hits looks through ten texts. */
const LOOKED_THROUGH_MAX = 30_000;

interface Range {
  readonly start: number;
  readonly end: number;
  /** Which term it is. */
  readonly term: number;
}

/** The first piece of a text that shows all terms of a query, else most of them, with what was found marked. */
export function snippetOf(text: string, terms: readonly Term[]): readonly SnippetPart[] | undefined {
  let offset = 0;
  let units = 0;
  let best: { readonly range: Range; readonly count: number; readonly ranges: readonly Range[] } | undefined;
  const words = wordsFor(terms);
  for (const piece of piecesOf(text, PIECE_UNITS)) {
    // What a snippet shows may stand across the cut.
    const window = text.slice(offset, offset + piece.length + SNIPPET_UNITS);
    const { ranges, units: spelledUnits } = rangesOf(window, { terms, words }, offset);
    const found = bestStart(ranges, terms.length);
    if (found !== undefined && found.count > (best?.count ?? 0)) best = { ...found, ranges };
    if (best?.count === terms.length) break;
    offset += piece.length;
    units += spelledUnits;
    if (units > LOOKED_THROUGH_MAX) break;
  }
  if (best === undefined) return undefined;
  const { range, ranges } = best;
  const start = wordStart(text, Math.max(0, range.start - LEAD_UNITS), range.start);
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
    // Pairs of characters overlap, so neighbours are one find.
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

/** The first find from which a snippet shows the most different terms, and how many those are. */
function bestStart(
  ranges: readonly Range[],
  termCount: number,
): { readonly range: Range; readonly count: number } | undefined {
  let best: { readonly range: Range; readonly count: number } | undefined;
  const seen = new Map<number, number>();
  let next = 0;
  for (const range of ranges) {
    for (let other = ranges[next]; other !== undefined; other = ranges[next]) {
      if (other.end > range.start + SNIPPET_UNITS - LEAD_UNITS && other !== range) break;
      seen.set(other.term, (seen.get(other.term) ?? 0) + 1);
      next += 1;
    }
    if (seen.size > (best?.count ?? 0)) best = { range, count: seen.size };
    if (best?.count === termCount) break;
    const left = (seen.get(range.term) ?? 0) - 1;
    if (left > 0) seen.set(range.term, left);
    else seen.delete(range.term);
  }
  return best;
}

/** Where the terms are found in the text as it is, in order. */
function rangesOf(
  text: string,
  { terms, words }: { readonly terms: readonly Term[]; readonly words: AsciiWords },
  offset: number,
): { readonly ranges: readonly Range[]; readonly units: number } {
  const ascii = normalisedAscii(text);
  if (ascii !== undefined) return { ranges: words(ascii, offset), units: ascii.length };
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
      ranges.push({
        start: offset + spelled.origin(units.start),
        end: offset + spelled.origin(units.end),
        term: number,
      });
    }
  }
  return { ranges, units: spelled.text.length };
}

/** The finds in a normalised text of ASCII, whose places are those of the text itself. */
type AsciiWords = (text: string, offset: number) => readonly Range[];

/** Most texts are ASCII: there one expression finds what else each word would be looked at for. */
function wordsFor(terms: readonly Term[]): AsciiWords {
  const exact = new Map<string, number[]>();
  let begun: { readonly word: string; readonly number: number } | undefined;
  for (const [number, { tokens, isPrefix }] of terms.entries()) {
    const [word = ''] = tokens;
    if (tokens.length > 1 || !/^[a-z0-9]+$/.test(word)) continue;
    if (isPrefix) begun = { word, number };
    else exact.set(word, [...(exact.get(word) ?? []), number]);
  }
  const ends = exact.size === 0 ? [] : [`(?:${[...exact.keys()].join('|')})(?![a-z0-9])`];
  const choices = begun === undefined ? ends : [`${begun.word}[a-z0-9]*`, ...ends];
  if (choices.length === 0) return () => [];
  const pattern = new RegExp(`(?<![a-z0-9])(?:${choices.join('|')})`, 'g');
  return (text, offset) => {
    const ranges: Range[] = [];
    for (const { 0: word, index } of text.matchAll(pattern)) {
      const start = offset + index;
      for (const term of exact.get(word) ?? []) ranges.push({ start, end: start + word.length, term });
      if (begun !== undefined && word.startsWith(begun.word)) {
        ranges.push({ start, end: start + word.length, term: begun.number });
      }
    }
    return ranges;
  };
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

import { diffArrays } from 'diff';

interface Token {
  /** Blanks of any kind are one blank. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longer pieces are compared by their blocks instead: comparing words costs the product of both lengths. */
const TOKENS_MAX = 6000;

/**
 * The author's `source` with the words changed that changed between two texts a reader sees. Marks between the words stay
 * where they are, so several answers are possible; the caller renders each and takes the one that is right.
 */
export function wordEdits(source: string, before: string, after: string): readonly string[] {
  const own = tokensOf(source);
  const old = tokensOf(before.trim());
  const next = tokensOf(after.trim());
  if (old.length === 0 || Math.max(own.length, old.length, next.length) > TOKENS_MAX) return [];
  const places = aligned(own, old);
  const found = new Set<string>();
  for (const isBehind of [true, false])
    for (const write of [asIs, escaped]) {
      const changed = replacements({ old, next, places, isBehind, write });
      if (changed === undefined) continue;
      for (const more of [[], kept(source, changed)]) {
        const text = replaced(source, [...changed, ...more]);
        if (text !== undefined) found.add(text);
      }
    }
  found.delete(source);
  return [...found];
}

/** Where the words of a text that a reader sees stand in the author's source, from the first to the last of them. */
export function rangeOf(
  source: string,
  before: string,
  part: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number } | undefined {
  const own = tokensOf(source);
  const old = tokensOf(before);
  if (Math.max(own.length, old.length) > TOKENS_MAX) return undefined;
  const places = aligned(own, old);
  const inside = [...old.entries()].filter(
    ([, { text, start, end }]) => text !== ' ' && start >= part.start && end <= part.end,
  );
  const found = inside.map(([index]) => places.get(index));
  const [first, last] = [found[0], found.at(-1)];
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end };
}

interface Edited {
  readonly old: readonly Token[];
  readonly next: readonly Token[];
  readonly places: ReadonlyMap<number, Token>;
  /** What is put in stands right behind the word before it, or right before the next. */
  readonly isBehind: boolean;
  readonly write: (text: string) => string;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** undefined: a word that changed has no place of its own in the source. */
function replacements({ old, next, places, isBehind, write }: Edited): readonly Replacement[] | undefined {
  const found: Replacement[] = [];
  let index = 0;
  const changes = diffArrays(textsOf(old), textsOf(next));
  for (const [at, { value, added, removed }] of changes.entries()) {
    if (removed) {
      const follow = changes[at + 1];
      const inside = value.flatMap((_, offset) => places.get(index + offset) ?? []);
      const [first, last] = [inside[0], inside.at(-1)];
      if (first === undefined || last === undefined || inside.length < value.length) return undefined;
      const text = follow?.added === true ? write(follow.value.join('')) : '';
      found.push({ start: first.start, end: last.end, text });
      index += value.length;
    } else if (added) {
      if (changes[at - 1]?.removed === true) continue;
      const place = isBehind
        ? (places.get(index - 1)?.end ?? places.get(index)?.start)
        : (places.get(index)?.start ?? places.get(index - 1)?.end);
      if (place === undefined) return undefined;
      found.push({ start: place, end: place, text: write(value.join('')) });
    } else index += value.length;
  }
  return found;
}

/** Links that take their address from their text, which has changed: it gets a text and an address of its own. */
function kept(source: string, changed: readonly Replacement[]): readonly Replacement[] {
  const isInside = (start: number, end: number): boolean =>
    changed.some((one) => one.start >= start && one.end <= end);
  const labels = [...source.matchAll(REFERENCE)].flatMap(({ index, 0: all, 1: label = '' }) => {
    const [start, end] = [index + 1, index + 1 + label.length];
    return isInside(start, end) ? [{ start: end + 1, end: index + all.length, text: `[${label}]` }] : [];
  });
  const addresses = [...source.matchAll(AUTOLINK)].flatMap(({ index, 0: all, 1: angled, 2: bare = '' }) => {
    const address = angled ?? bare;
    const marks = angled === undefined ? 0 : 1;
    const [start, end] = [index + marks, index + marks + address.length];
    if (!isInside(start, end)) return [];
    const target = /[()]/.test(address) ? `<${address}>` : address;
    return [
      { start: index, end: start, text: '[' },
      { start: end, end: index + all.length, text: `](${target})` },
    ];
  });
  return [...labels, ...addresses];
}

/** `[text]` and `[text][]` (CommonMark 0.31.2, “reference link”). A label holds no bracket of its own that is not escaped, and 999 characters at most. */
const REFERENCE = /\[((?:[^\\[\]]|\\.){1,999})\](?:\[\]|(?![[(:]))/gsu;
/** `<https://example.com>` (CommonMark 0.31.2, “autolink”) and a bare one (GFM 6.9, which ends it before its last sign). */
const AUTOLINK = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*)>|(?<![<(\w])(https?:\/\/[^\s<>]*[^\s<>?!.,:*_~'")])/giu;

/** undefined: two of them change the same place. */
function replaced(source: string, all: readonly Replacement[]): string | undefined {
  let text = '';
  let cursor = 0;
  for (const { start, end, text: added } of all.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < cursor) return undefined;
    text += source.slice(cursor, start) + added;
    cursor = Math.max(cursor, end);
  }
  return text + source.slice(cursor);
}

/** Index of each shown word → the word in the source. */
function aligned(own: readonly Token[], old: readonly Token[]): ReadonlyMap<number, Token> {
  const places = new Map<number, Token>();
  let [here, there] = [0, 0];
  for (const { value, added, removed } of diffArrays(textsOf(own), textsOf(old))) {
    if (!added && !removed)
      for (const offset of value.keys()) {
        const token = own[here + offset];
        if (token !== undefined) places.set(there + offset, token);
      }
    if (!added) here += value.length;
    if (!removed) there += value.length;
  }
  return places;
}

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(/\s+|[\p{L}\p{M}\p{N}]+|[^\s]/gu)].map((match) => ({
    text: /^\s/.test(match[0]) ? ' ' : match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function textsOf(tokens: readonly Token[]): string[] {
  return tokens.map(({ text }) => text);
}

function asIs(text: string): string {
  return text;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|{}#~$]/g, String.raw`\$&`);
}

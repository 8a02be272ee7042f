/**
 * Text → tokens, for the index and for queries alike, so what one of them cuts the other one cuts too. Neither
 * SQLite's nor PostgreSQL's own tokenisers find two characters of Chinese, Japanese or Korean text.
 */

/** Goes up when a text gives other tokens than before; what was indexed under another number is indexed again. */
export const TOKENISER = 2;

export interface Token {
  readonly text: string;
  /** Where it stands in the normalised text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** One thing that a text must have: tokens next to each other. */
export interface Term {
  readonly tokens: readonly string[];
  /** True: a longer last token fits too. */
  readonly isPrefix: boolean;
}

const WORD_UNITS_MAX = 64;
/** So many tokens of a query are looked for. */
const TERMS_MAX = 32;
const QUERY_UNITS_MAX = 500;
/** PostgreSQL takes at most 1 MiB of tokens and positions for one text; each token costs some bytes more than itself. */
const INDEX_BYTES_MAX = 700_000;
const TOKEN_COST_BYTES = 12;

/** Scripts that are written without spaces, or with words that take endings: looked up by pairs of characters. */
const PAIRED =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]';
const PAIRED_UNIT = `(?=[\\p{L}\\p{N}])${PAIRED}\\p{M}*`;
const UNIT = new RegExp(PAIRED_UNIT, 'gu');
const RUN = new RegExp(`(?<pairs>(?:${PAIRED_UNIT})+)|(?:(?!${PAIRED})[\\p{L}\\p{N}]\\p{M}*)+`, 'gu');
const ASCII_RUN = /[a-z0-9]+/g;
/** Most words of most texts, without a look at the properties of each character. */
const ASCII_WORD = '[a-z0-9]+(?![A-Za-z0-9]|[^\\0-\\x7f])';
const WORD = new RegExp(`${ASCII_WORD}|${RUN.source}`, 'gu');
/** Punctuation that stands between words, and is often all that keeps a text from being ASCII. */
const TYPOGRAPHY = /[\u00a0\u00ab\u00bb\u2010-\u2015\u2018-\u201f\u2022\u2026\u2190-\u2193]/g;
const IS_ASCII = /^[\0-\x7f]*$/;

/**
 * One spelling for what readers take for the same: NFKC, lower case, no accents on Latin, Greek and Cyrillic letters, no
 * Arabic vowel signs, one form of the Arabic letters that Urdu and Persian keyboards give differently, ASCII digits.
 */
export function normalised(text: string): string {
  const ascii = normalisedAscii(text);
  if (ascii !== undefined) return ascii;
  return text
    .replaceAll(TYPOGRAPHY, ' ')
    .replaceAll('\u200b', ' ')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{Mn}+/gu, '$1')
    .replaceAll(/[\u064b-\u065f\u0670\u06d6-\u06ed\u093c]|\u0640|\p{Cf}/gu, '')
    .replaceAll(/\u0901|[ßςıيىكهةۃ]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/(?![0-9])\p{Nd}/gu, digitOf)
    .normalize('NFKC');
}

/** A text of ASCII and usual punctuation, normalised character by character; undefined: it is another. */
export function normalisedAscii(text: string): string | undefined {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  const plain = text.replaceAll(TYPOGRAPHY, ' ');
  return IS_ASCII.test(plain) ? plain.toLowerCase() : undefined;
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ς: 'σ',
  ı: 'i',
  ي: 'ی',
  ى: 'ی',
  ك: 'ک',
  ه: 'ہ',
  ة: 'ہ',
  ۃ: 'ہ',
  '\u0901': '\u0902',
};

/** The zeros of the scripts whose digits are in use; the other nine follow each. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
  0x1040, 0x17e0, 0x1810,
];

function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((start) => code >= start && code <= start + 9);
  return zero === undefined ? digit : String(code - zero);
}

/**
 * Tokens of a normalised text, in order. A run of a paired script gives the pairs of its neighbours and its last
 * character, so each character begins exactly one token: a single one is found as a prefix.
 */
export function tokensIn(text: string): readonly Token[] {
  const tokens: Token[] = [];
  if (IS_ASCII.test(text)) {
    for (const match of text.matchAll(ASCII_RUN)) tokens.push(wordAt(match[0], match.index));
    return tokens;
  }
  for (const match of text.matchAll(WORD)) {
    const pairs = match.groups?.['pairs'];
    if (pairs === undefined) {
      tokens.push(wordAt(match[0], match.index));
      continue;
    }
    const units = [...pairs.matchAll(UNIT)];
    for (const [at, unit] of units.entries()) {
      const paired = unit[0] + (units[at + 1]?.[0] ?? '');
      const start = match.index + unit.index;
      tokens.push({ text: paired, start, end: start + paired.length });
    }
  }
  return tokens;
}

/** The texts of the tokens of most texts: most words need no place. */
function asciiWords(text: string): readonly string[] {
  return (text.match(ASCII_RUN) ?? []).map(cutWord);
}

function wordAt(word: string, start: number): Token {
  return { text: cutWord(word), start, end: start + word.length };
}

/** Half a surrogate pair at the cut would no longer be text. */
function cutWord(word: string): string {
  return word.length <= WORD_UNITS_MAX ? word : word.slice(0, WORD_UNITS_MAX).replace(/[\ud800-\udbff]$/, '');
}

/** What an article is found by. */
export interface SearchTokens {
  readonly title: readonly string[];
  readonly body: readonly string[];
}

/** Normalised at a time; a text may become eighteen times as long by it. */
const PIECE_UNITS = 16_384;

/** The end of a text of more than about 40,000 words is not indexed. */
export function searchTokens(title: string, body: string): SearchTokens {
  let left = INDEX_BYTES_MAX;
  const within = (text: string): readonly string[] => {
    const tokens: string[] = [];
    for (const piece of piecesOf(text, PIECE_UNITS)) {
      const normal = normalised(piece);
      const isAscii = IS_ASCII.test(normal);
      for (const token of isAscii ? asciiWords(normal) : tokensIn(normal).map(({ text }) => text)) {
        left -= (isAscii ? token.length : Buffer.byteLength(token)) + TOKEN_COST_BYTES;
        if (left < 0) return tokens;
        tokens.push(token);
      }
    }
    return tokens;
  };
  return { title: within(title), body: within(body) };
}

/** A text in pieces of about so many units, cut where a word ends if there is such a place near. */
export function* piecesOf(text: string, units: number): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + units, text.length);
    if (end < text.length) {
      const blank = text.lastIndexOf(' ', end);
      // Text without blanks is cut between two letters, but not inside of one.
      if (blank > end - 200 && blank > start) end = blank + 1;
      else
        while (end < text.length && /^[\p{M}\p{Cf}\udc00-\udfff\uff9e\uff9f]/u.test(text.slice(end, end + 2)))
          end += 1;
    }
    yield text.slice(start, end);
    start = end;
  }
}

/** A word of a query, as it is looked up; not one of the scripts that are looked up by pairs. */
export interface QueryWord {
  readonly text: string;
  /** It may be half typed. */
  readonly isLast: boolean;
}

export function wordsOf(query: string): readonly QueryWord[] {
  const runs = [...normalised(query.slice(0, QUERY_UNITS_MAX)).matchAll(RUN)].slice(0, TERMS_MAX);
  return runs.flatMap(({ 0: text, groups }, at) =>
    groups?.['pairs'] === undefined ? [{ text: cutWord(text), isLast: at === runs.length - 1 }] : [],
  );
}

/** The query with other words in the place of some. */
export function replacedWords(query: string, replaced: ReadonlyMap<string, string>): string {
  return normalised(query.slice(0, QUERY_UNITS_MAX)).replaceAll(
    RUN,
    (word) => replaced.get(cutWord(word)) ?? word,
  );
}

/**
 * What a query asks for: all of its terms, each once. Its last word may be half typed. Empty: nothing to look for. A database looks at
 * each place of each token, so of a query without blanks only the beginning counts.
 */
export function termsOf(query: string): readonly Term[] {
  const terms: Term[] = [];
  for (const match of normalised(query.slice(0, QUERY_UNITS_MAX)).matchAll(RUN)) {
    const pairs = match.groups?.['pairs'];
    if (pairs === undefined) {
      terms.push({ tokens: [cutWord(match[0])], isPrefix: false });
      continue;
    }
    const units = [...pairs.matchAll(UNIT)].map(([unit]) => unit);
    const tokens = units.slice(1).map((unit, at) => (units[at] ?? '') + unit);
    terms.push(tokens.length === 0 ? { tokens: units, isPrefix: true } : { tokens, isPrefix: false });
  }
  const asked = new Map<string, Term>();
  let left = TERMS_MAX;
  for (const { tokens, isPrefix } of terms) {
    const name = tokens.join(' ');
    // The last one stands last, because it is a beginning.
    left += asked.get(name)?.tokens.length ?? 0;
    asked.delete(name);
    if (left <= 0) break;
    const cut = tokens.slice(0, left);
    asked.set(name, { tokens: cut, isPrefix });
    left -= cut.length;
  }
  const all = [...asked.values()];
  const last = all.at(-1);
  return last === undefined ? [] : [...all.slice(0, -1), { ...last, isPrefix: true }];
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { editDistance } from '../../text/edit-distance.ts';
import { normalised, tokensIn } from './tokens.ts';
import { listedSql } from '../listed.ts';
import type { Sql } from '../store/store.ts';

/** The words that titles and excerpts of one language's public articles are made of. */
export interface Vocabulary {
  /** Whether a word is one of them; `isPrefix`: or how one of them begins. */
  readonly has: (word: string, isPrefix: boolean) => boolean;
  /** The words that a misspelt one may have meant, the likeliest first. */
  readonly near: (word: string) => readonly string[];
}

/** Remembers vocabularies, because each costs a look at all titles. */
export interface Vocabularies {
  /** `isSure`: one that is not older than a minute; else it may be ten minutes old. */
  readonly of: (sql: Sql, language: string, isSure: boolean) => Promise<Vocabulary>;
}

/** Of 10,000 titles it takes a part of a second, so queries that nobody can answer must not ask for it again and again. */
const FRESH_MS = 60_000;
const KEPT_MS = 600_000;
/** So many titles are read before others are let in. */
const SLICE = 500;
const WORDS_MAX = 200_000;
const CANDIDATES_MAX = 3;
/** Below, every second word is near to another; from the second on, two slips are likely. */
const ONE_EDIT_UNITS_MIN = 4;
const TWO_EDITS_UNITS_MIN = 8;

export function createVocabularies(now: () => number): Vocabularies {
  const known = new Map<string, { readonly vocabulary: Promise<Vocabulary>; readonly madeAt: number }>();
  return {
    of(sql, language, isSure) {
      const kept = known.get(language);
      if (kept !== undefined && now() - kept.madeAt < (isSure ? FRESH_MS : KEPT_MS)) return kept.vocabulary;
      const made = { vocabulary: readWords(sql, language).then(vocabularyOf), madeAt: now() };
      known.set(language, made);
      made.vocabulary.catch(() => {
        if (known.get(language) === made) known.delete(language);
      });
      return made.vocabulary;
    },
  };
}

/** Word → in how many titles and excerpts. */
async function readWords(sql: Sql, language: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.all<{ readonly name: string; readonly excerpt: string }>(
    `select name, excerpt from articles where ${listedSql('articles')}
     and lower(coalesce(language, '')) = ?`,
    language,
  );
  const counts = new Map<string, number>();
  for (const [at, { name, excerpt }] of rows.entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn();
    for (const { text } of tokensIn(normalised(`${name} ${excerpt}`))) {
      if (counts.size < WORDS_MAX || counts.has(text)) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return counts;
}

export function vocabularyOf(counts: ReadonlyMap<string, number>): Vocabulary {
  const byLength = new Map<number, { readonly word: string; readonly letters: number }[]>();
  for (const word of counts.keys()) {
    const known = { word, letters: lettersOf(word) };
    const same = byLength.get(word.length);
    if (same === undefined) byLength.set(word.length, [known]);
    else same.push(known);
  }
  const sorted = [...counts.keys()].sort();
  return {
    has(word, isPrefix) {
      if (counts.has(word)) return true;
      return isPrefix && (sorted[firstFrom(sorted, word)]?.startsWith(word) ?? false);
    },
    near(word) {
      const max = editsAllowed(word);
      if (max === 0) return [];
      const found: { readonly word: string; readonly rank: number }[] = [];
      const letters = lettersOf(word);
      for (let length = word.length - max; length <= word.length + max; length += 1) {
        for (const { word: other, letters: others } of byLength.get(length) ?? []) {
          // An edit takes one letter away and brings another one at most: most words need no closer look.
          if (bitsIn(letters ^ others) > 2 * max) continue;
          const distance = other === word ? 0 : editDistance(word, other, max);
          if (distance === 0 || distance > max) continue;
          // People rarely miss the first letter, and look for what is written about most.
          const first = other[0] === word[0] ? 0 : 0.5;
          found.push({ word: other, rank: distance + first - Math.min(counts.get(other) ?? 0, 400) / 1000 });
        }
      }
      return found
        .sort((a, b) => a.rank - b.rank || (a.word < b.word ? -1 : 1))
        .slice(0, CANDIDATES_MAX)
        .map((one) => one.word);
    },
  };
}

/** A bit for each letter that a word has; different letters may share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function bitsIn(given: number): number {
  let bits = given;
  let count = 0;
  for (; bits !== 0; count += 1) bits &= bits - 1;
  return count;
}

/** Numbers are meant as they are. */
function editsAllowed(word: string): number {
  if (word.length < ONE_EDIT_UNITS_MIN || /^\p{N}+$/u.test(word)) return 0;
  return word.length < TWO_EDITS_UNITS_MIN ? 1 : 2;
}

function firstFrom(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

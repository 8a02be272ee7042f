import { searchIn, type SearchAsked, type SearchHit, type SearchResult } from './search.ts';
import { replacedWords, wordsOf } from './tokens.ts';
import type { Sql } from '../store/store.ts';
import type { Vocabularies, Vocabulary } from './vocabulary.ts';

export interface ForgivingResult extends SearchResult {
  /** Another query that was searched too; undefined: only the reader's own. */
  readonly meant?: string;
  /** The query itself found nothing: all hits come from `meant`. */
  readonly isInstead?: boolean;
}

/** A query with so many hits needs no help. */
const ENOUGH = 3;
const TRIES_MAX = 6;
/** At most so many hits are added to one or two. */
const ADDED_MAX = 8;

/**
 * Search that forgives misspelt words: one letter in words of 4 letters or more, two in words of 8 or more; not in scripts that
 * are searched by pairs, and not in numbers. It is used only if the query finds fewer than three. Hits of the query come first.
 */
export async function searchForgiving(
  sql: Sql,
  vocabularies: Vocabularies,
  asked: SearchAsked & { readonly defaultLanguage: string },
): Promise<ForgivingResult> {
  const exact = await searchIn(sql, asked);
  if (exact.total >= ENOUGH) return exact;
  // An empty later page does not mean that the query found nothing.
  const isFirst = (asked.offset ?? 0) === 0;
  if (!isFirst && (await searchIn(sql, { ...asked, offset: 0, limit: 1 })).total > 0) return exact;
  const { defaultLanguage } = asked;
  const lower = (asked.language ?? defaultLanguage).toLowerCase();
  const language = lower === defaultLanguage.toLowerCase() ? '' : lower;
  for (const isSure of [false, true]) {
    const vocabulary = await vocabularies.of(sql, language, isSure);
    const readings = readingsOf(asked.query, vocabulary, exact.total === 0);
    for (const meant of readings) {
      const found = await searchIn(sql, { ...asked, query: meant });
      if (exact.total === 0 && found.total > 0) return { ...found, meant, isInstead: true };
      const added = found.hits.filter((hit) => !isAmong(exact.hits, hit)).slice(0, ADDED_MAX);
      if (exact.total > 0 && added.length > 0) {
        return { hits: [...exact.hits, ...added], total: exact.total + added.length, meant };
      }
    }
    if (readings.length > 0) break;
  }
  return exact;
}

function isAmong(hits: readonly SearchHit[], { articleId }: SearchHit): boolean {
  return hits.some((hit) => hit.articleId === articleId);
}

/**
 * Other ways to read a query, the likeliest first. It replaces words that no title has. It replaces a word that a title has
 * only if the words together find nothing.
 */
function readingsOf(query: string, vocabulary: Vocabulary, isNothingFound: boolean): readonly string[] {
  const words = wordsOf(query);
  const doubtful = words.filter(({ text, isLast }) => !vocabulary.has(text, isLast));
  const choices = doubtful.map(({ text }) => ({ text, near: vocabulary.near(text) }));
  const readings: string[] = [];
  const first = new Map(
    choices.flatMap(({ text, near: [best] }) => (best === undefined ? [] : [[text, best]])),
  );
  const add = (replaced: ReadonlyMap<string, string>): void => {
    if (replaced.size === 0) return;
    const reading = replacedWords(query, replaced);
    if (!readings.includes(reading)) readings.push(reading);
  };
  add(first);
  for (const { text, near } of choices)
    for (const other of near.slice(1)) add(new Map([...first, [text, other]]));
  if (isNothingFound) {
    for (const { text } of words) {
      if (first.has(text)) continue;
      for (const other of vocabulary.near(text)) add(new Map([...first, [text, other]]));
    }
  }
  return readings.slice(0, TRIES_MAX);
}

import { matchOf, TITLE_TOKENS } from './index-articles.ts';
import { snippetOf, type SnippetPart, startOf } from './snippet.ts';
import { type Term, termsOf } from './tokens.ts';
import { listedSql } from '../listed.ts';
import type { ArticleRow } from '../store/rows.ts';
import type { Sql, Store } from '../store/store.ts';

export interface SearchAsked {
  readonly query: string;
  /** Default: the language of originals. */
  readonly language?: string;
  /** 1 to 100; default 20. */
  readonly limit?: number;
  /** So many of the best are left out. Default 0. */
  readonly offset?: number;
  /** Originals without a translation into the language come after what is in it, as pages show them. Default false. */
  readonly withOriginals?: boolean;
  /** False: who asks shows titles alone. Default true. */
  readonly hasSnippets?: boolean;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** How many articles there are, at most 2,000. */
  readonly total: number;
}

export interface SearchHit {
  /** The record's own id: a translation's for a translation. */
  readonly articleId: string;
  readonly slug: string;
  /** Of the record. */
  readonly language: string;
  readonly title: string;
  /** Plain text around what was found; the excerpt where only the title has it; empty if none was asked for. */
  readonly snippet: readonly SnippetPart[];
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

const LIMIT_MAX = 100;
const LIMIT = 20;
const OFFSET_MAX = 10_000;
/** Each find is ranked before the best are known; of a word that is everywhere, only so many titles and texts are. */
const RANKED_MAX = 1000;

/**
 * Published articles of one language that have every word of the query in title or text, the best first; those that are
 * hidden from search and drafts are never among them. For the help centre; not part of the API.
 */
export function search(store: Store, asked: SearchAsked): Promise<SearchResult> {
  const { defaultLanguage } = store.knowledgeBase;
  return store.read((sql) => searchIn(sql, { ...asked, defaultLanguage }));
}

/** `search` inside a read that is under way. */
export async function searchIn(
  sql: Sql,
  asked: SearchAsked & { readonly defaultLanguage: string },
): Promise<SearchResult> {
  const terms = termsOf(asked.query);
  if (terms.length === 0) return { hits: [], total: 0 };
  const { defaultLanguage } = asked;
  const shown = { terms: asked.hasSnippets === false ? undefined : terms, defaultLanguage };
  const limit = within(asked.limit ?? LIMIT, 1, LIMIT_MAX);
  const offset = within(asked.offset ?? 0, 0, OFFSET_MAX);
  const hits: SearchHit[] = [];
  let total = 0;
  for (const part of partsOf(asked)) {
    const page = { limit: limit - hits.length, offset: Math.max(offset - total, 0) };
    const found = await foundIn(sql, terms, part, page);
    for (const row of found.rows) hits.push(await hitOf(sql, row, shown));
    total += found.total;
  }
  return { hits, total: hits.length === 0 ? 0 : total };
}

/** The articles of a language, or originals that have no translation into it. */
interface Part {
  readonly seen: string;
  /** For `seen`. */
  readonly language: string;
}

function partsOf({
  language: asked,
  defaultLanguage,
  withOriginals = false,
}: Pick<SearchAsked, 'language' | 'withOriginals'> & {
  readonly defaultLanguage: string;
}): readonly Part[] {
  const language = (asked ?? defaultLanguage).toLowerCase();
  if (language === defaultLanguage.toLowerCase()) return [{ seen: SEEN, language: '' }];
  const own = { seen: SEEN, language };
  return withOriginals ? [own, { seen: SEEN_ORIGINAL, language }] : [own];
}

async function foundIn(
  sql: Sql,
  terms: readonly Term[],
  { seen, language }: Part,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly Found[]; readonly total: number }> {
  const titles = matchOf(sql.dialect, terms, 'title');
  const page = (most: number, from: number): Promise<readonly Found[]> =>
    sql.all<Found>(
      findSql(sql.dialect, seen),
      titles,
      language,
      matchOf(sql.dialect, terms),
      language,
      titles,
      most,
      from,
    );
  const rows = limit === 0 ? [] : await page(limit, offset);
  // A row says how many there are; a page after the last has none.
  const isCounted = rows.length > 0 || (limit > 0 && offset === 0);
  const [first] = isCounted ? rows : await page(1, 0);
  return { rows, total: first?.total ?? 0 };
}

export interface Suggestion {
  readonly articleId: string;
  readonly slug: string;
  readonly title: string;
}

/** Articles whose titles have every word of a query that is being typed, the best first. */
export async function suggestIn(
  sql: Sql,
  asked: SearchAsked & { readonly defaultLanguage: string },
): Promise<readonly Suggestion[]> {
  const terms = termsOf(asked.query);
  if (terms.length === 0) return [];
  const limit = within(asked.limit ?? LIMIT, 1, LIMIT_MAX);
  const titles: Suggestion[] = [];
  for (const { seen, language } of partsOf(asked)) {
    if (titles.length === limit) break;
    const found = await sql.all<Found & Omit<Suggestion, 'articleId'>>(
      `select found.id as id, a.slug as slug, a.name as title from (${findTitlesSql(sql.dialect, seen)}) found
       join articles a on a.id = found.id order by found.score desc, found.id`,
      matchOf(sql.dialect, terms, 'title'),
      language,
      limit - titles.length,
      0,
    );
    titles.push(...found.map(({ id, slug, title }) => ({ articleId: id, slug, title })));
  }
  return titles;
}

interface Found {
  readonly id: string;
  readonly score: number;
  readonly total: number;
}

function within(value: number, min: number, max: number): number {
  return Math.min(Math.max(Math.trunc(value), min), max);
}

const SEEN = `${listedSql('a')} and lower(coalesce(a.language, '')) = ?`;
const SEEN_ORIGINAL = `${listedSql('a')} and a.language is null and not exists (
  select 1 from articles t where t.language_parent = a.id and t.status = 'published' and lower(t.language) = ?)`;

/** Above every score that words reach: titles with every word of the query stand first. */
const IN_TITLE = 1000;

/** Where titles do not have every word, they count eight to ten times as much as text. */
const RANKED = {
  sqlite: {
    from: `select a.id as id, -bm25(article_tokens, 8.0, 1.0) as score
      from article_tokens join article_search s on s.seq = article_tokens.rowid join articles a on a.id = s.article_id
      where article_tokens match ?`,
    notInTitle:
      'and article_tokens.rowid not in (select rowid from article_tokens where article_tokens match ?)',
  },
  postgres: {
    from: `select a.id as id, ts_rank('{0.1, 0.2, 0.4, 1.0}', s.tokens, asked.query, 1) as score
      from (select cast(? as tsquery) as query) asked
      join article_search s on s.tokens @@ asked.query join articles a on a.id = s.article_id where true`,
    notInTitle: `and not ${TITLE_TOKENS} @@ cast(? as tsquery)`,
  },
} as const;

/** Titles that `matchOf` asks for; PostgreSQL has an index of them. */
const TITLES: Readonly<Record<Sql['dialect'], string>> = {
  sqlite: RANKED.sqlite.from,
  postgres: RANKED.postgres.from.replaceAll('s.tokens', TITLE_TOKENS),
};

const BEST_FIRST = 'order by score desc, id limit ? offset ?';

function findSql(dialect: Sql['dialect'], seen: string): string {
  const { from, notInTitle } = RANKED[dialect];
  return `select id, score, count(*) over () as total from (
    select id, score + ${IN_TITLE} as score from (${TITLES[dialect]} and ${seen} limit ${RANKED_MAX}) titles
    union all select id, score from (${from} and ${seen} ${notInTitle} limit ${RANKED_MAX}) texts
  ) found ${BEST_FIRST}`;
}

function findTitlesSql(dialect: Sql['dialect'], seen: string): string {
  return `select id, score from (${TITLES[dialect]} and ${seen} limit ${RANKED_MAX}) titles ${BEST_FIRST}`;
}

async function hitOf(
  sql: Sql,
  { id, score }: Found,
  {
    terms,
    defaultLanguage,
  }: { readonly terms: readonly Term[] | undefined; readonly defaultLanguage: string },
): Promise<SearchHit> {
  const row = await sql.get<
    Pick<ArticleRow, 'slug' | 'name' | 'excerpt' | 'language'> & { readonly plain: string }
  >(
    terms === undefined
      ? `select slug, name, language, '' as excerpt, '' as plain from articles where id = ?`
      : `select a.slug as slug, a.name as name, a.language as language, a.excerpt as excerpt, s.plain as plain
         from articles a join article_search s on s.article_id = a.id where a.id = ?`,
    id,
  );
  if (row === undefined) throw new Error(`bug: search found ${id}, which is not there`);
  const { slug, name: title, plain, excerpt, language } = row;
  const snippet =
    terms === undefined ? [] : (snippetOf(plain, terms) ?? startOf(excerpt === '' ? plain : excerpt));
  return { articleId: id, slug, language: language ?? defaultLanguage, title, snippet, score };
}

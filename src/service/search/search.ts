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
  const language = (asked.language ?? defaultLanguage).toLowerCase();
  const titles = matchOf(sql.dialect, terms, 'title');
  const ofLanguage = language === defaultLanguage.toLowerCase() ? '' : language;
  const found = await sql.all<Found>(
    findSql(sql.dialect),
    titles,
    ofLanguage,
    matchOf(sql.dialect, terms),
    ofLanguage,
    titles,
    within(asked.limit ?? LIMIT, 1, LIMIT_MAX),
    within(asked.offset ?? 0, 0, OFFSET_MAX),
  );
  const hits: SearchHit[] = [];
  for (const row of found) hits.push(await hitOf(sql, row, asked.hasSnippets === false ? undefined : terms));
  return { hits, total: found[0]?.total ?? 0 };
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
  const { defaultLanguage } = asked;
  const language = (asked.language ?? defaultLanguage).toLowerCase();
  const found = await sql.all<Found & Omit<Suggestion, 'articleId'>>(
    `select found.id as id, a.slug as slug, a.name as title from (${findTitlesSql(sql.dialect)}) found
     join articles a on a.id = found.id order by found.score desc, found.id`,
    matchOf(sql.dialect, terms, 'title'),
    language === defaultLanguage.toLowerCase() ? '' : language,
    within(asked.limit ?? LIMIT, 1, LIMIT_MAX),
    0,
  );
  return found.map(({ id, slug, title }) => ({ articleId: id, slug, title }));
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

/** Above every score that words reach, so that titles with every word of the query stand first. */
const IN_TITLE = 1000;

/** Where titles do not have every word, they count eight to ten times as much as text. */
const RANKED = {
  sqlite: {
    from: `select a.id as id, -bm25(article_tokens, 8.0, 1.0) as score
      from article_tokens join article_search s on s.seq = article_tokens.rowid join articles a on a.id = s.article_id
      where article_tokens match ? and ${SEEN}`,
    notInTitle:
      'and article_tokens.rowid not in (select rowid from article_tokens where article_tokens match ?)',
  },
  postgres: {
    from: `select a.id as id, ts_rank('{0.1, 0.2, 0.4, 1.0}', s.tokens, asked.query, 1) as score
      from (select cast(? as tsquery) as query) asked
      join article_search s on s.tokens @@ asked.query join articles a on a.id = s.article_id where ${SEEN}`,
    notInTitle: `and not ${TITLE_TOKENS} @@ cast(? as tsquery)`,
  },
} as const;

/** Titles that `matchOf` asks for; PostgreSQL has an index of them. */
const TITLES: Readonly<Record<Sql['dialect'], string>> = {
  sqlite: RANKED.sqlite.from,
  postgres: RANKED.postgres.from.replaceAll('s.tokens', TITLE_TOKENS),
};

const BEST_FIRST = 'order by score desc, id limit ? offset ?';

function findSql(dialect: Sql['dialect']): string {
  const { from, notInTitle } = RANKED[dialect];
  return `select id, score, count(*) over () as total from (
    select id, score + ${IN_TITLE} as score from (${TITLES[dialect]} limit ${RANKED_MAX}) titles
    union all select id, score from (${from} ${notInTitle} limit ${RANKED_MAX}) texts
  ) found ${BEST_FIRST}`;
}

function findTitlesSql(dialect: Sql['dialect']): string {
  return `select id, score from (${TITLES[dialect]} limit ${RANKED_MAX}) titles ${BEST_FIRST}`;
}

async function hitOf(sql: Sql, { id, score }: Found, terms: readonly Term[] | undefined): Promise<SearchHit> {
  if (terms === undefined) {
    const bare = await sql.get<Pick<ArticleRow, 'slug' | 'name'>>(
      'select slug, name from articles where id = ?',
      id,
    );
    if (bare === undefined) throw new Error(`bug: search found ${id}, which is not there`);
    return { articleId: id, slug: bare.slug, title: bare.name, snippet: [], score };
  }
  const row = await sql.get<Pick<ArticleRow, 'slug' | 'name' | 'excerpt'> & { readonly plain: string }>(
    `select a.slug as slug, a.name as name, a.excerpt as excerpt, s.plain as plain
     from articles a join article_search s on s.article_id = a.id where a.id = ?`,
    id,
  );
  if (row === undefined) throw new Error(`bug: search found ${id}, which is not there`);
  const { plain, excerpt } = row;
  const snippet = snippetOf(plain, terms) ?? startOf(excerpt === '' ? plain : excerpt);
  return { articleId: id, slug: row.slug, title: row.name, snippet, score };
}

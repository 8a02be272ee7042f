import { readHtml } from './html.ts';
import { matchOf } from './search-index.ts';
import { snippetOf, type SnippetPart, startOf } from './search-snippet.ts';
import { type Term, termsOf } from './search-tokens.ts';
import type { ArticleRow } from './store/rows.ts';
import type { Sql, Store } from './store/store.ts';

export interface SearchAsked {
  readonly query: string;
  /** Default: the language of originals. */
  readonly language?: string;
  /** 1 to 100; default 20. */
  readonly limit?: number;
}

export interface SearchHit {
  /** The record's own id: a translation's for a translation. */
  readonly articleId: string;
  readonly slug: string;
  readonly title: string;
  /** Plain text around what was found; the excerpt where only the title has it. */
  readonly snippet: readonly SnippetPart[];
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

const LIMIT_MAX = 100;
const LIMIT = 20;
/** PostgreSQL reads each text's tokens to rank it; of a word that is everywhere, only so many finds are ranked. */
const RANKED_MAX = 2000;

/**
 * Published articles of one language that have every word of the query in title or text, the best first; those that are
 * hidden from search and drafts are never among them. For the reading site; not part of the API.
 */
export async function search(store: Store, asked: SearchAsked): Promise<readonly SearchHit[]> {
  const terms = termsOf(asked.query);
  if (terms.length === 0) return [];
  const { defaultLanguage } = store.site;
  const language = (asked.language ?? defaultLanguage).toLowerCase();
  const limit = Math.min(Math.max(Math.trunc(asked.limit ?? LIMIT), 1), LIMIT_MAX);
  return store.read(async (sql) => {
    const found = await sql.all<{ readonly id: string; readonly score: number }>(
      FIND[sql.dialect],
      matchOf(sql.dialect, terms),
      language === defaultLanguage.toLowerCase() ? '' : language,
      limit,
    );
    const hits: SearchHit[] = [];
    for (const { id, score } of found) hits.push(await hitOf(sql, id, score, terms));
    return hits;
  });
}

const SEEN = `a.status = 'published' and a.hide_from_search = 0 and lower(coalesce(a.language, '')) = ?`;

/** Titles count eight to ten times as much as text. */
const FIND: Readonly<Record<Sql['dialect'], string>> = {
  sqlite: `select a.id as id, -bm25(article_tokens, 8.0, 1.0) as score
    from article_tokens join article_search s on s.seq = article_tokens.rowid join articles a on a.id = s.article_id
    where article_tokens match ? and ${SEEN} order by score desc, a.id limit ?`,
  postgres: `select id, ts_rank('{0.1, 0.2, 0.4, 1.0}', tokens, query, 1) as score
    from (select a.id as id, s.tokens as tokens, asked.query as query
      from (select cast(? as tsquery) as query) asked
      join article_search s on s.tokens @@ asked.query join articles a on a.id = s.article_id
      where ${SEEN} limit ${RANKED_MAX}) found
    order by score desc, id limit ?`,
};

async function hitOf(sql: Sql, id: string, score: number, terms: readonly Term[]): Promise<SearchHit> {
  const row = await sql.get<Pick<ArticleRow, 'slug' | 'name' | 'excerpt' | 'content'>>(
    'select slug, name, excerpt, content from articles where id = ?',
    id,
  );
  if (row === undefined) throw new Error(`bug: search found ${id}, which is not there`);
  const { text } = readHtml(row.content);
  const snippet = snippetOf(text, terms) ?? startOf(row.excerpt === '' ? text : row.excerpt);
  return { articleId: id, slug: row.slug, title: row.name, snippet, score };
}

import { readHtml } from '../html.ts';
import { type SearchTokens, searchTokens, type Term, TOKENISER } from './tokens.ts';
import type { ArticleRow } from '../store/rows.ts';
import type { Dialect, Sql, Store, Transaction } from '../store/store.ts';

/** What search keeps of an article: its tokens as the database takes them, and its text for the snippets. */
export interface IndexedText {
  readonly tokens:
    | { readonly dialect: 'sqlite'; readonly title: string; readonly body: string }
    | { readonly dialect: 'postgres'; readonly vector: string };
  readonly text: string;
}

/** Of a longer text, what stands behind is found but not shown. */
const TEXT_CHARS_MAX = 50_000;

export function indexedText(dialect: Dialect, title: string, text: string): IndexedText {
  const tokens = searchTokens(title, text);
  return {
    tokens:
      dialect === 'sqlite'
        ? { dialect, title: tokens.title.join(' '), body: tokens.body.join(' ') }
        : { dialect, vector: tsvectorOf(tokens) },
    // Half a surrogate pair at the cut would no longer be text.
    text: text.slice(0, TEXT_CHARS_MAX).replace(/[\ud800-\udbff]$/, ''),
  };
}

/** The write that an article is indexed for. */
export interface WordsWritten {
  /** Microseconds since 1970. */
  readonly at: number;
  readonly isTranslation: boolean;
}

/** Once the words are what they were, their time stays; null: they are only indexed again. */
const WORDS_AT = `words_at = case when excluded.words_at is null
    or (cast(? as integer) = 1 and excluded.plain = article_search.plain) then article_search.words_at
    else excluded.words_at end`;

/**
 * Replaces what the article is found by; in the transaction of the write, so search never lags behind. Of a long text the end
 * is not compared: an original that changed there counts as unchanged, a translation as changed.
 */
export async function saveSearch(
  sql: Transaction,
  articleId: string,
  { tokens, text }: IndexedText,
  written?: WordsWritten,
): Promise<void> {
  const isCut = text.length >= TEXT_CHARS_MAX - 1;
  const [wordsAt, isCompared] = [written?.at ?? null, Number(!(isCut && written?.isTranslation === true))];
  if (tokens.dialect === 'postgres') {
    await sql.run(
      `insert into article_search (article_id, tokeniser, tokens, plain, words_at)
       values (?, ?, cast(? as tsvector), ?, ?) on conflict (article_id) do update set
         tokeniser = excluded.tokeniser, tokens = excluded.tokens, plain = excluded.plain, ${WORDS_AT}`,
      articleId,
      TOKENISER,
      tokens.vector,
      text,
      wordsAt,
      isCompared,
    );
    return;
  }
  const row = await sql.get<{ readonly seq: number }>(
    `insert into article_search (article_id, tokeniser, plain, words_at) values (?, ?, ?, ?)
     on conflict (article_id) do update set tokeniser = excluded.tokeniser, plain = excluded.plain, ${WORDS_AT}
     returning seq`,
    articleId,
    TOKENISER,
    text,
    wordsAt,
    isCompared,
  );
  const seq = row?.seq ?? null;
  // The article may be deleted by a transaction that shares the commit.
  await sql.runAtCommit(
    `insert or replace into article_tokens (rowid, title, body)
     select ?, ?, ? where exists (select 1 from article_search where seq = ?)`,
    seq,
    tokens.title,
    tokens.body,
    seq,
  );
}

const POSITION_MAX = 16_383;

/** Tokens are letters and digits, so they need no escapes. Weight A marks the title. */
function tsvectorOf({ title, body }: SearchTokens): string {
  const positions = new Map<string, string[]>();
  const add = (token: string, position: string): void => {
    const known = positions.get(token);
    if (known === undefined) positions.set(token, [position]);
    // PostgreSQL keeps no more of them.
    else if (known.length < POSITIONS_MAX) known.push(position);
  };
  for (const [at, token] of title.entries()) add(token, `${Math.min(at + 1, POSITION_MAX)}A`);
  // The gap keeps the title's end and the body's beginning from being neighbours.
  for (const [at, token] of body.entries()) {
    add(token, String(Math.min(title.length + 2 + at, POSITION_MAX)));
  }
  return [...positions].map(([token, at]) => `'${token}':${at.join(',')}`).join(' ');
}

const POSITIONS_MAX = 255;

/** The terms in the query language of the database. In PostgreSQL, those of titles ask `TITLE_TOKENS`. */
export function matchOf(
  dialect: Sql['dialect'],
  terms: readonly Term[],
  where: 'everywhere' | 'title' = 'everywhere',
): string {
  const written = terms.map(({ tokens, isPrefix }) =>
    dialect === 'sqlite'
      ? `"${tokens.join(' ')}"${isPrefix ? '*' : ''}`
      : `(${tokens.map((token, at) => `'${token}'${isPrefix && at === tokens.length - 1 ? ':*' : ''}`).join(' <-> ')})`,
  );
  if (dialect === 'postgres') return written.join(' & ');
  const all = written.join(' AND ');
  return where === 'title' ? `title : (${all})` : all;
}

/** The tokens of titles in PostgreSQL, written as in its index. */
export const TITLE_TOKENS = `ts_filter(s.tokens, '{a}')`;

const BATCH = 50;

/**
 * Indexes what is not indexed, or was by another tokeniser, and answers how many articles that were. For the start of the
 * service after an update; costs one query when there is nothing to do.
 */
export async function indexMissing(store: Store): Promise<number> {
  let done = 0;
  for (;;) {
    const count = await store.write(indexBatch);
    if (count === 0) return done;
    done += count;
  }
}

async function indexBatch(sql: Transaction): Promise<number> {
  // An edit at the same time must not be overtaken by the older text.
  const lock = sql.dialect === 'postgres' ? 'for no key update of a' : '';
  const rows = await sql.all<Pick<ArticleRow, 'id' | 'name' | 'content'>>(
    `select a.id as id, a.name as name, a.content as content from articles a
     where not exists (select 1 from article_search s where s.article_id = a.id and s.tokeniser = ?)
     order by a.id limit ${BATCH} ${lock}`,
    TOKENISER,
  );
  for (const { id, name, content } of rows) {
    await saveSearch(sql, id, indexedText(sql.dialect, name, readHtml(content).text));
  }
  return rows.length;
}

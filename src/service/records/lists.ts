import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kind } from '../kind.ts';
import { TABLES } from '../store/rows.ts';
import type { Sql } from '../store/store.ts';

/** So many rows are a turn of the event loop: 20 to 40 ms. */
const PIECE_ROWS = 2_000;

export interface Piecewise<Row> {
  /** The rows behind this id, in the order of their ids, `rowsMax` at most; behind `''`: from the first one on. */
  readonly read: (after: string, rowsMax: number) => Promise<readonly Row[]>;
  readonly itemOf: (row: Row) => unknown;
}

/** The items of a long list as JSON without its brackets; others get their turns of the event loop in between, though not SQLite's one connection. */
export async function itemsText<Row extends { readonly id: string }>(
  { read, itemOf }: Piecewise<Row>,
  rowsMax = PIECE_ROWS,
): Promise<{ readonly text: string; readonly length: number }> {
  const pieces: string[] = [];
  let length = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: readonly Row[] = await read(after, rowsMax);
    if (rows.length > 0) pieces.push(JSON.stringify(rows.map(itemOf)).slice(1, -1));
    length += rows.length;
    after = rows.length < rowsMax ? undefined : rows.at(-1)?.id;
    if (after !== undefined) await nextTurn();
  }
  return { text: pieces.join(','), length };
}

/** Spec, "Creator object". */
export type Creator = {
  readonly username: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email_address: string;
};

export async function listCreators(sql: Sql): Promise<ReadonlyMap<string, Creator>> {
  const rows = await sql.all<Creator & { readonly id: string }>(
    'select id, username, first_name, last_name, email_address from users',
  );
  return new Map(rows.map(({ id, ...creator }) => [id, creator]));
}

export function creatorOf(creators: ReadonlyMap<string, Creator>, userId: string): Creator {
  const creator = creators.get(userId);
  if (creator === undefined) throw new Error(`bug: no user ${userId}`);
  return creator;
}

export type LanguageEntry = { readonly language: string };

/** Original's id → the languages of its translations, sorted. */
export async function listLanguages(sql: Sql, kind: Kind): Promise<ReadonlyMap<string, LanguageEntry[]>> {
  const rows = await sql.all<{ readonly language_parent: string; readonly language: string }>(
    `select language_parent, language from ${TABLES[kind].name}
     where language_parent is not null order by lower(language)`,
  );
  const byOriginal = new Map<string, LanguageEntry[]>();
  for (const { language_parent, language } of rows) {
    const entries = byOriginal.get(language_parent);
    if (entries === undefined) byOriginal.set(language_parent, [{ language }]);
    else entries.push({ language });
  }
  return byOriginal;
}

/** Languages in which any record of any kind exists, the default language not among them. */
export async function usedLanguages(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all<LanguageEntry>(
    `select language from articles where language is not null
     union select language from categories where language is not null
     union select language from tags where language is not null`,
  );
  return rows.map(({ language }) => language);
}

import type { Sql } from '../service/store/store.ts';

/** For whom records are read. */
export interface Reading {
  readonly sql: Sql;
  readonly siteId: string;
  /** The language of records whose `language` is null. */
  readonly defaultLanguage: string;
  /** The language of the page. */
  readonly language: string;
  /** Drafts are read too: a preview. */
  readonly drafts: boolean;
}

/** The language as the unique index of slugs holds it: originals have none. */
export function languageKey({ language, defaultLanguage }: Reading): string {
  return language.toLowerCase() === defaultLanguage.toLowerCase() ? '' : language.toLowerCase();
}

export function languageOf(reading: Reading, row: { readonly language: string | null }): string {
  return row.language ?? reading.defaultLanguage;
}

/** Languages that have a record, the default one first. */
export async function readLanguages(sql: Sql, defaultLanguage: string): Promise<readonly string[]> {
  const rows = await sql.all<{ readonly language: string }>(
    `select distinct language from articles where language is not null and status = 'published'`,
  );
  const others = new Map(rows.map(({ language }) => [language.toLowerCase(), language]));
  others.delete(defaultLanguage.toLowerCase());
  return [defaultLanguage, ...[...others.values()].sort()];
}

import type { Kind } from '../kind.ts';
import { TABLES } from '../store/rows.ts';
import type { Sql } from '../store/store.ts';

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

import type { Sql } from '../../service/store/store.ts';
import type { Recall } from './recall.ts';

/** The site in one language, for one reader: for whom records are read. */
export interface Edition {
  readonly sql: Sql;
  readonly siteId: string;
  /** The language of records whose `language` is null. */
  readonly defaultLanguage: string;
  /** The language of the page. */
  readonly language: string;
  /** Drafts are read too: a preview. */
  readonly drafts: boolean;
  readonly recall: Recall;
}

/** One of this edition's own lists; it is asked for again and again while the store stays as it is. */
export function ofEdition<Value extends object>(
  edition: Edition,
  name: string,
  read: () => Promise<Value>,
  entriesIn: (value: Value) => number,
): Promise<Value> {
  const { language, drafts, recall } = edition;
  return recall(JSON.stringify([name, language, drafts]), read, entriesIn);
}

/** The language as the unique index of slugs holds it: originals have none. */
export function languageKey({ language, defaultLanguage }: Edition): string {
  return language.toLowerCase() === defaultLanguage.toLowerCase() ? '' : language.toLowerCase();
}

export function languageOf(edition: Edition, row: { readonly language: string | null }): string {
  return row.language ?? edition.defaultLanguage;
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

/** A category or a tag as an edition shows it: its translation, or its original where there is none. */
export interface Shown {
  /** Of the original: what articles and categories name. */
  readonly id: string;
  /** Of the row that is shown. */
  readonly rowId: string;
  readonly language: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
}

export interface FamilyRow {
  readonly id: string;
  /** Id of the original; its own when it is one. */
  readonly family: string;
  readonly language: string | null;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
}

export function shownOf(edition: Edition, row: FamilyRow): Shown {
  return {
    id: row.family,
    rowId: row.id,
    language: languageOf(edition, row),
    name: row.name,
    slug: row.slug,
    description: row.description ?? '',
  };
}

/** Of originals and the translations into one language: each family once, the translation where there is one. */
export function ownOrOriginal<Row extends Pick<FamilyRow, 'family' | 'language'>>(
  rows: readonly Row[],
): readonly Row[] {
  const translated = new Set(rows.filter(({ language }) => language !== null).map(({ family }) => family));
  return rows.filter((row) => row.language !== null || !translated.has(row.family));
}

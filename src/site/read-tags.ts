import { nameOrder } from './language.ts';
import { languageKey, languageOf, type Reading } from './reading.ts';

/** A tag in the language of the page, or its original where there is no translation. */
export interface Tag {
  /** Of the original: what articles name. */
  readonly id: string;
  /** Of the row that is shown. */
  readonly rowId: string;
  readonly language: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
}

interface Row {
  readonly id: string;
  readonly family: string;
  readonly language: string | null;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
}

/** All tags, by name. */
export async function readTags(reading: Reading): Promise<readonly Tag[]> {
  const rows = await reading.sql.all<Row>(
    `select id, coalesce(language_parent, id) as family, language, name, slug, description from tags
     where language is null or lower(language) = ?`,
    languageKey(reading),
  );
  return shown(reading, rows);
}

/** The tags of an article, in its own order. */
export async function tagsOfArticle(reading: Reading, articleId: string): Promise<readonly Tag[]> {
  const rows = await reading.sql.all<{ readonly tag_id: string }>(
    'select tag_id from article_tags where article_id = ? order by position, id',
    articleId,
  );
  if (rows.length === 0) return [];
  const byId = new Map((await readTags(reading)).map((tag) => [tag.id, tag]));
  return rows.flatMap(({ tag_id }) => byId.get(tag_id) ?? []);
}

function shown(reading: Reading, rows: readonly Row[]): readonly Tag[] {
  const translated = new Set(rows.filter(({ language }) => language !== null).map(({ family }) => family));
  const byName = nameOrder(reading.language);
  return rows
    .filter((row) => row.language !== null || !translated.has(row.family))
    .map((row) => ({
      id: row.family,
      rowId: row.id,
      language: languageOf(reading, row),
      name: row.name,
      slug: row.slug,
      description: row.description ?? '',
    }))
    .sort((a, b) => byName(a.name, b.name));
}

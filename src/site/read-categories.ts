import { nameOrder } from './language.ts';
import type { Version } from './read-article.ts';
import { languageKey, languageOf, type Reading } from './reading.ts';

/** A category in the language of the page, or its original where there is no translation. */
export interface Category {
  /** Of the original: what articles and categories name. */
  readonly id: string;
  /** Of the row that is shown. */
  readonly rowId: string;
  readonly language: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly iconUrl: string | null;
  readonly children: readonly Category[];
  /** From the top down, itself not among them. */
  readonly path: readonly Category[];
}

export interface CategoryTree {
  readonly roots: readonly Category[];
  readonly byId: ReadonlyMap<string, Category>;
}

interface Row {
  readonly id: string;
  readonly family: string;
  readonly language: string | null;
  readonly name: string;
  readonly slug: string;
  readonly order_by: number;
  readonly parent_id: string | null;
  readonly description: string | null;
  readonly icon_url: string | null;
}

/** The tree of the originals, with names, order and texts of the language where there are such. */
export async function readCategories(reading: Reading): Promise<CategoryTree> {
  const rows = await reading.sql.all<Row>(
    `select id, coalesce(language_parent, id) as family, language, name, slug, order_by, parent_id, description,
       icon_url
     from categories where language is null or lower(language) = ?`,
    languageKey(reading),
  );
  const translations = new Map(
    rows.filter(({ language }) => language !== null).map((row) => [row.family, row]),
  );
  const byName = nameOrder(reading.language);
  const byParent = new Map<
    string | null,
    { readonly id: string; readonly row: Row; readonly order: number }[]
  >();
  for (const original of rows.filter(({ language }) => language === null)) {
    const row = translations.get(original.id) ?? original;
    // A translation whose priority is 0 says nothing about it, and stands where its original does.
    const entry = { id: original.id, row, order: row.order_by === 0 ? original.order_by : row.order_by };
    const siblings = byParent.get(original.parent_id);
    if (siblings === undefined) byParent.set(original.parent_id, [entry]);
    else siblings.push(entry);
  }
  const byId = new Map<string, Category>();
  const below = (parent: string | null, path: readonly Category[]): readonly Category[] =>
    (byParent.get(parent) ?? [])
      .sort((a, b) => a.order - b.order || byName(a.row.name, b.row.name))
      .map(({ id, row }) => {
        const children: Category[] = [];
        const category: Category = {
          id,
          rowId: row.id,
          language: languageOf(reading, row),
          name: row.name,
          slug: row.slug,
          description: row.description ?? '',
          iconUrl: row.icon_url,
          children,
          path,
        };
        byId.set(id, category);
        children.push(...below(id, [...path, category]));
        return category;
      });
  // The service keeps the originals free of cycles, so that the walk from the top ends.
  return { roots: below(null, []), byId };
}

/** `text` is the HTML of the row that is shown. */
export interface RecordText {
  readonly text: string;
  readonly versions: readonly Version[];
}

export async function categoryText(reading: Reading, category: Category): Promise<RecordText> {
  return recordText(reading, 'categories', { id: category.rowId, family: category.id });
}

/** The long text of a category or tag, and the languages that it is in. */
export async function recordText(
  reading: Reading,
  table: 'categories' | 'tags',
  of: { readonly id: string; readonly family: string },
): Promise<RecordText> {
  const row = await reading.sql.get<{ readonly long_description: string | null }>(
    `select long_description from ${table} where id = ?`,
    of.id,
  );
  const versions = await reading.sql.all<{ readonly language: string | null; readonly slug: string }>(
    `select language, slug from ${table} where id = ? or language_parent = ? order by lower(coalesce(language, ''))`,
    of.family,
    of.family,
  );
  return {
    text: row?.long_description ?? '',
    versions: versions.map((version) => ({
      language: languageOf(reading, version),
      slug: version.slug,
      isOriginal: version.language === null,
    })),
  };
}

/** `elsewhere`: the slug is one of another language. */
export type FoundFamily =
  | { readonly type: 'here'; readonly family: string }
  | { readonly type: 'elsewhere'; readonly slug: string };

/** The category or tag at a slug, for a reader of a language: the slug may be the one of another language. */
export async function findFamily(
  reading: Reading,
  table: 'categories' | 'tags',
  slug: string,
): Promise<FoundFamily | undefined> {
  const key = languageKey(reading);
  const rows = await reading.sql.all<{ readonly family: string; readonly language: string | null }>(
    `select coalesce(language_parent, id) as family, language from ${table} where site_id = ? and slug = ?
     order by case when lower(coalesce(language, '')) = ? then 0 when language is null then 1 else 2 end, id`,
    reading.siteId,
    slug,
    key,
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const shown = await reading.sql.get<{ readonly slug: string }>(
    `select slug from ${table} where (id = ? and language is null) or (language_parent = ? and lower(language) = ?)
     order by case when language is null then 1 else 0 end`,
    first.family,
    first.family,
    key,
  );
  if (shown === undefined || shown.slug === slug) return { type: 'here', family: first.family };
  return { type: 'elsewhere', slug: shown.slug };
}

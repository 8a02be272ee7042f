import { CATEGORY_LEVELS_MAX } from '../../service/records/categories.ts';
import { nameOrder } from '../languages.ts';
import type { Version } from './article.ts';
import {
  type Edition,
  type FamilyRow,
  languageKey,
  languageOf,
  ofEdition,
  ownOrOriginal,
  type Shown,
  shownOf,
} from './edition.ts';

/** A category in the language of the page, or its original where there is no translation. */
export interface Category extends Shown {
  readonly iconUrl: string | null;
  readonly children: readonly Category[];
  /** From the top down, itself not among them. */
  readonly path: readonly Category[];
}

export interface CategoryTree {
  readonly roots: readonly Category[];
  readonly byId: ReadonlyMap<string, Category>;
}

/** Itself first. */
export function withDescendants(category: Category): readonly Category[] {
  return [category, ...category.children.flatMap(withDescendants)];
}

interface Row extends FamilyRow {
  readonly order_by: number;
  readonly parent_id: string | null;
  readonly icon_url: string | null;
  /** 1: an article that readers may see is filed here. */
  readonly used: number;
}

/**
 * The tree of the originals, with names, order and texts of the language where there are such. A category without a
 * published article in it or below it is known to its authors only.
 */
export function readCategories(edition: Edition): Promise<CategoryTree> {
  return ofEdition(
    edition,
    'categories',
    () => readTree(edition),
    ({ byId }) => byId.size,
  );
}

async function readTree(edition: Edition): Promise<CategoryTree> {
  const rows = await edition.sql.all<Row>(
    `select id, coalesce(language_parent, id) as family, language, name, slug, order_by, parent_id, description,
       icon_url, case when language is null and exists (select 1 from article_categories r
         join articles a on a.id = r.article_id
         where r.category_id = categories.id and (a.status = 'published' or 1 = ?)) then 1 else ? end as used
     from categories where language is null or lower(language) = ?`,
    Number(edition.drafts),
    Number(edition.drafts),
    languageKey(edition),
  );
  const shown = new Map(ownOrOriginal(rows).map((row) => [row.family, row]));
  const byName = nameOrder(edition.language);
  const byParent = new Map<
    string | null,
    { readonly id: string; readonly row: Row; readonly order: number; readonly isUsed: boolean }[]
  >();
  for (const original of rows.filter(({ language }) => language === null)) {
    const row = shown.get(original.id) ?? original;
    // A translation whose priority is 0 says nothing about it, and stands where its original does.
    const order = row.order_by === 0 ? original.order_by : row.order_by;
    const entry = { id: original.id, row, order, isUsed: original.used === 1 };
    const siblings = byParent.get(original.parent_id);
    if (siblings === undefined) byParent.set(original.parent_id, [entry]);
    else siblings.push(entry);
  }
  const byId = new Map<string, Category>();
  const below = (parent: string | null, path: readonly Category[]): readonly Category[] =>
    (path.length < CATEGORY_LEVELS_MAX ? (byParent.get(parent) ?? []) : [])
      .sort((a, b) => a.order - b.order || byName(a.row.name, b.row.name))
      .flatMap(({ id, row, isUsed }) => {
        const children: Category[] = [];
        const category: Category = { ...shownOf(edition, row), iconUrl: row.icon_url, children, path };
        children.push(...below(id, [...path, category]));
        if (!isUsed && children.length === 0) return [];
        byId.set(id, category);
        return [category];
      });
  // The service takes no deeper tree; what is older than that rule ends there. It keeps the originals free of cycles, so the walk from the top ends.
  return { roots: below(null, []), byId };
}

/** `text` is the HTML of the row that is shown. */
export interface RecordText {
  readonly text: string;
  readonly versions: readonly Version[];
}

/** The long text of a category or tag, and the languages that it is in. */
export async function recordText(
  edition: Edition,
  table: 'categories' | 'tags',
  of: { readonly id: string; readonly family: string },
): Promise<RecordText> {
  const row = await edition.sql.get<{ readonly long_description: string | null }>(
    `select long_description from ${table} where id = ?`,
    of.id,
  );
  const versions = await edition.sql.all<{ readonly language: string | null; readonly slug: string }>(
    `select language, slug from ${table} where id = ? or language_parent = ? order by lower(coalesce(language, ''))`,
    of.family,
    of.family,
  );
  return {
    text: row?.long_description ?? '',
    versions: versions.map((version) => ({
      language: languageOf(edition, version),
      slug: version.slug,
      isOriginal: version.language === null,
    })),
  };
}

/** `elsewhere`: the slug is one of another language, and the record has this one here. */
export type FoundFamily =
  | { readonly type: 'here'; readonly family: string }
  | { readonly type: 'elsewhere'; readonly family: string; readonly slug: string };

/** The category or tag at a slug, for a reader of a language: the slug may be the one of another language. */
export async function findFamily(
  edition: Edition,
  table: 'categories' | 'tags',
  slug: string,
): Promise<FoundFamily | undefined> {
  const key = languageKey(edition);
  const rows = await edition.sql.all<{ readonly family: string; readonly language: string | null }>(
    `select coalesce(language_parent, id) as family, language from ${table} where site_id = ? and slug = ?
     order by case when lower(coalesce(language, '')) = ? then 0 when language is null then 1 else 2 end, id`,
    edition.siteId,
    slug,
    key,
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const shown = await edition.sql.get<{ readonly slug: string }>(
    `select slug from ${table} where (id = ? and language is null) or (language_parent = ? and lower(language) = ?)
     order by case when language is null then 1 else 0 end`,
    first.family,
    first.family,
    key,
  );
  if (shown === undefined || shown.slug === slug) return { type: 'here', family: first.family };
  return { type: 'elsewhere', family: first.family, slug: shown.slug };
}

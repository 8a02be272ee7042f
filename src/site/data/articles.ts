import { isListed } from '../../service/listed.ts';
import type { SqlValue } from '../../service/store/store.ts';
import { nameOrder } from '../languages.ts';
import { languageKey, languageOf, ofEdition, type Edition } from './edition.ts';

/** An article as lists show it: the translation, or the original where there is none. */
export interface ListedArticle {
  readonly id: string;
  readonly family: string;
  /** Of the text, not of the page. */
  readonly language: string;
  readonly name: string;
  readonly slug: string;
  readonly excerpt: string;
  readonly status: string;
  readonly isHidden: boolean;
  readonly editedAt: number;
  /** How often it was read; of the text that is shown. */
  readonly views: number;
}

interface Row {
  readonly id: string;
  readonly family: string;
  readonly language: string | null;
  readonly name: string;
  readonly slug: string;
  readonly excerpt: string;
  readonly status: string;
  readonly hide_from_search: number;
  readonly edited_at: number;
  readonly order_by: number;
  readonly views: number;
  /** Translations into the language of the page. */
  readonly translated: number;
}

/** A translation whose ordering is 0 says nothing about it, and stands where its original does. */
const COLUMNS = `a.id as id, coalesce(a.language_parent, a.id) as family, a.language as language, a.name as name,
  a.slug as slug, a.excerpt as excerpt, a.status as status, a.hide_from_search as hide_from_search,
  a.edited_at as edited_at, a.views as views,
  case when a.order_by = 0 and a.language_parent is not null
    then (select o.order_by from articles o where o.id = a.language_parent) else a.order_by end as order_by,
  (select count(*) from articles t where t.language_parent = a.id and lower(t.language) = ?
     and (t.status = 'published' or 1 = ?)) as translated`;
const WANTED = `(a.language is null or lower(a.language) = ?) and (a.status = 'published' or 1 = ?)`;

/** The articles of a category (its original's id), by ordering, then by name. */
export function articlesInCategory(edition: Edition, id: string): Promise<readonly ListedArticle[]> {
  const source = 'article_categories r join articles a on a.id = r.article_id';
  return articlesFrom(edition, `category ${id}`, { source, where: 'r.category_id = ? and', ids: [id] });
}

/** The articles that carry a tag (its original's id), by ordering, then by name. */
export function articlesWithTag(edition: Edition, id: string): Promise<readonly ListedArticle[]> {
  const source = 'article_tags r join articles a on a.id = r.article_id';
  return articlesFrom(edition, `tag ${id}`, { source, where: 'r.tag_id = ? and', ids: [id] });
}

/** All articles of the language's site, by ordering, then by name; each once. */
export function allArticles(edition: Edition): Promise<readonly ListedArticle[]> {
  return articlesFrom(edition, 'articles', { source: 'articles a' });
}

/** What who asked for a page that there is not may have meant. */
export type NamedArticle = Pick<ListedArticle, 'slug' | 'name' | 'language' | 'status'>;

/** Of so many names as an entry of a list takes memory. */
const NAMES_PER_ENTRY = 8;

/**
 * The names of all articles of the language's site that are found by those who do not have their address, by their own ordering, then by
 * name. Whoever asks for addresses that there are not asks for many, and names are small enough to be remembered.
 */
export function allNames(edition: Edition): Promise<readonly NamedArticle[]> {
  const read = async (): Promise<readonly NamedArticle[]> => {
    const rows = await edition.sql.all<
      Pick<Row, 'slug' | 'name' | 'language' | 'status' | 'hide_from_search'>
    >(
      `select a.slug as slug, a.name as name, a.language as language, a.status as status,
         a.hide_from_search as hide_from_search from articles a
       where ${WANTED} and (a.language is not null or not exists
         (select 1 from articles t where t.language_parent = a.id and lower(t.language) = ?
            and (t.status = 'published' or 1 = ?)))
       order by a.order_by, a.name, a.id`,
      ...marks(edition),
      ...marks(edition),
    );
    return rows
      .filter((row) => isListed({ status: row.status, isHidden: row.hide_from_search === 1 }, edition.drafts))
      .map((row) => ({
        slug: row.slug,
        name: row.name,
        language: languageOf(edition, row),
        status: row.status,
      }));
  };
  return ofEdition(edition, 'names', read, ({ length }) => length / NAMES_PER_ENTRY);
}

interface Articles {
  /** With the articles as `a`. */
  readonly source: string;
  /** Ends with `and`. */
  readonly where?: string;
  readonly ids?: readonly string[];
}

function articlesFrom(
  edition: Edition,
  name: string,
  { source, where = '', ids = [] }: Articles,
): Promise<readonly ListedArticle[]> {
  const read = async (): Promise<readonly ListedArticle[]> => {
    const rows = await edition.sql.all<Row>(
      `select ${COLUMNS} from ${source} where ${where} ${WANTED}`,
      ...marks(edition),
      ...ids,
      ...marks(edition),
    );
    return listed(edition, rows);
  };
  return ofEdition(edition, name, read, ({ length }) => length);
}

/** Articles that share most tags with one; itself is not among them. */
export async function relatedArticles(
  edition: Edition,
  articleId: string,
  max: number,
): Promise<readonly ListedArticle[]> {
  const rows = await edition.sql.all<Row & { readonly shared: number }>(
    `select ${COLUMNS}, s.shared as shared from (select o.article_id as id, count(*) as shared
       from article_tags r join article_tags o on o.tag_id = r.tag_id
       where r.article_id = ? and o.article_id <> r.article_id group by o.article_id) s
     join articles a on a.id = s.id where ${WANTED}`,
    ...marks(edition),
    articleId,
    ...marks(edition),
  );
  const shared = new Map(rows.map((row) => [row.id, row.shared]));
  const { family } = (await edition.sql.get<{ readonly family: string }>(
    'select coalesce(language_parent, id) as family from articles where id = ?',
    articleId,
  )) ?? { family: articleId };
  return listed(edition, rows)
    .filter((article) => article.family !== family && isListed(article, edition.drafts))
    .sort((a, b) => (shared.get(b.id) ?? 0) - (shared.get(a.id) ?? 0))
    .slice(0, max);
}

/** Article's id → original's ids of its categories. */
export function filing(edition: Edition): Promise<ReadonlyMap<string, readonly string[]>> {
  return ofEdition(
    edition,
    'filing',
    async () => {
      const rows = await edition.sql.all<{ readonly article_id: string; readonly category_id: string }>(
        'select article_id, category_id from article_categories order by article_id, position, id',
      );
      const byArticle = new Map<string, string[]>();
      for (const { article_id, category_id } of rows) {
        const ids = byArticle.get(article_id);
        if (ids === undefined) byArticle.set(article_id, [category_id]);
        else ids.push(category_id);
      }
      return byArticle;
    },
    ({ size }) => size,
  );
}

/** Ids of originals → how many articles readers see in a category and below it, or with a tag; each article once. */
export async function countsOf(
  edition: Edition,
  table: 'article_categories' | 'article_tags',
  groups: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, number>> {
  const familiesOf = await familiesBelow(edition, table);
  return new Map(
    [...groups].map(([group, ids]) => {
      return [group, new Set(ids.flatMap((id) => familiesOf.get(id) ?? [])).size];
    }),
  );
}

/** Category's or tag's id → ids of the originals that readers see with it, each once. */
function familiesBelow(
  edition: Edition,
  table: 'article_categories' | 'article_tags',
): Promise<ReadonlyMap<string, readonly string[]>> {
  const column = table === 'article_categories' ? 'category_id' : 'tag_id';
  const read = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
    const rows = await edition.sql.all<{ readonly id: string; readonly family: string }>(
      `select distinct r.${column} as id, coalesce(a.language_parent, a.id) as family
       from ${table} r join articles a on a.id = r.article_id where ${WANTED}`,
      ...marks(edition),
    );
    const familiesOf = new Map<string, string[]>();
    for (const { id, family } of rows) {
      const known = familiesOf.get(id);
      if (known === undefined) familiesOf.set(id, [family]);
      else known.push(family);
    }
    return familiesOf;
  };
  return ofEdition(edition, `families ${table}`, read, (families) => [...families.values()].flat().length);
}

function marks(edition: Edition): readonly SqlValue[] {
  return [languageKey(edition), Number(edition.drafts)];
}

/** An original that has a translation gives way to it, also where the two are filed differently. */
function listed(edition: Edition, rows: readonly Row[]): readonly ListedArticle[] {
  const byName = nameOrder(edition.language);
  return rows
    .filter((row) => row.language !== null || row.translated === 0)
    .sort((a, b) => a.order_by - b.order_by || byName(a.name, b.name) || (a.id < b.id ? -1 : 1))
    .map((row) => ({
      id: row.id,
      family: row.family,
      language: languageOf(edition, row),
      name: row.name,
      slug: row.slug,
      excerpt: row.excerpt,
      status: row.status,
      isHidden: row.hide_from_search === 1,
      editedAt: row.edited_at,
      views: row.views,
    }));
}

import type { SqlValue } from '../../service/store/store.ts';
import { languageKey, languageOf, type Edition } from './edition.ts';

/** One article as its page shows it. */
export interface Article {
  readonly id: string;
  /** Id of the original; its own when it is one. */
  readonly family: string;
  readonly language: string;
  readonly name: string;
  readonly slug: string;
  readonly status: string;
  readonly excerpt: string;
  readonly isHidden: boolean;
  readonly bannerUrl: string | null;
  /** Microseconds since 1970. */
  readonly editedAt: number;
  /** Of a translation whose original's words changed later, as far as that is known for sure: when, in microseconds. */
  readonly originalChangedAt: number | undefined;
  readonly content: string;
}

/** A version of a record in one language, as the language menu and `hreflang` name it. */
export interface Version {
  readonly language: string;
  readonly slug: string;
  readonly isOriginal: boolean;
}

/** `here` in the language of the page · `fallback` the original, for want of a translation · `elsewhere` under another slug. */
export type FoundArticle =
  | { readonly type: 'here' | 'fallback'; readonly article: Article; readonly versions: readonly Version[] }
  | { readonly type: 'elsewhere'; readonly slug: string }
  | undefined;

interface Row {
  readonly id: string;
  readonly language: string | null;
  readonly language_parent: string | null;
  readonly name: string;
  readonly slug: string;
  readonly status: string;
  readonly excerpt: string;
  readonly hide_from_search: number;
  readonly seo_banner_url: string | null;
  readonly edited_at: number;
  readonly content: string;
}

const COLUMNS = `id, language, language_parent, name, slug, status, excerpt, hide_from_search, seo_banner_url,
  edited_at, content`;

/** By a slug of any language; the slug of a draft is nobody's. */
const NAMED = `site_id = ? and slug = ? and (status = 'published' or 1 = ?)`;

function namedBy({ siteId, drafts }: Edition, slug: string): readonly SqlValue[] {
  return [siteId, slug, Number(drafts)];
}

/** The article at a slug, for a reader of a language: the slug may be the one of another language. */
export async function findArticle(edition: Edition, slug: string): Promise<FoundArticle> {
  const { sql, siteId } = edition;
  const row = await sql.get<Row>(
    `select ${COLUMNS} from articles where site_id = ? and slug = ? and lower(coalesce(language, '')) = ?`,
    siteId,
    slug,
    languageKey(edition),
  );
  if (row !== undefined && isShown(edition, row)) return found(edition, 'here', row);
  const namesakes = await sql.all<{ readonly family: string }>(
    `select coalesce(language_parent, id) as family from articles where ${NAMED}
     order by case when language is null then 0 else 1 end, id`,
    ...namedBy(edition, slug),
  );
  for (const { family } of namesakes) {
    const versions = await versionRows(edition, family);
    const translation = versions.find((version) => sameAsPage(edition, version));
    if (translation !== undefined) return { type: 'elsewhere', slug: translation.slug };
    const original = versions.find(({ language }) => language === null);
    if (original === undefined) continue;
    if (original.slug !== slug) return { type: 'elsewhere', slug: original.slug };
    const whole = await sql.get<Row>(`select ${COLUMNS} from articles where id = ?`, family);
    if (whole !== undefined) return found(edition, 'fallback', whole);
  }
  return undefined;
}

/** Where an article can be read at all, by a slug of any language: for a page that says it is not here. */
export async function versionsOfSlug(edition: Edition, slug: string): Promise<readonly Version[]> {
  const rows = await edition.sql.all<{ readonly family: string }>(
    `select coalesce(language_parent, id) as family from articles where ${NAMED}`,
    ...namedBy(edition, slug),
  );
  const versions: Version[] = [];
  for (const family of new Set(rows.map((row) => row.family))) {
    versions.push(...(await versionsOf(edition, family)));
  }
  return versions;
}

/** Original's category ids of an article, in its own order. */
export async function categoryIdsOf({ sql }: Edition, articleId: string): Promise<readonly string[]> {
  const rows = await sql.all<{ readonly category_id: string }>(
    'select category_id from article_categories where article_id = ? order by position, id',
    articleId,
  );
  return rows.map(({ category_id }) => category_id);
}

async function found(edition: Edition, type: 'here' | 'fallback', row: Row): Promise<FoundArticle> {
  const family = row.language_parent ?? row.id;
  return {
    type,
    versions: await versionsOf(edition, family),
    article: {
      id: row.id,
      family,
      language: languageOf(edition, row),
      name: row.name,
      slug: row.slug,
      status: row.status,
      excerpt: row.excerpt,
      isHidden: row.hide_from_search === 1,
      bannerUrl: row.seo_banner_url,
      editedAt: row.edited_at,
      originalChangedAt: await originalChangedAt(edition, row),
      content: row.content,
    },
  };
}

/** An original and its translation that were edited within a day were edited together, in whatever order. */
const TOGETHER_MICROS = 86_400_000_000;

async function originalChangedAt(
  { sql }: Edition,
  { id, language_parent }: Row,
): Promise<number | undefined> {
  if (language_parent === null) return undefined;
  const row = await sql.get<{ readonly words_at: number }>(
    `select o.words_at as words_at from article_search o join article_search t on t.article_id = ?
     where o.article_id = ? and o.words_at > t.words_at + ${TOGETHER_MICROS}`,
    id,
    language_parent,
  );
  return row?.words_at;
}

async function versionsOf(edition: Edition, family: string): Promise<readonly Version[]> {
  const rows = await versionRows(edition, family);
  return rows.map((row) => ({
    language: languageOf(edition, row),
    slug: row.slug,
    isOriginal: row.language === null,
  }));
}

type VersionRow = Pick<Row, 'language' | 'slug' | 'status'>;

async function versionRows(edition: Edition, family: string): Promise<readonly VersionRow[]> {
  const rows = await edition.sql.all<VersionRow>(
    `select language, slug, status from articles where id = ? or language_parent = ?
     order by lower(coalesce(language, ''))`,
    family,
    family,
  );
  return rows.filter((row) => isShown(edition, row));
}

function isShown({ drafts }: Edition, { status }: { readonly status: string }): boolean {
  return drafts || status === 'published';
}

function sameAsPage(edition: Edition, { language }: { readonly language: string | null }): boolean {
  return (language ?? '').toLowerCase() === languageKey(edition);
}

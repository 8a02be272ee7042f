import { languageKey, languageOf, type Reading } from './reading.ts';

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

/** The article at a slug, for a reader of a language: the slug may be the one of another language. */
export async function findArticle(reading: Reading, slug: string): Promise<FoundArticle> {
  const { sql, siteId } = reading;
  const row = await sql.get<Row>(
    `select ${COLUMNS} from articles where site_id = ? and slug = ? and lower(coalesce(language, '')) = ?`,
    siteId,
    slug,
    languageKey(reading),
  );
  if (row !== undefined && isShown(reading, row)) return found(reading, 'here', row);
  const namesakes = await sql.all<{ readonly family: string }>(
    `select coalesce(language_parent, id) as family from articles where site_id = ? and slug = ?
     order by case when language is null then 0 else 1 end, id`,
    siteId,
    slug,
  );
  for (const { family } of namesakes) {
    const versions = await versionRows(reading, family);
    const translation = versions.find((version) => sameAsPage(reading, version));
    if (translation !== undefined) return { type: 'elsewhere', slug: translation.slug };
    const original = versions.find(({ language }) => language === null);
    if (original === undefined) continue;
    if (original.slug !== slug) return { type: 'elsewhere', slug: original.slug };
    const whole = await sql.get<Row>(`select ${COLUMNS} from articles where id = ?`, family);
    if (whole !== undefined) return found(reading, 'fallback', whole);
  }
  return undefined;
}

/** Where an article can be read at all, by a slug of any language: for a page that says it is not here. */
export async function versionsOfSlug(reading: Reading, slug: string): Promise<readonly Version[]> {
  const rows = await reading.sql.all<{ readonly family: string }>(
    `select coalesce(language_parent, id) as family from articles where site_id = ? and slug = ?`,
    reading.siteId,
    slug,
  );
  const versions: Version[] = [];
  for (const family of new Set(rows.map((row) => row.family))) {
    versions.push(...(await versionsOf(reading, family)));
  }
  return versions;
}

/** Original's category ids of an article, in its own order. */
export async function categoryIdsOf({ sql }: Reading, articleId: string): Promise<readonly string[]> {
  const rows = await sql.all<{ readonly category_id: string }>(
    'select category_id from article_categories where article_id = ? order by position, id',
    articleId,
  );
  return rows.map(({ category_id }) => category_id);
}

async function found(reading: Reading, type: 'here' | 'fallback', row: Row): Promise<FoundArticle> {
  const family = row.language_parent ?? row.id;
  return {
    type,
    versions: await versionsOf(reading, family),
    article: {
      id: row.id,
      family,
      language: languageOf(reading, row),
      name: row.name,
      slug: row.slug,
      status: row.status,
      excerpt: row.excerpt,
      isHidden: row.hide_from_search === 1,
      bannerUrl: row.seo_banner_url,
      editedAt: row.edited_at,
      content: row.content,
    },
  };
}

async function versionsOf(reading: Reading, family: string): Promise<readonly Version[]> {
  const rows = await versionRows(reading, family);
  return rows.map((row) => ({
    language: languageOf(reading, row),
    slug: row.slug,
    isOriginal: row.language === null,
  }));
}

type VersionRow = Pick<Row, 'language' | 'slug' | 'status'>;

async function versionRows(reading: Reading, family: string): Promise<readonly VersionRow[]> {
  const rows = await reading.sql.all<VersionRow>(
    `select language, slug, status from articles where id = ? or language_parent = ?
     order by lower(coalesce(language, ''))`,
    family,
    family,
  );
  return rows.filter((row) => isShown(reading, row));
}

function isShown({ drafts }: Reading, { status }: { readonly status: string }): boolean {
  return drafts || status === 'published';
}

function sameAsPage(reading: Reading, { language }: { readonly language: string | null }): boolean {
  return (language ?? '').toLowerCase() === languageKey(reading);
}

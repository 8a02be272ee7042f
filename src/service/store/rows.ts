import type { Kind } from '../kind.ts';
import type { SqlValue } from './store.ts';

/** What articles, categories and tags share. Dates are microseconds since 1970. */
export interface RecordRow {
  readonly id: string;
  readonly site_id: string;
  /** Null in an original. */
  readonly language: string | null;
  readonly language_parent: string | null;
  /** Counts the writes to this record; moves the ETag. */
  readonly version: number;
  readonly created_at: number;
  readonly edited_at: number;
  readonly created_by: string;
  readonly name: string;
  readonly slug: string;
}

export interface ArticleRow extends RecordRow {
  readonly status: 'draft' | 'published';
  readonly order_by: number;
  readonly hide_from_search: number;
  /** ISO 8601 in UTC with milliseconds, so text order is time order. */
  readonly article_review_date: string | null;
  readonly views: number;
  readonly seo_banner_url: string | null;
  readonly excerpt: string;
  readonly summary: string;
  readonly content: string;
}

export interface CategoryRow extends RecordRow {
  readonly order_by: number;
  readonly parent_id: string | null;
  readonly thumbnail_url: string | null;
  readonly icon_url: string | null;
  readonly description: string | null;
  readonly long_description: string | null;
}

export interface TagRow extends RecordRow {
  readonly description: string | null;
  readonly long_description: string | null;
}

export interface RowOf {
  readonly article: ArticleRow;
  readonly category: CategoryRow;
  readonly tag: TagRow;
}

const SHARED = [
  'id',
  'site_id',
  'language',
  'language_parent',
  'version',
  'created_at',
  'edited_at',
  'created_by',
  'name',
  'slug',
] as const;

/** Table and columns of each kind, in the order of the table. */
export const TABLES = {
  article: {
    name: 'articles',
    columns: [
      ...SHARED,
      'status',
      'order_by',
      'hide_from_search',
      'article_review_date',
      'views',
      'seo_banner_url',
      'excerpt',
      'summary',
      'content',
    ],
  },
  category: {
    name: 'categories',
    columns: [
      ...SHARED,
      'order_by',
      'parent_id',
      'thumbnail_url',
      'icon_url',
      'description',
      'long_description',
    ],
  },
  tag: { name: 'tags', columns: [...SHARED, 'description', 'long_description'] },
} as const satisfies {
  readonly [K in Kind]: { readonly name: string; readonly columns: readonly (keyof RowOf[K])[] };
};

/** A row's columns with their values, in the order of the table. */
export function columnsOf(
  kind: Kind,
  row: RecordRow,
): readonly (readonly [column: string, value: SqlValue | undefined])[] {
  // A row has exactly the columns of its table; `satisfies` holds the list to the type.
  const values = row as unknown as Readonly<Record<string, SqlValue>>;
  return TABLES[kind].columns.map((column) => [column, values[column]]);
}

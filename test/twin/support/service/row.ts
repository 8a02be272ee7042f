export type Kind = 'article' | 'category' | 'tag';

export type Value = string | number | boolean | null | readonly string[];

/** By the names of the create and edit bodies; relations as ids, of originals. */
export type Values = Readonly<Record<string, Value>>;

/** Who did something: a person at the site, or the name that belongs to a key. */
export type Actor = string;

/** One article, category or tag in one language. */
export interface Row {
  readonly id: string;
  readonly kind: Kind;
  readonly language: string;
  /** Of a translation. */
  readonly original: Row | undefined;
  readonly createdBy: Actor;
  readonly createdMs: number;
  /** As the service keeps it. */
  stored: Values;
  /** As it was last sent, before the service made its own of it; an echo of what is stored changes nothing here. */
  raw: Values;
  /** Who changed the stored value of a field last. */
  authors: Readonly<Record<string, Actor>>;
  editedMs: number;
  /** Grows with each change, so that two changes in one millisecond differ. */
  version: number;
  /** Earlier stored values with the moment until which they stood, oldest first: what a slow replica still shows. */
  readonly past: { readonly untilMs: number; readonly stored: Values; readonly editedMs: number }[];
  /** Reads show it from then on. */
  readonly visibleMs: number;
  /** Lists show it from then on. */
  readonly listedMs: number;
  views: number;
  deleted?: { readonly by: Actor; readonly atMs: number };
  /** An unpublished copy that the service keeps beside a published article. */
  draft?: { readonly id: string; readonly stored: Values };
}

/** A change of one row, as the service saw it: the judge reads these and nothing that the client prints. */
export interface Entry {
  readonly serial: number;
  readonly atMs: number;
  readonly by: Actor;
  readonly what: 'create' | 'edit' | 'delete';
  readonly row: Row;
  /** What the request named, as it was sent; empty where the row changed because of a request to another row. */
  readonly sent: Values;
  readonly before: Values;
  readonly after: Values;
  /** Whose value each changed field held before. */
  readonly authorsBefore: Readonly<Record<string, Actor>>;
}

/** A single read that showed a row, or a list that showed it. */
export interface Sight {
  readonly serial: number;
  readonly by: Actor;
  readonly row: Row;
}

export const FIELDS = {
  article: [
    'title',
    'slug',
    'categories',
    'tags',
    'excerpt',
    'ordering',
    'status',
    'content',
    'hideFromSearch',
    'seoBannerUrl',
    'articleReviewDate',
  ],
  category: [
    'name',
    'slug',
    'priority',
    'categoryParent',
    'description',
    'longDescription',
    'thumbnailUrl',
    'iconUrl',
  ],
  tag: ['name', 'slug', 'description', 'longDescription'],
} as const satisfies Readonly<Record<Kind, readonly string[]>>;

export const NAME_OF = { article: 'title', category: 'name', tag: 'name' } as const;
export const BODY_OF = { article: 'content', category: 'longDescription', tag: 'longDescription' } as const;

const EMPTY: Values = {
  categories: [],
  tags: [],
  ordering: 0,
  priority: 0,
  hideFromSearch: false,
  excerpt: '',
  status: 'draft',
  content: '',
  description: '',
  longDescription: '',
  slug: '',
  title: '',
  name: '',
};

/** What a record of the kind has where nobody said anything. */
export function emptyValues(kind: Kind): Values {
  return Object.fromEntries(FIELDS[kind].map((field) => [field, EMPTY[field] ?? null]));
}

export function equalValues(a: Value | undefined, b: Value | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Of a text with markup only the words count: its last comment is a tool's, and its tags are a matter of taste. */
export function sameWords(field: string, a: Value | undefined, b: Value | undefined): boolean {
  if (field !== 'content' && field !== 'longDescription') return equalValues(a, b);
  return wordsOf(a) === wordsOf(b);
}

function wordsOf(html: Value | undefined): string {
  return String(html ?? '')
    .replaceAll(/<!--[\s\S]*?-->|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export function nameOf(row: Row): string {
  return String(row.stored[NAME_OF[row.kind]] ?? '');
}

export function slugOf(row: Row): string {
  return String(row.stored['slug'] ?? '');
}

import type { Family, Kind, RemoteId } from './key.ts';

/**
 * A field's value in canonical form. Lists (categories, tags) are sets of record ids: sorted, without doubles.
 * `null` is "empty on purpose"; a field that is missing from a `Fields` is *not ours*.
 */
export type FieldValue = string | number | boolean | null | readonly string[];

/** Field values under the names of the API's request bodies (spec, "Article create and edit body" and its peers). */
export type Fields = Readonly<Record<string, FieldValue>>;

/** The same as a file says them: a reference is a family. */
export type DesiredFields = Fields & References<Family>;

/** The same in the service's terms: a reference is an id. */
export type KnownFields = Fields & References<RemoteId>;

type References<Name> = {
  readonly [field in ReferenceName]?: field extends 'categoryParent' ? Name | null : readonly Name[];
};

/**
 * `text` any string · `html` the body, compared without its stamp · `ref` one id of `of` or null ·
 * `refs` ids of `of` · `date` ISO 8601 or null · `url` a string or null · `flag` boolean · `number` finite.
 */
export interface FieldSpec {
  readonly type: 'text' | 'html' | 'number' | 'flag' | 'date' | 'url' | 'status' | 'ref' | 'refs';
  readonly of?: Kind;
  /** What a create sends when neither the author nor a default names a value; undefined: the field is left out. */
  readonly empty: FieldValue | undefined;
}

/** Every field an author can own, by kind, in the order in which people read them. */
export const FIELDS = {
  category: {
    name: { type: 'text', empty: '' },
    slug: { type: 'text', empty: '' },
    priority: { type: 'number', empty: 0 },
    categoryParent: { type: 'ref', of: 'category', empty: undefined },
    description: { type: 'text', empty: undefined },
    thumbnailUrl: { type: 'url', empty: undefined },
    iconUrl: { type: 'url', empty: undefined },
    longDescription: { type: 'html', empty: undefined },
  },
  tag: {
    name: { type: 'text', empty: '' },
    slug: { type: 'text', empty: '' },
    description: { type: 'text', empty: '' },
    longDescription: { type: 'html', empty: '' },
  },
  article: {
    title: { type: 'text', empty: '' },
    slug: { type: 'text', empty: '' },
    categories: { type: 'refs', of: 'category', empty: [] },
    tags: { type: 'refs', of: 'tag', empty: undefined },
    excerpt: { type: 'text', empty: '' },
    ordering: { type: 'number', empty: 0 },
    status: { type: 'status', empty: 'published' },
    hideFromSearch: { type: 'flag', empty: undefined },
    seoBannerUrl: { type: 'url', empty: undefined },
    articleReviewDate: { type: 'date', empty: undefined },
    content: { type: 'html', empty: '' },
  },
} as const satisfies Record<Kind, Readonly<Record<string, FieldSpec>>>;

const SPECS: Readonly<Record<Kind, ReadonlyMap<string, FieldSpec>>> = {
  category: new Map<string, FieldSpec>(Object.entries(FIELDS.category)),
  tag: new Map<string, FieldSpec>(Object.entries(FIELDS.tag)),
  article: new Map<string, FieldSpec>(Object.entries(FIELDS.article)),
};

export function fieldsOf(kind: Kind): ReadonlyMap<string, FieldSpec> {
  return SPECS[kind];
}

export interface ReferenceField {
  readonly name: ReferenceName;
  readonly of: Kind;
}

const REFERENCE_NAMES = ['categoryParent', 'categories', 'tags'] as const;
type ReferenceName = (typeof REFERENCE_NAMES)[number];

/** Asked for every record of every run: looking through all fields each time costs more than the comparison. */
const REFERENCES: Readonly<Record<Kind, readonly ReferenceField[]>> = {
  category: referencesAmong('category'),
  tag: referencesAmong('tag'),
  article: referencesAmong('article'),
};

function referencesAmong(kind: Kind): readonly ReferenceField[] {
  return REFERENCE_NAMES.flatMap((name) => {
    const of = SPECS[kind].get(name)?.of;
    return of === undefined ? [] : [{ name, of }];
  });
}

/** Fields that name other records, and of which kind those are. */
export function referenceFieldsOf(kind: Kind): readonly ReferenceField[] {
  return REFERENCES[kind];
}

/** The field that holds the Markdown body as HTML: the one that carries the stamp. */
export function bodyFieldOf(kind: Kind): 'content' | 'longDescription' {
  return kind === 'article' ? 'content' : 'longDescription';
}

/** The field that lists show as `name`. */
export function nameFieldOf(kind: Kind): 'title' | 'name' {
  return kind === 'article' ? 'title' : 'name';
}

/** Fields that say where a record stands among others: `ordering` of articles, `priority` of categories. */
export const OF_ORDER: ReadonlySet<string> = new Set(['ordering', 'priority']);

/** Whether a value says that there is nothing. */
export function isNothing(value: FieldValue): boolean {
  return (
    value === '' || value === null || value === false || value === 0 || (isList(value) && value.length === 0)
  );
}

export function isList(value: FieldValue): value is readonly string[] {
  return typeof value === 'object' && value !== null;
}

/** What the API and a file can say. */
export const STATUSES: readonly string[] = ['published', 'draft'];

/** Else it is a word of the service's own, such as `archived`. */
export function isStatus(value: unknown): boolean {
  return STATUSES.some((word) => word === value);
}

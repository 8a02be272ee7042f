import { authorKeys, isSlug } from '../../../content/document/fields.ts';
import type { ContentOptions } from '../../../content/options.ts';
import { cutExcerpt, EXCERPT_CHARS_MAX, firstParagraph } from '../../../content/document/excerpt.ts';
import { newFrontMatter } from '../../../content/front-matter/write.ts';
import type { MatterEntry, MatterValue } from '../../../content/front-matter/write.ts';
import { scanMarkdown } from '../../../content/markdown/markdown.ts';
import type { Placement, Preset } from '../../../content/presets/preset.ts';
import { same } from '../../../model/digest.ts';
import { fieldsOf, isStatus, nameFieldOf } from '../../../model/fields.ts';
import type { FieldValue, Fields } from '../../../model/fields.ts';
import { familyFrom, familyOf, pathOf, idKey } from '../../../model/key.ts';
import type { Family, Key } from '../../../model/key.ts';
import type { Fetched } from '../reading/read-records.ts';
import { folderOf } from '../../../text/path.ts';

/** How files are written; the settings of the run that will read them. */
export type Layout = Pick<
  ContentOptions,
  'assetsBaseUrl' | 'fields' | 'values' | 'defaults' | 'urls' | 'html' | 'defaultLanguage'
> & {
  readonly preset: Preset;
};

export interface FileContext {
  readonly layout: Layout;
  readonly familyOf: ReadonlyMap<string, Family>;
  /** Categories that have, or will have, a file in the default language. */
  readonly categories: ReadonlySet<Family>;
  /** The same record in the default language. */
  readonly originalOf: (record: Fetched) => Fetched | undefined;
}

/** Why no file can hold a record as it is; undefined where one can. */
export function unwritable(record: Fetched): string | undefined {
  const name = record.fields[nameFieldOf(record.kind)];
  if (typeof name !== 'string' || name.trim() === '') return `it has no ${nameFieldOf(record.kind)}`;
  const slug = record.fields['slug'];
  if (typeof slug !== 'string' || slug === '') return 'it has no slug';
  if (!isSlug(slug)) return `its slug ${JSON.stringify(slug)} cannot be one part of an address`;
  if (
    Object.values(record.fields).some((value) => typeof value === 'string' && /\p{Surrogate}/u.test(value))
  ) {
    return 'a field contains half a character (a lone surrogate)';
  }
  return undefined;
}

/** A word of the service's own, such as `archived`: a file that leaves it out would publish the page. */
export function oddStatus({ fields: { status } }: Fetched): string | undefined {
  if (status === undefined || status === null) return undefined;
  return isStatus(status)
    ? undefined
    : `its status is ${JSON.stringify(status)}; a file can say published or draft. Give it one of them on the site`;
}

/** Content refuses an excerpt that a create would not be allowed to send. */
export function longExcerpt({ fields }: Fetched): string | undefined {
  const { excerpt } = fields;
  return typeof excerpt === 'string' && excerpt.length > EXCERPT_CHARS_MAX
    ? `its excerpt has ${excerpt.length} characters; a file may have ${EXCERPT_CHARS_MAX}`
    : undefined;
}

/** A new file. What it would say by its place or by default is left out; an absent field is not ours from then on. */
export function newFile(
  record: Fetched,
  markdown: string,
  at: { readonly file: string; readonly key: Key },
  context: FileContext,
): string {
  const place = context.layout.preset.place(at.file);
  if (place.role !== 'document') throw new Error(`bug: ${at.file} is no document`);
  const values = newValues(record, markdown, place, context);
  const keys = authorKeys(record.kind, context.layout.fields);
  const entries = [...values].map(([field, value]): MatterEntry => [keys.get(field) ?? field, value]);
  const path = pathOf(familyOf(at.key));
  const named: readonly MatterEntry[] = place.path === path ? [] : [['translationKey', path]];
  return `${newFrontMatter([...entries, ...named])}${markdown === '' ? '' : `\n${markdown}`}`;
}

/** What a new file has to say, in the order in which people read it. */
export function newValues(
  record: Fetched,
  markdown: string,
  place: Extract<Placement, { readonly role: 'document' }>,
  context: FileContext,
): ReadonlyMap<string, MatterValue> {
  const values: Record<string, MatterValue | undefined> = { ...plainFields(record, place, context) };
  if (record.kind === 'article') {
    values['categories'] = categoriesFor(record, place.path, context);
    values['tags'] = tagsFor(record, context);
    const excerpt = record.fields['excerpt'];
    if (typeof excerpt === 'string' && isOwnExcerpt(excerpt, markdown)) values['excerpt'] = excerpt;
  }
  if (record.kind === 'category') values['categoryParent'] = parentFor(record, place.path, context);
  return new Map(
    [...fieldsOf(record.kind).keys()].flatMap((field) => {
      const value = values[field];
      return value === undefined ? [] : [[field, value] as const];
    }),
  );
}

/** A field's value in front matter's words; undefined where a reference leads to no record that has a file. */
export function writtenField(record: Fetched, field: string, context: FileContext): MatterValue | undefined {
  const value = record.fields[field] ?? null;
  const of = fieldsOf(record.kind).get(field)?.of;
  return of === undefined ? asWritten(value) : namesOf(value, of, context);
}

/** Families for the ids of a reference field; undefined when one is unknown. */
function namesOf(
  value: FieldValue,
  of: 'article' | 'category' | 'tag',
  { familyOf }: FileContext,
): MatterValue | undefined {
  if (value === null) return null;
  const ids = Array.isArray(value) ? value.map(String) : [String(value)];
  const names = ids.map((id) => familyOf.get(idKey(of, id)));
  const known = names.filter((family) => family !== undefined);
  if (known.length < names.length) return undefined;
  const paths = known.map(pathOf).sort();
  return Array.isArray(value) ? paths : (paths[0] ?? null);
}

function plainFields(
  { kind, fields }: Fetched,
  place: Extract<Placement, { readonly role: 'document' }>,
  { layout: { defaults } }: FileContext,
): Fields {
  const silent: Record<string, FieldValue> = {
    slug: place.defaultSlug,
    description: '',
    thumbnailUrl: null,
    iconUrl: null,
    seoBannerUrl: null,
    articleReviewDate: null,
    hideFromSearch: defaults.hideFromSearch ?? false,
    status: defaults.status ?? 'published',
    priority: place.ordering ?? 0,
    ordering: place.ordering ?? defaults.ordering ?? 0,
  };
  const left = new Set(['categories', 'tags', 'excerpt', 'categoryParent']);
  return Object.fromEntries(
    [...fieldsOf(kind).keys()].flatMap((field) => {
      const value = fields[field];
      if (value === undefined || left.has(field)) return [];
      const silence = silent[field];
      return silence !== undefined && same(value, silence) ? [] : [[field, asWritten(value)] as const];
    }),
  );
}

/** A day without a time of day, as people write it. */
function asWritten(value: FieldValue): FieldValue {
  return typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\d)T00:00:00\.000Z$/, '$1') : value;
}

function categoriesFor(record: Fetched, path: string, context: FileContext): MatterValue | undefined {
  const names = namesOf(record.fields['categories'] ?? [], 'category', context);
  if (names === undefined) return undefined;
  const original = context.originalOf(record);
  if (original !== undefined && original !== record) {
    return same(original.fields['categories'] ?? [], record.fields['categories'] ?? []) ? undefined : names;
  }
  const folder = folderCategory(path, context);
  const silence = folder === undefined ? [] : [pathOf(folder)];
  return same(names, silence) ? undefined : names;
}

function tagsFor(record: Fetched, context: FileContext): MatterValue | undefined {
  const tags = record.fields['tags'] ?? [];
  const names = namesOf(tags, 'tag', context);
  const original = context.originalOf(record);
  const silence = original === undefined || original === record ? [] : (original.fields['tags'] ?? []);
  return names === undefined || same(tags, silence) ? undefined : names;
}

function parentFor(record: Fetched, path: string, context: FileContext): MatterValue | undefined {
  const parent = record.fields['categoryParent'] ?? null;
  const name = namesOf(parent, 'category', context);
  const original = context.originalOf(record);
  if (original !== undefined && original !== record) {
    return same(original.fields['categoryParent'] ?? null, parent) ? undefined : name;
  }
  const folder = folderCategory(path, context);
  return name === undefined || same(name, folder === undefined ? null : pathOf(folder)) ? undefined : name;
}

/** The category that content takes for the folder of a file that is silent. */
function folderCategory(path: string, { categories }: FileContext): Family | undefined {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    const family = familyFrom('category', folder);
    if (categories.has(family)) return family;
  }
  return undefined;
}

/** The excerpt that a create would take from the text need not stand in the file; one that is too long cannot. */
function isOwnExcerpt(excerpt: string, markdown: string): boolean {
  if (excerpt === '' || excerpt.length > EXCERPT_CHARS_MAX) return false;
  return excerpt !== cutExcerpt(firstParagraph(scanMarkdown(markdown).rendered));
}

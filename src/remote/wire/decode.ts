import { canonicalFields } from '../../model/compare/canonical.ts';
import { bodyFieldOf } from '../../model/fields.ts';
import type { FieldValue, Fields, KnownFields } from '../../model/fields.ts';
import type { Kind } from '../../model/key.ts';
import type { KnownRecord } from '../../model/record.ts';
import { splitStamp } from '../../model/stamp.ts';
import { ID, recordIn, unreadable, type Reading } from './reply.ts';
import {
  entriesOf,
  flagOf,
  idOf,
  languageOf,
  numberOf,
  objectOf,
  onlyText,
  statusOf,
  textOf,
} from './values.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

/** A single read's answer, of any kind, in the words of the model. */
export interface Decoded {
  /** Of the record that was shown; a translation may have an id of its own. */
  readonly id: string;
  readonly language: string | null;
  readonly languageParent: string | null;
  /** Without those that the reply does not show. */
  readonly fields: Fields;
  readonly stamp?: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly openDraft?: string;
  /** When an article was edited last, as the reply writes it. */
  readonly lastEdited?: string;
  /** Readers see the stamp as text. */
  readonly isStampShown?: true;
}

const TEXT = 'a text';
const PARENT = {
  right: 'an id or null',
  because: 'kbsync tells an original from a translation by it',
} as const;

/**
 * Body field names, references as ids, the body without its stamp, every value in the canonical form of
 * model/canonical.ts: a remote null is `''` for a text or body, null for an address, parent or date, `false` for
 * `hideFromSearch`, 0 for an ordering. The desired side uses the same function, so a value the author clears (`''` or
 * null) equals one the service never had. What is read of a reply, and what each other spelling means, is the table
 * "What the client needs" in docs/reference/gaps.md. `leavesOut`: fields that this service leaves out where they are empty, as
 * `article.excerpt`. Throws `not-understood` for a reply without what tells which record it is.
 */
export function decode(
  kind: Kind,
  reply: JsonObject,
  reading: Reading,
  leavesOut: readonly string[] = [],
): Decoded {
  const data = recordIn(reply, reading);
  const id = idOf(data['id']);
  if (id === undefined) throw unreadable({ field: 'data.id', found: data['id'], ...ID }, reading);
  const languageParent = parentOf(data['language_parent']);
  if (languageParent === undefined)
    throw unreadable({ field: 'data.language_parent', found: data['language_parent'], ...PARENT }, reading);
  const shown: Shown = { data, reply, reading, leavesNullsOut: !Object.values(data).includes(null) };
  const raw = { ...emptyFields(kind, leavesOut), ...readFields(kind, shown) };
  const bodyName = bodyFieldOf(kind);
  const body = raw[bodyName];
  const split = typeof body === 'string' ? splitStamp(body) : undefined;
  const lastEdited = kind === 'article' ? lastEditedOf(data) : undefined;
  const openDraft = kind === 'article' ? idOf(objectOf(reply['isDraft'])?.['id']) : undefined;
  return {
    id,
    language: languageOf(data['language']) ?? null,
    languageParent,
    fields: canonicalFields(kind, split === undefined ? raw : { ...raw, [bodyName]: split.body }),
    ...(split?.stamp === undefined ? {} : { stamp: split.stamp }),
    ...(split?.isShown === true ? { isStampShown: true } : {}),
    ...(lastEdited === undefined ? {} : { lastEdited }),
    labels: kind === 'article' ? labelsOf(reply) : new Map(),
    // The API may name the record itself as its draft; only another record is a copy in which an edit would be lost.
    ...(openDraft !== undefined && openDraft !== id ? { openDraft } : {}),
  };
}

interface Shown {
  readonly data: JsonObject;
  readonly reply: JsonObject;
  readonly reading: Reading;
  /** A record nearly always has some empty value; one without any null is of a service that leaves them out. */
  readonly leavesNullsOut: boolean;
}

/** undefined: the reply does not show it, which is not the same as "empty". */
type Read = FieldValue | undefined;

function readFields(kind: Kind, shown: Shown): Fields {
  switch (kind) {
    case 'article':
      return known({
        title: neededText('name', shown, 'kbsync compares it with the title in the file'),
        slug: neededText('slug', shown, SLUG),
        categories: relations('article_relationships', 'category_id', 'categories', shown),
        tags: relations('tags_relationship', 'tag_id', 'tags', shown),
        excerpt: optional('excerpt', textOf, shown),
        ordering: optional('order_by', numberOf, shown),
        status: optional('status', statusOf, shown),
        hideFromSearch: optional('hide_from_search', flagOf, shown),
        seoBannerUrl: optional('seo_banner_url', textOf, shown),
        articleReviewDate: optional('article_review_date', onlyText, shown),
        content: neededText('content', shown, 'kbsync compares it with the text in the file'),
      });
    case 'category':
      return known({
        name: neededText('name', shown, 'kbsync compares it with the name in the file'),
        slug: neededText('slug', shown, SLUG),
        priority: optional('order_by', numberOf, shown),
        categoryParent: optional('parent_id', parentOf, shown),
        description: optional('description', textOf, shown),
        thumbnailUrl: optional('thumbnail_url', textOf, shown),
        iconUrl: optional('icon_url', textOf, shown),
        longDescription: optional('long_description', onlyText, shown),
      });
    case 'tag':
      return known({
        name: neededText('name', shown, 'kbsync compares it with the name in the file'),
        slug: neededText('slug', shown, SLUG),
        description: optional('description', textOf, shown),
        longDescription: optional('long_description', onlyText, shown),
      });
  }
}

/** What was read before it was known which fields the service leaves out where they are empty. */
export function withEmptyFields(kind: Kind, fields: KnownFields, leavesOut: readonly string[]): KnownFields {
  return { ...canonicalFields(kind, emptyFields(kind, leavesOut)), ...fields };
}

function emptyFields(kind: Kind, leavesOut: readonly string[]): Fields {
  const names = leavesOut.flatMap((name) =>
    name.startsWith(`${kind}.`) ? [name.slice(kind.length + 1)] : [],
  );
  return Object.fromEntries(names.map((name) => [name, null]));
}

const SLUG = 'kbsync finds the record of a new file by its slug';

function known(fields: Readonly<Record<string, Read>>): Fields {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

function neededText(name: string, shown: Shown, because: string): string {
  const value = optional(name, textOf, shown);
  if (value === undefined)
    throw unreadable({ field: `data.${name}`, found: shown.data[name], right: TEXT, because }, shown.reading);
  return value ?? '';
}

function optional<T extends FieldValue>(
  name: string,
  read: (value: unknown) => T | undefined,
  { data, leavesNullsOut }: Shown,
): T | null | undefined {
  const value = data[name];
  if (value === null || value === '') return null;
  if (value === undefined) return leavesNullsOut ? null : undefined;
  return read(value);
}

/** The id of a record above; null: none. */
function parentOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return null;
  return idOf(value) ?? idOf(objectOf(value)?.['id']);
}

/** Ids of categories or tags: as the record links them, else as they stand beside it with their labels. */
function relations(
  name: string,
  member: string,
  beside: string,
  shown: Shown,
): readonly string[] | undefined {
  const { data, reply } = shown;
  const linked = data[name] === undefined ? undefined : idsIn(data[name], member);
  const labelled = reply[beside] === undefined ? undefined : idsIn(reply[beside], 'value');
  // An empty list is a statement; a null beside labels is none.
  const isSaid = Array.isArray(data[name]) || linked?.length !== 0 || (labelled ?? []).length === 0;
  // One link without its list may be the first of those that stand beside it.
  const isFirst = !Array.isArray(data[name]) && linked?.length === 1;
  if (isFirst && labelled !== undefined && linked.every((id) => labelled.includes(id))) return labelled;
  if (linked !== undefined && isSaid) return linked;
  // An empty list beside links that cannot be read is no proof that there are none.
  if (labelled !== undefined && (data[name] === undefined || labelled.length > 0)) return labelled;
  const isLeftOut = data[name] === undefined && reply[beside] === undefined;
  return isLeftOut && leavesEmptyListsOut(shown) ? [] : undefined;
}

function idsIn(value: unknown, member: string): readonly string[] | undefined {
  const entries = entriesOf(value, (entry) => isJsonObject(entry) && member in entry);
  const ids = entries?.map((entry) => (isJsonObject(entry) ? idOf(entry[member]) : undefined));
  return ids?.every((id) => id !== undefined) === true ? ids : undefined;
}

/** Single reads write the name with a capital D, lists with a small one. */
function lastEditedOf(data: JsonObject): string | undefined {
  return textOf(data['last_edited_Date']) ?? textOf(data['last_edited_date']);
}

function leavesEmptyListsOut({ data, reply }: Shown): boolean {
  return ![...Object.values(data), ...Object.values(reply)].some(
    (value) => Array.isArray(value) && value.length === 0,
  );
}

function labelsOf(reply: JsonObject): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const name of ['categories', 'tags']) {
    for (const entry of entriesOf(reply[name], isJsonObject) ?? []) {
      if (!isJsonObject(entry)) continue;
      const [id, label] = [idOf(entry['value']), textOf(entry['label'])];
      if (id !== undefined && label !== undefined) labels.set(id, label);
    }
  }
  return labels;
}

/** Whether the reply shows a copy for a language that does not exist yet. */
export function isNewVersion(reply: JsonObject): boolean {
  return flagOf(reply['newVersion']) === true;
}

/** `lang` is the language asked for; `id` the one the record was asked by, which edits address. */
export function knownRecord(
  decoded: Decoded,
  asked: {
    readonly kind: Kind;
    readonly id: string;
    readonly lang: string;
    readonly etag: string | undefined;
  },
  { readAtMs, tookMs }: { readonly readAtMs: number; readonly tookMs: number | undefined },
): KnownRecord {
  const { fields, stamp, labels, openDraft } = decoded;
  return {
    kind: asked.kind,
    id: asked.id,
    ownId: decoded.id,
    lang: asked.lang,
    fields,
    labels,
    readAtMs,
    ...(tookMs === undefined ? {} : { tookMs }),
    ...(stamp === undefined ? {} : { stamp }),
    ...(openDraft === undefined ? {} : { openDraft }),
    ...(asked.etag === undefined ? {} : { etag: asked.etag }),
  };
}

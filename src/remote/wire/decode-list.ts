import { HEADERS } from '../../contract/headers.ts';
import { fingerprint } from '../../model/compare/fingerprint.ts';
import type { ListView } from '../../model/compare/fingerprint.ts';
import type { Kind } from '../../model/key.ts';
import { UNDETERMINED } from '../../model/language.ts';
import type { ListedRecord } from '../../model/record.ts';
import type { Answer } from '../http/answer.ts';
import type { RemoteList } from '../remote.ts';
import { ID, rowsOf, notUnderstood, unreadable, type Reading } from './reply.ts';
import {
  entriesOf,
  idOf,
  isNone,
  languageOf,
  numberOf,
  objectOf,
  statusOf,
  textOf,
  isDeleted,
} from './values.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

/**
 * A list in the words of the model. What is read of it, and what each other spelling means, is the table "What the client
 * needs" in docs/reference/gaps.md. Throws `not-understood` for what is not a list, and for a row without an id: absence is read from
 * lists, so a row that could be any record leaves everything open.
 */
export function decodeList(kind: Kind, { value, headers }: Answer, reading: Reading): RemoteList {
  const rows = rowsOf(value, reading);
  const items = new Map<string, ListedRecord>();
  const inLanguages = new Map<string, readonly RowInLanguage[]>();
  const articleIds = new Set<string>();
  const tellsUse = kind !== 'article' && rows.some((row) => row[USE_FIELD[kind]] !== undefined);
  for (const row of rows) {
    const id = idOf(row['id']);
    if (id === undefined)
      throw unreadable({ field: `data[${rows.indexOf(row)}].id`, found: row['id'], ...ID }, reading);
    if (isDeleted(row)) continue;
    if (kind === 'tag') addArticles(row, articleIds);
    const item = listed(kind, id, viewOf(kind, row, tellsUse));
    const language = languageOf(row['language']);
    if (language !== undefined) {
      inLanguages.set(id, [...(inLanguages.get(id) ?? []), { item, language }]);
      continue;
    }
    const before = items.get(id);
    items.set(id, before === undefined ? item : merged(before, item, reading));
  }
  for (const [id, each] of inLanguages) items.set(id, original(items.get(id), each, reading));
  const languages = kind === 'category' ? undefined : languagesOf(value['languages']);
  const limit = kind === 'article' ? numberOf(value['limit']) : undefined;
  const timezone = kind === 'article' ? textOf(value['timezone']) : undefined;
  const total = headers[HEADERS.totalCount.toLowerCase()];
  const defaultLanguage = languageOf(headers[HEADERS.defaultLanguage.toLowerCase()]);
  return {
    items: [...items.values()],
    rows: rows.length,
    ...(limit === undefined ? {} : { limit }),
    ...(total !== undefined && /^\d{1,9}$/.test(total) ? { total: Number(total) } : {}),
    ...(languages === undefined ? {} : { languages }),
    ...(defaultLanguage === undefined ? {} : { defaultLanguage }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(kind === 'tag' ? { articleIds: [...articleIds] } : {}),
  };
}

const TRANSLATIONS = {
  article: 'other_articles',
  category: 'other_categories_categories_language_parentTocategories',
  tag: 'other_tags',
} as const;

export const USE_FIELD = { category: 'article_relationships', tag: 'tag_relationship' } as const;

function viewOf(kind: Kind, row: JsonObject, tellsUse: boolean): ListView {
  const name = textOf(row['name']) ?? '';
  const languages = translationsOf(row[TRANSLATIONS[kind]]);
  switch (kind) {
    case 'article':
      return {
        name,
        languages,
        status: statusOf(row['status']) ?? '',
        lastEdited: textOf(row['last_edited_date']) ?? textOf(row['last_edited_Date']) ?? '',
      };
    case 'category':
      return {
        name,
        languages,
        ordering: numberOf(row['order_by']) ?? 0,
        parentName: parentNameOf(row['other_categories_categories_parent_idTocategories']),
        ...useOf(row[USE_FIELD.category], tellsUse),
      };
    case 'tag': {
      const slug = textOf(row['slug']);
      const use = useOf(row[USE_FIELD.tag], tellsUse);
      return slug === undefined ? { name, languages, ...use } : { name, languages, slug, ...use };
    }
  }
}

/** Any entry is a use. A list without entries for any record leaves it open. */
function useOf(value: unknown, isTold: boolean): Pick<ListView, 'inUse'> {
  return isTold ? { inUse: !isNone(value) } : {};
}

function parentNameOf(value: unknown): string {
  return textOf(objectOf(value)?.['name']) ?? textOf(value) ?? '';
}

/** Language codes, sorted, each once. */
function translationsOf(value: unknown): readonly string[] {
  const entries = entriesOf(value, isLanguage) ?? [undefined];
  if (entries.length === 0) return NONE;
  const codes = entries.map((entry) => namedLanguage(entry) ?? UNDETERMINED);
  return codes.length === 1 ? codes : [...new Set(codes)].sort();
}

const NONE: readonly string[] = [];

/** `{language: "fr"}`, or the code alone. */
function namedLanguage(entry: unknown): string | undefined {
  return languageOf(isJsonObject(entry) ? entry['language'] : entry);
}

function isLanguage(entry: unknown): boolean {
  return namedLanguage(entry) !== undefined;
}

/** The languages that the knowledge base names; undefined when it names none that can be read. */
function languagesOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry) => namedLanguage(entry) ?? []);
}

function addArticles(row: JsonObject, ids: Set<string>): void {
  for (const entry of entriesOf(row[USE_FIELD.tag], isLink) ?? NONE) {
    const id = isJsonObject(entry) ? idOf(entry['article_id']) : undefined;
    if (id !== undefined) ids.add(id);
  }
}

function isLink(entry: unknown): boolean {
  return isJsonObject(entry) && idOf(entry['article_id']) !== undefined;
}

function listed(kind: Kind, id: string, view: ListView): ListedRecord {
  const { name, slug, languages } = view;
  return {
    kind,
    id,
    name,
    languages,
    view,
    seen: fingerprint(kind, view),
    ...(slug === undefined ? {} : { slug }),
  };
}

interface RowInLanguage {
  readonly item: ListedRecord;
  readonly language: string;
}

/**
 * A service that knows all languages of a record by one id may list a row for each: the one that names no language is the
 * original. Where every row names one, they are rows like any other.
 */
function original(
  own: ListedRecord | undefined,
  rows: readonly RowInLanguage[],
  reading: Reading,
): ListedRecord {
  if (own === undefined)
    return rows.map(({ item }) => item).reduce((before, item) => merged(before, item, reading));
  const named = new Set([...own.languages, ...rows.map(({ language }) => language)]);
  const inUse = [own, ...rows.map(({ item }) => item)].some(({ view }) => view.inUse === true);
  const view = { ...own.view, languages: [...named].sort() };
  return listed(own.kind, own.id, inUse ? { ...view, inUse } : view);
}

/**
 * One record of two rows: a service that joins tables shows a record once for each article in it, or for each
 * translation. Rows that say two things of it are no join.
 */
function merged(one: ListedRecord, other: ListedRecord, { request, clean }: Reading): ListedRecord {
  const languages = [...new Set([...one.languages, ...other.languages])].sort();
  const inUse = one.view.inUse === true || other.view.inUse === true;
  const view = { ...one.view, languages, ...(one.view.inUse === undefined ? {} : { inUse }) };
  const record = listed(one.kind, one.id, view);
  const again = listed(one.kind, one.id, { ...other.view, languages });
  if (record.seen === again.seen) return record;
  throw notUnderstood(
    request,
    `the id ${clean(one.id)} is in the list twice, with different values; each record must be there once, because ` +
      'kbsync cannot tell which of them is true',
    'data[].id',
  );
}

import { digestOfText } from '../../../model/digest.ts';
import { idText, parsedJson, said, text } from '../../text/json-values.ts';
import type { InputText, Skipped, SourcePlace } from '../../record.ts';
import { isJsonObject, type JsonObject } from '../../../text/json-value.ts';

/** A record of the API as it was found. */
export interface Item {
  readonly value: JsonObject;
  readonly at: SourcePlace;
  /** Ids of what it is nested in. */
  readonly inside: { readonly category?: string | undefined; readonly section?: string | undefined };
}

export interface Found {
  readonly articles: Item[];
  readonly sections: Item[];
  readonly categories: Item[];
  readonly translations: Item[];
  /** The whole help centre asks for a sign-in. */
  isClosed: boolean;
}

const LISTS = ['articles', 'sections', 'categories', 'translations'] as const;
const SINGLE = {
  article: 'articles',
  section: 'sections',
  category: 'categories',
  translation: 'translations',
} as const;

/** Takes all that a file holds; what cannot be used is skipped. */
export function readFile({ path, text: source }: InputText, found: Found, skipped: Skipped[]): void {
  const parsed = parsedJson(path, source);
  if ('skipped' in parsed) return void skipped.push(parsed.skipped);
  const count = (): number => LISTS.reduce((sum, name) => sum + found[name].length, 0);
  const before = count();
  collect(parsed.value, { file: path, where: '' }, found, skipped);
  if (count() > before) return;
  skipped.push({
    at: { file: path, where: 'file' },
    what: 'file',
    reason: 'kind',
    why: 'there are no articles, sections, categories or translations in it',
  });
}

/** Answers of the API, one or a list of `{url, response}`, or records without a list around them. */
function collect(value: unknown, at: SourcePlace, found: Found, skipped: Skipped[]): void {
  if (Array.isArray(value)) {
    value.forEach((each: unknown, index) => {
      const place = { ...at, where: `${at.where}[${index}]` };
      if (!isJsonObject(each)) return;
      if (isJsonObject(each['response']))
        return collect(each['response'], { ...place, where: `${place.where}.response` }, found, skipped);
      const list = listOf(each);
      if (list !== undefined) add(each, place, list, { found, skipped, inside: {} });
    });
    return;
  }
  if (!isJsonObject(value)) return;
  const preferences = inner(inner(inner(value, 'help_center'), 'settings'), 'preferences');
  if (isJsonObject(preferences) && preferences['sign_in_required'] === true) found.isClosed = true;
  for (const list of LISTS) items(value[list], { ...at, where: list }, list, { found, skipped, inside: {} });
  for (const [name, list] of Object.entries(SINGLE)) {
    const each = value[name];
    if (isJsonObject(each)) add(each, { ...at, where: name }, list, { found, skipped, inside: {} });
  }
}

interface Around {
  readonly found: Found;
  readonly skipped: Skipped[];
  readonly inside: Item['inside'];
}

function items(value: unknown, at: SourcePlace, list: (typeof LISTS)[number], around: Around): void {
  if (!Array.isArray(value)) return;
  value.forEach((each: unknown, index) => {
    const place = { ...at, where: `${at.where}[${index}]` };
    if (isJsonObject(each)) add(each, place, list, around);
    else if (typeof each !== 'number') {
      around.skipped.push({ at: place, what: 'item', reason: 'broken', why: 'it is not an object' });
    }
  });
}

function add(value: JsonObject, at: SourcePlace, list: (typeof LISTS)[number], around: Around): void {
  const { found, inside } = around;
  found[list].push({ value, at, inside });
  const below = (name: string): SourcePlace => ({ ...at, where: `${at.where}.${name}` });
  if (list === 'categories') {
    const category = idOf(value, '');
    items(value['sections'], below('sections'), 'sections', { ...around, inside: { category } });
  }
  if (list === 'sections') {
    const category = inside.category ?? idText(value['category_id']);
    const section = idOf(value, category ?? '');
    items(value['articles'], below('articles'), 'articles', { ...around, inside: { category, section } });
  }
}

/** What a record without a list around it is, by the fields that only this kind has. */
function listOf(value: JsonObject): (typeof LISTS)[number] | undefined {
  if ('source_type' in value) return 'translations';
  if ('section_id' in value || ('body' in value && 'title' in value)) return 'articles';
  if ('category_id' in value) return 'sections';
  return 'name' in value && /\/categories\//.test(text(value['html_url'])) ? 'categories' : undefined;
}

/** Apps keep records without ids: what they say makes one then. */
export function idOf(value: JsonObject, scope: string): string {
  return idText(value['id']) ?? digestOfText(`${scope} ${titleOf(value)}`).slice(0, 8);
}

export function titleOf(value: JsonObject): string {
  return said(value['title']) ?? text(value['name']);
}

function inner(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

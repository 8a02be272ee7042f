import { HEADERS } from '../../contract/headers.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';
import type { Answer } from '../http/answer.ts';
import { lettersOf } from '../http/field-names.ts';
import type { More } from '../remote.ts';
import { flagOf, numberOf, textOf } from './values.ts';
import { urlOf } from '../../text/url.ts';

export interface PageSigns {
  /** The query of the address at which the list goes on: `?page=2`. */
  readonly next?: string;
  /** How many records there are in all. */
  readonly count?: number;
  /** There is more than the answer holds, and it names no address of it. */
  readonly more?: More;
  /**
   * The query that such services know, made of a page number, an offset or a cursor that the answer tells: `?page=2`. A service that does
   * not know it answers with the rows of before, or refuses it.
   */
  readonly guess?: string;
  /** Nothing but the number of records says that there is more: most services that cut a list know `?page=2`. */
  readonly isOnlyCounted?: true;
  /** It has a place for the address of a next page and leaves it empty, and counts the rows that it shows: there is no more. */
  readonly isWhole?: true;
}

/** What was read of the list before this answer. */
export interface ReadBefore {
  readonly pages: number;
  readonly rows: number;
}

const NOTHING_READ: ReadBefore = { pages: 0, rows: 0 };

interface Named {
  readonly name: string;
  readonly value: unknown;
}

/** An answer says so beside its rows, or in one of these (JSON:API, HAL, Laravel, Strapi, Spring, Drupal, Intercom, Zendesk). */
const PLACES = names('meta metadata pagination paginator pager paging page pages page_info links');
const DEPTH_MAX = 3;

const NEXT = names('next next_page next_page_url next_url next_link @odata.nextLink');
const CURSOR = names('next_cursor next_page_token next_token');
const MORE = names('has_more has_next has_next_page');
const LAST = names('last');
const COUNT = names(
  'total total_count total_records total_results total_items total_entries total_elements count',
);
const PAGES = names('total_pages page_count last_page pages');
const PAGE = names('page current_page page_number number');

/** The same in headers: WordPress, GitLab, Yii. */
const IN_HEADERS: ReadonlyMap<string, string> = new Map([
  ['X-WP-Total', 'total'],
  ['X-Total', 'total'],
  ['X-Pagination-Total-Count', 'total'],
  ['X-WP-TotalPages', 'total_pages'],
  ['X-Total-Pages', 'total_pages'],
  ['X-Pagination-Page-Count', 'total_pages'],
  ['X-Page', 'page'],
  ['X-Pagination-Current-Page', 'page'],
]);

/** Where a page begins, and the parameter of that name. */
const OFFSET = names('offset skip start start_at');
/** The parameter that takes a cursor. */
const CURSOR_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['next_cursor', 'cursor'],
  ['nextCursor', 'cursor'],
  ['next_page_token', 'page_token'],
  ['nextPageToken', 'pageToken'],
]);

/**
 * What an answer says of further pages of its list, in the words of common services. The API text knows no pages, and a
 * client that takes one page for the list would make anew what the others show.
 */
export function pageSigns(
  { value, headers }: Pick<Answer, 'value' | 'headers'>,
  path: string,
  before = NOTHING_READ,
): PageSigns {
  const told = [...placesIn(value).flatMap(named), ...inHeaders(headers)];
  const rows = entryCount(value['data']);
  const goesOn = told.filter(({ name, value: each }) => NEXT.has(lettersOf(name)) && isTold(each));
  const addresses = [linkedNext(headers['link'] ?? ''), ...goesOn.map(({ value: each }) => addressIn(each))];
  const next = addresses.map((address) => queryOf(address, path)).find((query) => query !== undefined);
  const counted = numberIn(told, COUNT);
  const header = headers[HEADERS.totalCount.toLowerCase()];
  const count = header === undefined ? counted?.number : numberOf(header);
  const counts = count === undefined ? {} : { count };
  if (next !== undefined) return { next, ...counts };
  const more = moreIn({ told, goesOn, rows, before });
  const isRowLeft = count !== undefined && rows > 0 && before.rows + rows < count;
  const isOnlyCounted = isRowLeft && more.guess === undefined && more.more?.isCertain !== true;
  const isEnd = told.some(({ name, value: each }) => NEXT.has(lettersOf(name)) && !isTold(each));
  const isWhole = isEnd && more.more === undefined && count === before.rows + rows;
  const guess = isOnlyCounted ? { guess: queryWith('page', before.pages + 2), isOnlyCounted } : {};
  return { ...more, ...guess, ...counts, ...(isWhole ? { isWhole } : {}) };
}

function named(place: JsonObject): readonly Named[] {
  return Object.entries(place).map(([name, value]) => ({ name, value }));
}

/** Whether headers tell of pages, so an answer with the bytes of before may have another page behind it. */
export function hasPageHeaders(headers: Answer['headers']): boolean {
  return headers['link'] !== undefined || inHeaders(headers).length > 0;
}

function inHeaders(headers: Answer['headers']): readonly Named[] {
  return [...IN_HEADERS].flatMap(([header, name]) => {
    const value = headers[header.toLowerCase()];
    return value === undefined ? [] : [{ name, value }];
  });
}

/** PHP writes a list as an object once an entry was taken out of it. */
function entryCount(data: unknown): number {
  if (Array.isArray(data)) return data.length;
  return isJsonObject(data) ? Object.keys(data).length : 0;
}

interface Told {
  readonly told: readonly Named[];
  readonly goesOn: readonly Named[];
  readonly rows: number;
  readonly before: ReadBefore;
}

function moreIn({ told, goesOn, rows, before }: Told): Pick<PageSigns, 'more' | 'guess'> {
  const cursor = told.find(({ name, value }) => CURSOR.has(lettersOf(name)) && isTold(value));
  const sign =
    goesOn[0] ??
    told.find(({ name, value }) => MORE.has(lettersOf(name)) && flagOf(value) === true) ??
    cursor ??
    told.find(({ name, value }) => LAST.has(lettersOf(name)) && value === false);
  const pages = numberIn(told, PAGES);
  const isPageLeft = pages !== undefined && before.pages + 1 < pages.number;
  const counted = numberIn(told, COUNT);
  const isRowLeft = counted !== undefined && rows > 0 && before.rows + rows < counted.number;
  const offset = told.find(
    ({ name, value }) => OFFSET.has(lettersOf(name)) && numberOf(value) === before.rows,
  );
  const query =
    (isPageLeft ? nextPage(numberIn(told, PAGE)?.number, before) : undefined) ??
    (isRowLeft && offset !== undefined ? queryWith(offset.name, before.rows + rows) : cursorQuery(cursor));
  const guess = query === undefined ? {} : { guess: query };
  if (sign !== undefined) return { more: { why: saying(sign), isCertain: true }, ...guess };
  if (isPageLeft) return { more: { why: `${pages.name} is ${pages.number}`, isCertain: true }, ...guess };
  if (counted === undefined || counted.number <= rows) return {};
  return { more: { why: `${counted.name} is ${counted.number}`, isCertain: false }, ...guess };
}

/** Services number pages from 0 or from 1, or do not say. Any other number is no page's, or this is not the page that was asked for. */
function nextPage(told: number | undefined, { pages }: ReadBefore): string | undefined {
  const number = told ?? pages + 1;
  return number === pages || number === pages + 1 ? queryWith('page', number + 1) : undefined;
}

function cursorQuery(cursor: Named | undefined): string | undefined {
  const parameter = CURSOR_PARAMETERS.get(cursor?.name ?? '');
  const text = textOf(cursor?.value);
  return parameter === undefined || text === undefined ? undefined : queryWith(parameter, text);
}

function queryWith(parameter: string, value: string | number): string {
  return `?${new URLSearchParams({ [parameter]: `${value}` }).toString()}`;
}

function saying({ name, value }: Named): string {
  return typeof value === 'boolean' ? `${name} is ${value}` : `it names ${name}`;
}

function placesIn(value: JsonObject, depth = 0): readonly JsonObject[] {
  const inner = Object.entries(value).flatMap(([name, each]) =>
    PLACES.has(lettersOf(name)) && isJsonObject(each) && depth < DEPTH_MAX ? placesIn(each, depth + 1) : [],
  );
  return [value, ...inner];
}

function numberIn(
  told: readonly Named[],
  wanted: ReadonlySet<string>,
): { readonly name: string; readonly number: number } | undefined {
  for (const { name, value } of told) {
    const number = wanted.has(lettersOf(name)) ? numberOf(value) : undefined;
    if (number !== undefined) return { name, number };
  }
  return undefined;
}

/** Whether there is something: null, false, 0 and an empty text say that there is nothing. */
function isTold(value: unknown): boolean {
  return isJsonObject(value) ? Object.keys(value).length > 0 : !NOTHING.has(textOf(value) ?? '');
}

const NOTHING: ReadonlySet<string> = new Set(['', '0', 'null', 'false']);

/** An address as text, or as HAL (`href`) and JSON:API write it. */
function addressIn(value: unknown): string | undefined {
  const text = textOf(isJsonObject(value) ? (value['href'] ?? value['link'] ?? value['url']) : value);
  return text !== undefined && /^(?:https?:\/\/|\/|\?)/.test(text) ? text : undefined;
}

/** `Link: </api/v2/articles?page=2>; rel="next"` (RFC 8288) */
function linkedNext(header: string): string | undefined {
  for (const [, address = '', parameters = ''] of header.matchAll(/<([^<>]*)>([^<>]*)/g))
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters)) return address;
  return undefined;
}

/**
 * Only the query is taken of an address, so the key goes to no other host: behind a proxy, services name hosts and schemes that
 * the world does not see. Undefined: it is no address of this list.
 */
function queryOf(address: string | undefined, path: string): string | undefined {
  const own = `http://localhost${path}`;
  const url = address === undefined ? undefined : urlOf(address, own);
  if (url === undefined) return undefined;
  const { pathname, search } = url;
  const isOfList = pathname.replace(/\/$/, '').endsWith(path.slice(path.lastIndexOf('/')));
  return isOfList && search.length > 1 ? search : undefined;
}

/** However a service spells them. */
function names(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(lettersOf));
}

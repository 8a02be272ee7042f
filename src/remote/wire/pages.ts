import { HEADERS } from '../../contract/headers.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';
import type { Answer } from '../http/answer.ts';
import type { More } from '../remote.ts';
import { flagOf, numberOf, textOf } from './values.ts';

export interface PageSigns {
  /** The query of the address at which the list goes on: `?page=2`. */
  readonly next?: string;
  /** How many records there are in all. */
  readonly count?: number;
  /** There is more than the answer holds, and it names no address of it. */
  readonly more?: More;
}

interface Named {
  readonly name: string;
  readonly value: unknown;
}

/** An answer says so beside its rows, or in one of these (JSON:API, HAL, Laravel, Strapi, Spring, Intercom, Zendesk). */
const PLACES: ReadonlySet<string> = new Set(
  'meta metadata _meta pagination paging page pages page_info pageInfo links _links'.split(' '),
);
const DEPTH_MAX = 3;

const NEXT = names(
  'next next_page nextPage next_page_url nextPageUrl next_url nextUrl next_link nextLink @odata.nextLink',
);
const CURSOR = names('next_cursor nextCursor next_page_token nextPageToken next_token nextToken');
const MORE = names('has_more hasMore has_next hasNext has_next_page hasNextPage');
const COUNT = names(
  'total total_count totalCount total_records totalRecords total_results totalResults total_items totalItems ' +
    'total_entries totalEntries total_elements totalElements count',
);
const PAGES = names('total_pages totalPages page_count pageCount last_page lastPage pages');
const PAGE = names('page current_page currentPage page_number pageNumber');

/**
 * What an answer says of further pages of its list, in the words of common services. The API text knows no pages, and a
 * client that takes one page for the list would make anew what the others show.
 */
export function pageSigns({ value, headers }: Pick<Answer, 'value' | 'headers'>, path: string): PageSigns {
  const told = placesIn(value).flatMap((place) =>
    Object.entries(place).map(([name, each]) => ({ name, value: each })),
  );
  const rows = entryCount(value['data']);
  const goesOn = told.filter(({ name, value: each }) => NEXT.has(name) && isTold(each));
  const addresses = [linkedNext(headers['link'] ?? ''), ...goesOn.map(({ value: each }) => addressIn(each))];
  const next = addresses.map((address) => queryOf(address, path)).find((query) => query !== undefined);
  const counted = numberIn(told, COUNT);
  const header = headers[HEADERS.totalCount.toLowerCase()];
  const count = header === undefined ? counted?.number : numberOf(header);
  return {
    ...(next === undefined ? moreIn(told, goesOn, rows) : { next }),
    ...(count === undefined ? {} : { count }),
  };
}

/** PHP writes a list as an object once an entry was taken out of it. */
function entryCount(data: unknown): number {
  if (Array.isArray(data)) return data.length;
  return isJsonObject(data) ? Object.keys(data).length : 0;
}

function moreIn(told: readonly Named[], goesOn: readonly Named[], rows: number): Pick<PageSigns, 'more'> {
  const sign =
    goesOn[0] ??
    told.find(({ name, value }) => MORE.has(name) && flagOf(value) === true) ??
    told.find(({ name, value }) => CURSOR.has(name) && isTold(value)) ??
    told.find(({ name, value }) => name === 'last' && value === false);
  if (sign !== undefined) return { more: { why: saying(sign), isCertain: true } };
  const pages = numberIn(told, PAGES);
  if (pages !== undefined && pages.number > 1 && (numberIn(told, PAGE)?.number ?? 1) < pages.number)
    return { more: { why: `${pages.name} is ${pages.number}`, isCertain: true } };
  const counted = numberIn(told, COUNT);
  if (counted === undefined || counted.number <= rows) return {};
  return { more: { why: `${counted.name} is ${counted.number}`, isCertain: false } };
}

function saying({ name, value }: Named): string {
  return typeof value === 'boolean' ? `${name} is ${value}` : `it names ${name}`;
}

function placesIn(value: JsonObject, depth = 0): readonly JsonObject[] {
  const inner = Object.entries(value).flatMap(([name, each]) =>
    PLACES.has(name) && isJsonObject(each) && depth < DEPTH_MAX ? placesIn(each, depth + 1) : [],
  );
  return [value, ...inner];
}

function numberIn(
  told: readonly Named[],
  wanted: ReadonlySet<string>,
): { readonly name: string; readonly number: number } | undefined {
  for (const { name, value } of told) {
    const number = wanted.has(name) ? numberOf(value) : undefined;
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
  if (address === undefined || !URL.canParse(address, own)) return undefined;
  const { pathname, search } = new URL(address, own);
  const isOfList = pathname.replace(/\/$/, '').endsWith(path.slice(path.lastIndexOf('/')));
  return isOfList && search.length > 1 ? search : undefined;
}

function names(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

import { isJsonObject, type JsonObject } from '../../text/json-value.ts';
import { RemoteError } from '../error.ts';
import type { CleanText } from '../http/clean-text.ts';
import { objectOf } from './values.ts';

/** Of a row of the lists, of a single read and of the tools alike. */
export const ID = {
  right: 'a text or a whole number',
  because: 'kbsync knows a record by its id',
} as const;

const ROWS = {
  right: 'a list of objects',
  because: 'kbsync reads from it which records there are and which are gone',
} as const;

/** Never an empty list for something that is not a list: a record that no list names counts as gone. */
export function rowsOf(value: JsonObject, reading: Reading): readonly JsonObject[] {
  const { data: found } = value;
  const data = isNumbered(found) ? Object.values(found) : found;
  if (!Array.isArray(data)) throw unreadable({ field: 'data', found, ...ROWS }, reading);
  const wrong = data.findIndex((row) => !isJsonObject(row));
  if (wrong >= 0) throw unreadable({ field: `data[${wrong}]`, found: data[wrong], ...ROWS }, reading);
  // Each of them was looked at.
  return data as readonly JsonObject[];
}

/** PHP writes a list so once an entry was taken out of it. An empty object is no proof that there are none. */
function isNumbered(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name));
}

const RECORD = { right: 'an object', because: 'it is the record that was asked for' } as const;

/** The record of a single read, also where it comes as a list of one. */
export function recordIn(reply: JsonObject, reading: Reading): JsonObject {
  const data = objectOf(reply['data']);
  if (data === undefined) throw unreadable({ field: 'data', found: reply['data'], ...RECORD }, reading);
  return data;
}

/** Of which reply a field is read, and how text of the service is made fit to be shown. */
export interface Reading {
  /** `GET /api/v2/articles` */
  readonly request: string;
  readonly clean: CleanText;
}

/** A field that the client cannot do without. The same words stand in docs/reference/gaps.md. */
export interface Need {
  /** `data[3].id` */
  readonly field: string;
  readonly found: unknown;
  /** `a text or a whole number` */
  readonly right: string;
  /** `kbsync knows a record by its id` */
  readonly because: string;
}

/** The reply is an answer of the API, and one field that is needed cannot be read. */
export function unreadable({ field, found, right, because }: Need, { request, clean }: Reading): RemoteError {
  return notUnderstood(
    request,
    `the field ${field} of the answer is ${described(found, clean)}; it must be ${right}, because ${because}`,
    field,
  );
}

export function notUnderstood(request: string, words: string, field?: string): RemoteError {
  return new RemoteError('not-understood', `${request}: ${words}`, { request, status: 200, field });
}

const SHOWN_CHARS = 40;
const SHOWN_NAMES = 4;

/** What is there, in a few words. */
export function described(value: unknown, clean: CleanText): string {
  if (value === undefined) return 'missing';
  if (value === '') return 'an empty text';
  if (typeof value === 'string') {
    const shown = value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}…` : value;
    return `the text ${clean(JSON.stringify(shown))}`;
  }
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  // A number, a boolean or null: JSON has nothing else.
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value);
  if (names.length === 0) return 'an empty object';
  const more = names.length > SHOWN_NAMES ? ', …' : '';
  return `an object with ${clean(names.slice(0, SHOWN_NAMES).join(', '))}${more}`;
}

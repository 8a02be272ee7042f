import { unreadable } from './unreadable.ts';
import type { Reading } from './unreadable.ts';
import { objectOf } from './values.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

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

/** A value as a template may show it by itself. */
export type Value = string | number | boolean | undefined;

/** A text that is markup already. */
interface Markup {
  readonly markup: string;
}
/** A list or a map. */
interface Data {
  readonly data: readonly unknown[] | Readonly<Record<string, unknown>>;
}
/** A page: what of it is known by the names that Hugo gives. */
interface Page {
  readonly page: Readonly<Record<string, Value | Markup | Data>>;
}
export type Result = Value | Markup | Data | Page;

/** What a template itself puts into a list or a map, which may be markup. */
export class Kept {
  readonly result: Result;
  constructor(result: Result) {
    this.result = result;
  }
}

/** A value of a few calls can double itself with each line of a template. */
export const VALUE_CHARS_MAX = 100_000;

/** Something in the template is not known here, so nobody can say what it writes. */
export class Unknown extends Error {}

export function unknown(): never {
  throw new Unknown();
}

export function isData(value: Result): value is Data {
  return typeof value === 'object' && 'data' in value;
}

export function isPage(value: Result): value is Page {
  return typeof value === 'object' && 'page' in value;
}

export function resultOf(value: unknown): Result {
  if (value instanceof Kept) return value.result;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return { data: value };
  return typeof value === 'object' ? { data: { ...value } } : unknown();
}

/** What a list or a map has at a key; nothing where it has none. */
export function entryOf(value: Result, key: Result): Result {
  const name = plain(key);
  if (isPage(value)) return Object.hasOwn(value.page, name) ? value.page[name] : unknown();
  if (!isData(value)) return value === undefined ? undefined : unknown();
  return Object.hasOwn(value.data, name) ? resultOf(Reflect.get(value.data, name)) : undefined;
}

export function isTrue(value: Result): boolean {
  if (isData(value)) return Object.keys(value.data).length > 0;
  if (isPage(value)) return true;
  if (typeof value === 'object') return value.markup !== '';
  return value !== undefined && value !== '' && value !== 0 && value !== false;
}

export function plain(value: Result): string {
  if (isData(value) || isPage(value)) return unknown();
  if (typeof value === 'object') return value.markup;
  return value === undefined ? '' : String(value);
}

export function charsOf(value: Result): number {
  return isData(value) || isPage(value) ? 0 : plain(value).length;
}

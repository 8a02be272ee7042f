import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

/** The object itself, or the only object of a list. */
export function objectOf(value: unknown): JsonObject | undefined {
  const inner: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isJsonObject(inner) ? inner : undefined;
}

/** A text, or a number as text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** A text that is not empty, or a whole number of which no digit was lost. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** A number, or a text that is one. */
export function numberOf(value: unknown): number | undefined {
  // JSON has no infinite numbers, but 1e999 is read as one.
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?\s*$/i.test(value))
    return undefined;
  return Number(value);
}

/** True for `true`, 1 and their spellings as text; false for `false`, 0 and theirs. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  switch (String(textOf(value)).trim().toLowerCase()) {
    case '1':
    case 'true':
      return true;
    case '0':
    case 'false':
      return false;
    default:
      return undefined;
  }
}

/** A word of the API however it is written (`PUBLISHED`, `Draft `); any other text as it is. */
export function statusOf(value: unknown): string | undefined {
  const text = textOf(value);
  const word = text?.trim().toLowerCase();
  return word === 'draft' || word === 'published' ? word : text;
}

/** Statuses with which a service still shows a record that was deleted. */
export function isDeletedStatus(value: unknown): boolean {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return /^(?:(?:soft|is|in)[-_ ]?)?(?:deleted|removed|trash|trashed|bin)$/.test(word);
}

/** A text in the form of a language code: `fr`, `pt-BR`, `pt_BR`. */
export function languageOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}$/.test(value)
    ? value
    : undefined;
}

/** What stands for "none" where a list or an object is expected. */
export function isNone(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * The entries of a list, however it is wrapped: a list, one entry without its list, or an object whose members are the
 * entries (PHP makes that of a list with gaps). `isEntry` tells one entry from an object of entries.
 */
export function entriesOf(
  value: unknown,
  isEntry: (entry: unknown) => boolean,
): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (isNone(value)) return [];
  if (isEntry(value)) return [value];
  if (!isJsonObject(value)) return undefined;
  const entries = Object.values(value);
  return entries.every(isEntry) ? entries : undefined;
}

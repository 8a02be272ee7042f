import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

/** The object itself, or the only object of a list. */
export function objectOf(value: unknown): JsonObject | undefined {
  const inner: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isJsonObject(inner) ? inner : undefined;
}

/** A text, or a number as text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : onlyText(value);
}

/**
 * A number is no date and no HTML that anybody meant. WordPress and its kin show a text as it was sent beside what they made of it; of a
 * page behind a password they show an empty one.
 */
export function onlyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return undefined;
  const made = value['protected'] === true ? undefined : value['rendered'];
  return [value['raw'], made].find((text) => typeof text === 'string');
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

/**
 * A word of the API however it is written (`PUBLISHED`, `Draft `), or one that other services say for it; any other text as it
 * is. Numbers mean one thing here and another there.
 */
export function statusOf(value: unknown): string | undefined {
  const text = textOf(value);
  const word = text?.trim().toLowerCase() ?? '';
  return STATUSES.get(word) ?? text;
}

const STATUSES: ReadonlyMap<string, string> = new Map([
  ...['published', 'publish', 'live', 'public', 'online'].map((word) => [word, 'published'] as const),
  ...['draft', 'unpublished', 'offline'].map((word) => [word, 'draft'] as const),
]);

/** Whether a service still shows a record that was deleted: by its status, or as frameworks mark what is in their bin. */
export function isDeleted(row: JsonObject): boolean {
  const { status } = row;
  const word = typeof status === 'string' ? status.trim().toLowerCase() : '';
  return (
    /^(?:(?:soft|is|in)[-_ ]?)?(?:deleted|removed|trash|trashed|bin)$/.test(word) ||
    DELETED_AT.some((name) => isMoment(row[name])) ||
    DELETED.some((name) => flagOf(row[name]) === true)
  );
}

/** Laravel, Sequelize and TypeORM, Rails (discard), Django (safedelete). */
const DELETED_AT = ['deleted_at', 'deletedAt', 'discarded_at', 'trashed_at'];
const DELETED = ['deleted', 'is_deleted', 'isDeleted', 'trashed'];

/**
 * A date in any spelling. No record was deleted in the years with which MySQL (`0000-00-00`), Go and .NET (year 1), a zero of
 * seconds (1970) and tables with periods (9999) say that there is none.
 */
function isMoment(value: unknown): boolean {
  const text = (textOf(value) ?? '').trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text) > 0;
  return /[1-9]/.test(text) && !NO_MOMENT.test(text);
}

const NO_MOMENT = /\b(?:000[01]|9999)\b|\b(?:1970-01-01|1969-12-31)(?!\d)/;

/** A text in the form of a language code: `fr`, `pt-BR`, `pt_BR`; also as a list of one. */
export function languageOf(value: unknown): string | undefined {
  if (Array.isArray(value))
    return value.length === 1 && !Array.isArray(value[0]) ? languageOf(value[0]) : undefined;
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

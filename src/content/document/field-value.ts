import { canonicalDate, canonicalValue } from '../../model/compare/canonical.ts';
import type { FieldSpec, FieldValue } from '../../model/fields.ts';
import { STATUSES } from '../../model/fields.ts';
import { suggest } from '../suggest.ts';

export type FieldReading =
  | { readonly value: FieldValue }
  | { readonly expected: string; readonly found: string; readonly suggestion?: string };

const SAFE_URL = /^(?:https?:\/\/[^\s/]|\/)/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * One value of front matter as the field's type wants it, in canonical form; null and `''` clear. `typed` is the same
 * value as the author typed it, so text fields keep `007` and `1.10`.
 */
export function fieldValue(type: FieldSpec['type'], value: unknown, typed: () => unknown): FieldReading {
  if (value === null || value === undefined) {
    return type === 'status' ? wrong('`published` or `draft`', value) : { value: canonicalValue(type, null) };
  }
  switch (type) {
    case 'text':
    case 'html':
      return textValue(value, typed);
    case 'number':
      return numberValue(value);
    case 'flag':
      return typeof value === 'boolean' ? { value } : wrong('`true` or `false`', value);
    case 'status':
      return statusValue(value);
    case 'date':
      return dateValue(value);
    case 'url':
      return urlValue(value);
    case 'ref':
    case 'refs':
      throw new Error('bug: references are read by their own reader');
  }
}

/** A scalar as text, or undefined when it is a list or a mapping. */
export function scalarText(value: unknown, typed: () => unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const source = typed();
  return typeof source === 'string' ? source : String(value);
}

/** For messages: what somebody wrote, short. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} \`${value}\``;
  if (typeof value !== 'string') return 'a mapping';
  return `the text \`${value.length > 60 ? `${value.slice(0, 60)}…` : value}\``;
}

/** `"15"` is a number where one is meant. */
function numberValue(value: unknown): FieldReading {
  const number = typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number)
    ? { value: canonicalValue('number', number) }
    : wrong('a number', value);
}

function textValue(value: unknown, typed: () => unknown): FieldReading {
  const text = scalarText(value, typed);
  return text === undefined ? wrong('text', value) : { value: text.trim() };
}

function statusValue(value: unknown): FieldReading {
  if (typeof value === 'string' && STATUSES.includes(value)) return { value };
  const suggestion = typeof value === 'string' ? suggest(value, STATUSES) : undefined;
  if (typeof value === 'string' && suggestion === undefined)
    return wrong('`published` or `draft` (`values` in kbsync.yaml says what other words mean)', value);
  return wrong('`published` or `draft`', value, suggestion);
}

function dateValue(value: unknown): FieldReading {
  const expected = 'a date (`2026-03-01`, or `2026-03-01T09:00:00Z`)';
  if (typeof value !== 'string') return wrong(expected, value);
  const date = canonicalDate(value);
  return date === null || isInstant(date) ? { value: date } : wrong(expected, value);
}

/** What `canonicalDate` cannot read it returns as it was. */
function isInstant(date: string): boolean {
  const milliseconds = Date.parse(date);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === date;
}

function urlValue(value: unknown): FieldReading {
  if (typeof value !== 'string') return wrong('an address', value);
  const url = value.trim();
  if (SCHEME.test(url) && !SAFE_URL.test(url)) return wrong('an `https://` address', value);
  return { value: canonicalValue('url', url) };
}

function wrong(expected: string, value: unknown, suggestion?: string): FieldReading {
  return { expected, found: describeValue(value), ...(suggestion === undefined ? {} : { suggestion }) };
}

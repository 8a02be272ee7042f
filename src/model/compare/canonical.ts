import { fieldsOf, isList } from '../fields.ts';
import type { FieldSpec, FieldValue, Fields } from '../fields.ts';
import type { Kind } from '../key.ts';

/**
 * One spelling for each meaning, so files and service can be compared by value: the content reader and the wire
 * decoder both end here. "Nothing there" is `''` for text and html, null for url, ref and date, `false` for a flag, 0
 * for a number, `[]` for refs; so an author's `''`, an author's `null` and a remote null of one field are the same.
 * Dates are instants (see `canonicalDate`). Idempotent.
 */
export function canonicalValue(type: FieldSpec['type'], value: FieldValue): FieldValue {
  switch (type) {
    case 'text':
    case 'html':
    case 'status':
      return value ?? '';
    case 'url':
    case 'ref':
      return value === '' ? null : value;
    case 'date':
      return typeof value === 'string' ? canonicalDate(value) : value;
    case 'flag':
      return value ?? false;
    case 'number':
      return Object.is(value, -0) ? 0 : (value ?? 0);
    case 'refs':
      return isList(value) ? [...new Set(value)].sort() : [];
  }
}

/** Every field in canonical form; names that the kind does not have are kept as they are. */
export function canonicalFields(kind: Kind, fields: Fields): Fields {
  const specs = fieldsOf(kind);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const spec = specs.get(name);
      return [name, spec === undefined ? value : canonicalValue(spec.type, value)];
    }),
  );
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * `2026-03-01T00:00:00.000Z` for every ISO 8601 spelling of that instant; a missing time is midnight and a missing zone
 * is UTC, because the reader's own zone must not decide whether a record has changed. `''` is null; any text that is no
 * such date (or one that no calendar has) stays as it is.
 */
export function canonicalDate(text: string): string | null {
  if (text.trim() === '') return null;
  const found = DATE.exec(text.trim());
  if (found === null) return text;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const millisecond = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const local = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second, millisecond);
  if (!new Date(local).toISOString().startsWith(text.trim().slice(0, 10)) || !isTime(hour, minute, second)) {
    return text;
  }
  return new Date(local - offsetMs(found[8])).toISOString();
}

function isTime(hour = 0, minute = 0, second = 0): boolean {
  return hour < 24 && minute < 60 && second < 60;
}

function offsetMs(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

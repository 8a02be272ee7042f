import type { Skipped } from '../record.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

/** The value, or why the text holds none, with the place. */
export function parsedJson(
  file: string,
  text: string,
): { readonly value: unknown } | { readonly skipped: Skipped } {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const where = position === undefined ? 'end' : linesOf(text)(Number(position));
    return {
      skipped: {
        at: { file, where },
        what: 'file',
        reason: 'broken',
        why: 'it is not valid JSON',
      },
    };
  }
}

export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A text, `''` for anything else. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A text that says something; undefined for anything else. */
export function said(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Ids are numbers here and texts there, sometimes of one system: texts inside. */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return said(value)?.trim();
}

export function finite(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((each) => said(each) ?? []) : [];
}

/** A time as systems write it, in ISO 8601 and UTC; undefined if it is not a time. */
export function isoTime(value: unknown, unit: 's' | 'ms' = 'ms'): string | undefined {
  const date =
    typeof value === 'number'
      ? new Date(unit === 's' ? value * 1000 : value)
      : typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
        ? new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) ? `${value.replace(' ', 'T')}Z` : value)
        : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Says where an offset of the text is: `line 120, column 5`. Cheap for many offsets of a large text. */
export function linesOf(text: string): (offset: number) => string {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return `line ${low + 1}, column ${offset - (starts[low] ?? 0) + 1}`;
  };
}

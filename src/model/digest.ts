import { hash } from 'node:crypto';
import type { FieldValue } from './fields.ts';
import { isLong, jsonBytes } from './json-text.ts';

/** A value's digest: 16 hex digits of SHA-256 over its canonical JSON. Equal digest means *same*; there is no other "same". */
export type Digest = string & { readonly __brand: 'Digest' };

export function digestOf(value: FieldValue): Digest {
  return digestOfText(typeof value === 'string' && isLong(value) ? jsonBytes(value) : canonical(value));
}

/** `text` may be in UTF-8 already. */
export function digestOfText(text: string | Uint8Array): Digest {
  const start = hash('sha256', text, 'hex').slice(0, 16);
  // V8 keeps all 64 digits alive for 16 that are cut out of them; a copy takes a third of the memory, and each record has several.
  return Buffer.from(start, 'latin1').toString('latin1') as Digest; // the brand says which 16 digits these are
}

/** SHA-256 in hex, whole: the name of a file by what is in it. */
export function digestOfBytes(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

export function same(a: FieldValue, b: FieldValue): boolean {
  if (a === b) return true;
  if (typeof a === 'string' || typeof b === 'string') return false;
  return sameOrder(a, b) || canonical(a) === canonical(b);
}

/** Lists are nearly always in canonical order already: the common case needs no text made of them. */
function sameOrder(a: FieldValue, b: FieldValue): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function canonical(value: FieldValue): string {
  return typeof value === 'object' && value !== null
    ? JSON.stringify([...new Set(value)].sort())
    : JSON.stringify(value);
}

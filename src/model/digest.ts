import { hash } from 'node:crypto';
import type { FieldValue } from './fields.ts';

/** A value's digest: 16 hex digits of SHA-256 over its canonical JSON. Equal digest means *same*; there is no other "same". */
export type Digest = string & { readonly __brand: 'Digest' };

export function digestOf(value: FieldValue): Digest {
  return digestOfText(canonical(value));
}

export function digestOfText(text: string): Digest {
  // The brand says which 16 digits these are.
  return hash('sha256', text, 'hex').slice(0, 16) as Digest;
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

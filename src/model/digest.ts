import { hash } from 'node:crypto';
import type { FieldValue } from './fields.ts';

/** A value's digest: 16 hex digits of SHA-256 over its canonical JSON. Equal digest means *same*; there is no other "same". */
export type Digest = string & { readonly __brand: 'Digest' };

export function digestOf(value: FieldValue): Digest {
  if (typeof value !== 'string' || value.length < KEPT_CHARS_MIN || value.length > KEPT_CHARS_MAX)
    return digestOfText(canonical(value));
  const known = kept.get(value);
  if (known !== undefined) return known;
  const digest = digestOfText(canonical(value));
  const [oldest] = kept.keys();
  if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  kept.set(value, digest);
  return digest;
}

/**
 * Digests of the last long texts: stamp, base and plan ask for a body's one after the other, with those of other records
 * that are under way between them. Finding a text again costs a tenth of its digest.
 */
const kept = new Map<string, Digest>();
const KEPT_MAX = 64;
const KEPT_CHARS_MIN = 1_000;
const KEPT_CHARS_MAX = 50_000;

export function digestOfText(text: string): Digest {
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

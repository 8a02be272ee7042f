import { digestOf } from './digest.ts';
import type { Fields, FieldValue } from './fields.ts';
import type { Key } from './key.ts';

/**
 * The stamp: an HTML comment that ends the body of a record and says whose it is and what we wrote, field by field,
 * as short digests: `<!-- kbsync 1 article/install@fr title:3f9c2ab41e content:… -->`. It makes a fresh clone without a
 * state file able to tell "as we wrote it" from "edited since". It holds nothing that the page does not show.
 */
export interface Stamp {
  readonly key: string;
  /** Field name → 10 hex digits. Only the fields that we own are named. */
  readonly fields: ReadonlyMap<string, string>;
}

const STAMP = /\s*<!-- kbsync 1 (\S+)((?: [a-zA-Z]+:[0-9a-f]{10})*) -->\s*$/;

/** `body` is the HTML without stamp; `owned` holds every field we write, the body under its own name. */
export function withStamp(body: string, key: Key, owned: Fields): string {
  const parts = Object.entries(owned).map(([name, value]) => ` ${name}:${shortDigest(value)}`);
  return `${body}${body === '' ? '' : '\n'}<!-- kbsync 1 ${commentSafe(key)}${parts.join('')} -->`;
}

/**
 * The body without its stamp, and the stamp, when the last thing in `html` is one of ours. Space at the body's end goes
 * with or without a stamp, so that a body is the same one before it is stamped and after it was read.
 */
export function splitStamp(html: string): { readonly body: string; readonly stamp?: string } {
  const found = STAMP.exec(html);
  if (found === null) return { body: html.trimEnd() };
  return { body: html.slice(0, found.index), stamp: found[0].trim() };
}

export function parseStamp(text: string): Stamp | undefined {
  const found = STAMP.exec(text);
  const key = found?.[1];
  if (key === undefined) return undefined;
  const fields = new Map<string, string>();
  for (const part of (found?.[2] ?? '').split(' ')) {
    const [name, digest] = part.split(':');
    if (name !== undefined && digest !== undefined) fields.set(name, digest);
  }
  return { key: decoded(key), fields };
}

/** Whether a value is the one the stamp was written over. */
export function stampFits(stamp: Stamp, field: string, value: FieldValue): boolean {
  return stamp.fields.get(field) === shortDigest(value);
}

function shortDigest(value: FieldValue): string {
  return digestOf(value).slice(0, 10);
}

/** A comment may hold neither `--` nor `>`; a key may. */
function commentSafe(key: Key): string {
  return encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%40', '@').replaceAll('--', '%2D%2D');
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

import { isUtf8 } from 'node:buffer';

const DEPTH_MAX = 64;

/**
 * Strict JSON from outside: valid UTF-8, or else in the charset that it names (nothing is silently replaced), at most 64 levels deep, without `__proto__`
 * members, and with whole numbers of more than 53 bits as texts. Throws SyntaxError with a reason that does not quote the text.
 */
export function parseJson(bytes: Buffer, charset?: string): unknown {
  const whole = textIn(bytes, charset);
  const text = whole.charCodeAt(0) === 0xfeff ? whole.slice(1) : whole;
  if (text === '') throw new SyntaxError('it is empty');
  if (isDeep(text)) throw new SyntaxError(`it is nested more than ${DEPTH_MAX} levels deep`);
  const parsed = tryParse(text) ?? tryParse(withoutNoise(text) ?? '');
  if (parsed === undefined)
    throw new SyntaxError(`it is not JSON, or was truncated after ${bytes.length} bytes`);
  return parsed.value;
}

/** JSON is UTF-8 (RFC 8259, 8.1), whatever a header says: many servers name one charset for all. Where it is not, the header may be right. */
function textIn(bytes: Buffer, charset: string | undefined): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  try {
    if (charset !== undefined && !/^utf-?8$/i.test(charset))
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (error) {
    // No charset that is known, or not in that one.
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
  }
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new SyntaxError('it is not valid UTF-8');
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  // An escape can spell __proto__ too; the reviver costs much, so only a suspicious text pays for it.
  const exact = withExactNumbers(text);
  try {
    return { value: isSuspicious(exact) ? JSON.parse(exact, withoutProto) : JSON.parse(exact) };
  } catch {
    return undefined;
  }
}

/** Notices that a script prints as HTML, guards against scripts that load the answer, and more byte order marks. */
const BEFORE = /^[\s\ufeff]*(?:<[^{]*>\s*|\)\]\}',?\s*|for\s*\(;;\);\s*|while\s*\(1\);\s*)?$/;
/** The comment of a cache, or such notices. */
const AFTER = /^\s*(?:<[^{]*>\s*)?$/;

/** The one whole object of a text, if what stands around it is none of it; undefined where it may be one of several. */
function withoutNoise(text: string): string | undefined {
  const start = text.indexOf('{');
  const end = start < 0 ? undefined : objectEnd(text, start);
  const isAlone = end !== undefined && BEFORE.test(text.slice(0, start)) && AFTER.test(text.slice(end));
  return isAlone ? text.slice(start, end) : undefined;
}

/** Behind the bracket that closes the one at `from`; undefined where none does. */
function objectEnd(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at);
    else if (code === 0x7b) depth++;
    else if (code === 0x7d && --depth === 0) return at + 1;
  }
  return undefined;
}

/**
 * Whole numbers that JSON.parse would round become texts: ids of 64 bits are such numbers. A text that holds none, which is
 * nearly every one, is only searched.
 */
function withExactNumbers(text: string): string {
  if (!/[[:,\s]-?\d{16}/.test(text)) return text;
  let isInText = false;
  // A pattern for whole texts would need more of the stack than there is for one with millions of escapes.
  return text.replaceAll(/\\.|"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, (token) => {
    if (token === '"') isInText = !isInText;
    const isLarge = !isInText && /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
    return isLarge ? `"${token}"` : token;
  });
}

/** The two plain searches are many times as fast as the pattern, and nearly every text ends with them. */
function isSuspicious(text: string): boolean {
  return text.includes('__proto__') || (text.includes('\\u00') && /\\u00(?:5f|7[0-9a-f]|6f)/i.test(text));
}

function withoutProto(name: string, value: unknown): unknown {
  return name === '__proto__' ? undefined : value;
}

/** Looks at brackets outside strings only; strings are skipped with indexOf, so long HTML costs next to nothing. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = stringEnd(text, at);
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > DEPTH_MAX) return true;
    } else if (code === 0x5d || code === 0x7d) {
      depth--;
    }
  }
  return false;
}

/** Index of the quote that ends the string which begins at `from`, or the text's end. */
function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

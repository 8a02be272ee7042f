import type { Look } from './shape.ts';
import { plainSigns } from './shape.ts';
import { parseHtml } from './tree.ts';

/**
 * One spelling for a title, an excerpt or a description: Unicode composed, line ends and runs of blanks as one blank, none
 * at the ends, as a browser shows a text in a line. A `look` leaves out more.
 */
export function canonicalText(text: string, { without }: Pick<Look, 'without'>): string {
  const decoded = without.has('entities') ? withoutEntities(text) : text;
  const plain = plainSigns(withoutParagraph(decoded).normalize('NFC'), without)
    .replaceAll(/[ \t\n\f\r]+/g, ' ')
    .trim();
  return without.has('case') ? plain.toLowerCase() : plain;
}

/** A service that keeps an excerpt as HTML makes a paragraph of it. */
function withoutParagraph(text: string): string {
  return text.startsWith('<p') ? text.replace(/^<p(?:\s[^<>]*)?>([^<]*)<\/p>\s*$/, '$1') : text;
}

/** Services escape what they read back already escaped: `&amp;amp;`. */
function withoutEntities(text: string): string {
  let decoded = text;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const before = decoded;
    decoded = decodedOnce(before);
    if (decoded === before) break;
  }
  return decoded;
}

const PASSES_MAX = 5;

/** Entities as a browser reads them; tags stay what they are. */
function decodedOnce(text: string): string {
  if (!text.includes('&')) return text;
  return parseHtml(text.replaceAll('<', '&lt;'))
    .map((node) => (typeof node === 'string' ? node : ''))
    .join('');
}

/** What a text may have been before a service escaped it, made its quotes smart, or decomposed its letters. */
export function spellingsOf(text: string): readonly string[] {
  const decoded = [text];
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const [last = ''] = decoded.slice(-1);
    const next = decodedOnce(last);
    if (next === last) break;
    decoded.push(next);
  }
  const composed = decoded.flatMap((each) => [each, each.normalize('NFC')]);
  const straight = composed.map((each) => each.replaceAll(/[‘’‚‛]/g, "'").replaceAll(/[“”„‟]/g, '"'));
  return [...new Set([...composed, ...straight])];
}

/**
 * What must be sent if a service that escapes texts is to store this one: undefined if it does not look escaped, so
 * sending it as it is shown changes nothing.
 */
export function unescaped(text: string): string | undefined {
  const looksEscaped = /&(?:#\d+|#x[\da-f]+|[a-z]\w*);/i.test(text);
  const isWhole = !/[<>]|&(?!(?:#\d+|#x[\da-f]+|[a-z]\w*);)/i.test(text);
  return looksEscaped && isWhole ? decodedOnce(text) : undefined;
}

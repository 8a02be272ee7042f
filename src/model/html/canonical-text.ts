import type { Look } from './shape.ts';
import { plainSigns } from './shape.ts';
import { parseHtml } from './tree.ts';

/**
 * One spelling for a title, an excerpt or a description: Unicode composed, line ends and runs of blanks as one blank, none
 * at the ends, as a browser shows a text in a line. A `look` leaves out more.
 */
export function canonicalText(text: string, { without }: Pick<Look, 'without'>): string {
  const decoded = without.has('entities') ? withoutEntities(text) : text;
  const plain = plainSigns(decoded.normalize('NFC'), without)
    .replaceAll(/[ \t\n\f\r]+/g, ' ')
    .trim();
  return without.has('case') ? plain.toLowerCase() : plain;
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
export function decodedOnce(text: string): string {
  if (!text.includes('&')) return text;
  return parseHtml(text.replaceAll('<', '&lt;'))
    .map((node) => (typeof node === 'string' ? node : ''))
    .join('');
}

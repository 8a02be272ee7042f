import type { Digest } from '../digest.ts';
import { digestOfText } from '../digest.ts';
import type { FieldValue } from '../fields.ts';
import { canonicalAddress } from './address.ts';
import { elementsIn, textOf } from './losses.ts';
import { isParsable, parseHtml } from './tree.ts';

/** The letters and digits of a text or an HTML text: what is left of it if a service changes its signs, spaces and markup. */
export function lettersOf(value: FieldValue | undefined): string {
  if (typeof value !== 'string' || !isParsable(value)) return '';
  return textOf(parseHtml(value)).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Of the letters, and of the addresses to which links and pictures lead: another address is an editor's. Anchors of the page itself
 * do not count, because services put them into headings. undefined: there are no letters to know it by.
 */
export function lettersDigest(value: FieldValue | undefined): Digest | undefined {
  const letters = lettersOf(value);
  return letters === '' ? undefined : digestOfText([letters, ...addressesIn(String(value))].join('\n'));
}

function addressesIn(html: string): readonly string[] {
  return elementsIn(parseHtml(html)).flatMap(({ attributes }) =>
    ['href', 'src'].flatMap((name) => {
      const address = canonicalAddress(attributes.get(name) ?? '', { isPlace: false });
      return address === '' || address.startsWith('#') ? [] : [address];
    }),
  );
}

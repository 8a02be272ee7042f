import type { Digest } from '../digest.ts';
import { digestOfText } from '../digest.ts';
import type { FieldValue } from '../fields.ts';
import { canonicalAddress } from './address.ts';
import { elementsIn, textOf } from './losses.ts';
import { isParsable, parseHtml, type HtmlNode } from './tree.ts';

/** The letters and digits of a text or an HTML text: what is left of it if a service changes its signs, spaces and markup. */
export function lettersOf(value: FieldValue | undefined): string {
  return typeof value === 'string' && isParsable(value) ? lettersIn(parseHtml(value)) : '';
}

/**
 * Of the letters, and of the addresses to which links and pictures lead: another address is an editor's. Anchors of the page itself
 * do not count, because services put them into headings. undefined: there are no letters to know it by.
 */
export function lettersDigest(value: FieldValue | undefined): Digest | undefined {
  if (typeof value !== 'string' || !isParsable(value)) return undefined;
  const nodes = parseHtml(value);
  const letters = lettersIn(nodes);
  return letters === '' ? undefined : digestOfText([letters, ...addressesIn(nodes)].join('\n'));
}

/** Whether links and pictures lead where they led, or to the same path at a full address: services write addresses in full. */
export function hasSameAddresses(ours: string, theirs: string): boolean {
  if (!isParsable(ours) || !isParsable(theirs)) return false;
  const [before, now] = [addressesIn(parseHtml(ours)), addressesIn(parseHtml(theirs))];
  return before.length === now.length && before.every((address, at) => now[at]?.endsWith(address) === true);
}

function lettersIn(nodes: readonly HtmlNode[]): string {
  return onlyLetters(textOf(nodes));
}

/** The letters and digits of a plain text. */
export function onlyLetters(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function addressesIn(nodes: readonly HtmlNode[]): readonly string[] {
  return elementsIn(nodes).flatMap(({ attributes }) =>
    ['href', 'src'].flatMap((name) => {
      const address = canonicalAddress(attributes.get(name) ?? '', { isPlace: false });
      return address === '' || address.startsWith('#') ? [] : [address];
    }),
  );
}

import type { FieldValue } from '../model/fields.ts';

/**
 * Whether one value can be what a service makes of another on its way in: the same words in the same order, the same
 * addresses, whatever the tags, attributes, entities and spaces. A change of words is a person's.
 */
export function isRewriting(sent: FieldValue, shown: FieldValue): boolean {
  if (typeof sent !== 'string' || typeof shown !== 'string') return false;
  return wordsOf(sent) === wordsOf(shown) && addressesOf(sent) === addressesOf(shown);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function wordsOf(html: string): string {
  return decoded(html.replaceAll(/<!--[\s\S]*?-->|<[^>]*>/g, ''))
    .replaceAll(/\s+/g, '')
    .normalize('NFC');
}

function addressesOf(html: string): string {
  const found = [...html.matchAll(/\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)];
  return found.map(([, double, single, bare]) => decoded(double ?? single ?? bare ?? '')).join(' ');
}

function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole: string, hex?: string, decimal?: string, name?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

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
  mdash: '—',
  ndash: '–',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  rarr: '→',
  szlig: 'ß',
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
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? accented(name) ?? whole;
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

const ACCENTS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030A',
  caron: '\u030C',
  cedil: '\u0327',
};

/** `eacute` is a letter and the name of its accent, as are most entities that editors write for letters. */
function accented(name: string): string | undefined {
  const accent = ACCENTS[name.slice(1)];
  return accent === undefined ? undefined : `${name.slice(0, 1)}${accent}`.normalize('NFC');
}

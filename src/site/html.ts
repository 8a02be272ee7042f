const MARKUP: unique symbol = Symbol('markup');

/** A piece of HTML whose values were escaped. Only `html` and `trusted` make one. */
export interface Html {
  readonly [MARKUP]: string;
}

/** What may stand in a template: text is escaped, pieces are put in, lists are joined, nothing is left out. */
export type Piece = string | number | Html | undefined | false | readonly Piece[];

/** A template whose values are text unless they are HTML themselves. Values in attributes stand between quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  const [first = '', ...rest] = compact(strings);
  let text = first;
  for (const [index, value] of values.entries()) text += markupOf(value) + (rest[index] ?? '');
  return { [MARKUP]: text };
}

const COMPACT = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The templates' indentation is for who reads the source; a page without it is a third smaller. */
function compact(strings: TemplateStringsArray): readonly string[] {
  const known = COMPACT.get(strings);
  if (known !== undefined) return known;
  const made = strings.map((text) => text.replaceAll(/\s*\n\s*/g, '\n'));
  COMPACT.set(strings, made);
  return made;
}

/** Takes a text for HTML as it is. Only for what this program wrote or made safe. */
export function trusted(markup: string): Html {
  return { [MARKUP]: markup };
}

export function markupOf(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (typeof piece === 'string') return escaped(piece);
  if (typeof piece === 'number') return String(piece);
  return MARKUP in piece ? piece[MARKUP] : piece.map(markupOf).join('');
}

/** Text as HTML and XML show it, between tags and between quotes. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

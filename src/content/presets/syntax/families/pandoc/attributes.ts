/** What stands in `{#id .class key="value"}` of Pandoc (https://pandoc.org/MANUAL.html#extension-attributes). */
export interface Attributes {
  readonly id: string | undefined;
  readonly classes: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

const ITEM =
  /[ \t\n]*(?:#([^\s{}=#"]+)|\.([^\s{}=."]+)|([\w:.-]+)=(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|([^\s"'}]*))|(-))/y;
/** Nobody writes more of them. */
const CHARS_MAX = 4000;

/** The inside of the braces; undefined where anything else stands there. */
export function attributesIn(written: string): Attributes | undefined {
  if (written.length > CHARS_MAX) return undefined;
  let id: string | undefined;
  const classes: string[] = [];
  const named = new Map<string, string>();
  ITEM.lastIndex = 0;
  let behind = 0;
  for (let found = ITEM.exec(written); found !== null; found = ITEM.exec(written)) {
    const [, itsId, name, key, double, single, bare = '', dash] = found;
    if (itsId !== undefined) id = itsId;
    else if (name !== undefined) classes.push(name);
    else if (dash !== undefined) classes.push('unnumbered');
    else if (key !== undefined)
      named.set(key, (double ?? single ?? bare).replaceAll(/\\([^\p{L}\p{N}\s])/gu, '$1'));
    behind = ITEM.lastIndex;
  }
  return written.slice(behind).trim() === '' ? { id, classes, named } : undefined;
}

/** The inside of braces that begin at `at`, and the place behind them; they end in their paragraph, and hold no other ones but in quotes. */
export function bracesAt(
  body: string,
  at: number,
): { readonly written: string; readonly end: number } | undefined {
  let quote = '';
  for (let end = at + 1; end < body.length && end - at < BRACES_CHARS_MAX; end += 1) {
    const sign = body.charAt(end);
    if (sign === '\n' && /^[ \t>]*\n/.test(body.slice(end + 1, end + 50))) return undefined;
    if (quote !== '') {
      if (sign === '\\') end += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '}') return { written: body.slice(at + 1, end), end: end + 1 };
    else if (sign === '{') return undefined;
    else if ((sign === '"' || sign === "'") && body.charAt(end - 1) === '=') quote = sign;
  }
  return undefined;
}

const BRACES_CHARS_MAX = 4000;

/** A target of links. */
export function anchor(id: string | undefined): string {
  return id === undefined ? '' : `<a id="${id.replaceAll(/[^\p{L}\p{N}_:.-]/gu, '')}"></a>`;
}

/** What a page says about itself and its site, by keys with dots between. */
export type MetaOf = (key: string) => unknown;

/** Formats that a website is not built in. */
const HTML = /^html/i;

/** Whether a part with these attributes is on the page that Quarto builds (https://quarto.org/docs/authoring/conditional.html). */
export function isShown({ classes, named }: Attributes, metaOf: MetaOf): boolean {
  if (classes.includes('hidden') || classes.includes('dark-content')) return false;
  const isVisible = classes.includes('content-visible');
  if (!isVisible && !classes.includes('content-hidden')) return true;
  const conditions: boolean[] = [];
  for (const [key, value] of named) {
    if (key === 'when-format') conditions.push(HTML.test(value));
    else if (key === 'unless-format') conditions.push(!HTML.test(value));
    // Of a site that is built without one.
    else if (key === 'when-profile') conditions.push(false);
    else if (key === 'unless-profile') conditions.push(true);
    else if (key === 'when-meta') conditions.push(isTrue(metaOf(value)));
    else if (key === 'unless-meta') conditions.push(!isTrue(metaOf(value)));
  }
  const isMet = conditions.every(Boolean);
  return isVisible ? isMet : !isMet;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

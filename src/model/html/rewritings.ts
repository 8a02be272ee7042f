/**
 * What services do to the HTML and the texts that they are sent, by name. Each leaves every word, link, picture, list and table of the
 * page where it was, so nothing is lost; but each can also be an author's or an editor's wish. So two texts that
 * differ in one of these are equal only on a service that was seen doing it (see `differenceOf`).
 */
export const REWRITINGS = {
  'link-attributes': '`rel`, `target` and the like of links, added or dropped',
  ids: '`id` and `name`, dropped or given a prefix',
  classes: '`class`, dropped or added',
  styles: '`style`, sizes, colours, alignment and the elements that stand for them',
  attributes: 'other attributes: `title`, `data-*`, `aria-*`, `loading` and the like',
  wrappers: '`<div>`, `<span>`, `<section>`, the parts of a table and the like, added or taken off',
  paragraphs: 'a paragraph around text in items, cells and quotes, or text without one; empty paragraphs',
  'line-breaks': '`<br>` for a line end in the text, or the other way round',
  blanks:
    'non-breaking and zero-width blanks, soft hyphens, blanks just inside or outside of bold, italic, a link or a block of code',
  marks: 'another element for the same look: `<ins>` and `<u>`, `<tt>` and `<code>`, `<cite>` and `<em>`',
  headings: 'all headings some levels deeper or higher',
  typography: 'quotation marks, dashes and three dots as printers set them',
  emoji: 'emoji as pictures',
  autolinks: 'addresses in the text made into links',
  entities: 'in titles and other short texts: `&amp;` for `&`, also more than once',
  addresses:
    '`https` for `http`, addresses with the site in front or without it, a slash at the end, `utm_` parameters',
  proxies: 'links through an address of the service that holds the whole address in its query',
  signatures:
    'parameters that sign an address for some minutes (S3, Google Cloud, CloudFront, Azure, Akamai)',
  case: 'in titles and other short texts: capital letters',
  'page-heading': '`<h1>` as `<h2>`: the title of the page is its only `<h1>`',
} as const;

export type Rewriting = keyof typeof REWRITINGS;

export const ALL_REWRITINGS: ReadonlySet<Rewriting> = new Set(Object.keys(REWRITINGS).filter(isRewriting));

export const NO_REWRITINGS: ReadonlySet<Rewriting> = new Set();

export function isRewriting(name: string): name is Rewriting {
  return Object.hasOwn(REWRITINGS, name);
}

/** The rewritings that two texts need to be equal: found by leaving out one after the other. */
export function neededRewritings(
  isAlikeWithout: (without: ReadonlySet<Rewriting>) => boolean,
): readonly Rewriting[] {
  const needed = new Set(ALL_REWRITINGS);
  for (const rewriting of ALL_REWRITINGS) {
    needed.delete(rewriting);
    if (!isAlikeWithout(needed)) needed.add(rewriting);
  }
  return [...needed];
}

const IN_ORDER = [...ALL_REWRITINGS];

/** A set of rewritings as a hexadecimal number, one bit for each in the order above: new ones go to the end. */
export function maskOf(rewritings: ReadonlySet<Rewriting>): string {
  return IN_ORDER.reduce((mask, name, bit) => mask + (rewritings.has(name) ? 2 ** bit : 0), 0).toString(16);
}

/** The rewritings that a mask stands for; undefined if this version does not know all of them. */
export function rewritingsIn(mask: string): ReadonlySet<Rewriting> | undefined {
  const bits = Number.parseInt(mask, 16);
  if (!(bits < 2 ** IN_ORDER.length)) return undefined;
  return new Set(IN_ORDER.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1));
}

import { satteri } from '../parsers.ts';
import { FEATURES, MAY_ALERT } from './markdown.ts';
import type { MarkdownScan } from './markdown.ts';

/**
 * A plain text: its tree is its page, but for the ids of its headings and the addresses of its links, and both can be written into the HTML.
 * Changing the tree costs three times as much as parsing the text, and most texts are plain.
 *
 * Without raw HTML each `<h2>`, `<a href="…">` and `<img src="…">` is a heading, a link or an image: `<` is escaped in texts, and `"` in
 * attributes. An attribute may hold what looks like a heading: then there are more of them than ids. Footnotes have headings and addresses
 * of their own, and not every layout has lists of definitions and codes of emoji. A plain address is the same in the text and in the HTML.
 */
export function isPlain(
  { html, headingIds, links, hasEmoji, hasDefinitions, rendered }: MarkdownScan,
  body: string,
): boolean {
  const headings = rendered.match(HEADINGS) ?? [];
  return (
    html.length === 0 &&
    !hasEmoji &&
    !hasDefinitions &&
    // The text is looked at first: a footnote and a quotation begin with a sign that few texts have.
    !(body.includes('[^') && rendered.includes('data-footnote')) &&
    !(body.includes('>') && rendered.includes('<blockquote>') && MAY_ALERT.test(body)) &&
    headingIds.every((id) => PLAIN_ID.test(id)) &&
    links.every(({ url }) => PLAIN_ADDRESS.test(url)) &&
    headings.length === headingIds.length &&
    headings.every((heading) => heading.endsWith('>'))
  );
}

/** The HTML of a plain text; undefined: an address to write is not plain. `ids`: of its headings, in order. */
export function plainHtml(
  body: string,
  ids: readonly string[],
  links: ReadonlyMap<string, string>,
): string | undefined {
  for (const address of links.values()) if (!PLAIN_ADDRESS.test(address)) return undefined;
  const { html } = satteri().markdownToHtml(body, { features: FEATURES });
  let heading = 0;
  return html.replaceAll(PLACES, (whole: string, level?: string, before?: string, address?: string) => {
    if (level !== undefined) return `<h${level} id="${ids[heading++] ?? ''}">`;
    const wanted = address === undefined ? undefined : links.get(address);
    return before === undefined || wanted === undefined ? whole : `${before}${wanted}"`;
  });
}

const PLAIN_ID = /^[\p{L}\p{M}\p{N}_.:-]+$/u;
const PLAIN_ADDRESS = /^(?:[\w./:?#@!$*+,;=~-]|%[\da-f]{2})*$/i;
const HEADINGS = /<h[1-6][^]/g;
const PLACES = /<h([1-6])>|(<a href="|<img src=")([^"]*)"/g;

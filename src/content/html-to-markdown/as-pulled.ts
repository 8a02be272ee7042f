import { recordAddress } from '../../model/address/page-address.ts';
import type { DesiredState } from '../../model/record.ts';
import { splitStamp } from '../../model/stamp.ts';
import { sanitise } from '../markdown/sanitise.ts';
import type { ContentOptions } from '../options.ts';
import { cleanTree } from './clean/clean.ts';
import { parseHtml } from './hast.ts';
import type { HtmlToMarkdownOptions } from './options.ts';
import { anchorsIn, rooted } from './own-addresses.ts';
import { htmlOf } from './serialise.ts';

/** How records of a folder's settings read such texts. */
export function pulledTexts({
  urls,
  html,
}: Pick<ContentOptions, 'urls' | 'html'>): Pick<DesiredState, 'asPulled'> {
  return {
    asPulled: (record, shown) => asPulled(shown, { address: recordAddress(urls, record), html }),
  };
}

/** Only what is relative to the page, or within it, is asked about. */
const NO_ORIGIN = 'https://kbsync.invalid';

/**
 * The HTML that a file sends after a pull has made it of `html`: without what web editors leave behind and what
 * `html: sanitize` leaves out, with addresses from the root of the site. `address`: that of the page.
 */
export function asPulled(
  html: string,
  { address, html: mode }: { readonly address: string } & Pick<HtmlToMarkdownOptions, 'html'>,
): string {
  const { body } = splitStamp(html);
  const tree = parseHtml(body);
  const page = { address, anchors: new Set(anchorsIn(body)) };
  cleanTree(tree, { clean: true, address: (url) => rooted(url, page, NO_ORIGIN) });
  const cleaned = htmlOf(tree.children);
  return mode === 'sanitize' ? sanitise(cleaned) : cleaned;
}

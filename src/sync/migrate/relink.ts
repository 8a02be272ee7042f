import { withAddresses } from '../../content/markdown/raw-html.ts';
import type { CarriedFiles } from './carried-files.ts';
import type { Kind } from '../../model/key.ts';
import { decoded } from '../../model/address/percent.ts';
import { pageAddress, wholeAddress } from '../../model/address/page-address.ts';
import { withoutSlashes } from '../../text/plain-address.ts';
import { isUrl } from '../../text/url.ts';

/** Where people read the records of a knowledge base. */
export interface HelpCentre {
  /** `https://help.example.com` */
  readonly origin: string;
  /** `/{lang}/articles/{slug}`, or with a host of its own. */
  readonly urls: Readonly<Record<Kind, string>>;
}

/** The address of a record's page, whole. */
export function pageOf(helpCentre: HelpCentre, kind: Kind, lang: string, slug: string): string {
  return wholeAddress(pageAddress(helpCentre.urls, kind, lang, slug), helpCentre.origin);
}

/** One spelling of a page's address: without scheme, query, fragment and a slash at the end. */
export function pageKey(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${withoutSlashes(decoded(pathname))}`;
}

export interface Relinked {
  readonly html: string;
  /** Links that are written otherwise now. */
  readonly moved: number;
  /** Addresses that still lead to the source: pages that it does not have, images and files. */
  readonly left: readonly string[];
  /** Digests of the files that it shows, which come along. */
  readonly files: readonly string[];
}

/**
 * The HTML with links to pages of the source turned into links to the same pages on the target, with a host where they had
 * one; nothing else of it changes. `page` is where the HTML is read on either side, `pages` the source's pages by
 * `pageKey`, with their addresses on the target; `files` come along.
 */
export function relinked(
  html: string,
  page: { readonly from: string; readonly to: string },
  pages: ReadonlyMap<string, string>,
  files: CarriedFiles,
): Relinked {
  const sourceHost = new URL(page.from).host;
  const left: string[] = [];
  const shown: string[] = [];
  let moved = 0;
  const text = withAddresses(html, (written) => {
    if (written === '' || written.startsWith('#') || !isUrl(written, page.from)) return written;
    const url = new URL(written, page.from);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return written;
    const carried = url.host === sourceHost ? files.get(url.pathname) : undefined;
    if (carried !== undefined) shown.push(carried.digest);
    const target =
      carried === undefined ? pages.get(pageKey(url.href)) : new URL(carried.address, page.to).href;
    if (target === undefined) {
      if (url.host === sourceHost) left.push(url.href);
      return written;
    }
    const next = `${target}${url.search}${url.hash}`;
    const isWhole = /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(written);
    if (!isWhole && pageKey(new URL(written, page.to).href) === pageKey(target)) return written;
    const { origin } = new URL(page.to);
    const result = isWhole || !next.startsWith(`${origin}/`) ? next : next.slice(origin.length);
    if (result !== written) moved += 1;
    return result;
  });
  return { html: text, moved, left, files: shown };
}

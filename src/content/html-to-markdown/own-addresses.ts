import { decoded } from '../../model/address/percent.ts';
import { wholeAddress } from '../../model/address/page-address.ts';

/** A page of the help centre, as addresses in its text stand to it. */
export interface AddressedPage {
  readonly address: string;
  /** What a link can jump to there; undefined: not known. */
  readonly anchors: ReadonlySet<string> | undefined;
}

/**
 * An address as it may stand in a file without being taken for the path of one: what is relative to the page, or lies on
 * the same site, is written from the site's root, and so is a jump to a place that the page does not have. `origin`:
 * `https://help.example.com`.
 */
export function rooted(url: string, page: AddressedPage, origin: string): string {
  if (url.startsWith('#')) {
    const id = decoded(url.slice(1));
    const isThere = id === '' || id === 'top' || id.startsWith(':~:') || id.startsWith('user-content-');
    return isThere || page.anchors?.has(id) === true ? url : `${page.address}${url}`;
  }
  const base = wholeAddress(page.address, origin);
  // Where pages are on a host of their own, an address of the other host is not one from their root.
  const isOurs = url.startsWith(`${origin}/`) && base.startsWith(`${origin}/`);
  if (!isOurs && /^(?:[a-z][a-z0-9+.-]*:|\/|\\|\?|$)/i.test(url)) return url;
  try {
    const full = new URL(url, base);
    return `${full.pathname}${full.search}${full.hash}`;
  } catch {
    return url;
  }
}

/** What a link can jump to in a text. */
export function anchorsIn(html: string): readonly string[] {
  return [...html.matchAll(/\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

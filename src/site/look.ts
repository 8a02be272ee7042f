import { isSvg } from '../service/files/format.ts';
import { isUrl } from '../text/url.ts';

/** A link of the site's own, in its header or footer. */
export interface SiteLink {
  readonly text: string;
  /** `https://…`, `mailto:…`, or a path of this site. */
  readonly url: string;
}

/** How a site looks, beside its colours: what a team sets once. */
export interface Look {
  /** The sentence above the search of the start page. Default: how can we help, in the reader's language. */
  readonly intro?: string;
  /** Beside the name, and in the browser's tab. */
  readonly logo?: Logo;
  /** In the header, or in the menu where there is little room. */
  readonly links?: readonly SiteLink[];
  readonly footer?: Footer;
}

export interface Footer {
  readonly text?: string;
  readonly links?: readonly SiteLink[];
}

export interface Logo {
  readonly type: string;
  readonly extension: string;
  readonly bytes: Uint8Array;
}

export const LOGO_BYTES_MAX = 256 * 1024;

/** What its first bytes say a picture is; undefined: none that every browser shows. Names and endings are not asked. */
export function logoOf(bytes: Uint8Array): Logo | undefined {
  const head = Buffer.from(bytes.subarray(0, 1000));
  const begins = (text: string, at = 0): boolean => head.subarray(at).indexOf(text, 0, 'latin1') === 0;
  if (begins('\x89PNG\r\n\x1a\n')) return { type: 'image/png', extension: 'png', bytes };
  if (begins('\xff\xd8\xff')) return { type: 'image/jpeg', extension: 'jpg', bytes };
  if (begins('RIFF') && begins('WEBP', 8)) return { type: 'image/webp', extension: 'webp', bytes };
  if (isSvg(head.toString('utf8').replace(/^\uFEFF/, ''))) {
    return { type: 'image/svg+xml', extension: 'svg', bytes };
  }
  return undefined;
}

/** Whether an address may stand in a link of the site. */
export function isLinkAddress(url: string): boolean {
  if (/^\/(?![/\\])[^\s\\]*$/.test(url)) return true;
  return /^(?:https?|mailto):[^\s]+$/i.test(url) && isUrl(url);
}

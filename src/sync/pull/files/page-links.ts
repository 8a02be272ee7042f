import { digestsIn } from '../../../model/address/file-address.ts';
import { decoded } from '../../../model/address/percent.ts';
import { wholeAddress } from '../../../model/address/page-address.ts';
import { isUrl } from '../../../text/url.ts';

/** A page of the help centre and the file that it has, or will have, in the content folder. */
export interface LinkTarget {
  readonly file: string;
  /** What a link can jump to there; undefined: not known. */
  readonly anchors: ReadonlySet<string> | undefined;
}

export interface PageLinks {
  /** By address from the root of the site: `/en/articles/install`. */
  readonly targets: ReadonlyMap<string, LinkTarget>;
  /** Addresses that pages had by their files → those that the site has given them since. */
  readonly renamed: ReadonlyMap<string, string>;
  /** `https://help.example.com` */
  readonly origin: string;
  /** Where the content folder's images are served, if they are. */
  readonly assetsBaseUrl: string | undefined;
  /** Files of the content folder by digest, where the knowledge base keeps files. */
  readonly kept: ReadonlyMap<string, { readonly path: string }>;
  /** Whether the content folder has such a file. */
  readonly hasFile: (path: string) => boolean;
  /** Files of images that were fetched, by their absolute address. */
  readonly assets: ReadonlyMap<string, string>;
}

export interface Page extends LinkTarget {
  readonly address: string;
}

/** An address with the name that its page has now, so links from before and after a renaming are the same. */
export function renamed(url: string, { renamed: names }: Pick<PageLinks, 'renamed'>): string {
  if (names.size === 0) return url;
  const [path = ''] = /^[^?#]*/.exec(url) ?? [];
  const now = names.get(path);
  return now === undefined ? url : `${now}${url.slice(path.length)}`;
}

/** The path of the file behind an address, as seen from the page's own; the address itself where there is none. */
export function fileLink(url: string, page: Page, links: PageLinks): string {
  const asset = assetOf(url, links) ?? keptOf(url, page, links) ?? fetchedOf(url, page, links);
  if (asset !== undefined) return relativePath(page.file, asset);
  const [, path = '', query = '', anchor = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  const target = links.targets.get(path);
  if (target === undefined) return url;
  if (anchor !== '' && target.anchors?.has(decoded(anchor.slice(1))) !== true) return url;
  return `${relativePath(page.file, target.file)}${query}${anchor}`;
}

/** The file behind the public address of an image, where it is here. */
function assetOf(url: string, { assetsBaseUrl, hasFile }: PageLinks): string | undefined {
  if (assetsBaseUrl === undefined) return undefined;
  const base = `${assetsBaseUrl.replace(/(?<!\/)\/+$/, '')}/`;
  const path = url.startsWith(base) ? url.slice(base.length) : '';
  const isPlain = path !== '' && /^[\w./-]+$/.test(path) && !path.split('/').includes('..');
  return isPlain && hasFile(path) ? path : undefined;
}

function keptOf(url: string, { address }: Page, { kept, origin }: PageLinks): string | undefined {
  const [digest] = digestsIn(url);
  const file = digest === undefined ? undefined : kept.get(digest);
  if (file === undefined) return undefined;
  return absolute(url, wholeAddress(address, origin)).origin === new URL(origin).origin
    ? file.path
    : undefined;
}

function fetchedOf(url: string, page: Page, { assets, origin }: PageLinks): string | undefined {
  const base = wholeAddress(page.address, origin);
  if (assets.size === 0 || !isUrl(url, base)) return undefined;
  return assets.get(absolute(url, base).href);
}

function relativePath(from: string, to: string): string {
  const here = from.split('/').slice(0, -1);
  const there = to.split('/');
  let shared = 0;
  while (shared < here.length && here[shared] === there[shared]) shared += 1;
  const rest = there
    .slice(shared)
    .map((part) => encodeURI(part).replaceAll('?', '%3F').replaceAll('#', '%23'));
  return `${'../'.repeat(here.length - shared)}${rest.join('/')}`;
}

/** Where an image of a page lies. `page`: the absolute address of the page; the reference can be resolved there. */
export function absolute(reference: string, page: string): URL {
  const url = new URL(reference, page);
  url.hash = '';
  url.username = '';
  url.password = '';
  return url;
}

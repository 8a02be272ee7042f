import { decoded } from '../../model/address/percent.ts';
import pLimit from 'p-limit';
import type { ContentFolder, Spool } from '../../content/files/folder.ts';
import { rawTags } from '../../content/markdown/raw-html.ts';
import { digestOfBytes } from '../../model/digest.ts';
import type { Kind } from '../../model/key.ts';
import type { Download } from '../../remote/http/download.ts';
import { absolute } from './page-links.ts';
import { safeName } from './file-name.ts';
import { pageAddress, wholeAddress } from '../../model/address/page-address.ts';
import type { Fetched } from './read-records.ts';

/** Images that a pull brings along. */
export interface PulledAssets {
  /** New files. */
  readonly saved: number;
  /** Files that were there already, by their hash. */
  readonly kept: number;
  /** Hosts that were not allowed, with the number of images that stay there. */
  readonly elsewhere: Readonly<Record<string, number>>;
  /** Images that could not be had: address and reason. */
  readonly failed: readonly { readonly url: string; readonly why: string }[];
}

export interface AssetOptions {
  readonly download: Download;
  readonly isAllowed: (address: URL) => boolean;
  readonly folder: ContentFolder;
  readonly spool: Spool;
  readonly urls: Readonly<Record<Kind, string>>;
  /** `https://help.example.com` */
  readonly origin: string;
  /** Where the content folder's images are served; what is there already is ours. */
  readonly assetsBaseUrl: string | undefined;
  readonly dryRun: boolean;
}

const AT_ONCE = 4;

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/svg+xml', 'svg'],
  ['image/bmp', 'bmp'],
  ['image/x-icon', 'ico'],
  ['image/vnd.microsoft.icon', 'ico'],
]);

/**
 * Fetches the images of these records once each, into `assets/<name>-<hash>.<type>`. Gives the file by absolute address;
 * an image that could not be had, or that lies on a host that is not allowed, keeps its address.
 */
export async function pullAssets(
  records: readonly Fetched[],
  options: AssetOptions,
): Promise<{ readonly files: ReadonlyMap<string, string>; readonly report: PulledAssets }> {
  const wanted = new Map<string, URL>();
  const elsewhere: Record<string, number> = {};
  for (const url of addressesIn(records, options)) {
    if (options.isAllowed(url)) wanted.set(url.href, url);
    else elsewhere[url.host] = (elsewhere[url.host] ?? 0) + 1;
  }
  const files = new Map<string, string>();
  const failed: { url: string; why: string }[] = [];
  const sums = { saved: 0, kept: 0 };
  const limit = pLimit(AT_ONCE);
  const fetchOne = async (url: URL): Promise<void> => {
    const found = await saved(url, options);
    if ('why' in found) failed.push({ url: url.href, why: found.why });
    else {
      files.set(url.href, found.file);
      sums[found.isNew ? 'saved' : 'kept'] += 1;
    }
  };
  if (!options.dryRun) await Promise.all([...wanted.values()].map((url) => limit(() => fetchOne(url))));
  else sums.saved = wanted.size;
  failed.sort((a, b) => (a.url < b.url ? -1 : 1));
  return { files, report: { ...sums, elsewhere, failed } };
}

/** Addresses without their fragment, in the order of the records; data and the files of the content folder are none. */
function* addressesIn(records: readonly Fetched[], options: AssetOptions): Iterable<URL> {
  const seen = new Set<string>();
  const { origin, urls, assetsBaseUrl, spool } = options;
  const own = assetsBaseUrl === undefined ? undefined : `${assetsBaseUrl.replace(/\/+$/, '')}/`;
  for (const { kind, lang, fields, body } of records) {
    const html = spool.get(body);
    if (!/<img/i.test(html)) continue;
    const page = wholeAddress(pageAddress(urls, kind, lang, String(fields['slug'] ?? '')), origin);
    for (const { name, attributes } of rawTags(html)) {
      const source = name === 'img' ? attributes['src']?.trim() : undefined;
      if (source === undefined || source === '' || !URL.canParse(source, page)) continue;
      const url = absolute(source, page);
      if (!/^https?:$/.test(url.protocol) || seen.has(url.href)) continue;
      if (own !== undefined && url.href.startsWith(own)) continue;
      seen.add(url.href);
      yield url;
    }
  }
}

async function saved(
  url: URL,
  { download, folder }: AssetOptions,
): Promise<{ readonly file: string; readonly isNew: boolean } | { readonly why: string }> {
  const found = await download(url);
  if ('why' in found) return found;
  const extension = EXTENSIONS.get(found.type);
  if (extension === undefined)
    return { why: `the answer is ${found.type === '' ? 'of no type' : found.type}, not an image` };
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  const stem = safeName(decoded(last).replace(/\.[A-Za-z0-9]{1,5}$/, ''))
    .normalize('NFKD')
    .replaceAll(/[^\w-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const hash = digestOfBytes(found.bytes).slice(0, 12);
  const file = `assets/${stem === '' ? 'image' : stem}-${hash}.${extension}`;
  if (folder.has(file)) return { file, isNew: false };
  const why = folder.create(file, found.bytes);
  return why === undefined ? { file, isNew: true } : { why };
}

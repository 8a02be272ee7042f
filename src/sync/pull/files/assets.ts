import { posix } from 'node:path';
import { decoded } from '../../../model/address/percent.ts';
import pLimit from 'p-limit';
import type { ContentFolder, Spool } from '../../../content/files/folder.ts';
import { rawTags } from '../../../content/markdown/raw-html.ts';
import { digestOfBytes } from '../../../model/digest.ts';
import type { Kind } from '../../../model/key.ts';
import { digestsIn, fileName } from '../../../model/address/file-address.ts';
import type { Download, Downloaded } from '../../../remote/http/download.ts';
import { absolute } from './page-links.ts';
import { safeName } from '../places/file-name.ts';
import { recordAddress, wholeAddress } from '../../../model/address/page-address.ts';
import type { Fetched } from '../reading/read-records.ts';
import { isUrl } from '../../../text/url.ts';

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
  /** Files of the content folder by digest; the service shows these from it. */
  readonly kept: { readonly has: (digest: string) => boolean };
  readonly dryRun: boolean;
}

const AT_ONCE = 4;

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/apng', 'apng'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/svg+xml', 'svg'],
  ['image/bmp', 'bmp'],
  ['image/x-icon', 'ico'],
  ['image/vnd.microsoft.icon', 'ico'],
]);

/** Endings of files that are images. */
export const IMAGE_ENDINGS: ReadonlySet<string> = new Set([...EXTENSIONS.values(), 'jpeg']);

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
  const { files, ...fetched } = await saveAll(wanted, options);
  return { files, report: { ...fetched, elsewhere } };
}

const ALL_BYTES_MAX = 2_000_000_000;
/** After so many requests to a host that it did not answer, its other images are not asked for. */
const SILENT_MAX = 3;

/** Fetches each of these once. Gives the file by absolute address; what could not be had is named. */
export async function saveAll(
  wanted: ReadonlyMap<string, URL>,
  { download, folder, dryRun }: Pick<AssetOptions, 'download' | 'folder' | 'dryRun'>,
): Promise<Omit<PulledAssets, 'elsewhere'> & { readonly files: ReadonlyMap<string, string> }> {
  const files = new Map<string, string>();
  if (dryRun) return { files, saved: wanted.size, kept: 0, failed: [] };
  const failed: { url: string; why: string }[] = [];
  const sums = { saved: 0, kept: 0 };
  const silent = new Map<string, number>();
  let bytes = 0;
  const fetchOne = async (url: URL): Promise<void> => {
    const isSilent = (silent.get(url.host) ?? 0) >= SILENT_MAX;
    const found =
      bytes >= ALL_BYTES_MAX
        ? {
            why: `the images before it have ${ALL_BYTES_MAX / 1e9} GB together, which is the most that one run takes`,
          }
        : isSilent
          ? { why: `${url.host} did not answer ${SILENT_MAX} requests before it` }
          : await download(url);
    if ('why' in found) {
      if ('isSilent' in found && found.isSilent) silent.set(url.host, (silent.get(url.host) ?? 0) + 1);
      failed.push({ url: url.href, why: found.why });
      return;
    }
    silent.delete(url.host);
    bytes += found.bytes.length;
    const end = saved(url, found, folder);
    if ('why' in end) failed.push({ url: url.href, why: end.why });
    else {
      files.set(url.href, end.file);
      sums[end.isNew ? 'saved' : 'kept'] += 1;
    }
  };
  const limit = pLimit(AT_ONCE);
  await Promise.all([...wanted.values()].map((url) => limit(() => fetchOne(url))));
  failed.sort((a, b) => (a.url < b.url ? -1 : 1));
  return { files, ...sums, failed };
}

/** Addresses without their fragment, in the order of the records; data and the files of the content folder are none. */
function* addressesIn(records: readonly Fetched[], options: AssetOptions): Iterable<URL> {
  const seen = new Set<string>();
  const { origin, urls, assetsBaseUrl, spool, kept } = options;
  const own = assetsBaseUrl === undefined ? undefined : `${assetsBaseUrl.replace(/(?<!\/)\/+$/, '')}/`;
  for (const { kind, lang, fields, body } of records) {
    const html = spool.get(body);
    if (!/<img/i.test(html)) continue;
    const page = wholeAddress(recordAddress(urls, { kind, lang, fields }), origin);
    for (const { name, attributes } of rawTags(html)) {
      const source = name === 'img' ? attributes['src']?.trim() : undefined;
      if (source === undefined || source === '' || !isUrl(source, page)) continue;
      const url = absolute(source, page);
      if (!/^https?:$/.test(url.protocol) || seen.has(url.href)) continue;
      if (own !== undefined && url.href.startsWith(own)) continue;
      if (url.origin === origin && digestsIn(url.pathname).some((digest) => kept.has(digest))) continue;
      seen.add(url.href);
      yield url;
    }
  }
}

type Saved = { readonly file: string; readonly isNew: boolean } | { readonly why: string };

function saved(url: URL, { bytes, type }: Downloaded, folder: ContentFolder): Saved {
  const name = decoded(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  const [named] = digestsIn(url.pathname);
  const own = posix.extname(name).slice(1).toLowerCase();
  if (named !== undefined && IMAGE_ENDINGS.has(own))
    return saveKept({ digest: named, name: fileName(url.pathname), bytes }, folder);
  // Stores of files often give no type, or the one of any bytes.
  const isUnsaid = type === '' || type === 'application/octet-stream' || type === 'binary/octet-stream';
  const ending = EXTENSIONS.get(type) ?? (isUnsaid && IMAGE_ENDINGS.has(own) ? own : undefined);
  if (ending === undefined) {
    return { why: `the answer is ${type === '' ? 'of no type' : type}, not an image` };
  }
  return saveImage({ name, ending, bytes }, folder);
}

/** An image that another knowledge base keeps: under its own name, and its address stays the same here. */
function saveKept(
  { digest, name, bytes }: { readonly digest: string; readonly name: string; readonly bytes: Uint8Array },
  folder: ContentFolder,
): Saved {
  return written(`assets/${digest.slice(0, 12)}/${name}`, bytes, folder);
}

/** An image as `assets/<name>-<hash>.<ending>`; a file that is there is the same. */
export function saveImage(
  { name, ending, bytes }: { readonly name: string; readonly ending: string; readonly bytes: Uint8Array },
  folder: ContentFolder,
): Saved {
  const stem = safeName(posix.basename(name).replace(/\.[A-Za-z0-9]{1,5}$/, ''))
    .normalize('NFKD')
    .replaceAll(/[^\w-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const hash = digestOfBytes(bytes).slice(0, 12);
  return written(`assets/${stem === '' ? 'image' : stem}-${hash}.${ending}`, bytes, folder);
}

function written(file: string, bytes: Uint8Array, folder: ContentFolder): Saved {
  if (folder.has(file)) return { file, isNew: false };
  const why = folder.create(file, bytes);
  return why === undefined ? { file, isNew: true } : { why };
}

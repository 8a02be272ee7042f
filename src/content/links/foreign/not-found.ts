import { decoded } from '../../../model/address/percent.ts';
import type { Corpus } from '../../corpus/corpus.ts';
import type { Foreign } from '../../presets/preset.ts';
import { hintFor } from '../guesses.ts';
import { AS_WRITTEN, dead, outside } from '../link.ts';
import type { LinkTarget, ResolvedLink } from '../link.ts';
import { PAGE, diskPath, withoutStart } from '../written-address.ts';
import { assetTarget, NOT_READ, sourceEnd } from './found.ts';
import type { LinkedSite } from './indexes.ts';
import { isOnDisk } from './written-link.ts';
import type { WrittenLink } from './written-link.ts';

/** `values.extraConfig` is a name; endings of files are in small letters or in capitals. */
const FILE_END = /\.(?:[a-z\d]+|[A-Z\d]+)$/;

/** What no page and no known file is: a file on the disk, another part of the site, or nothing. */
export function unknownTarget(site: LinkedSite, link: WrittenLink, file: string | undefined): ResolvedLink {
  const { corpus, foreign } = site;
  const { from, url, path, rest, isImage, isRooted, wanted, onDisk } = link;
  if (isImage && isRooted) return { target: { to: 'public', url } };
  const place = file === undefined ? undefined : corpus.preset.place(file);
  // Its own system makes no page of it, so a link to it leads nowhere on the knowledge base.
  const silent = file === undefined ? undefined : corpus.leftOut.get(file);
  // The file is there, and its own problem is reported: nothing is wrong with a link to it.
  if (place?.role === 'document' && !isImage && silent === undefined) return { target: AS_WRITTEN };
  const isThere = isOnDisk(link, corpus);
  if (isThere && onDisk !== undefined && (isImage || isHiddenFile(onDisk)))
    return assetTarget(foreign, onDisk, link);
  const made = isImage || isThere ? undefined : madePage(corpus, foreign, link);
  if (made !== undefined) return { target: made };
  // A page of another system only.
  const isPage = PAGE.test(path) && place?.role !== 'asset';
  const isOurs = isBesidePages(site, link);
  const served = isImage ? servedPicture(corpus, foreign, link) : undefined;
  if (served !== undefined) return { target: served };
  if (isImage || (isPage && !isThere && (wanted === undefined || isOurs))) return nowhere(site, link);
  const end = sourceEnd(foreign, path);
  const isSource = end !== undefined;
  const isLeftOut = place?.role === 'ignored' || silent !== undefined;
  if (!isRooted && wanted !== undefined && !isThere && !isSource && isOurs && !isLeftOut)
    return nowhere(site, link);
  const reason =
    silent ??
    (place?.role === 'ignored' ? place.reason : undefined) ??
    (isThere && NOT_READ.test(path) ? 'kbsync reads Markdown alone' : undefined);
  // A source that its own site does not show either.
  if (isPage && (isThere || place !== undefined))
    return { target: AS_WRITTEN, problem: outside(url, reason) };
  const named = end === foreign.pageSource ? foreign.pageAddress?.(path) : undefined;
  const bare = end === undefined ? path : (named ?? path.replace(end, ''));
  const address = `${isRooted ? bare : encodeURI(bare)}${rest}`;
  const page = isRooted ? undefined : encodeURI(foreign.address(from.path));
  return { target: { to: 'site', address, page, isBelowBase: foreign.isBasePrepended, reason } };
}

/** Whether other files lie where the link leads: then it is a slip, else perhaps a part of the site that is made elsewhere. */
function isBesidePages(
  { foreign, folders }: LinkedSite,
  { from, path, wanted, siteAddress }: WrittenLink,
): boolean {
  if (foreign.hasPagesElsewhere) return false;
  if (foreign.hasNamesElsewhere && !FILE_END.test(path)) return false;
  const { byFile, byPage } = folders();
  const isFolder = !PAGE.test(path) && !foreign.hasPrettyUrls && path.endsWith('/');
  const around = (names: readonly string[]): string => (isFolder ? names : names.slice(0, -1)).join('/');
  if (wanted !== undefined && byFile.has(around(namesIn(wanted)))) return true;
  if (PAGE.test(path)) return false;
  const names = [...namesIn(siteAddress)];
  if (names[0] === from.place.languageFolder) names.shift();
  if (foreign.addressPrefix !== '' && names.shift() !== foreign.addressPrefix) return false;
  return byPage.has(`${from.place.lang} ${around(names)}`);
}

function nowhere(
  { neighbours }: LinkedSite,
  { from, url, path, wanted, isImage }: WrittenLink,
): ResolvedLink {
  const hint = hintFor({ from, path: wanted ?? path, isImage }, neighbours());
  return { target: AS_WRITTEN, problem: { ...dead(url, isImage, false), ...hint } };
}

/** Where a site of one's own making has what it serves from the root, from its pages. */
const SERVED = ['public', '../public', '../../public'];

/** A browser looks for a picture from the address of its page, not from the file: `../images/a.png` of `/learn/page` is `/images/a.png`. */
function servedPicture(
  corpus: Corpus,
  { hasNamesElsewhere, publicFolders }: Foreign,
  { siteAddress, rest }: WrittenLink,
): LinkTarget | undefined {
  const folders = hasNamesElsewhere ? [...publicFolders, ...SERVED] : publicFolders;
  // A relative address comes out of a browser's rules in percent signs.
  const name = decoded(siteAddress);
  const isThere = folders.some((folder) => corpus.exists(`${folder}/${name}`));
  return isThere ? { to: 'public', url: `/${siteAddress}${rest}` } : undefined;
}

/** The page of a file that git ignores. */
function madePage(
  corpus: Corpus,
  { hasPrettyUrls, basePath }: Foreign,
  { from, path, wanted, rest }: WrittenLink,
): Extract<LinkTarget, { readonly to: 'site' }> | undefined {
  const inFolder =
    wanted === undefined
      ? diskPath(from.path, path)
      : path.startsWith('/')
        ? withoutStart(wanted, basePath)
        : wanted;
  const bare = inFolder.replace(PAGE, '').replace(/(?<!\/)\/+$/, '');
  const files = PAGE.test(inFolder)
    ? [inFolder]
    : ['.md', '.mdx', '/index.md', '/index.mdx', '/README.md'].map((end) => `${bare}${end}`);
  const address = bare.replace(/(?:^|\/)(?:index|README)$/i, '');
  if (bare === '' || bare.startsWith('..') || !files.some(corpus.isMade)) return undefined;
  const url = `/${encodeURI(address)}${hasPrettyUrls && address !== '' ? '/' : ''}`;
  const reason = 'git ignores the file, so a build makes it';
  return { to: 'site', address: `${url}${rest}`, page: undefined, isBelowBase: true, reason, isMade: true };
}

/** `.gitbook/assets/plan.pdf`: folders that are not listed hold what pages show or give away. */
function isHiddenFile(path: string): boolean {
  return /(?:^|\/)\.\w[^/]*\/.+\.\w+$/.test(path) && !PAGE.test(path);
}

function namesIn(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

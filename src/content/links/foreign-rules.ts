import { keyOf } from '../../model/key.ts';
import { once } from '../../model/once.ts';
import { isImplied } from '../corpus/corpus.ts';
import type { Corpus, SourceFile } from '../corpus/corpus.ts';
import { hasCrossReferences, isCrossReference } from '../presets/preset.ts';
import type { Foreign } from '../presets/preset.ts';
import { anchored, mended, withAnchor } from './anchors.ts';
import { hintFor } from './guesses.ts';
import type { Neighbourhood } from './guesses.ts';
import { AS_WRITTEN, dead, outside } from './link.ts';
import type { LinkResolver, LinkTarget, ResolvedLink } from './link.ts';
import { documentAt } from './look-up.ts';
import {
  PAGE,
  diskPath,
  joined,
  parts,
  plainAddress,
  relativePath,
  withoutStart,
} from './written-address.ts';

/** `values.extraConfig` is a name; endings of files are in small letters or in capitals. */
const FILE_END = /\.(?:[a-z\d]+|[A-Z\d]+)$/;

/** Pages in other formats: their sources are nothing for readers. A notebook may be meant as a download. */
const NOT_READ = /\.(?:adoc|asciidoc|rst|qmd|rmd|org|mediawiki|textile)$/i;

/** The end of a file that is the source of a page, and no file to give away. */
function sourceEnd({ pageSource }: Foreign, path: string): RegExp | undefined {
  return [pageSource, NOT_READ].find((end) => end?.test(path) === true);
}

/** Addresses that mean no file: with a scheme, from the root, a query alone, nothing. */
export const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/|\\|\?|$)/i;
/** What a template or a program puts in before anybody sees the address. */
const TEMPLATE = /\{\{|\{%|<%|\$\{|%7B%7B/i;

/** A link as a file has it, and where it may lead. */
interface Link {
  readonly from: SourceFile;
  readonly url: string;
  readonly isImage: boolean;
  /** Without query and anchor, decoded, with `/`. */
  readonly path: string;
  readonly query: string;
  readonly anchor: string;
  /** Query and anchor. */
  readonly rest: string;
  /** It begins with `/`. */
  readonly isRooted: boolean;
  /** It is there, by its path from the root of the repository. */
  readonly isInRepository: boolean;
  /** What an alias at its beginning (`@assets/a.png`) means. */
  readonly alias: string | undefined;
  /** From the content folder; undefined: it leads out of it. */
  readonly wanted: string | undefined;
  /** The same with `..` where it leads out; undefined for a link from the root. */
  readonly onDisk: string | undefined;
  /** The address that a browser makes of it, without slashes around it. */
  readonly siteAddress: string;
}

/** Resolves links by the rules of the files' own system. */
export function foreignRules(
  corpus: Corpus,
  foreign: Foreign,
  neighbours: () => Neighbourhood,
): LinkResolver['resolve'] {
  const addresses = once(() => addressesOf(corpus));
  const suffixed = once(() => assetsByEnd(corpus));
  const folders = once(() => foldersOf(corpus));

  const isOnDisk = ({ onDisk, isInRepository }: Link): boolean =>
    isInRepository || (onDisk !== undefined && corpus.exists(onDisk));

  /** The file that a link means, from the content folder. */
  const fileOf = (link: Link) => {
    const { from, path, alias, wanted, isImage, isRooted, siteAddress } = link;
    // A file beside the content folder, not the page that a browser would find at the root.
    const isBeside = wanted === undefined && PAGE.test(path) && isOnDisk(link);
    if (isBeside) return undefined;
    const named = foreign.target(from.path, alias === undefined ? path : `/${alias}`);
    if (named !== undefined) return named;
    if (isImage) return suffixed().get(path.replace(/^(?:\.?\.?\/)+/, ''));
    return isRooted ? undefined : foreign.target(from.path, `/${siteAddress}`);
  };

  /** A page by the address that its front matter names, with or without what all addresses begin with. */
  const addressed = ({ from, siteAddress }: Link): SourceFile | undefined => {
    const inside = withoutStart(siteAddress, foreign.basePath);
    for (const address of new Set([siteAddress, inside, withoutStart(inside, foreign.addressPrefix)])) {
      const found = addresses().get(`${from.place.lang} ${address}`) ?? addresses().get(address);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  /** `xref:name#part` of DocFX: the page whose front matter has that `uid`. Other names are of code, whose pages are made elsewhere. */
  const crossReference = (from: SourceFile, url: string): ResolvedLink | undefined => {
    if (!isCrossReference(url) || !hasCrossReferences(foreign.dialect)) return undefined;
    const { path, anchor } = parts(url.replace(/^xref:/i, 'xref:'));
    const found = addresses().get(`${from.place.lang} ${path}`) ?? addresses().get(path);
    if (found !== undefined) return withAnchor({ to: 'record', file: found, rest: anchor }, found, anchor);
    const problem = { code: 'html-dropped', what: url, reason: 'no page has this `uid`' } as const;
    return { target: AS_WRITTEN, problem };
  };

  /** A category, whose page a template may make: then a heading of it is nothing that is known here. */
  const folder = (link: Link): SourceFile | undefined => {
    const found = link.isImage ? undefined : folderAt(corpus, foreign, link);
    const isMade = found !== undefined && isImplied(found) && foreign.hasPagesElsewhere;
    return isMade && link.anchor !== '' ? undefined : found;
  };

  const asset = (path: string, { rest }: Link): ResolvedLink => ({
    target: {
      to: 'asset',
      path,
      rest,
      publicUrl: publicAddress(foreign.publicFolders, path) ?? foreign.fileAddress?.(path),
    },
  });

  /** A page or a file that this run knows. */
  const known = (link: Link, file: string | undefined): ResolvedLink | undefined => {
    const { from, path, rest, isImage } = link;
    const broken = file === undefined || isImage ? undefined : corpus.unread.get(file);
    if (broken !== undefined) return { target: { to: 'unread', file: broken, rest } };
    const found = documentAt(corpus, from, file) ?? addressed(link) ?? folder(link);
    if (typeof found === 'object' && !isImage)
      return anchored(link, found, file === undefined ? undefined : corpus.byPath.get(file));
    if (typeof found === 'string' && (isImage || sourceEnd(foreign, path) === undefined))
      return asset(found, link);
    return undefined;
  };

  /** Whether other files lie where the link leads: then it is a slip, else perhaps a part of the site that is made elsewhere. */
  const isBesidePages = ({ from, path, wanted, siteAddress }: Link): boolean => {
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
  };

  const nowhere = ({ from, url, path, wanted, isImage }: Link): ResolvedLink => {
    const hint = hintFor({ from, path: wanted ?? path, isImage }, neighbours());
    return { target: AS_WRITTEN, problem: { ...dead(url, isImage, false), ...hint } };
  };

  /** What no page and no known file is: a file on the disk, another part of the site, or nothing. */
  const unknown = (link: Link, file: string | undefined): ResolvedLink => {
    const { from, url, path, rest, isImage, isRooted, wanted, onDisk } = link;
    if (isImage && isRooted) return { target: { to: 'public', url } };
    const place = file === undefined ? undefined : corpus.preset.place(file);
    // Its own system makes no page of it, so a link to it leads nowhere on the knowledge base.
    const silent = file === undefined ? undefined : corpus.leftOut.get(file);
    // The file is there, and its own problem is reported: nothing is wrong with a link to it.
    if (place?.role === 'document' && !isImage && silent === undefined) return { target: AS_WRITTEN };
    const isThere = isOnDisk(link);
    if (isThere && onDisk !== undefined && (isImage || isHiddenFile(onDisk))) return asset(onDisk, link);
    const made = isImage || isThere ? undefined : madePage(corpus, foreign, link);
    if (made !== undefined) return { target: made };
    // A page of another system only.
    const isPage = PAGE.test(path) && place?.role !== 'asset';
    const isOurs = isBesidePages(link);
    const served = isImage ? servedPicture(corpus, foreign, link) : undefined;
    if (served !== undefined) return { target: served };
    if (isImage || (isPage && !isThere && (wanted === undefined || isOurs))) return nowhere(link);
    const end = sourceEnd(foreign, path);
    const isSource = end !== undefined;
    const isLeftOut = place?.role === 'ignored' || silent !== undefined;
    if (!isRooted && wanted !== undefined && !isThere && !isSource && isOurs && !isLeftOut)
      return nowhere(link);
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
  };

  return (from, written, isImage) => {
    // Docusaurus: an address that it must not look up.
    const url = written.replace(/^pathname:\/\//i, '');
    const isFromRoot = /^\/(?!\/)/.test(url);
    const referred = isImage ? undefined : crossReference(from, url);
    if (referred !== undefined) return referred;
    if (TEMPLATE.test(url) || (ELSEWHERE.test(url) && !isFromRoot && !/^\\(?!\\)/.test(url)))
      return { target: AS_WRITTEN };
    const link = linkIn({ corpus, foreign }, from, url, isImage);
    if (link.path === '') return mended(withAnchor(AS_WRITTEN, from, link.anchor), from, link);
    const file = fileOf(link);
    return known(link, file) ?? unknown(link, file);
  };
}

function linkIn(
  { corpus, foreign }: { readonly corpus: Corpus; readonly foreign: Foreign },
  from: SourceFile,
  url: string,
  isImage: boolean,
): Link {
  const { path: said, query, anchor } = parts(url);
  const alias = foreign.alias(said);
  const plain = said.replaceAll('\\', '/');
  const isSource = isImage || PAGE.test(plain);
  const source =
    isSource && foreign.isFromRepository && plain.startsWith('/') ? corpus.inRepository(plain) : undefined;
  // A picture that the settings' folder does not hold is never sent.
  const isInRepository = source !== undefined && (!isImage || corpus.exists(source));
  const path = isInRepository ? relativePath(from.path, source) : plain;
  const isRooted = path.startsWith('/');
  return {
    from,
    url,
    isImage,
    path,
    query,
    anchor,
    rest: `${query}${anchor}`,
    isRooted,
    isInRepository,
    alias,
    wanted: isRooted ? path.slice(1) : joined(from.path, path),
    onDisk: isRooted ? undefined : (alias ?? diskPath(from.path, path)),
    siteAddress: plainAddress(addressIn(foreign, from, path)),
  };
}

/** Where a site of one's own making has what it serves from the root, from its pages. */
const SERVED = ['public', '../public', '../../public'];

/** A browser looks for a picture from the address of its page, not from the file: `../images/a.png` of `/learn/page` is `/images/a.png`. */
function servedPicture(
  corpus: Corpus,
  { hasNamesElsewhere }: Foreign,
  { siteAddress, rest }: Link,
): LinkTarget | undefined {
  const isThere = hasNamesElsewhere && SERVED.some((folder) => corpus.exists(`${folder}/${siteAddress}`));
  return isThere ? { to: 'public', url: `/${siteAddress}${rest}` } : undefined;
}

/** The page of a file that git ignores. */
function madePage(
  corpus: Corpus,
  { hasPrettyUrls, basePath }: Foreign,
  { from, path, wanted, rest }: Link,
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

/** A folder without a page of its own is a category. */
function folderAt(corpus: Corpus, foreign: Foreign, { from, siteAddress }: Link): SourceFile | undefined {
  const names = siteAddress.split('/');
  if (names[0] === from.place.languageFolder) names.shift();
  if (names[0] === foreign.addressPrefix) names.shift();
  const path = names.join('/');
  if (path === '') return undefined;
  return (
    corpus.byKey.get(keyOf('category', path, from.place.lang)) ??
    corpus.byKey.get(keyOf('category', path, corpus.defaultLanguage))
  );
}

/** Pages by the addresses that their front matter names; without a language in front, those of the default language. */
function addressesOf(corpus: Corpus): ReadonlyMap<string, SourceFile> {
  const found = new Map<string, SourceFile>();
  for (const file of corpus.files) {
    const { lang, languageFolder } = file.place;
    for (const written of file.document.addresses ?? []) {
      const address = plainAddress(written);
      const names =
        lang === corpus.defaultLanguage ? [`${lang} ${address}`, address] : [`${lang} ${address}`];
      for (const name of [...names, `${languageFolder}/${address}`])
        if (!found.has(name)) found.set(name, file);
    }
  }
  return found;
}

/** Pictures and downloads by every end of their paths that only one of them has. */
function assetsByEnd(corpus: Corpus): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const twice = new Set<string>();
  for (const path of corpus.assets) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const end = path.slice(slash + 1);
      if (found.has(end)) twice.add(end);
      found.set(end, path);
    }
  }
  for (const end of twice) found.delete(end);
  return found;
}

interface PageFolders {
  /** Folders of the content. */
  readonly byFile: ReadonlySet<string>;
  /** `lang folder`, as in addresses. */
  readonly byPage: ReadonlySet<string>;
}

function foldersOf(corpus: Corpus): PageFolders {
  const byFile = new Set<string>(['']);
  const byPage = new Set<string>();
  for (const { path, place } of corpus.files) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
      byFile.add(path.slice(0, slash));
    for (let slash = place.path.indexOf('/'); slash >= 0; slash = place.path.indexOf('/', slash + 1))
      byPage.add(`${place.lang} ${place.path.slice(0, slash)}`);
  }
  return { byFile, byPage };
}

/** `.gitbook/assets/plan.pdf`: folders that are not listed hold what pages show or give away. */
function isHiddenFile(path: string): boolean {
  return /(?:^|\/)\.\w[^/]*\/.+\.\w+$/.test(path) && !PAGE.test(path);
}

/** `/a.png` for `static/a.png`. */
function publicAddress(folders: readonly string[], path: string): string | undefined {
  const folder = folders.find((each) => path.startsWith(`${each}/`));
  return folder === undefined ? undefined : path.slice(folder.length);
}

/** The address, from the root, that a browser makes of a link of a page; `..` stops at the root. */
function addressIn(foreign: Foreign, from: SourceFile, path: string): string {
  if (path.startsWith('/')) return path;
  return new URL(encodeURI(path), `https://a.invalid/${encodeURI(foreign.address(from.path))}`).pathname;
}

function namesIn(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

import { posix } from 'node:path';
import { keyOf } from '../../model/key.ts';
import { once } from '../../model/once.ts';
import { decoded } from '../../model/address/percent.ts';
import { pageAddress } from '../../model/address/page-address.ts';
import type { ProblemCase } from '../../model/problem.ts';
import type { ContentOptions } from '../options.ts';
import { inLanguage, isImplied, slugOf } from './corpus.ts';
import type { Foreign } from '../presets/preset.ts';
import type { Corpus, SourceFile, UnreadFile } from './corpus.ts';
import type { SiteTarget } from './redirects.ts';
import { suggest } from '../suggest.ts';
import { editDistance } from '../../text/edit-distance.ts';

/** Where an address leads. `rest` is its query and anchor, as written. */
export type LinkTarget =
  | { readonly to: 'record'; readonly file: SourceFile; readonly rest: string }
  /** A page whose file has errors. */
  | { readonly to: 'unread'; readonly file: UnreadFile; readonly rest: string }
  /** `publicUrl`: where the site generator's own site shows it, from its root. */
  | {
      readonly to: 'asset';
      readonly path: string;
      readonly rest: string;
      readonly publicUrl?: string | undefined;
    }
  /** A picture from the root (`/images/a.png`): in the site generator's public folder, not in the content folder. */
  | { readonly to: 'public'; readonly url: string }
  /** Another part of the site that the files make; `address` is from its root, or from `page`. Why it is no page here, where that is known. */
  | {
      readonly to: 'site';
      readonly address: string;
      /** From the path of the whole site. */
      readonly page: string | undefined;
      readonly isBelowBase: boolean;
      readonly reason?: string | undefined;
      /** A page that a build makes. */
      readonly isMade?: true;
    }
  /** The heading that became the title of the page itself. */
  | { readonly to: 'top' }
  /** Elsewhere, into the page itself, or nowhere: it stays as it is. */
  | { readonly to: 'as-written' };

export interface ResolvedLink {
  readonly target: LinkTarget;
  readonly problem?: ProblemCase;
}

/** Resolves the links of one run. */
export interface LinkResolver {
  readonly resolve: (from: SourceFile, url: string, isImage: boolean) => ResolvedLink;
}

/** Addresses that mean no file: with a scheme, from the root, a query alone, nothing. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/|\\|\?|$)/i;
const AS_WRITTEN: LinkTarget = { to: 'as-written' };
/** What a template or a program puts in before anybody sees the address. */
const TEMPLATE = /\{\{|\{%|<%|\$\{|%7B%7B/i;
const PAGE = /\.(?:mdx?|markdown)$/i;

export function linkResolver(corpus: Corpus): LinkResolver {
  const neighbours = once(() => neighbourhood(corpus));
  const addresses = once(() => addressesOf(corpus));
  const suffixed = once(() => assetsByEnd(corpus));
  const folders = once(() => foldersOf(corpus));

  /** Whether other files lie where the link leads: then it is a slip, else perhaps a part of the site that is made elsewhere. */
  const isBesidePages = (
    from: SourceFile,
    { path, wanted, siteAddress }: { path: string; wanted: string | undefined; siteAddress: string },
    foreign: Foreign,
  ): boolean => {
    if (foreign.hasPagesElsewhere) return false;
    if (foreign.hasNamesElsewhere && !/\.\w+$/.test(path)) return false;
    const { byFile, byPage } = folders();
    const isFolder = !PAGE.test(path) && !foreign.hasPrettyUrls && path.endsWith('/');
    const around = (parts: readonly string[]): string => (isFolder ? parts : parts.slice(0, -1)).join('/');
    if (wanted !== undefined && byFile.has(around(partsOf(wanted)))) return true;
    if (PAGE.test(path)) return false;
    const parts = [...partsOf(siteAddress)];
    if (parts[0] === from.place.languageFolder) parts.shift();
    if (foreign.addressPrefix !== '' && parts.shift() !== foreign.addressPrefix) return false;
    return byPage.has(`${from.place.lang} ${around(parts)}`);
  };

  /** A page by the address that its front matter names, with or without what all addresses begin with. */
  const addressed = (foreign: Foreign, from: SourceFile, siteAddress: string): SourceFile | undefined => {
    const inside = withoutStart(siteAddress, foreign.basePath);
    for (const address of new Set([siteAddress, inside, withoutStart(inside, foreign.addressPrefix)])) {
      const found = addresses().get(`${from.place.lang} ${address}`) ?? addresses().get(address);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  /** By the rules of the files' own system. */
  const resolveForeign = (
    foreign: Foreign,
    from: SourceFile,
    written: string,
    isImage: boolean,
  ): ResolvedLink => {
    // Docusaurus: an address that it must not look up.
    const url = written.replace(/^pathname:\/\//i, '');
    const isFromRoot = /^\/(?!\/)/.test(url);
    if (TEMPLATE.test(url) || (ELSEWHERE.test(url) && !isFromRoot && !/^\\(?!\\)/.test(url)))
      return { target: AS_WRITTEN };
    const { path: said, query, anchor } = parts(url);
    const alias = foreign.alias(said);
    const path = said.replaceAll('\\', '/');
    if (path === '') return mended(withAnchor(AS_WRITTEN, from, anchor), from, query);
    const rest = `${query}${anchor}`;
    const isRooted = path.startsWith('/');
    const wanted = isRooted ? path.slice(1) : joined(from.path, path);
    const onDisk = isRooted ? undefined : (alias ?? diskPath(from.path, path));
    // A file beside the content folder, not the page that a browser would find at the root.
    const isBeside = wanted === undefined && PAGE.test(path) && onDisk !== undefined && corpus.exists(onDisk);
    const siteAddress = plainAddress(addressIn(foreign, from, path));
    const file = isBeside
      ? undefined
      : (foreign.target(from.path, alias === undefined ? path : `/${alias}`) ??
        (isImage || isRooted ? undefined : foreign.target(from.path, `/${siteAddress}`)) ??
        (isImage ? suffixed().get(path.replace(/^(?:\.?\.?\/)+/, '')) : undefined));
    const broken = file === undefined || isImage ? undefined : corpus.unread.get(file);
    if (broken !== undefined) return { target: { to: 'unread', file: broken, rest } };
    const folder = isImage ? undefined : folderAt(corpus, foreign, from, siteAddress);
    // A heading of a folder is on the page that a template makes of it.
    const isMadeOfFolder =
      folder !== undefined && isImplied(folder) && foreign.hasPagesElsewhere && anchor !== '';
    const found =
      documentAt(corpus, from, file) ??
      addressed(foreign, from, siteAddress) ??
      (isMadeOfFolder ? undefined : folder);
    if (typeof found === 'object' && !isImage) {
      const literal = file === undefined ? undefined : corpus.byPath.get(file);
      return anchored({ rest, query, anchor }, found, literal);
    }
    const isPageSource = !isImage && foreign.pageSource?.test(path) === true;
    if (typeof found === 'string' && !isPageSource)
      return {
        target: { to: 'asset', path: found, rest, publicUrl: publicAddress(foreign.publicFolders, found) },
      };
    if (isImage && isRooted) return { target: { to: 'public', url } };
    const place = file === undefined ? undefined : corpus.preset.place(file);
    // The file is there, and its own problem is reported: nothing is wrong with a link to it.
    if (place?.role === 'document' && !isImage) return { target: AS_WRITTEN };
    const isThere = onDisk !== undefined && corpus.exists(onDisk);
    if (isThere && (isImage || isHiddenFile(onDisk)))
      return {
        target: { to: 'asset', path: onDisk, rest, publicUrl: publicAddress(foreign.publicFolders, onDisk) },
      };
    const isOurs = isBesidePages(from, { path, wanted, siteAddress }, foreign);
    const isMissingPage = PAGE.test(path) && !isThere && (wanted === undefined || isOurs);
    const made = isImage || isThere ? undefined : madePage(corpus, foreign, { from, path, wanted });
    if (made !== undefined)
      return {
        target: {
          to: 'site',
          address: `${made}${rest}`,
          page: undefined,
          isBelowBase: true,
          reason: MADE,
          isMade: true,
        },
      };
    if (isImage || isMissingPage) {
      const hint = hintFor({ from, path: wanted ?? path, isImage }, neighbours());
      return { target: AS_WRITTEN, problem: { ...dead(url, isImage, false), ...hint } };
    }
    if (isRooted || wanted === undefined || isThere || isPageSource || !isOurs || place?.role === 'ignored') {
      const bare = foreign.pageSource === undefined ? path : path.replace(foreign.pageSource, '');
      const address = `${isRooted ? bare : encodeURI(bare)}${rest}`;
      const page = isRooted ? undefined : encodeURI(foreign.address(from.path));
      const reason = place?.role === 'ignored' ? place.reason : undefined;
      // A source that its own site does not show either.
      if (PAGE.test(path) && (isThere || place !== undefined))
        return { target: AS_WRITTEN, problem: outside(url, reason) };
      return { target: { to: 'site', address, page, isBelowBase: foreign.isBasePrepended, reason } };
    }
    const hint = hintFor({ from, path: wanted, isImage }, neighbours());
    return { target: AS_WRITTEN, problem: { ...dead(url, isImage, false), ...hint } };
  };

  const resolve = (from: SourceFile, url: string, isImage: boolean): ResolvedLink => {
    const { foreign } = corpus.preset;
    if (foreign !== undefined) return resolveForeign(foreign, from, url, isImage);
    if (ELSEWHERE.test(url))
      return { target: isImage && /^\/(?!\/)/.test(url) ? { to: 'public', url } : AS_WRITTEN };
    const { path, query, anchor } = parts(url);
    if (path === '') return withAnchor(AS_WRITTEN, from, anchor);
    const wanted = joined(from.path, path);
    if (wanted === undefined) return { target: AS_WRITTEN, problem: dead(url, isImage, true) };
    const rest = `${query}${anchor}`;
    const broken = isImage ? undefined : unreadAt(corpus, wanted);
    if (broken !== undefined) return { target: { to: 'unread', file: broken, rest } };
    const target = findTarget(corpus, from, wanted);
    if (target === undefined || (isImage && typeof target !== 'string')) {
      const hint = hintFor({ from, path: wanted, isImage }, neighbours());
      return { target: AS_WRITTEN, problem: { ...dead(url, isImage, false), ...hint } };
    }
    if (typeof target === 'string') return { target: { to: 'asset', path: target, rest } };
    return withAnchor({ to: 'record', file: target, rest }, target, anchor);
  };
  return { resolve };
}

/** Writes the addresses that a page shows: a record's on the service, a file's where files are published. */
export interface LinkWriter {
  /** `url` undefined: it stays as written. */
  readonly write: (
    target: LinkTarget,
    written: string,
  ) => { readonly url?: string; readonly problem?: ProblemCase };
}

/** Where a service that keeps files shows those of the repository. */
export interface FilePlaces {
  /** By the path from the content folder; undefined: none that may be published. */
  readonly urlOf: (path: string) => string | undefined;
  /** By an address from the root of the site; undefined: no folder that is served there has it. */
  readonly publicUrlOf: (address: string) => string | undefined;
}

export function filePlaces({ urlOf }: Pick<FilePlaces, 'urlOf'>, { foreign }: Corpus['preset']): FilePlaces {
  return {
    urlOf,
    publicUrlOf: (address) => {
      const { path, query, anchor } = parts(address);
      if (foreign === undefined || !/\.\w+$/.test(path) || PAGE.test(path)) return undefined;
      const whole = path.slice(1);
      for (const name of new Set([withoutStart(whole, foreign.basePath), whole])) {
        for (const folder of foreign.publicFolders) {
          const url = urlOf(posix.normalize(`${folder}/${name}`));
          if (url !== undefined) return `${url}${query}${anchor}`;
        }
      }
      return undefined;
    },
  };
}

export function linkWriter({
  urls,
  assetsBaseUrl,
  assetsRootUrl,
  siteUrl,
  kept,
}: Pick<ContentOptions, 'urls' | 'assetsBaseUrl' | 'assetsRootUrl' | 'siteUrl'> & {
  /** Where the service shows files; undefined: nowhere. */
  readonly kept?: FilePlaces | undefined;
}): LinkWriter {
  const known = new Map<SourceFile, string>();
  const urlOf = (file: SourceFile): string => {
    let url = known.get(file);
    if (url === undefined) {
      url = pageAddress(urls, file.place.kind, file.place.lang, slugOf(file));
      known.set(file, url);
    }
    return url;
  };
  const bare = (base: string): string => base.replace(/\/+$/, '');
  return {
    write: (target, written) => {
      switch (target.to) {
        case 'record':
          return { url: `${urlOf(target.file)}${target.rest}` };
        case 'unread': {
          const { place, slug } = target.file;
          return { url: `${pageAddress(urls, place.kind, place.lang, slug)}${target.rest}` };
        }
        case 'asset': {
          // A public folder is served from the root, without its name.
          if (written.startsWith('/') && assetsRootUrl !== undefined)
            return { url: `${bare(assetsRootUrl)}${written}` };
          if (assetsBaseUrl !== undefined)
            return { url: `${hosted(bare(assetsBaseUrl), target.path)}${target.rest}` };
          if (assetsRootUrl !== undefined && target.publicUrl !== undefined)
            return { url: `${hosted(bare(assetsRootUrl), target.publicUrl.slice(1))}${target.rest}` };
          const url = kept?.urlOf(target.path);
          return url === undefined
            ? { problem: { code: 'image-not-hosted', url: written } }
            : { url: `${url}${target.rest}` };
        }
        case 'public': {
          if (assetsRootUrl !== undefined) return { url: `${bare(assetsRootUrl)}${target.url}` };
          const url = kept?.publicUrlOf(target.url);
          return url === undefined ? {} : { url };
        }
        case 'site': {
          if (siteUrl !== undefined) return { url: onSite(siteUrl, target) };
          const url = target.page === undefined ? kept?.publicUrlOf(target.address) : undefined;
          return url === undefined ? { problem: outside(written, target.reason) } : { url };
        }
        case 'top':
          return { url: '#top' };
        case 'as-written':
          return {};
      }
    },
  };
}

/** Where addresses of the files' own site lead here, as a link of a page would. */
export function siteTargets(
  { files, preset, defaultLanguage }: Corpus,
  { resolve }: LinkResolver,
  { write }: LinkWriter,
): (address: string) => SiteTarget {
  const from = files.find(
    ({ path, place }) => place.lang === defaultLanguage && preset.place(path).role === 'document',
  );
  return (address) => {
    if (from === undefined) return { to: 'nowhere' };
    const { target, problem } = resolve(from, address, false);
    if (target.to === 'record')
      return { to: 'page', file: target.file, url: write(target, address).url ?? address };
    if (problem?.code === 'dead-link') return { to: 'nowhere' };
    return target.to === 'site'
      ? { to: 'site', url: write(target, address).url, isMade: target.isMade === true }
      : { to: 'site', url: undefined };
  };
}

/** `/a.png` for `static/a.png`. */
function publicAddress(folders: readonly string[], path: string): string | undefined {
  const folder = folders.find((each) => path.startsWith(`${each}/`));
  return folder === undefined ? undefined : path.slice(folder.length);
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

function withoutStart(address: string, start: string): string {
  const bare = start.replaceAll(/^\/+|\/+$/g, '');
  return bare !== '' && address.startsWith(`${bare}/`) ? address.slice(bare.length + 1) : address;
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

/** `.gitbook/assets/plan.pdf`: folders that are not listed hold what pages show or give away. */
function isHiddenFile(path: string): boolean {
  return /(?:^|\/)\.\w[^/]*\/.+\.\w+$/.test(path) && !PAGE.test(path);
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

/** A folder without a page of its own is a category. */
function folderAt(
  corpus: Corpus,
  foreign: Foreign,
  from: SourceFile,
  siteAddress: string,
): SourceFile | undefined {
  const parts = siteAddress.split('/');
  if (parts[0] === from.place.languageFolder) parts.shift();
  if (parts[0] === foreign.addressPrefix) parts.shift();
  const path = parts.join('/');
  if (path === '') return undefined;
  return (
    corpus.byKey.get(keyOf('category', path, from.place.lang)) ??
    corpus.byKey.get(keyOf('category', path, corpus.defaultLanguage))
  );
}

const MADE = 'git ignores the file, so a build makes it';

/** The address of a page whose file git ignores, from the root of the site. */
function madePage(
  corpus: Corpus,
  { hasPrettyUrls, basePath }: Foreign,
  { from, path, wanted }: { from: SourceFile; path: string; wanted: string | undefined },
): string | undefined {
  const inFolder =
    wanted === undefined
      ? diskPath(from.path, path)
      : path.startsWith('/')
        ? withoutStart(wanted, basePath)
        : wanted;
  const bare = inFolder.replace(PAGE, '').replace(/\/+$/, '');
  const files = PAGE.test(inFolder)
    ? [inFolder]
    : ['.md', '.mdx', '/index.md', '/index.mdx', '/README.md'].map((end) => `${bare}${end}`);
  const address = bare.replace(/(?:^|\/)(?:index|README)$/i, '');
  if (bare === '' || bare.startsWith('..') || !files.some(corpus.isMade)) return undefined;
  return `/${encodeURI(address)}${hasPrettyUrls && address !== '' ? '/' : ''}`;
}

/** Where the site shows an address of its own. */
function onSite(
  siteUrl: string,
  { address, page, isBelowBase }: Extract<LinkTarget, { readonly to: 'site' }>,
): string {
  const base = siteUrl.replace(/\/*$/, '/');
  if (page !== undefined) return new URL(address, new URL(`./${page}`, base)).href;
  return new URL(isBelowBase ? `.${address}` : address, base).href;
}

/** The address, from the root, that a browser makes of a link of a page; `..` stops at the root. */
function addressIn(foreign: Foreign, from: SourceFile, path: string): string {
  if (path.startsWith('/')) return path;
  return new URL(encodeURI(path), `https://a.invalid/${encodeURI(foreign.address(from.path))}`).pathname;
}

/** From the content folder, with `..` where it leads out. */
function diskPath(from: string, path: string): string {
  return posix.normalize(posix.join(posix.dirname(from), path));
}

/** A document, the path of another file, or undefined. */
function findTarget(corpus: Corpus, from: SourceFile, wanted: string): SourceFile | string | undefined {
  const here = lookUp(corpus, wanted);
  if (here !== undefined) return here;
  const inDefault = corpus.preset.inLanguage(wanted, corpus.defaultFolder);
  if (inDefault === undefined || inDefault === wanted) return undefined;
  const there = lookUp(corpus, inDefault);
  // A translated file may have another name: the record's translation is meant, not the file of the same name.
  return typeof there === 'object' ? (inLanguage(corpus, there, from.place.lang) ?? there) : there;
}

/** A file that a preset found: the record in the reader's language, where there is one. */
function documentAt(
  corpus: Corpus,
  from: SourceFile,
  path: string | undefined,
): SourceFile | string | undefined {
  if (path === undefined) return undefined;
  const found = corpus.byPath.get(path);
  if (found === undefined) return corpus.assets.has(path) ? path : undefined;
  const isOther = found.place.lang !== from.place.lang && found.place.lang === corpus.defaultLanguage;
  return isOther ? (inLanguage(corpus, found, from.place.lang) ?? found) : found;
}

function lookUp(corpus: Corpus, wanted: string): SourceFile | string | undefined {
  const exact = corpus.byPath.get(wanted);
  if (exact !== undefined) return exact;
  for (const path of corpus.preset.linkTargets(wanted)) {
    const document = corpus.byPath.get(path);
    if (document !== undefined) return document;
    if (corpus.assets.has(path)) return path;
  }
  return undefined;
}

interface Behind {
  readonly rest: string;
  readonly query: string;
  readonly anchor: string;
}

/** The heading may be there in the language that the link names, and not in the reader's. */
function anchored(
  { rest, query, anchor }: Behind,
  found: SourceFile,
  literal: SourceFile | undefined,
): ResolvedLink {
  const id = decoded(anchor.slice(1));
  if (isTop(found, id)) return { target: { to: 'record', file: found, rest: query } };
  const here = withAnchor({ to: 'record', file: found, rest }, found, anchor);
  if (here.problem === undefined || literal === undefined || literal === found)
    return mended(here, found, query);
  const there = withAnchor({ to: 'record', file: literal, rest }, literal, anchor);
  return there.problem === undefined ? there : mended(here, found, query);
}

/** Makers of ids differ in signs and letter case: where one heading has the same letters, it is meant. */
function mended(link: ResolvedLink, file: SourceFile, query: string): ResolvedLink {
  if (link.problem?.code !== 'dead-anchor') return link;
  const { anchors = [] } = file.document.body?.outline ?? {};
  const wanted = lettersOf(link.problem.anchor);
  const [same, ...more] = wanted === '' ? [] : anchors.filter((id) => lettersOf(id) === wanted);
  if (same === undefined || more.length > 0) return link;
  return { target: { to: 'record', file, rest: `${query}#${encodeURIComponent(same)}` } };
}

/** GitBook puts `id-` before a number and writes `&` as `and`; signs and blanks are everybody's own. */
function lettersOf(id: string): string {
  return id
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^(?:id-|_)(?=\d)/, '')
    .replaceAll(/(?<![\p{L}\p{N}])and(?![\p{L}\p{N}])/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** The id of a heading that became the title; Starlight calls its title `_top` on each page. */
function isTop(file: SourceFile, id: string): boolean {
  return id === '_top' || (id !== '' && file.document.body?.titleId === id);
}

function withAnchor(to: LinkTarget, target: SourceFile, anchor: string): ResolvedLink {
  const id = decoded(anchor.slice(1));
  if (isTop(target, id)) return { target: { to: 'top' } };
  if (id === '' || id === 'top' || id.startsWith(':~:') || id.startsWith('user-content-'))
    return { target: to };
  const { anchors = [], hasUnknownParts } = target.document.body?.outline ?? {};
  // A part that nobody knows may have made the heading; it is a problem of its own.
  if (anchors.includes(id) || hasUnknownParts === true) return { target: to };
  const suggestion = suggest(id, anchors);
  return {
    target: to,
    problem: {
      code: 'dead-anchor',
      anchor: id,
      target: isImplied(target) ? `the category \`${target.place.path}\`` : target.shown,
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  };
}

function outside(url: string, reason: string | undefined): ProblemCase {
  return { code: 'outside-link', url, ...(reason === undefined ? {} : { reason }) };
}

function dead(
  url: string,
  isImage: boolean,
  isOutside: boolean,
): ProblemCase & { code: 'dead-link' | 'missing-image' } {
  const hint = MAIL.test(url) ? { suggestion: `mailto:${url}` } : {};
  return { code: isImage ? 'missing-image' : 'dead-link', url, isOutside, ...hint };
}

const MAIL = /^[^\s@/:?#]+@[^\s@/:?#]+\.[a-z]{2,}$/i;

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

/** Without the slashes around it, `index.html` and `.html`. */
function plainAddress(path: string): string {
  return path.replaceAll(/^\/+|\/+$/g, '').replace(/(?:^|\/)index\.html$|\.html$/, '');
}

function unreadAt(corpus: Corpus, wanted: string): UnreadFile | undefined {
  const { unread, preset } = corpus;
  if (unread.size === 0 || lookUp(corpus, wanted) !== undefined) return undefined;
  return [wanted, ...preset.linkTargets(wanted)]
    .map((path) => unread.get(path))
    .find((file) => file !== undefined);
}

interface Wanted {
  readonly from: SourceFile;
  readonly path: string;
  readonly isImage: boolean;
}

/** Guesses are for people, who mend the first few and run again; ten thousand dead links must not cost ten seconds. */
const HINTS_MAX = 200;

interface Neighbourhood {
  left: number;
  readonly assets: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly byFolder: ReadonlyMap<string, readonly string[]>;
}

function neighbourhood(corpus: Corpus): Neighbourhood {
  const byName = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  for (const path of [...corpus.byPath.keys(), ...corpus.assets]) {
    const slash = path.lastIndexOf('/');
    push(byName, stem(path), path);
    push(byFolder, path.slice(0, slash), path);
  }
  return { left: HINTS_MAX, assets: corpus.assets, byName, byFolder };
}

/** The only file of that name (it was moved), else the one whose path is misspelt at most in single letters. */
function hintFor(wanted: Wanted, near: Neighbourhood): { readonly suggestion?: string } {
  if (near.left <= 0) return {};
  near.left -= 1;
  const { from, path, isImage } = wanted;
  const bare = path.replace(/\/+$/, '');
  const language = `${from.place.languageFolder}/`;
  const fits = (candidate: string): boolean =>
    near.assets.has(candidate) === isImage && candidate !== from.path;
  const named = (near.byName.get(stem(path)) ?? []).filter(fits);
  const inLanguageFolder = named.filter((candidate) => candidate.startsWith(language));
  const beside = near.byFolder.get(bare.slice(0, Math.max(0, bare.lastIndexOf('/')))) ?? [];
  const found =
    inLanguageFolder.length === 1 && !INDEX.test(stem(path))
      ? inLanguageFolder[0]
      : alike(bare, [...named, ...beside.filter(fits)]);
  return found === undefined ? {} : { suggestion: relativePath(from.path, found) };
}

/** Files that every folder may have. */
const INDEX = /^(?:_?index|readme)$/i;
/** Names of one or two letters are like all others of their length. */
const ALIKE_MIN = 3;

/** The path that differs least. Names are compared with names: a long folder that two paths share does not make them alike. */
function alike(wanted: string, paths: readonly string[]): string | undefined {
  const parts = wanted.replace(PAGE, '').split('/');
  const [best] = [...new Set(paths)]
    .map((path) => ({ path, cost: differing(parts, path.replace(PAGE, '').split('/')) }))
    .filter(({ cost }) => cost < Infinity)
    .sort((a, b) => a.cost - b.cost);
  return best?.path;
}

/** How many letters differ in all; Infinity: a name of the path is another one. */
function differing(wanted: readonly string[], path: readonly string[]): number {
  if (wanted.length !== path.length) return Infinity;
  let sum = 0;
  for (const [index, written] of wanted.entries()) {
    const name = written.toLowerCase();
    const other = path[index]?.toLowerCase() ?? '';
    if (name === other) continue;
    const max = Math.floor(name.length / ALIKE_MIN);
    const cost = max === 0 ? Infinity : editDistance(name, other, max);
    sum += cost > max ? Infinity : cost;
  }
  return sum;
}

function parts(url: string): { readonly path: string; readonly query: string; readonly anchor: string } {
  const hash = url.indexOf('#');
  const bare = hash < 0 ? url : url.slice(0, hash);
  const question = bare.indexOf('?');
  return {
    path: decoded(question < 0 ? bare : bare.slice(0, question)).normalize('NFC'),
    query: question < 0 ? '' : bare.slice(question),
    anchor: hash < 0 ? '' : url.slice(hash),
  };
}

/** `path` as seen from the folder of `from`, with a slash at its end kept; undefined when it leaves the content folder. */
function joined(from: string, path: string): string | undefined {
  const segments = from.split('/').slice(0, -1);
  for (const segment of path.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return `${segments.join('/')}${/(?:^|\/)\.{0,2}$/.test(path) ? '/' : ''}`;
}

function relativePath(from: string, to: string): string {
  const here = from.split('/').slice(0, -1);
  const there = to.split('/');
  let shared = 0;
  while (shared < here.length && here[shared] === there[shared]) shared += 1;
  return `${'../'.repeat(here.length - shared)}${there.slice(shared).join('/')}`;
}

/** A file beside the content folder has its place beside the folder's address too. */
function hosted(base: string, path: string): string {
  const whole = `${base}/${encodedPath(path)}`;
  return path.startsWith('../') && URL.canParse(whole) ? new URL(whole).href : whole;
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function stem(path: string): string {
  const name = path.replace(/\/+$/, '').slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1);
  return name.replace(/\.(?:md|markdown)$/i, '');
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

import type { ProblemCase } from '../model/problem.ts';
import type { ContentOptions } from './options.ts';
import { addressesOf, plainAddress } from './page-addresses.ts';
import { inLanguage, slugOf } from './source-file.ts';
import type { Site, SourceFile } from './source-file.ts';
import { suggest } from './suggest.ts';

export interface ResolvedLink {
  /** The address to write; undefined: as written. */
  readonly url?: string;
  readonly problem?: ProblemCase;
}

/** Resolves the links of one run. */
export interface LinkResolver {
  readonly resolve: (from: SourceFile, url: string, isImage: boolean) => ResolvedLink;
}

/** Addresses that mean no file: with a scheme, from the root, a query alone, nothing. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/|\\|\?|$)/i;
const AS_WRITTEN: ResolvedLink = {};

export function linkResolver(
  site: Site,
  options: Pick<ContentOptions, 'urls' | 'assetsBaseUrl' | 'assetsRootUrl'>,
): LinkResolver {
  const neighbours = once(() => neighbourhood(site));
  const addresses = once(() => addressesOf(site));
  const urls = new Map<SourceFile, string>();
  const urlOf = (file: SourceFile): string => {
    let url = urls.get(file);
    if (url === undefined) {
      url = options.urls[file.place.kind]
        .replaceAll('{lang}', encodeURIComponent(file.place.lang))
        .replaceAll('{slug}', encodeURIComponent(slugOf(file)));
      urls.set(file, url);
    }
    return url;
  };

  const resolve = (from: SourceFile, url: string, isImage: boolean): ResolvedLink => {
    const { target: foreignTarget } = site.preset.foreign ?? {};
    const isRooted = foreignTarget !== undefined && /^\/(?!\/)/.test(url);
    if (ELSEWHERE.test(url) && !isRooted) return isImage ? rooted(url, options.assetsRootUrl) : AS_WRITTEN;
    const { path, query, anchor } = parts(url);
    if (path === '') return checkAnchor(from, anchor, undefined);
    const wanted = isRooted ? path : joined(from.path, path);
    const found =
      foreignTarget === undefined
        ? undefined
        : (documentAt(site, from, foreignTarget(from.path, path)) ??
          (isRooted ? addresses().get(`${from.place.lang} ${plainAddress(path)}`) : undefined) ??
          (isRooted ? addresses().get(plainAddress(path)) : undefined));
    // Another part of the same site, which the knowledge base does not hold.
    if (isRooted && found === undefined) return isImage ? rooted(url, options.assetsRootUrl) : AS_WRITTEN;
    if (wanted === undefined && found === undefined) return { problem: dead(url, isImage, true) };
    const target = foreignTarget === undefined ? findTarget(site, from, wanted ?? '') : found;
    if (target === undefined || (isImage && typeof target !== 'string')) {
      return {
        problem: {
          ...dead(url, isImage, false),
          ...hintFor({ from, path: wanted ?? path, isImage }, neighbours()),
        },
      };
    }
    if (typeof target === 'string') {
      return hosted(url, `${encodedPath(target)}${query}${anchor}`, options.assetsBaseUrl);
    }
    return checkAnchor(target, anchor, `${urlOf(target)}${query}${anchor}`);
  };
  return { resolve };
}

/** An image from the root lies where the site generator's public folder is served, not in the content folder. */
function rooted(url: string, base: string | undefined): ResolvedLink {
  if (base === undefined || !/^\/(?!\/)/.test(url)) return AS_WRITTEN;
  return { url: `${base.replace(/\/+$/, '')}${url}` };
}

function hosted(url: string, path: string, base: string | undefined): ResolvedLink {
  if (base === undefined) return { problem: { code: 'image-not-hosted', url } };
  return { url: `${base.replace(/\/+$/, '')}/${path}` };
}

/** A document, the path of another file, or undefined. */
function findTarget(site: Site, from: SourceFile, wanted: string): SourceFile | string | undefined {
  const here = lookUp(site, wanted);
  if (here !== undefined) return here;
  const inDefault = site.preset.inLanguage(wanted, site.defaultFolder);
  if (inDefault === undefined || inDefault === wanted) return undefined;
  const there = lookUp(site, inDefault);
  // A translated file may have another name: the record's translation is meant, not the file of the same name.
  return typeof there === 'object' ? (inLanguage(site, there, from.place.lang) ?? there) : there;
}

/** A file that a preset found: the record in the reader's language, where there is one. */
function documentAt(site: Site, from: SourceFile, path: string | undefined): SourceFile | string | undefined {
  if (path === undefined) return undefined;
  const found = site.byPath.get(path);
  if (found === undefined) return site.assets.has(path) ? path : undefined;
  const isOther = found.place.lang !== from.place.lang && found.place.lang === site.defaultLanguage;
  return isOther ? (inLanguage(site, found, from.place.lang) ?? found) : found;
}

function lookUp(site: Site, wanted: string): SourceFile | string | undefined {
  const exact = site.byPath.get(wanted);
  if (exact !== undefined) return exact;
  for (const path of site.preset.linkTargets(wanted)) {
    const document = site.byPath.get(path);
    if (document !== undefined) return document;
    if (site.assets.has(path)) return path;
  }
  return undefined;
}

function checkAnchor(target: SourceFile, anchor: string, url: string | undefined): ResolvedLink {
  const resolved = url === undefined ? AS_WRITTEN : { url };
  const id = decoded(anchor.slice(1));
  if (id === '' || id === 'top' || id.startsWith(':~:') || id.startsWith('user-content-')) return resolved;
  const anchors = target.document.body?.outline.anchors ?? [];
  if (anchors.includes(id)) return resolved;
  const suggestion = suggest(id, anchors);
  return {
    ...resolved,
    problem: {
      code: 'dead-anchor',
      anchor: id,
      target: target.shown,
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  };
}

function dead(
  url: string,
  isImage: boolean,
  isOutside: boolean,
): ProblemCase & { code: 'dead-link' | 'missing-image' } {
  return { code: isImage ? 'missing-image' : 'dead-link', url, isOutside };
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

function neighbourhood(site: Site): Neighbourhood {
  const byName = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  for (const path of [...site.byPath.keys(), ...site.assets]) {
    const slash = path.lastIndexOf('/');
    push(byName, stem(path), path);
    push(byFolder, path.slice(0, slash), path);
  }
  return { left: HINTS_MAX, assets: site.assets, byName, byFolder };
}

/** The file of the same name elsewhere (it was moved), else one with a similar name in the folder (it was misspelt). */
function hintFor(wanted: Wanted, near: Neighbourhood): { readonly suggestion?: string } {
  if (near.left <= 0) return {};
  near.left -= 1;
  const { from, path, isImage } = wanted;
  const fits = (candidate: string): boolean =>
    near.assets.has(candidate) === isImage && candidate !== from.path;
  const language = `${from.place.languageFolder}/`;
  const named = (near.byName.get(stem(path)) ?? []).filter(
    (candidate) => candidate.startsWith(language) && fits(candidate),
  );
  const folder = path.slice(0, Math.max(0, path.replace(/\/+$/, '').lastIndexOf('/')));
  const found = named.length === 1 ? named[0] : suggest(path, (near.byFolder.get(folder) ?? []).filter(fits));
  return found === undefined ? {} : { suggestion: relativePath(from.path, found) };
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

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function stem(path: string): string {
  const name = path.replace(/\/+$/, '').slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1);
  return name.replace(/\.(?:md|markdown)$/i, '');
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

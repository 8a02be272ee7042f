import { isImplied } from '../../corpus/corpus.ts';
import type { SourceFile } from '../../corpus/corpus.ts';
import { hasCrossReferences, isCrossReference } from '../../presets/preset.ts';
import type { Foreign } from '../../presets/preset.ts';
import { anchored, withAnchor } from '../anchors.ts';
import { AS_WRITTEN } from '../link.ts';
import type { ResolvedLink } from '../link.ts';
import { documentAt } from '../look-up.ts';
import { PAGE, parts, plainAddress, withoutStart } from '../written-address.ts';
import { urlOf } from '../../../text/url.ts';
import { folderAt } from './indexes.ts';
import type { LinkedSite } from './indexes.ts';
import { isOnDisk } from './written-link.ts';
import type { WrittenLink } from './written-link.ts';

/** Pages in other formats: their sources are nothing for readers. A notebook may be meant as a download. */
export const NOT_READ = /\.(?:adoc|asciidoc|rst|qmd|rmd|org|mediawiki|textile)$/i;

/** The end of a file that is the source of a page, and no file to give away. */
export function sourceEnd({ pageSource }: Foreign, path: string): RegExp | undefined {
  return [pageSource, NOT_READ].find((end) => end?.test(path) === true);
}

/** A page or a file that this run knows. */
export function knownTarget(
  site: LinkedSite,
  link: WrittenLink,
  file: string | undefined,
): ResolvedLink | undefined {
  const { corpus, foreign } = site;
  const { from, path, rest, isImage } = link;
  const broken = file === undefined || isImage ? undefined : corpus.unread.get(file);
  if (broken !== undefined) return { target: { to: 'unread', file: broken, rest } };
  const found = documentAt(corpus, from, file) ?? addressed(site, link) ?? folder(site, link);
  if (typeof found === 'object' && !isImage)
    return anchored(link, found, file === undefined ? undefined : corpus.byPath.get(file));
  if (typeof found === 'string' && (isImage || sourceEnd(foreign, path) === undefined))
    return assetTarget(foreign, found, link);
  return undefined;
}

/** The file that a link means, from the content folder. */
export function fileOf({ corpus, foreign, assetsByEnd }: LinkedSite, link: WrittenLink): string | undefined {
  const { from, path, alias, wanted, isImage, isRooted, siteAddress } = link;
  // A file beside the content folder, not the page that a browser would find at the root.
  const isBeside = wanted === undefined && PAGE.test(path) && isOnDisk(link, corpus);
  if (isBeside) return undefined;
  const named = foreign.target(from.path, alias === undefined ? path : `/${alias}`);
  if (named !== undefined) return named;
  // One beside the content folder is itself, whatever other picture has its name.
  if (isImage && !isRooted && isOnDisk(link, corpus)) return undefined;
  if (isImage) return assetsByEnd().get(path.replace(/^(?:\.?\.?\/)+/, ''));
  return isRooted ? undefined : foreign.target(from.path, `/${siteAddress}`);
}

/** `xref:name#part` of DocFX: the page whose front matter has that `uid`. Other names are of code, whose pages are made elsewhere. */
export function crossReference(
  { foreign, addresses }: LinkedSite,
  from: SourceFile,
  url: string,
): ResolvedLink | undefined {
  if (!isCrossReference(url) || !hasCrossReferences(foreign.dialect)) return undefined;
  const { path, anchor } = parts(url.replace(/^xref:/i, 'xref:'));
  const found = addresses().get(`${from.place.lang} ${path}`) ?? addresses().get(path);
  if (found !== undefined) return withAnchor({ to: 'record', file: found, rest: anchor }, found, anchor);
  const problem = { code: 'html-dropped', what: url, reason: 'no page has this `uid`' } as const;
  return { target: AS_WRITTEN, problem };
}

/** A page by the address that its front matter names, with or without what all addresses begin with. */
function addressed({ foreign, addresses }: LinkedSite, link: WrittenLink): SourceFile | undefined {
  const { from, siteAddress } = link;
  const inside = withoutStart(siteAddress, foreign.basePath);
  const candidates = [
    siteAddress,
    inside,
    withoutStart(inside, foreign.addressPrefix),
    ...fromOwn(foreign, link),
  ];
  for (const address of new Set(candidates)) {
    const found = addresses().get(`${from.place.lang} ${address}`) ?? addresses().get(address);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a browser makes of a relative link on a page that has an address of its own (`slug: docs/start`). */
function fromOwn({ address }: Foreign, { from, path, isRooted }: WrittenLink): readonly string[] {
  if (isRooted) return [];
  const hasSlash = address(from.path).endsWith('/');
  return (from.document.addresses ?? []).flatMap((own) => {
    if (own.startsWith('xref:')) return [];
    const bare = own.replace(/^\/+/, '');
    const isFolder = hasSlash && !/(?:\/|\.\w+)$/.test(bare);
    const url = urlOf(encodeURI(path), `https://a.invalid/${encodeURI(bare)}${isFolder ? '/' : ''}`);
    return url === undefined ? [] : [plainAddress(url.pathname)];
  });
}

/** A category, whose page a template may make: then a heading of it is nothing that is known here. */
function folder({ corpus, foreign }: LinkedSite, link: WrittenLink): SourceFile | undefined {
  const found = link.isImage ? undefined : folderAt(corpus, foreign, link);
  const isMade = found !== undefined && isImplied(found) && foreign.hasPagesElsewhere;
  return isMade && link.anchor !== '' ? undefined : found;
}

/** A file that pages show or give away. */
export function assetTarget(foreign: Foreign, path: string, { rest }: WrittenLink): ResolvedLink {
  const publicUrl = publicAddress(foreign.publicFolders, path);
  const moved = publicUrl === undefined ? foreign.fileAddress?.(path) : undefined;
  if (moved !== undefined) return { target: { to: 'asset', path, rest, publicUrl: moved, isMoved: true } };
  return { target: { to: 'asset', path, rest, publicUrl } };
}

/** `/a.png` for `static/a.png`. */
function publicAddress(folders: readonly string[], path: string): string | undefined {
  const folder = folders.find((each) => path.startsWith(`${each}/`));
  return folder === undefined ? undefined : path.slice(folder.length);
}

import { posix } from 'node:path';
import { pageAddress } from '../../model/address/page-address.ts';
import { withoutSlashes } from '../../text/plain-address.ts';
import type { ProblemCase } from '../../model/problem.ts';
import { slugOf } from '../corpus/corpus.ts';
import type { Corpus, SourceFile } from '../corpus/corpus.ts';
import type { SiteTarget } from '../corpus/redirects.ts';
import type { ContentOptions } from '../options.ts';
import { outside } from './link.ts';
import type { LinkResolver, LinkTarget } from './link.ts';
import { PAGE, parts, withoutStart } from './written-address.ts';
import { urlOf } from '../../text/url.ts';

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
  const bare = (base: string): string => base.replace(/(?<!\/)\/+$/, '');
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
          if (written.startsWith('/') && assetsRootUrl !== undefined && target.isMoved !== true)
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
          return { url: kept?.publicUrlOf(target.url) ?? target.url };
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

type SiteLink = Extract<LinkTarget, { readonly to: 'site' }>;

/** Where the site shows an address of its own. */
function onSite(siteUrl: string, { address, page, isBelowBase }: SiteLink): string {
  const base = `${withoutSlashes(siteUrl)}/`;
  if (page !== undefined) return new URL(address, new URL(`./${page}`, base)).href;
  const [repository] = HOSTED_FILES.exec(base) ?? [];
  if (repository !== undefined) return new URL(`.${address}`, repository).href;
  return new URL(isBelowBase ? `.${address}` : address, base).href;
}

/** The root of a repository where its host shows the files: `/LICENSE` is the file there, and no page of the host. */
const HOSTED_FILES =
  /^https:\/\/(?:github\.com|gitlab\.com|codeberg\.org)\/.+?\/(?:blob|src\/branch)\/[^/]+\//;

/** A file beside the content folder has its place beside the folder's address too. */
function hosted(base: string, path: string): string {
  const whole = `${base}/${encodedPath(path)}`;
  return path.startsWith('../') ? (urlOf(whole)?.href ?? whole) : whole;
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

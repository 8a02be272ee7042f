import { decoded } from '../../model/address/percent.ts';
import { relativeAddress } from '../../content/convert.ts';
import { idKey } from '../../model/key.ts';
import type { Arranged } from '../records/arrange.ts';
import type { System } from '../record.ts';
import type { Pictures } from './pictures.ts';

/** A record with the file that it gets. */
export interface Placed {
  readonly record: Arranged;
  /** Below the folder that is written. */
  readonly file: string;
  /** What a link can jump to. */
  readonly anchors: ReadonlySet<string>;
  /** As the files will be read: `/en/articles/install`. */
  readonly address: string;
}

/** Finds the file that an address of the old site means. */
export interface PageBook {
  readonly find: (names: readonly string[], lang: string) => Placed | undefined;
}

/** A name that two records claim means neither. */
export function pageBook(placed: readonly Placed[], defaultLanguage: string): PageBook {
  const owners = new Map<string, string | undefined>();
  const files = new Map<string, Placed>();
  for (const page of placed) {
    const { kind, id, lang, source } = page.record;
    const owner = idKey(kind, id);
    files.set(`${owner} ${lang}`, page);
    for (const name of source?.names ?? []) {
      if (!owners.has(name)) owners.set(name, owner);
      else if (owners.get(name) !== owner) owners.set(name, undefined);
    }
  }
  const languages = [...new Set(placed.map(({ record }) => record.lang))].sort();
  return {
    find: (names, lang) => {
      for (const name of names) {
        const owner = owners.get(name);
        if (owner === undefined) continue;
        for (const wanted of [lang, defaultLanguage, ...languages]) {
          const page = files.get(`${owner} ${wanted}`);
          if (page !== undefined) return page;
        }
      }
      return undefined;
    },
  };
}

interface SeenLinks {
  relative: number;
  readonly left: Set<string>;
  readonly lostAnchors: Set<string>;
  /** Links that say where to go from a page whose address nobody knows. */
  readonly incomplete: Set<string>;
}

export interface LinkOptions {
  readonly system: System;
  readonly book: PageBook;
  /** Of the old site, where it is known. */
  readonly site: string | undefined;
  readonly pictures?: Pictures | undefined;
}

/**
 * What a file says instead of an address of the page: the path of the file that it leads to, or the address on the old
 * site in full.
 */
export function linksOf(
  page: Placed,
  { system, book, site, pictures }: LinkOptions,
): {
  readonly address: (url: string) => string;
  readonly link: (url: string) => string;
  readonly seen: SeenLinks;
} {
  const seen: SeenLinks = { relative: 0, left: new Set(), lostAnchors: new Set(), incomplete: new Set() };
  const { source, lang } = page.record;
  if (source === undefined) return { address: (url) => url, link: (url) => url, seen };
  const base = source.addresses[0] ?? (site === undefined ? undefined : `${site}/`);
  const origin = originOf(base);
  /** The path in the file; undefined where the address means no page that came. */
  const writtenFor = (url: string): string | undefined => {
    if (url.startsWith('#') || url.startsWith(`${page.address}#`)) return undefined;
    const picture = pictures?.fileOf(url, source);
    if (picture !== undefined) return relativeAddress(page.file, picture);
    const target = book.find(system.linkNames(url, source), lang);
    if (target === undefined) return undefined;
    const anchor = /#.+$/s.exec(url)?.[0] ?? '';
    const isThere = anchor === '' || target.anchors.has(decoded(anchor.slice(1)));
    if (!isThere) seen.lostAnchors.add(url);
    const kept = isThere ? anchor : '';
    const isHere = target.file === page.file && kept !== '';
    return isHere ? kept : `${relativeAddress(page.file, target.file)}${kept}`;
  };
  // A path stands for one address only, so the text can be rendered back: several that mean it become one.
  const chosen = new Map<string, string>();
  return {
    seen,
    address: (url) => {
      const plain = url.trim();
      if (plain.startsWith('#')) {
        if (plain === '#' || plain === '#top' || page.anchors.has(decoded(plain.slice(1)))) return plain;
        // Left as it is, it would be reported as an author's mistake at each check.
        seen.lostAnchors.add(plain);
        return `${page.address}${plain}`;
      }
      const written = writtenFor(plain);
      if (written !== undefined) {
        if (pictures?.fileOf(plain, source) === undefined) seen.relative += 1;
        if (written.startsWith('#')) return written;
        if (!chosen.has(written)) chosen.set(written, plain);
        return chosen.get(written) ?? plain;
      }
      const full = absolute(plain, base);
      if (base === undefined && IS_RELATIVE.test(full)) seen.incomplete.add(full);
      const isOld = origin !== undefined && full.startsWith(`${origin}/`);
      if (isOld || system.linkNames(plain, source).length > 0) seen.left.add(full);
      return full;
    },
    link: (url) => writtenFor(url) ?? url,
  };
}

/** `page`, `../page` or `/page`, but not `//host/page`, `#place`, `?query` and `mailto:…`. */
const IS_RELATIVE = /^(?!\/\/|[#?]|[a-z][a-z0-9+.-]*:)./i;

function absolute(url: string, base: string | undefined): string {
  if (base === undefined || url === '' || /^(?:[a-z][a-z0-9+.-]*:)/i.test(url)) return url;
  try {
    return new URL(url, base).href;
  } catch {
    return url;
  }
}

function originOf(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : new URL(url).origin;
  } catch {
    return undefined;
  }
}

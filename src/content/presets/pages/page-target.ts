import { once } from '../../../model/once.ts';
import { headingSlug } from '../../markdown/heading-id.ts';
import type { PageTree } from './page-tree.ts';
import { folderOf } from '../../../text/path.ts';

export interface TargetRules {
  /** A page's address ends in `/`, so its relative links start one level deeper than its file. */
  readonly hasPrettyUrls: boolean;
  /** Whether a browser sees a `/` at the end, where links by files do not count on it. */
  readonly endsInSlash?: (page: { readonly isFolder: boolean }) => boolean;
  readonly index: RegExp;
  readonly hasNumberPrefixes: boolean;
  /** First parts of addresses that name no folder of the content (`/docs/…` of Docusaurus). */
  readonly addressPrefixes: readonly string[];
  /** What addresses may begin with as well, if no page is there. */
  readonly foldersAround?: readonly string[];
  /** Folders of the repository that are served from the root. */
  readonly publicFolders: readonly string[];
  /** The path below which the whole site is served: `/help/`. */
  readonly basePath?: string | undefined;
  /** A name without a folder means the only page of that name (`ref` of Hugo). */
  readonly hasUniqueNames?: boolean;
  /** `a.md` without `./` is looked for from the root too (Docusaurus). */
  readonly hasFilesFromRoot?: boolean;
  /** Addresses that the settings give to a file, from the root. */
  readonly permalinks?: (
    file: string,
    page: { readonly path: string; readonly lang: string },
  ) => readonly string[];
}

/** The file that a link in `from` means: as a file, else as an address, in the page's language, else in the default one. */
export function pageTarget(
  tree: PageTree,
  rules: TargetRules,
  defaultLanguage: string,
): (from: string, written: string) => string | undefined {
  const { placements, pages, addresses } = tree;
  const folders = new Map<string, string>();
  for (const place of placements.values()) {
    if (place.role === 'document') folders.set(place.languageFolder, place.lang);
  }
  const defaultFolders = [...folders]
    .filter(([, lang]) => lang === defaultLanguage)
    .map(([folder]) => folder);
  const loose = once(() => looseNames(tree));
  const permalinks = once(() => permalinksOf(tree, rules));
  const names = once(() => pagesByName(tree));
  const known = (path: string | undefined): string | undefined => {
    const place = path === undefined ? undefined : placements.get(path);
    // A page that is left out is found too: that it is no page is another matter than that there is no file.
    const isLeftOut = place?.role === 'ignored' && place.reason !== undefined;
    return place?.role === 'document' || place?.role === 'asset' || isLeftOut ? path : undefined;
  };
  const page = (langs: readonly string[], path: string): string | undefined =>
    first(langs, (lang) => pages.get(`${lang} ${path}`));
  const atRoot = (langs: readonly string[], parts: readonly string[]): string | undefined => {
    const lang = folders.get(parts[0] ?? '');
    const rest = lang === undefined ? parts : parts.slice(1);
    // Without a language in front it is the default language's page; readers of a translation get theirs all the same.
    const inLangs = lang === undefined ? langs.toReversed() : [lang, defaultLanguage];
    const isAround = [...rules.addressPrefixes, ...(rules.foldersAround ?? [])].includes(rest[0] ?? '');
    const short = isAround ? rest.slice(1) : rest;
    return (
      known(parts.join('/')) ??
      first(rules.publicFolders, (folder) => known([folder, ...parts].join('/'))) ??
      // What settings say of a translation may begin with its language, or leave that to the generator.
      (lang === undefined ? undefined : permalinks().get(`${lang} ${plainAddress(parts)}`)) ??
      first(inLangs, (each) => permalinks().get(`${each} ${plainAddress(rest)}`)) ??
      page(inLangs, logical(rest, rules)) ??
      page(inLangs, logical(short, rules)) ??
      first(inLangs, (each) => permalinks().get(`${each} ${plainAddress(short)}`))
    );
  };
  const fromRoot = (langs: readonly string[], written: string): string | undefined => {
    const parts = partsOf(written);
    const base = partsOf(rules.basePath ?? '');
    const folderLang = folders.get(parts[0] ?? '');
    const isBelowBase = base.length > 0 && base.every((part, index) => parts[index] === part);
    return (
      (isBelowBase ? atRoot(langs, parts.slice(base.length)) : undefined) ??
      atRoot(langs, parts) ??
      // `/docs/page.md` from the root of the repository, as GitHub shows it.
      (DOCUMENT.test(written) && parts.length > 1 ? known(parts.slice(1).join('/')) : undefined) ??
      loose().get(parts.join('/').toLowerCase()) ??
      first(langs, (each) => loose().get(addressName(each, parts))) ??
      (folderLang === undefined ? undefined : loose().get(addressName(folderLang, parts.slice(1))))
    );
  };
  return (from, said) => {
    const place = placements.get(from);
    const own = addresses.get(from);
    if (place?.role !== 'document' || own === undefined) return undefined;
    // Browsers read `\` in an address as `/`.
    const written = said.replaceAll('\\', '/');
    const langs = [place.lang, defaultLanguage];
    if (written.startsWith('/')) return fromRoot(langs, written);
    const fileFolder = own.isFolder ? own.path : folderOf(own.path);
    const bases = own.isFolder ? [fileFolder] : [own.path, fileFolder];
    const ordered = DOCUMENT.test(written) || !rules.hasPrettyUrls ? bases.toReversed() : bases;
    const asFile = (file: string): string | undefined =>
      known(joined(folderOf(file), written).join('/')) ??
      known(joined(file.replace(/\.[^./]+$/, ''), written).join('/'));
    const inside = from.startsWith(`${place.languageFolder}/`)
      ? from.slice(place.languageFolder.length)
      : undefined;
    /** A file as a browser sees it from the page's address, where `..` stops at the root: that is the default language's folder. */
    const fromAddress = (base: string): string | undefined => {
      const folder = place.lang === defaultLanguage ? '' : `${place.languageFolder}/`;
      const path = joined(`${folder}${base}`, written).join('/');
      return first(defaultFolders, (each) => known(`${each}/${path}`)) ?? known(path);
    };
    return (
      known(joined(folderOf(from), written).join('/')) ??
      first(ordered, (base) => page(langs, logical(joined(base, written), rules))) ??
      asFile(from) ??
      (inside === undefined ? undefined : first(defaultFolders, (folder) => asFile(`${folder}${inside}`))) ??
      (rules.hasFilesFromRoot === true && DOCUMENT.test(written) && !/^\.{1,2}\//.test(written)
        ? atRoot(langs, partsOf(written))
        : undefined) ??
      first(
        permalinks()
          .of(from)
          .flatMap((address) => [address, folderOf(address)]),
        (base) => permalinks().get(`${place.lang} ${plainAddress(joined(base, written))}`),
      ) ??
      // `GetPage`, by which themes of Hugo look up links, counts from the folder above that of `page/index.md`.
      (rules.hasUniqueNames === true && /(?:^|\/)index\.[^/]*$/i.test(from)
        ? page(langs, logical(joined(folderOf(fileFolder), written), rules))
        : undefined) ??
      (rules.hasUniqueNames === true
        ? (uniquePage(names(), langs, written) ?? atRoot(langs, partsOf(written)))
        : undefined) ??
      first(ordered, fromAddress) ??
      loose().get(joined(folderOf(from), written).join('/').toLowerCase()) ??
      first(ordered, (base) => loose().get(addressName(place.lang, joined(base, written))))
    );
  };
}

const DOCUMENT = /\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|rmd)$/i;

/** An address without extension, index name and number prefixes is what pages are found by. */
function logical(names: readonly string[], rules: TargetRules): string {
  const bare = names.map((name, index) =>
    index === names.length - 1
      ? name.replace(/\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|rmd|html?)$/i, '')
      : name,
  );
  if (rules.index.test(bare.at(-1) ?? '')) bare.pop();
  return bare
    .map((name) => (rules.hasNumberPrefixes ? name.replace(/^\d{1,3}\s*[-_.]+\s*(?=\D)/, '') : name))
    .join('/');
}

/** Files by their paths in small letters, where only one file has them: what a host that ignores case finds. */
function looseNames({ placements, pages }: PageTree): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const twice = new Set<string>();
  const add = (name: string, path: string): void => {
    if (found.has(name) && found.get(name) !== path) twice.add(name);
    found.set(name, path);
  };
  for (const [path, { role }] of placements)
    if (role === 'document' || role === 'asset') add(path.toLowerCase(), path);
  for (const [at, file] of pages) {
    const [lang = '', ...rest] = at.split(' ');
    add(addressName(lang, rest.join(' ').split('/')), file);
  }
  for (const name of twice) found.delete(name);
  return found;
}

/** As generators write a path into an address: small letters, `-` for blanks, no dots (Astro, Gatsby). */
function addressName(lang: string, parts: readonly string[]): string {
  const bare = parts.map((part) =>
    part.replace(/\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|rmd|html?)$/i, ''),
  );
  return `${lang} ${bare.map(headingSlug).join('/')}`;
}

interface Permalinks {
  readonly get: (address: string) => string | undefined;
  /** Folders that relative links of a file start in. */
  readonly of: (file: string) => readonly string[];
}

function permalinksOf({ placements, addresses }: PageTree, rules: TargetRules): Permalinks {
  const files = new Map<string, string>();
  const own = new Map<string, readonly string[]>();
  if (rules.permalinks === undefined) return { get: () => undefined, of: () => [] };
  for (const [file, { path }] of addresses) {
    const place = placements.get(file);
    if (place?.role !== 'document') continue;
    const said = rules.permalinks(file, { path, lang: place.lang });
    if (said.length > 0) own.set(file, said);
    for (const address of said) {
      const at = `${place.lang} ${plainAddress(partsOf(address))}`;
      if (!files.has(at)) files.set(at, file);
    }
  }
  return { get: (address) => files.get(address), of: (file) => own.get(file) ?? [] };
}

/** Pages by the last part of their paths; `undefined` where several have it. */
function pagesByName({ pages }: PageTree): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const [at, file] of pages) {
    const space = at.indexOf(' ');
    const name = `${at.slice(0, space)} ${at.slice(at.lastIndexOf('/') > space ? at.lastIndexOf('/') + 1 : space + 1)}`;
    found.set(name, found.has(name) ? undefined : file);
  }
  return found;
}

function uniquePage(
  names: ReadonlyMap<string, string | undefined>,
  langs: readonly string[],
  written: string,
): string | undefined {
  const name = written.replace(/\/(?:_?index(?:\.md)?)?$/, '').replace(DOCUMENT, '');
  return name === '' || name.includes('/') ? undefined : first(langs, (lang) => names.get(`${lang} ${name}`));
}

function plainAddress(parts: readonly string[]): string {
  return parts.join('/').replace(/(?:^|\/)index\.html$|\.html$/, '');
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '');
}

/** `path` as seen from a folder; `..` stops at the root, as in every browser. */
function joined(folder: string, path: string): readonly string[] {
  const names = [...partsOf(folder)];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '.' && name !== '') names.push(name);
  }
  return names;
}

function first<T, Found>(items: readonly T[], find: (item: T) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

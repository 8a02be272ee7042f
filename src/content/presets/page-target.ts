import type { PageTree } from './page-tree.ts';

export interface TargetRules {
  /** A page's address ends in `/`, so that its relative links start one level deeper than its file. */
  readonly hasPrettyUrls: boolean;
  readonly index: RegExp;
  readonly hasNumberPrefixes: boolean;
  /** First parts of addresses that name no folder of the content (`/docs/…` of Docusaurus). */
  readonly addressPrefixes: readonly string[];
  /** Folders of the repository that are served from the root. */
  readonly publicFolders: readonly string[];
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
  const known = (path: string | undefined): string | undefined => {
    const role = path === undefined ? undefined : placements.get(path)?.role;
    return role === 'document' || role === 'asset' ? path : undefined;
  };
  const page = (langs: readonly string[], path: string | undefined): string | undefined =>
    path === undefined ? undefined : first(langs, (lang) => pages.get(`${lang} ${path}`));
  const atRoot = (langs: readonly string[], path: string): string | undefined => {
    const names = path.split('/').filter((name) => name !== '');
    const lang = folders.get(names[0] ?? '');
    const rest = lang === undefined ? names : names.slice(1);
    const inLangs = lang === undefined ? langs : [lang, defaultLanguage];
    const short = rules.addressPrefixes.includes(rest[0] ?? '') ? rest.slice(1) : rest;
    return (
      known(names.join('/')) ??
      first(rules.publicFolders, (folder) => known([folder, ...names].join('/'))) ??
      page(inLangs, logical(rest, rules)) ??
      page(inLangs, logical(short, rules))
    );
  };
  return (from, written) => {
    const place = placements.get(from);
    const own = addresses.get(from);
    if (place?.role !== 'document' || own === undefined) return undefined;
    const langs = [place.lang, defaultLanguage];
    if (written.startsWith('/')) return atRoot(langs, written);
    const fileFolder = own.isFolder ? own.path : parentOf(own.path);
    const bases = rules.hasPrettyUrls && !own.isFolder ? [own.path, fileFolder] : [fileFolder];
    const ordered = DOCUMENT.test(written) ? bases.toReversed() : bases;
    const asFile = (file: string): string | undefined =>
      known(joined(parentOf(file), written)?.join('/')) ??
      known(joined(file.replace(/\.[^./]+$/, ''), written)?.join('/'));
    const inside = from.startsWith(`${place.languageFolder}/`)
      ? from.slice(place.languageFolder.length)
      : undefined;
    return (
      known(joined(parentOf(from), written)?.join('/')) ??
      first(ordered, (base) => page(langs, logicalIn(base, written, rules))) ??
      asFile(from) ??
      (inside === undefined ? undefined : first(defaultFolders, (folder) => asFile(`${folder}${inside}`)))
    );
  };
}

const DOCUMENT = /\.(?:mdx?|markdown)$/i;

function logicalIn(base: string, written: string, rules: TargetRules): string | undefined {
  const names = joined(base, written);
  return names === undefined ? undefined : logical(names, rules);
}

/** An address without extension, index name and number prefixes is what pages are found by. */
function logical(names: readonly string[], rules: TargetRules): string {
  const bare = names.map((name, index) =>
    index === names.length - 1 ? name.replace(/\.(?:mdx?|markdown|html?)$/i, '') : name,
  );
  if (rules.index.test(bare.at(-1) ?? '')) bare.pop();
  return bare
    .map((name) => (rules.hasNumberPrefixes ? name.replace(/^\d{1,3}\s*[-_.]+\s*(?=\D)/, '') : name))
    .join('/');
}

/** `path` as seen from a folder; undefined when it leads out of the root. */
function joined(folder: string, path: string): readonly string[] | undefined {
  const names = folder.split('/').filter((name) => name !== '');
  for (const name of path.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return undefined;
    } else if (name !== '.' && name !== '') names.push(name);
  }
  return names;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function first<T, Found>(items: readonly T[], find: (item: T) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

import type { Kind } from '../../../model/key.ts';
import type { InLanguage } from './page-languages.ts';
import type { Placement } from '../preset.ts';
import { folderOf } from '../../../text/path.ts';

/** How a system lays out its pages; every site generator is a case of it. */
export interface TreeRules {
  readonly documents: RegExp;
  /** Files that are read beside the documents, and say nothing by themselves. */
  readonly sideFiles?: RegExp;
  /** The language and the path inside it; undefined: the file belongs to the system, not to the content. */
  readonly inLanguage: (path: string) => InLanguage | undefined;
  /** Names (without extension) of the page that stands for its folder. */
  readonly index: RegExp;
  /** Hugo's `index.md`: always a page, and other Markdown beside it is its material. */
  readonly bundle?: RegExp;
  readonly hasNumberPrefixes?: boolean;
  /** `a.md` and `a/index.md` have addresses of their own (`/a.html`, `/a/`); else one of them hides the other. */
  readonly hasIndexBesidePage?: boolean;
  readonly isMdx?: (path: string) => boolean;
  /** `tags/cli/_index.md`: the page of a term. */
  readonly terms?: ReadonlyMap<string, Kind>;
  readonly meta?: (page: MetaPage) => PageMeta | undefined;
  /** Why the system itself shows no such page; undefined: it does. */
  readonly leftOut?: (page: InLanguage & { readonly file: string }) => string | undefined;
}

export interface MetaPage extends InLanguage {
  readonly file: string;
  /** Without extension, index names and number prefixes. */
  readonly path: string;
  readonly isIndex: boolean;
}

/** What a file beside the page says about it. */
export interface PageMeta {
  readonly title?: string;
  readonly ordering?: number;
  readonly isDraft?: boolean;
  /** Where a navigation, not the folders, says what is inside what. */
  readonly kind?: 'article' | 'category';
  readonly category?: string;
  /** The date in its name. */
  readonly publishAt?: string;
}

export interface PageTree {
  readonly placements: ReadonlyMap<string, Placement>;
  /** `lang path` → file. */
  readonly pages: ReadonlyMap<string, string>;
  /** File → its page's address below the language; `''` is the root. `isFolder`: the page stands for its folder. */
  readonly addresses: ReadonlyMap<string, PageAddress>;
}

export interface PageAddress {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Root pages have no name of their own. */
export const HOME = 'home';
/** `home.md` beside the root page. */
const OTHER_HOME = 'home-page';

interface Page extends MetaPage {
  readonly folder: string;
  readonly isBundle: boolean;
  readonly ordering: number | undefined;
  /** By its own name, where `path` is that of the original. */
  readonly ownPath: string | undefined;
}

/** Every file of a tree with its role. A folder's page is a category where the folder has other pages, in any language. */
export function pageTree(paths: readonly string[], rules: TreeRules): PageTree {
  const placements = new Map<string, Placement>();
  const found: Page[] = [];
  for (const file of paths) {
    const place = rules.inLanguage(file);
    if (place === undefined || rules.sideFiles?.test(file) === true) {
      const reason = rules.documents.test(file) ? noPage(file) : undefined;
      placements.set(file, { role: 'ignored', ...(reason === undefined ? {} : { reason }) });
    } else if (!rules.documents.test(file)) placements.set(file, notRead(file));
    else {
      const reason =
        noPage(file) ??
        rules.leftOut?.({ ...place, file }) ??
        (isPartial(place.rest, rules) ? PARTIAL : undefined);
      if (reason === undefined) found.push(pageOf(file, place, rules));
      else placements.set(file, { role: 'ignored', reason });
    }
  }
  const bundles = new Set(
    found
      .filter(({ isBundle }) => isBundle)
      .map(({ languageFolder, folder }) => `${languageFolder} ${folder}`),
  );
  const isMaterial = (page: Page): boolean =>
    !page.isIndex && bundles.has(`${page.languageFolder} ${page.folder}`);
  const pages = found.filter((page) => !isMaterial(page));
  for (const page of found)
    if (isMaterial(page)) placements.set(page.file, { role: 'ignored', reason: MATERIAL });
  const sections = sectionsOf(pages);
  const hasRoot = pages.some(({ path, isIndex }) => isIndex && path === HOME);
  const named = new Set(pages.flatMap(({ path, isIndex }) => (isIndex ? [] : [path])));
  const ownPath = ({ path, isIndex }: Page): string => {
    if (hasRoot && path === HOME && !isIndex) return OTHER_HOME;
    const isBeside = rules.hasIndexBesidePage === true && isIndex && named.has(path) && !sections.has(path);
    return isBeside && path !== HOME ? `${path}-index` : path;
  };
  for (const page of pages)
    placements.set(page.file, document({ ...page, path: ownPath(page) }, rules, sections));
  const addressed = pages.map((page) => ({ ...page, path: page.isIndex ? page.folder : page.path }));
  return {
    placements,
    pages: new Map(
      addressed.toReversed().flatMap(({ lang, path, file, ownPath: own = path }): [string, string][] => [
        [`${lang} ${path}`, file],
        [`${lang} ${own}`, file],
      ]),
    ),
    addresses: new Map(
      addressed.map(({ file, path, isIndex, ownPath: own = path }) => [
        file,
        { path: own, isFolder: isIndex },
      ]),
    ),
  };
}

const PARTIAL = 'a name that begins with `_` is a part for other pages';
const MATERIAL = 'it belongs to the page bundle beside it';

/** `AGENTS.md` and the like, wherever they lie: never for readers. */
export function textForPrograms(path: string): string | undefined {
  return /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI)(?:\.local)?\.mdx?$/.test(path)
    ? 'a text for AI coding tools'
    : undefined;
}

const NAVIGATION =
  /(?:^|\/)(?:SUMMARY|TOC|toc|_[Ss]idebar|_[Nn]avbar|_[Ff]ooter|_[Hh]eader|_coverpage)\.mdx?$/;

/** What no system shows its readers: texts for programs, navigations, and parts that pages include. */
function noPage(path: string): string | undefined {
  if (NAVIGATION.test(path)) return 'a navigation, not a page';
  return textForPrograms(path) ?? (/(?:^|\/)_?includes\//.test(path) ? 'a part for other pages' : undefined);
}

function notRead(path: string): Placement {
  return /\.mdx$/i.test(path)
    ? {
        role: 'unexpected',
        reason:
          'this system has no MDX, so kbsync does not read the file; rename it to .md if it is plain Markdown',
      }
    : { role: 'asset' };
}

/** Names that start with `_` are for other files to include; `_index` is a page, `_template` is none. */
function isPartial(path: string, rules: TreeRules): boolean {
  return path
    .split('/')
    .some((name) => name.startsWith('_') && !rules.index.test(name.replace(rules.documents, '')));
}

function pageOf(file: string, place: InLanguage, rules: TreeRules): Page {
  const names = place.rest.replace(rules.documents, '').split('/');
  const last = names.at(-1) ?? '';
  const isBundle = rules.bundle?.test(last) === true;
  const isIndex = isBundle || rules.index.test(last);
  const kept = isIndex ? names.slice(0, -1) : names;
  const split = kept.map((name) => (rules.hasNumberPrefixes === true ? numbered(name) : { name }));
  const path = split.map(({ name }) => name).join('/');
  const folder = isIndex ? path : folderOf(path);
  const ordering = split.at(-1)?.ordering;
  const ownPath = place.ownRest?.replace(rules.documents, '');
  return { ...place, file, path: path === '' ? HOME : path, folder, isIndex, isBundle, ordering, ownPath };
}

/** `01-install`, but no date and no version (`2026-01-02-news`, `1.2-notes`). */
function numbered(name: string): { readonly name: string; readonly ordering?: number } {
  const [, number, rest] = /^(\d{1,3})\s*[-_.]+\s*(?!\d+[-_.])([^\d].*)$/.exec(name) ?? [];
  return rest === undefined ? { name } : { name: rest, ordering: Number(number) };
}

/** Folders that hold pages besides their own, in any language. */
function sectionsOf(pages: readonly Page[]): ReadonlySet<string> {
  const sections = new Set<string>();
  for (const { path, folder, isIndex } of pages) {
    let above = isIndex ? folderOf(folder) : folder;
    if (isIndex && path === HOME) continue;
    for (; above !== '' && !sections.has(above); above = folderOf(above)) sections.add(above);
  }
  return sections;
}

function document(page: Page, rules: TreeRules, sections: ReadonlySet<string>): Placement {
  const { lang, languageFolder, path, isIndex, isBundle } = page;
  const [first = '', ...term] = path.split('/');
  const termKind = term.length > 0 ? rules.terms?.get(first) : undefined;
  if (isIndex && term.length === 0 && rules.terms?.has(first) === true && !sections.has(`${first}/`)) {
    // The page that lists all terms is made by the system.
    if (!isBundle) return { role: 'ignored' };
  }
  const meta = rules.meta?.(page);
  const isSection = isIndex && !isBundle && sections.has(path);
  const kind: Kind = termKind ?? meta?.kind ?? (isSection ? 'category' : 'article');
  const keyPath = termKind === undefined ? path : term.join('/');
  const ordering = meta?.ordering ?? page.ordering;
  return {
    role: 'document',
    kind,
    lang,
    languageFolder,
    path: keyPath,
    file: page.file,
    defaultSlug: slugOfPath(page.ownPath ?? keyPath),
    ...(ordering === undefined ? {} : { ordering }),
    ...(meta?.title === undefined ? {} : { title: meta.title }),
    ...(meta?.category === undefined ? {} : { category: meta.category }),
    ...(meta?.isDraft === true ? { isDraft: true } : {}),
    ...(meta?.publishAt === undefined ? {} : { publishAt: meta.publishAt }),
    ...(rules.isMdx?.(page.file) === true ? { isMdx: true } : {}),
  };
}

/** The whole path in one part: it never depends on which other files there are. */
export function slugOfPath(path: string): string {
  return path.replaceAll(/[\s/?#\\]+/g, '-').replaceAll(/^-+|-+$/g, '') || HOME;
}

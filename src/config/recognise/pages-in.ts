import type { PresetName } from '../../content/presets/names.ts';
import { isIndex, isLanguage, isTopic } from '../../content/presets/pages/page-languages.ts';
import { loadLayout } from '../../content/presets/load-layout.ts';
import type { Layout } from '../../content/presets/load-layout.ts';
import { languageWords } from './language-folders.ts';
import type { SiteFacts } from './site-facts.ts';
import type { RepositoryTree } from './tree.ts';

export const PAGE = /\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown)$/i;
/** What repositories of any kind have beside their documentation. */
export const NO_PAGE =
  /(?:^|\/)(?:readme|changelog|contributing|code_of_conduct|security|license|agents|claude)(?:\.[\w-]+)?\.(?:md|markdown)$/i;

/** Whether a path lies in a folder; `.` holds all but itself. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '.' ? path !== '.' : path.startsWith(`${folder}/`);
}

export function pathsBelow({ paths }: RepositoryTree, content: string): readonly string[] {
  const visible = paths.filter((path) => !path.split('/').some((part) => part.startsWith('.')));
  return content === '.'
    ? visible
    : visible.flatMap((path) => (path.startsWith(`${content}/`) ? [path.slice(content.length + 1)] : []));
}

/** Pages and languages of a folder. */
export interface PagesIn {
  readonly defaultLanguage: string;
  /** Folders or suffixes, the default language first. */
  readonly languages: readonly string[];
  /** Of those whose name is not the code. */
  readonly codes: Readonly<Record<string, string>>;
  /** Pages that would be read. */
  readonly pages: number;
  /** Their paths, from the content folder. */
  readonly files: readonly string[];
  /** Those in the default language. */
  readonly ownFiles: readonly string[];
}

interface PagesOf {
  readonly paths: readonly string[];
  readonly readText: (path: string) => string | undefined;
}

/** The pages of a layout, their languages, and which of these is the default, as settings say or the files show. */
export async function pagesIn(preset: PresetName, files: PagesOf, facts: SiteFacts): Promise<PagesIn> {
  const layout = await loadLayout(preset);
  const known = pagesByCode(layout, files, facts);
  const words = facts.languages === undefined ? languageWords(known.files, known.languages) : {};
  return Object.keys(words).length === 0 ? known : pagesByCode(layout, files, inWords(words, known, facts));
}

/** What has no language in its name is in the default one, which a word may name too. */
function inWords(
  words: Readonly<Record<string, string>>,
  known: Pick<PagesIn, 'languages' | 'defaultLanguage'>,
  facts: SiteFacts,
): SiteFacts {
  const { defaultLanguage } = known;
  const said = new Set(Object.values(words));
  const codes = {
    ...Object.fromEntries(known.languages.filter((name) => !said.has(name)).map((name) => [name, name])),
    ...words,
  };
  return { ...facts, defaultLanguage, codes, languages: Object.keys(codes) };
}

function pagesByCode(layout: Layout, files: PagesOf, facts: SiteFacts): PagesIn {
  const { paths } = files;
  const { codes = {} } = facts;
  const countFor = (defaultLanguage: string, named: readonly string[]) => {
    const languages = Object.fromEntries(named.map((name) => [name, codes[name] ?? name]));
    const preset = layout({ ...files, defaultLanguage, languages });
    const found = new Map<string, number>();
    const pages: string[] = [];
    const own: string[] = [];
    for (const path of paths) {
      const place = preset.place(path);
      if (place.role !== 'document') continue;
      found.set(place.languageFolder, (found.get(place.languageFolder) ?? 0) + 1);
      pages.push(path);
      if (place.lang === defaultLanguage) own.push(path);
    }
    return { languages: [...found.keys()].sort(), perLanguage: found, pages, own };
  };
  const { languages: said } = facts;
  const listed = said === undefined || said.length < 2 ? [] : said;
  let defaultLanguage = facts.defaultLanguage ?? 'en';
  let count = countFor(defaultLanguage, listed);
  const [mostPages] = listed
    .map((name) => ({ name, its: paths.filter((path) => path.startsWith(`${name}/`)).length }))
    .sort((a, b) => b.its - a.its);
  if (facts.defaultLanguage === undefined && mostPages !== undefined && !listed.includes(defaultLanguage)) {
    // The settings list languages, none of them at the root: readers have no other default than one of these.
    defaultLanguage = mostPages.name;
    count = countFor(defaultLanguage, listed);
  }
  if (facts.defaultLanguage === undefined && count.languages.length === 1 && count.languages[0] === 'en') {
    // A repository all of whose pages are in folders or suffixes of other languages has one of them for its default.
    const only = onlyLanguages(paths);
    if (only !== undefined) {
      const others = countFor(only, listed);
      if (others.pages.length > 0 && !others.languages.includes('en'))
        [defaultLanguage, count] = [only, others];
    }
  }
  if (
    facts.defaultLanguage === undefined &&
    count.pages.length > 0 &&
    !count.languages.includes(defaultLanguage)
  ) {
    // No page at all is in that language: readers have the one with most pages.
    const [most] = count.languages
      .map((name) => ({ name, its: paths.filter((path) => path.startsWith(`${name}/`)).length }))
      .sort((a, b) => b.its - a.its);
    const other = most === undefined ? undefined : countFor(most.name, listed);
    if (most !== undefined && other?.languages.includes(most.name) === true)
      [defaultLanguage, count] = [most.name, other];
  }
  const variant =
    facts.defaultLanguage === undefined ? variantOf(defaultLanguage, count.perLanguage) : undefined;
  if (variant !== undefined) [defaultLanguage, count] = [variant, countFor(variant, listed)];
  const first = (name: string): number => Number((codes[name] ?? name) === defaultLanguage);
  return {
    defaultLanguage,
    codes,
    pages: count.pages.length,
    files: count.pages,
    ownFiles: count.own,
    languages:
      count.pages.length === 0 ? [defaultLanguage] : [...count.languages].sort((a, b) => first(b) - first(a)),
  };
}

/**
 * The first of the languages, if each page is in the folder or has the suffix of one. `hr` and `it` may be topics: beside others, such a
 * name is a language only if another one has a page of that name too, which is no index.
 */
function onlyLanguages(paths: readonly string[]): string | undefined {
  const pages = new Map<string, Set<string>>();
  for (const path of paths) {
    const [, folder, inFolder, stem, suffix] = /^(?:([a-z]{2})\/(.+)|(.+)\.([a-z]{2})\.md)$/.exec(path) ?? [];
    const code = folder ?? suffix;
    if (code === undefined || !isLanguage(code)) return undefined;
    pages.set(code, (pages.get(code) ?? new Set()).add(inFolder ?? `${stem}.md`));
  }
  const codes = [...pages.keys()];
  const isTwinned = (code: string): boolean =>
    [...(pages.get(code) ?? [])].some(
      (page) =>
        !isIndex(page) && codes.some((other) => other !== code && pages.get(other)?.has(page) === true),
    );
  const sure = codes.filter((code) => codes.length === 1 || !isTopic(code) || isTwinned(code));
  return sure.length === codes.length || sure.length > 1 ? sure[0] : undefined;
}

/** `page.en-US.md` beside `index.md`: what has no language in its name is in the variant that nearly all pages are in. */
function variantOf(language: string, perLanguage: ReadonlyMap<string, number>): string | undefined {
  const own = perLanguage.get(language) ?? 0;
  const [variant] = [...perLanguage]
    .filter(([name, pages]) => name.startsWith(`${language}-`) && pages >= own * MANY)
    .sort(([, a], [, b]) => b - a);
  return variant?.[0];
}

const MANY = 5;

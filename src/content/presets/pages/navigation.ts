import type { InLanguage } from './page-languages.ts';
import type { SaidOfFolder } from './page-preset.ts';
import { HOME, slugOfPath } from './page-tree.ts';
import type { MetaPage, PageMeta } from './page-tree.ts';

/** One entry of a navigation file. */
export interface NavigationItem {
  /** As a reader sees it; undefined: the page's own. */
  readonly title?: string | undefined;
  /** The page, from the content folder; undefined: a heading alone. */
  readonly file?: string | undefined;
  readonly items?: readonly NavigationItem[] | undefined;
  /** The path of a folder whose pages stand below the entry, in an order of their own. */
  readonly folder?: string | undefined;
}

/** What a navigation says of the pages that it lists. */
export interface Navigation {
  readonly has: (file: string) => boolean;
  readonly meta: (page: MetaPage) => PageMeta | undefined;
  readonly folder: (path: string) => SaidOfFolder | undefined;
}

export interface NavigationRules {
  /** The path of a page's record: without language, extension and index name. */
  readonly pathOf: (file: string) => string;
  /** The file of the page in the default language that stands for the same record. */
  readonly original: (page: MetaPage) => string;
  /** Titles of the navigation are the pages' own. */
  readonly hasTitles: boolean;
}

interface Listed {
  readonly title: string | undefined;
  readonly ordering: number;
  readonly kind: 'article' | 'category';
  readonly category: string;
}

/**
 * Order, names and tree of a navigation. A heading with pages below it is a category, and so is a page with pages below it;
 * the first mention of a page counts. Each category numbers its own entries, so a new page moves on only those behind it there: a
 * changed number is a write, and makes a page look new to readers.
 */
export function navigation(items: readonly NavigationItem[], rules: NavigationRules): Navigation {
  const pages = new Map<string, Listed>();
  const categories = new Map<string, SaidOfFolder>();
  const orderingIn = numberedBy();
  const walk = (entries: readonly NavigationItem[], category: string): void => {
    for (const { title, file, folder, items: inside = [] } of entries) {
      if (folder !== undefined) {
        const ordering = orderingIn(category);
        if (!categories.has(folder))
          categories.set(folder, { name: title, priority: ordering, parent: category });
        // A page of that folder has its place there.
        if (file !== undefined && !pages.has(file) && rules.pathOf(file) === folder)
          pages.set(file, { title, ordering, category, kind: 'category' });
        continue;
      }
      const hasPages = inside.some((item) => leads(item, file));
      if (file === undefined && !hasPages) continue;
      const ordering = orderingIn(category);
      const own = file === undefined ? headingPath(title ?? '', category) : rules.pathOf(file);
      const isFirst = file === undefined ? !categories.has(own) : !pages.has(file);
      if (file !== undefined && isFirst)
        pages.set(file, { title, ordering, category, kind: hasPages ? 'category' : 'article' });
      if (hasPages && isFirst && own !== category)
        categories.set(own, { name: title, priority: ordering, parent: category });
      if (hasPages) walk(inside, own);
    }
  };
  walk(items, '');
  return {
    has: (file) => pages.has(file),
    folder: (path) => categories.get(path),
    meta: (page) => {
      const own = pages.get(page.file);
      const original = pages.get(rules.original(page)) ?? own;
      if (original === undefined) return undefined;
      const title = rules.hasTitles ? own?.title : undefined;
      const { kind, category } = original;
      return { ordering: original.ordering, kind, category, ...(title === undefined ? {} : { title }) };
    },
  };
}

/** Counts from 1 in each group. */
export function numberedBy(): (group: string) => number {
  const last = new Map<string, number>();
  return (group) => {
    const next = (last.get(group) ?? 0) + 1;
    last.set(group, next);
    return next;
  };
}

/** A page besides the one whose own sections are listed below it. */
function leads({ file, folder, items = [] }: NavigationItem, around: string | undefined): boolean {
  const isPage = file !== undefined && file !== around;
  return isPage || folder !== undefined || items.some((item) => leads(item, around));
}

function headingPath(title: string, category: string): string {
  const name = slugOfPath(
    title
      .normalize('NFC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}.+#_-]+/gu, '-'),
  );
  return category === '' ? name : `${category}/${name}`;
}

/** The path of a record from a page's place: `guide/README.md` is `guide`, a root page is `home`. */
export function recordPath({ rest }: Pick<InLanguage, 'rest'>, index: RegExp): string {
  const names = rest.replace(/\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|rmd)$/i, '').split('/');
  if (index.test(names.at(-1) ?? '')) names.pop();
  return names.join('/') || HOME;
}

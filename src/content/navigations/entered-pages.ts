import { posix } from 'node:path';
import { ENDING, isNamedIn } from './names.ts';
import { withEntry } from './new-entry.ts';
import { withTitle } from './new-title.ts';
import type { NewTitle } from './new-title.ts';
import { withLabel } from './new-label.ts';
import type { NewLabel } from './new-label.ts';

/** A page that comes into the folder. All paths count from the content folder. */
export interface NewPage {
  readonly page: string;
  readonly title: string;
  /** Pages in whose list it belongs, best first: a navigation may name some of them twice, or with more than a title. */
  readonly beside: readonly string[];
  /** The navigations that it goes into; undefined: all that name a page beside it. */
  readonly navigations?: readonly string[];
}

/** What navigations are to say of pages. */
export interface NewEntries {
  readonly pages?: readonly NewPage[];
  readonly titles?: readonly NewTitle[];
  readonly labels?: readonly NewLabel[];
}

export interface EnteredNavigation {
  readonly text: string;
  /** Pages whose entries are new; the navigation itself, if it calls a category by another name. */
  readonly pages: readonly string[];
}

export interface EnteredInput {
  /** Files beside the pages that the layout read. */
  readonly sideFiles: Iterable<string>;
  readonly read: (path: string) => string | undefined;
}

/**
 * Navigations (SUMMARY.md, mkdocs.yml, docs.json, …) with entries for new pages, and with other titles of pages. Nothing is known here of
 * what such a file means: whether an entry makes a page one of the site is for the caller to find out.
 */
export function enteredPages(
  { pages = [], titles = [], labels = [] }: NewEntries,
  { sideFiles, read }: EnteredInput,
): ReadonlyMap<string, EnteredNavigation> {
  const entered = new Map<string, EnteredNavigation>();
  for (const path of sideFiles) {
    const wanted = pages.filter(({ navigations }) => navigations?.includes(path) !== false);
    const renamed = labels.filter(({ navigation }) => navigation === path);
    const count = wanted.length + titles.length + renamed.length;
    const before = count === 0 ? undefined : read(path);
    if (before === undefined) continue;
    let text = before;
    const isLikely = likelyIn(before);
    const named: string[] = [];
    const put = (page: string, made: string | undefined): boolean => {
      if (made === undefined) return false;
      text = made;
      named.push(page);
      return true;
    };
    for (const label of renamed) put(path, withLabel(text, label));
    for (const title of titles) put(title.page, withTitle(text, { ...title, navigation: path }));
    for (const { page, title, beside } of wanted) {
      if (mayName(text, page) && isNamedIn(text, path, page)) continue;
      beside.some(
        (each) =>
          isLikely(each) && put(page, withEntry(text, { navigation: path, beside: each, page, title })),
      );
    }
    if (named.length > 0) entered.set(path, { text, pages: named });
  }
  return entered;
}

/** Whether the name of a page's file stands anywhere: hundreds of new pages share the pages beside them. */
function likelyIn(text: string): (page: string) => boolean {
  const known = new Map<string, boolean>();
  return (page) => {
    const found = known.get(page);
    if (found !== undefined) return found;
    const isThere = mayName(text, page);
    known.set(page, isThere);
    return isThere;
  };
}

function mayName(text: string, page: string): boolean {
  const name = posix.basename(page).replace(ENDING, '');
  return text.includes(name) || text.includes(encodeURI(name));
}

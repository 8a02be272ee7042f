import { placeOf } from './page.ts';
import type { Page, Pages } from './page.ts';
import type { Kind, Value } from './service/row.ts';

/** The files of one team, as the author leaves them; machines check them out. */
export interface Repository {
  readonly name: string;
  /** kbsync.yaml, without the address. */
  readonly settings: string;
  readonly pages: () => Pages;
  add(place: string, title: string, fields?: Readonly<Record<string, Value>>, more?: string): void;
  /** A new version of the text; other values where they are given. */
  edit(place: string, change?: Partial<Pick<Page, 'title' | 'fields' | 'more'>>): void;
  /** Everything but the text. */
  retitle(place: string, change: Partial<Pick<Page, 'title' | 'fields'>>): void;
  move(place: string, to: string): void;
  remove(place: string): void;
  /** As the files were at another moment (`git revert`). */
  restore(pages: Pages): void;
}

const KINDS: Readonly<Record<string, Kind>> = { articles: 'article', categories: 'category', tags: 'tag' };

export function createRepository(name: string, settings = ''): Repository {
  let pages: Pages = new Map();
  let marks = 0;

  const at = (place: string): Page => {
    const page = pages.get(place);
    if (page === undefined) throw new Error(`test: ${name} has no file ${place}`);
    return page;
  };
  const put = (place: string, page: Page): void => {
    pages = new Map([...pages, [place, page]]);
  };
  const drop = (place: string): void => {
    pages = new Map([...pages].filter(([each]) => each !== place));
  };

  return {
    name,
    settings,
    pages: () => pages,
    add(place, title, fields = {}, more = '') {
      put(place, { ...parsed(place), mark: `q${name}${++marks}`, version: 1, title, fields, more });
    },
    edit(place, change = {}) {
      const page = at(place);
      put(place, {
        ...page,
        ...change,
        fields: { ...page.fields, ...change.fields },
        version: page.version + 1,
      });
    },
    retitle(place, change) {
      const page = at(place);
      put(place, { ...page, ...change, fields: { ...page.fields, ...change.fields } });
    },
    move(place, to) {
      const page = at(place);
      drop(place);
      put(to, { ...page, ...parsed(to) });
    },
    remove(place) {
      at(place);
      drop(place);
    },
    restore(earlier) {
      pages = earlier;
    },
  };
}

function parsed(place: string): Pick<Page, 'kind' | 'path' | 'language'> {
  const [language = '', folder = '', ...path] = place.split('/');
  const kind = KINDS[folder];
  if (kind === undefined) throw new Error(`test: ${place} is in no kind folder`);
  const page = { kind, path: path.join('/'), language };
  if (placeOf(page) !== place) throw new Error(`test: ${place} is not a place`);
  return page;
}

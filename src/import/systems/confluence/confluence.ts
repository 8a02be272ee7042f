import { decoded } from '../../../model/address/percent.ts';
import { dirname } from 'node:path';
import { said } from '../../text/json-values.ts';
import type { Harvest, ReaderOptions, Skipped, SourceRecord, System } from '../../record.ts';
import { apiPage, readPages } from './pages.ts';
import type { ConfluencePage } from './page.ts';
import { type PagesFound, pageIdIn } from './pages.ts';
import { storageHtml } from './storage.ts';

/** Confluence: answers of its REST API (v1, v2), a space exported as HTML, and files in the storage format. */
export const confluence: System = {
  extensions: ['.json', '.xhtml', '.xml', '.html', '.htm', '.yaml', '.yml'],
  open: (options) => {
    const found: PagesFound = { pages: [], skipped: [], restricted: new Set(), beside: new Map() };
    return { read: (file) => readPages(file, found), end: () => harvest(found, options) };
  },
  linkNames: (url) => {
    const plain = decoded(url.trim());
    const id =
      /\/pages\/(?:edit-v2\/)?(\d+)(?:[/?#]|$)/.exec(plain)?.[1] ??
      /[?&]pageId=(\d+)/.exec(plain)?.[1] ??
      (/^[a-z]+:/i.test(plain) ? undefined : pageIdIn(plain));
    if (id !== undefined) return [`page ${id}`];
    const tiny = /\/x\/([\w-]+)(?:[?#]|$)/.exec(plain)?.[1];
    if (tiny !== undefined) return [`tiny ${tiny}`];
    const title = /\/display\/[^/]+\/([^/?#]+)/.exec(plain)?.[1];
    return title === undefined ? [] : [`title ${title.replaceAll('+', ' ')}`];
  },
};

function harvest({ pages: found, skipped, restricted, beside }: PagesFound, options: ReaderOptions): Harvest {
  const left: Skipped[] = [...skipped];
  const used = new Set<string>();
  const named = found.map((page) => {
    const folder = dirname(page.at.file);
    const value = page.isNamedByFile ? beside.get(folder) : undefined;
    if (value === undefined) return page;
    used.add(folder);
    return { ...apiPage(value, undefined, page.at), storage: page.storage };
  });
  for (const [folder, value] of beside) {
    if (!used.has(folder)) named.push(apiPage(value, undefined, { file: folder, where: 'file' }));
  }
  const pages = named.filter((page) => {
    const reason = { trashed: 'trash', deleted: 'trash', historical: 'copy' }[page.status] as
      | Skipped['reason']
      | undefined;
    if (reason === undefined) return true;
    left.push({
      at: page.at,
      what: `page ${page.id} ${JSON.stringify(page.title)}`,
      reason,
      why: `its status is ${page.status}`,
    });
    return false;
  });
  // One copy of a page may say who alone may read it, and another leave that out.
  const closed = new Set([...restricted, ...named.filter((page) => page.isRestricted).map(({ id }) => id)]);
  const context = contextOf(pages, closed, options);
  return {
    records: [...categories(pages, context), ...pages.map((page) => article(page, context))],
    skipped: left,
  };
}

interface Context {
  readonly options: ReaderOptions;
  readonly restricted: ReadonlySet<string>;
  /** Pages that others lie below. */
  readonly outer: ReadonlySet<string>;
  /** Titles that one page alone has. */
  readonly titles: ReadonlyMap<string, string | undefined>;
  /** `https://x.atlassian.net/wiki` */
  readonly base: string | undefined;
}

function contextOf(
  pages: readonly ConfluencePage[],
  restricted: ReadonlySet<string>,
  options: ReaderOptions,
): Context {
  const titles = new Map<string, string | undefined>();
  for (const { id, title } of pages) {
    const other = titles.get(title);
    titles.set(title, titles.has(title) && other !== id ? undefined : id);
  }
  const outer = new Set(pages.flatMap(({ parent }) => parent ?? []));
  // Pages without an address of their own are from the site of the others.
  const bases = new Set(pages.flatMap(({ base }) => base ?? []));
  const base = options.site ?? (bases.size === 1 ? [...bases][0] : undefined);
  return { options, restricted, outer, titles, base };
}

/** A page with pages below it is a category as well; so is one that only the paths of others name. */
function categories(
  pages: readonly ConfluencePage[],
  { outer, restricted }: Context,
): readonly SourceRecord[] {
  const made = new Map<string, SourceRecord>();
  const add = (id: string, title: string, parent: string | undefined, page: ConfluencePage): void => {
    if (!made.has(id))
      made.set(
        id,
        category(id, {
          title,
          parent,
          page,
          isClosed: restricted.has(id),
        }),
      );
  };
  for (const page of pages) if (outer.has(page.id)) add(page.id, page.title, page.parent, page);
  for (const page of pages) {
    page.ancestors.forEach(({ id, title }, index) => {
      if (title !== '') add(id, title, page.ancestors[index - 1]?.id, page);
    });
  }
  return [...made.values()];
}

interface CategoryOf {
  readonly title: string;
  readonly parent: string | undefined;
  readonly page: ConfluencePage;
  readonly isClosed: boolean;
}

function category(id: string, { title, parent, page, isClosed }: CategoryOf): SourceRecord {
  return {
    kind: 'category',
    id: `page-${id}`,
    mark: id,
    lang: undefined,
    title,
    html: '',
    parents: parent === undefined ? [] : [`page-${parent}`],
    tags: [],
    isDraft: false,
    restricted: isClosed ? 'only some may read the page' : undefined,
    position: page.id === id ? page.position : undefined,
    updated: page.id === id ? page.updated : undefined,
    addresses: [],
    names: page.id === id ? [] : [`page ${id}`],
    notes: [],
    at: page.at,
  };
}

function article(page: ConfluencePage, context: Context): SourceRecord {
  const { options, restricted, outer, titles } = context;
  const { id, title, status, parent, paths } = page;
  const base = page.base ?? context.base;
  const addresses = base === undefined ? [] : paths.map((path) => `${base}${path}`);
  const made =
    page.html === undefined
      ? storageHtml(page.storage, {
          lang: options.language,
          attachment: (name) =>
            base === undefined ? undefined : `${base}/download/attachments/${id}/${encodeURIComponent(name)}`,
          page: (wanted, space) => pageAddress(wanted, space, { titles, base }),
        })
      : { html: page.html, summary: undefined, notes: [] };
  const folder = outer.has(id) ? id : parent;
  const tiny = paths.flatMap((path) => /\/x\/([\w-]+)/.exec(path)?.[1] ?? []);
  return {
    kind: 'article',
    id,
    mark: id,
    lang: undefined,
    title,
    html: made.html,
    summary: said(made.summary ?? ''),
    parents: folder === undefined ? [] : [`page-${folder}`],
    tags: page.labels.map((name) => ({ name })),
    isDraft: status !== 'current',
    restricted: restricted.has(id) ? 'only some may read the page' : undefined,
    position: page.position,
    updated: page.updated,
    author: page.author,
    addresses,
    names: [
      `page ${id}`,
      ...(titles.get(title) === id ? [`title ${title}`] : []),
      ...tiny.map((name) => `tiny ${name}`),
    ],
    notes: [
      ...made.notes,
      ...(page.isNamedByFile ? ['it had no title, so the name of its file is the title now'] : []),
    ],
    at: page.at,
  };
}

/** Links name pages by title; among what was read that is enough, elsewhere it takes the site. */
function pageAddress(
  title: string,
  space: string | undefined,
  {
    titles,
    base,
  }: { readonly titles: ReadonlyMap<string, string | undefined>; readonly base: string | undefined },
): string | undefined {
  const id = titles.get(title);
  if (id !== undefined) return `/pages/${id}`;
  if (base === undefined || space === undefined) return undefined;
  return `${base}/display/${encodeURIComponent(space)}/${encodeURIComponent(title).replaceAll('%20', '+')}`;
}

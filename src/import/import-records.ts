import type { ContentFolder } from '../content/files/folder.ts';
import type { Layout } from '../sync/pull/files/record-file.ts';
import { arrange } from './records/arrange.ts';
import type { ImportedRecord, ImportReport, Redirect } from './report.ts';
import type { Pictures } from './files/pictures.ts';
import { pageBook } from './files/page-book.ts';
import { placeFiles } from './files/place-files.ts';
import type { Places } from './files/place-files.ts';
import type { Harvest, SourceRecord, System } from './record.ts';
import { writeRedirects } from './files/redirects.ts';
import { withoutRestricted } from './records/restricted-categories.ts';
import { sortOut } from './records/sort-out.ts';
import type { SortOptions } from './records/sort-out.ts';
import { writeFile } from './files/write-files.ts';

export interface ImportOptions extends SortOptions {
  readonly system: System;
  readonly folder: ContentFolder;
  /** How files are written; the default language is found among the records. */
  readonly layout: Omit<Layout, 'defaultLanguage'>;
  /** Of the old site, without a slash at its end. */
  readonly site: string | undefined;
  /** Images that come along; undefined: they stay where they are. */
  readonly pictures?: Pictures;
  readonly clean: boolean;
  readonly dryRun: boolean;
}

/**
 * Records of another system as files of our layout: sorted (a language, a title, no doubles), arranged (slugs, numbers,
 * references), placed, written. The same records give the same files in every run; nothing is overwritten.
 */
export function importRecords(harvest: Harvest, options: ImportOptions): ImportReport {
  const sorted = withoutRestricted(sortOut(harvest, options));
  const { defaultLanguage } = sorted;
  const layout: Layout = { ...options.layout, defaultLanguage };
  const { placed, left, context } = placeFiles(arrange(sorted), layout);
  const { system, site, folder, clean, dryRun, pictures } = options;
  const book = pageBook(placed, defaultLanguage);
  const writing = { system, site, folder, clean, dryRun, pictures, context, book };
  const written = placed.map((page) => ({ page, record: writeFile(page, writing) }));
  const records = [
    ...written.map(({ record }) => record),
    ...left.map(({ record, why }): ImportedRecord => {
      const { kind, id, lang, fields, notes, source } = record;
      const title = String(fields[kind === 'article' ? 'title' : 'name'] ?? '');
      const end = {
        kind,
        id,
        lang,
        title,
        action: 'left' as const,
        why,
        notes,
        pictures: [],
        links: { relative: 0, left: [] },
      };
      return source === undefined ? end : { ...end, at: source.at };
    }),
  ];
  // A file that says something else is the record's own, edited since.
  const arrived = written.filter(({ page, record }) => record.action !== 'left' || folder.has(page.file));
  const redirects = redirectsOf(arrived.map(({ page }) => page));
  const saved = dryRun || redirects.length === 0 ? undefined : writeRedirects(folder, redirects);
  return {
    records,
    skipped: sorted.skipped,
    defaultLanguage,
    languages: [...new Set(placed.map(({ record }) => record.lang))].sort(),
    redirects,
    redirectsFile: saved,
    ...(pictures === undefined ? {} : { assets: pictures.report }),
  };
}

/** The records whose texts an import with these options writes, or would write. */
export function recordsToWrite(harvest: Harvest, options: SortOptions): readonly SourceRecord[] {
  return withoutRestricted(sortOut(harvest, options)).records;
}

/**
 * What people could read has a new address; a draft has none yet. A category that shows no article has no page, so its old address
 * leads to the next category above that has one.
 */
function redirectsOf(placed: Places['placed']): readonly Redirect[] {
  const shownAt = categoryPages(placed);
  const to = new Map<string, string>();
  for (const page of placed) {
    const { kind, id, lang, fields, source } = page.record;
    const address = kind === 'category' ? shownAt(id, lang) : page.address;
    if (address === undefined || fields['status'] === 'draft') continue;
    for (const from of source?.addresses ?? []) if (!to.has(from)) to.set(from, address);
  }
  return [...to]
    .map(([from, target]) => ({ from, to: target }))
    .sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)));
}

/** The page of a category in a language, or of the next one above with a published article below it. */
function categoryPages(placed: Places['placed']): (id: string, lang: string) => string | undefined {
  const parents = new Map<string, unknown>();
  const pages = new Map<string, string>();
  for (const { record, address } of placed) {
    if (record.kind !== 'category') continue;
    if (record.fields['categoryParent'] !== undefined)
      parents.set(record.id, record.fields['categoryParent']);
    pages.set(`${record.id} ${record.lang}`, address);
  }
  const shown = new Set<unknown>();
  for (const { record } of placed) {
    if (record.kind !== 'article' || record.fields['status'] === 'draft') continue;
    for (const id of [record.fields['categories']].flat()) {
      let at: unknown = id;
      while (typeof at === 'string' && !shown.has(at)) {
        shown.add(at);
        at = parents.get(at);
      }
    }
  }
  return (id, lang) => {
    let at: unknown = id;
    // Languages of a category may name parents that make a circle together.
    const seen = new Set<unknown>();
    while (typeof at === 'string' && !(shown.has(at) && pages.has(`${at} ${lang}`))) {
      if (seen.has(at)) return undefined;
      seen.add(at);
      at = parents.get(at);
    }
    return typeof at === 'string' ? pages.get(`${at} ${lang}`) : undefined;
  };
}

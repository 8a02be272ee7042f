import type { Report } from './checks.ts';
import { slugAt } from './checks.ts';
import { placeOf, slugOf } from './corpus.ts';
import type { SourceFile, UnreadFile } from './corpus.ts';

/**
 * Pages with one `slug` that their own site tells apart, by a date or a section in their addresses. The only oldest keeps the slug, so a later post
 * changes no address; without one, none keeps it. The others get the slug of their path, as pages without `slug` do. Pages that
 * share an address on their own site stay as they are, and so does a page whose slug another one has by its path.
 */
export function slugsApart(
  files: readonly SourceFile[],
  unread: readonly UnreadFile[],
  report: Report,
): readonly SourceFile[] {
  if (!files.some(({ document }) => document.siteAddress !== undefined)) return files;
  const groups = new Map<string, SourceFile[]>();
  for (const file of files) {
    const group = groups.get(slugAt(file.place, slugOf(file)));
    if (group === undefined) groups.set(slugAt(file.place, slugOf(file)), [file]);
    else group.push(file);
  }
  // Nothing says how old a file is that cannot be read: whoever has its slug must not take another one because of that.
  for (const { place, slug, shown } of unread) {
    const at = slugAt(place, slug);
    for (const file of groups.get(at) ?? []) {
      if (file.document.siteAddress === undefined) continue;
      const first = { file: shown, line: 1, column: 1 };
      const { kind, lang } = place;
      report(placeOf(file, file.document.spots['slug']), { code: 'duplicate-slug', slug, kind, lang, first });
    }
    groups.delete(at);
  }
  const leaving = new Set([...groups.values()].flatMap(leavingIn));
  return files.map((file) => (leaving.has(file) ? withSlugOfPath(file) : file));
}

function leavingIn(group: readonly SourceFile[]): readonly SourceFile[] {
  if (group.length === 1 || group.some(({ document }) => document.siteAddress === undefined)) return [];
  const dates = group.map(({ document }) => document.siteAddress?.date ?? '~').sort();
  const oldest = dates[0] === dates[1] ? undefined : dates[0];
  const addresses = group.map(({ document }) => document.siteAddress?.address);
  return group.filter(({ document: { siteAddress } }) => {
    const isAlone = addresses.filter((each) => each === siteAddress?.address).length === 1;
    return isAlone && (oldest === undefined || siteAddress?.date !== oldest);
  });
}

function withSlugOfPath(file: SourceFile): SourceFile {
  const { document, place } = file;
  return { ...file, document: { ...document, fields: { ...document.fields, slug: place.defaultSlug } } };
}

import { familyOf, keyOf } from '../model/key.ts';
import type { Family, Key } from '../model/key.ts';
import type { Place, ProblemCase } from '../model/problem.ts';
import { originalOf, placeOf, slugOf } from './source-file.ts';
import type { Site, SourceFile } from './source-file.ts';

/** Takes problems as they are found; severity and order come at the end. */
export type Report = (at: Place, problem: ProblemCase) => void;

/**
 * The files by key. Keys that differ only in case or in Unicode form count as one: half of the world's disks cannot tell
 * them apart. Of two files with one key the first (by path) keeps it.
 */
export function filesByKey(files: readonly SourceFile[], report: Report): ReadonlyMap<Key, SourceFile> {
  const byFolded = new Map<string, SourceFile>();
  const byKey = new Map<Key, SourceFile>();
  for (const file of files) {
    const folded = fold(file.key);
    const first = byFolded.get(folded);
    if (first === undefined) {
      byFolded.set(folded, file);
      byKey.set(file.key, file);
      continue;
    }
    report(placeOf(file, file.document.spots['translationKey']), {
      code: 'duplicate-key',
      key: first.key,
      first: placeOf(first, undefined),
    });
  }
  return byKey;
}

/** Two records of one kind and language under one address: the second would hide the first. */
export function checkSlugs(site: Site, report: Report): void {
  const bySlug = new Map<string, SourceFile>();
  for (const file of site.files) {
    const { kind, lang } = file.place;
    const at = `${kind} ${lang} ${fold(slugOf(file))}`;
    const first = bySlug.get(at);
    if (first === undefined) {
      bySlug.set(at, file);
      continue;
    }
    report(placeOf(file, file.document.spots['slug']), {
      code: 'duplicate-slug',
      slug: slugOf(file),
      kind,
      lang,
      first: placeOf(first, first.document.spots['slug']),
    });
  }
}

export function checkOrphans(site: Site, report: Report): void {
  for (const file of site.files) {
    if (originalOf(site, file) !== undefined) continue;
    const { kind, path } = file.place;
    const family = familyOf(file.key);
    const keyPath = family.slice(family.indexOf('/') + 1);
    report(placeOf(file, file.document.spots['translationKey']), {
      code: 'orphan-translation',
      kind,
      defaultLanguage: site.defaultLanguage,
      expected: `${site.shown}${site.preset.fileFor(kind, file.document.translationKey === undefined ? path : keyPath, site.defaultLanguage)}`,
    });
  }
}

/**
 * Reports every circle of categories once, and returns the records whose parent closes one: without them the tree has no
 * circle, should the problem be allowed.
 */
export function checkCycles(
  parents: ReadonlyMap<SourceFile, Family>,
  report: Report,
): ReadonlySet<SourceFile> {
  const closing = new Set<SourceFile>();
  const byKey = new Map([...parents.keys()].map((file) => [file.key, file]));
  const done = new Set<SourceFile>();
  for (const start of parents.keys()) {
    const trail: SourceFile[] = [];
    let file: SourceFile | undefined = start;
    while (file !== undefined && !done.has(file) && !trail.includes(file)) {
      trail.push(file);
      const family: Family | undefined = parents.get(file);
      file = family === undefined ? undefined : byKey.get(keyOf('category', pathIn(family), file.place.lang));
    }
    const from = file === undefined ? -1 : trail.indexOf(file);
    for (const seen of trail) done.add(seen);
    const last = trail.at(-1);
    if (from < 0 || file === undefined || last === undefined) continue;
    closing.add(last);
    const path = [...trail.slice(from), file].map(({ key }) => pathIn(familyOf(key)));
    report(placeOf(last, last.document.spots['categoryParent']), { code: 'category-cycle', path });
  }
  return closing;
}

function pathIn(family: Family): string {
  return family.slice(family.indexOf('/') + 1);
}

/** NFC and case folding; upper case first, so that `ß` and `ss` meet. */
function fold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase();
}

import { familyOf, keyOf, pathOf } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import type { Place, ProblemCase } from '../../model/problem.ts';
import type { NamedRecords } from '../../model/named-records.ts';
import { isImplied, originalOf, placeOf, slugOf } from './corpus.ts';
import type { Corpus, SourceFile } from './corpus.ts';

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
      differs: differenceOf(file.path, first.path),
    });
  }
  return byKey;
}

function differenceOf(a: string, b: string): 'case' | 'unicode form' | 'more' {
  if (a.normalize('NFC') === b.normalize('NFC')) return 'unicode form';
  return fold(a) === fold(b) ? 'case' : 'more';
}

/** What no two records may share. */
export function slugAt({ kind, lang }: Pick<SourceFile['place'], 'kind' | 'lang'>, slug: string): string {
  return `${kind} ${lang} ${fold(slug)}`;
}

/** Two records of one kind and language under one address: the second would hide the first. */
export function checkSlugs(corpus: Corpus, report: Report): void {
  const bySlug = new Map<string, SourceFile>();
  for (const file of corpus.files) {
    const { kind, lang } = file.place;
    const at = slugAt(file.place, slugOf(file));
    const first = bySlug.get(at);
    if (first === undefined) {
      bySlug.set(at, file);
      continue;
    }
    const [slug, firstSlug] = [slugOf(file), slugOf(first)];
    report(placeOf(file, file.document.spots['slug']), {
      code: 'duplicate-slug',
      slug,
      kind,
      lang,
      ...(slug === firstSlug ? {} : { firstSlug }),
      first: placeOf(first, first.document.spots['slug']),
    });
  }
}

/** What is given back has no file: a file says that its record is managed here. */
export function checkReleased(
  corpus: Corpus,
  released: Pick<NamedRecords, 'has'> | undefined,
  report: Report,
): void {
  if (released === undefined) return;
  for (const file of corpus.files)
    if (!isImplied(file) && released.has(file.key))
      report(placeOf(file, undefined), { code: 'released-file', key: file.key });
}

export function checkOrphans(corpus: Corpus, report: Report): void {
  const originals = [...corpus.unread.values()].filter(({ place }) => place.lang === corpus.defaultLanguage);
  const unread = new Set(originals.map(({ key }) => familyOf(key)));
  const [only, ...others] = new Set(
    [...corpus.files, ...corpus.unread.values()].flatMap((file) =>
      'document' in file && isImplied(file) ? [] : [file.place.lang],
    ),
  );
  const isOnly = only !== undefined && others.length === 0 && only !== corpus.defaultLanguage;
  for (const file of corpus.files) {
    const family = familyOf(file.key);
    if (originalOf(corpus, file) !== undefined || unread.has(family)) continue;
    const { kind, path } = file.place;
    const keyPath = pathOf(family);
    report(placeOf(file, file.document.spots['translationKey']), {
      code: 'orphan-translation',
      kind,
      defaultLanguage: corpus.defaultLanguage,
      expected: `${corpus.shown}${corpus.preset.fileFor(kind, file.document.translationKey === undefined ? path : keyPath, corpus.defaultLanguage)}`,
      ...(isOnly ? { onlyLanguage: only } : {}),
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
      file = family === undefined ? undefined : byKey.get(keyOf('category', pathOf(family), file.place.lang));
    }
    const from = file === undefined ? -1 : trail.indexOf(file);
    for (const seen of trail) done.add(seen);
    const last = trail.at(-1);
    if (from < 0 || file === undefined || last === undefined) continue;
    closing.add(last);
    const path = [...trail.slice(from), file].map(({ key }) => pathOf(familyOf(key)));
    report(placeOf(last, last.document.spots['categoryParent']), { code: 'category-cycle', path });
  }
  return closing;
}

/** NFC and case folding; upper case first, so `ß` and `ss` meet. */
function fold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase();
}

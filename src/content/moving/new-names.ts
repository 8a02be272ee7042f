import { familyOf, kindOf, pathOf } from '../../model/key.ts';
import type { Family } from '../../model/key.ts';
import type { Corpus, SourceFile } from '../corpus/corpus.ts';
import { isImplied } from '../corpus/corpus.ts';

/** A name inside a path, and what stands there after the move: `billing/fax` to `legacy/telefax`. */
export interface NamePair {
  readonly from: string;
  readonly to: string;
}

export interface NewNames {
  /** Old path → new path, of every file that moves: the pages in all languages, and what lies in a moved folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of files and of keys that change. */
  readonly pairs: readonly NamePair[];
}

const PAGE = /\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|rmd)$/i;

/**
 * The files that go along when one page or one folder gets another name: its translations, and of a folder everything below
 * it, with the category of that name. Paths are relative to the content folder.
 */
export function newNames(
  { from, to }: NamePair,
  { corpus, tree }: { readonly corpus: Corpus; readonly tree: readonly string[] },
): NewNames | { readonly why: string } {
  if (from === to) return { why: `${from} has this name already` };
  const isFile = tree.includes(from);
  const below = tree.filter((path) => path.startsWith(`${from}/`));
  if (!isFile && below.length === 0) {
    const page =
      tree.find((path) => bare(path) === from && PAGE.test(path)) ??
      // The name that plans print, without the folder that all pages are in.
      corpus.files.find((file) => !isImplied(file) && pathOf(familyOf(file.key)) === bare(from))?.path;
    const meant = page === undefined ? '' : `; did you mean ${page}?`;
    return { why: `there is no file or folder ${from} in the content folder${meant}` };
  }
  const heads = (isFile ? [from] : below).flatMap((path) => corpus.byPath.get(path) ?? []);
  if (heads.length === 0) return { why: `no page is read from ${from}` };
  const place = (path: string): string => (isFile ? to : `${to}${path.slice(from.length)}`);
  const files = new Map((isFile ? [from] : below).map((path) => [path, place(path)]));
  const shared = sharedFolders(from, to);
  const byFile = { from: bare(from.slice(shared)), to: bare(to.slice(shared)) };
  const byKey = isFile ? undefined : keyPair(heads, { from, place }, corpus);
  const pairs = [byFile, ...(byKey === undefined || byKey.from === byFile.from ? [] : [byKey])];
  for (const file of companions(heads, byKey, corpus)) {
    if (files.has(file.path)) continue;
    const moved = pairs.map((pair) => replacedIn(file.path, pair)).find((path) => path !== undefined);
    if (moved === undefined) {
      if (file.document.fields['translationKey'] !== undefined || isNamedByKey(file)) continue;
      return {
        why: `${file.path} belongs to ${from}, and its name does not say where it would go; move it by hand`,
      };
    }
    files.set(file.path, moved);
  }
  if (!isFile) bringFolders(files, tree, byFile);
  const paths = new Set(tree);
  // A file that moves too also counts as taken, because files are written one by one.
  const taken = [...files.values()].find((path) => paths.has(path));
  return taken === undefined ? { files, pairs } : { why: `${taken} exists already` };
}

/** Translations, and of a folder the category of its name and what lies below that. */
function companions(
  heads: readonly SourceFile[],
  byKey: NamePair | undefined,
  corpus: Corpus,
): readonly SourceFile[] {
  const families = new Set<Family>(heads.map(({ key }) => familyOf(key)));
  return corpus.files.filter((file) => {
    if (isImplied(file)) return false;
    const family = familyOf(file.key);
    if (families.has(family)) return true;
    const path = pathOf(family);
    return (
      byKey !== undefined &&
      kindOf(family) === 'category' &&
      (path === byKey.from || path.startsWith(`${byKey.from}/`))
    );
  });
}

/** Whether the file names its original by a key in its front matter. */
function isNamedByKey({ key, place }: SourceFile): boolean {
  return pathOf(familyOf(key)) !== place.path;
}

/** The same folder in other languages moves too, also files there that are not pages. */
function bringFolders(files: Map<string, string>, tree: readonly string[], pair: NamePair): void {
  const folders = new Map<string, string>();
  for (const [old, now] of files) {
    const at = spotOf(old, pair.from);
    if (at !== undefined && old[at + pair.from.length] === '/')
      folders.set(old.slice(0, at + pair.from.length), `${now.slice(0, at)}${pair.to}`);
  }
  for (const path of tree) {
    if (files.has(path)) continue;
    for (const [old, now] of folders)
      if (path.startsWith(`${old}/`)) files.set(path, `${now}${path.slice(old.length)}`);
  }
}

/** What the names of a folder's records begin with, before and after. */
function keyPair(
  heads: readonly SourceFile[],
  { from, place }: { readonly from: string; readonly place: (path: string) => string },
  corpus: Corpus,
): NamePair | undefined {
  for (const { path, place: old } of heads) {
    const now = corpus.preset.place(place(path));
    const pair =
      now.role === 'document'
        ? folderPair({ from: old.path, to: now.path }, { path, folder: from })
        : undefined;
    if (pair !== undefined) return pair;
  }
  return undefined;
}

/** The names of a moved folder, from the old and the new name of a page in it. */
export function folderPair(
  { from, to }: NamePair,
  { path, folder }: { readonly path: string; readonly folder: string },
): NamePair | undefined {
  const inner = path.slice(folder.length + 1).split('/').length;
  // An index page has the name of its folder.
  const isIndex = /^_?(?:index|readme)\./i.test(path.slice(path.lastIndexOf('/') + 1));
  const cut = isIndex ? inner - 1 : inner;
  const [name = '', next = ''] = [from, to].map((each) => {
    const parts = each.split('/');
    return parts.slice(0, parts.length - cut).join('/');
  });
  return name === '' || next === '' ? undefined : { from: name, to: next };
}

/** The path with another name in it; undefined if it does not have the name as a whole part. */
function replacedIn(path: string, { from, to }: NamePair): string | undefined {
  const at = spotOf(path, from);
  return at === undefined ? undefined : `${path.slice(0, at)}${to}${path.slice(at + from.length)}`;
}

function spotOf(path: string, name: string): number | undefined {
  const at = path.lastIndexOf(name);
  if (at < 0 || name === '') return undefined;
  const isStart = at === 0 || path[at - 1] === '/';
  return isStart && /^(?:$|[/.])/.test(path.slice(at + name.length)) ? at : undefined;
}

function sharedFolders(a: string, b: string): number {
  let shared = 0;
  for (let at = 0; at < Math.min(a.length, b.length) && a[at] === b[at]; at += 1)
    if (a[at] === '/') shared = at + 1;
  return shared;
}

function bare(path: string): string {
  return path.replace(PAGE, '');
}

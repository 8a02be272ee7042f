import type { Kind } from '../../src/model/key.ts';
import type { Folder, SimFile } from './files.ts';
import { DEFAULT_LANGUAGE, fileKey, newFile } from './files.ts';
import type { Chance } from './random.ts';

export interface Author {
  readonly folder: Folder;
  readonly chance: Chance;
  readonly newUid: () => string;
}

/** One change of the folder, as a person or a merge makes it. Returns what it was, for the trace. */
export function editFolder({ folder, chance, newUid }: Author): string {
  const files = [...folder.values()];
  const file = chance.pick(files);
  const roll = chance.below(20);
  if (file === undefined || roll >= 17) return addFile({ folder, chance, newUid });
  const rev = newUid();
  if (roll < 5) file.text = `text ${rev}`;
  else if (roll < 7) file.title = `${file.path} ${file.lang} ${rev}`;
  else if (roll < 9) file.slug = `${file.path}-${rev}`;
  else if (roll === 9) swapSlugs(file, files, chance);
  else if (roll === 10) file.excerpt = chance.happens(0.7) ? `excerpt ${rev}` : undefined;
  else if (roll === 11) refile(file, files, chance);
  else if (roll < 14) renameFamily(file, { folder, chance, newUid }, rev);
  else if (roll === 14) copyFile(file, folder, rev);
  else remove(file, { folder, chance, newUid });
  if (folder.has(fileKey(file))) settleIdentity(file, newUid);
  return `${roll} ${fileKey(file)}`;
}

function addFile({ folder, chance, newUid }: Author): string {
  const uid = newUid();
  const kind: Kind = chance.oneOf<Kind>('article', 'article', 'category', 'tag');
  const originals = [...folder.values()].filter((each) => each.lang === DEFAULT_LANGUAGE);
  const original = chance.pick(originals);
  const isTranslation = original !== undefined && chance.happens(0.5);
  const lang = isTranslation ? chance.oneOf('fr', 'de') : DEFAULT_LANGUAGE;
  const file = isTranslation
    ? newFile(original.kind, original.path, lang, uid)
    : newFile(kind, chance.happens(0.8) ? `${kind.slice(0, 1)}${uid}` : `${kind.slice(0, 1)}0`, lang, uid);
  if (folder.has(fileKey(file))) return 'nothing';
  if (isTranslation) file.categories = original.categories;
  folder.set(fileKey(file), file);
  if (kind === 'article' && !isTranslation) refile(file, [...folder.values()], chance);
  return `add ${fileKey(file)}`;
}

function swapSlugs(file: SimFile, files: readonly SimFile[], chance: Chance): void {
  const other = chance.pick(files.filter((each) => each.kind === file.kind && each.lang === file.lang));
  if (other === undefined) return;
  const { slug } = file;
  file.slug = other.slug;
  // Sometimes only taken over, and the other moves on.
  other.slug = chance.happens(0.6) ? slug : `${slug}-next`;
}

function refile(file: SimFile, files: readonly SimFile[], chance: Chance): void {
  const paths = (kind: Kind): readonly string[] =>
    files.filter((each) => each.kind === kind && each.lang === DEFAULT_LANGUAGE).map(({ path }) => path);
  if (file.kind === 'category')
    file.parent = chance.happens(0.3) ? undefined : chance.pick(paths('category'));
  file.categories = paths('category').filter(() => chance.happens(0.4));
  file.tags = paths('tag').filter(() => chance.happens(0.4));
}

/** All languages move, or only the original; the slug follows the path or stays. */
function renameFamily(file: SimFile, { folder, chance, newUid }: Author, rev: string): void {
  const path = `${file.path.slice(0, 8)}-${rev}`;
  const followsPath = chance.happens(0.5);
  const all = chance.happens(0.8);
  const family = [...folder.values()].filter(({ kind, path: of }) => kind === file.kind && of === file.path);
  const isTold = family.some(({ formerly }) => formerly.length > 0);
  for (const each of family) {
    if (!all && !isTold && each !== file) continue;
    if (each !== file) moveTo(each, path, followsPath, folder, newUid);
  }
  moveTo(file, path, followsPath, folder, newUid);
}

function moveTo(
  file: SimFile,
  path: string,
  followsPath: boolean,
  folder: Folder,
  newUid: () => string,
): void {
  for (const each of folder.values()) {
    if (file.lang !== DEFAULT_LANGUAGE) break;
    if (file.kind === 'category') {
      each.categories = each.categories.map((name) => (name === file.path ? path : name));
      if (each.parent === file.path) each.parent = path;
    }
    if (file.kind === 'tag') each.tags = each.tags.map((name) => (name === file.path ? path : name));
  }
  folder.delete(fileKey(file));
  file.path = path;
  if (followsPath) file.slug = path;
  folder.set(fileKey(file), file);
  settleIdentity(file, newUid);
}

function copyFile(file: SimFile, folder: Folder, rev: string): void {
  const copy: SimFile = {
    ...file,
    path: `${file.path.slice(0, 8)}-copy-${rev}`,
    slug: `${file.slug}-copy-${rev}`,
    uid: rev,
    formerly: [],
    cleanPath: '',
  };
  folder.set(fileKey(copy), copy);
}

function remove(file: SimFile, { folder, chance, newUid }: Author): void {
  const all = chance.happens(0.7);
  for (const each of folder.values()) {
    if (each === file || (all && each.kind === file.kind && each.path === file.path))
      folder.delete(fileKey(each));
  }
  if (file.formerly.length === 0) return;
  // What it said of earlier names is gone with it.
  for (const each of folder.values()) {
    if (each.kind !== file.kind || each.path !== file.path) continue;
    each.cleanPath = '';
    settleIdentity(each, newUid);
  }
}

/** `kbsync mv`, and then whatever else: all languages go to a path that nobody had, and the original says which it was. */
export function tellMove({ folder, chance, newUid }: Author): string {
  const files = [...folder.values()];
  // Of a page that no run was in sync with, a create may still be under way under the old name.
  const original = chance.pick(
    files.filter(({ lang, cleanSlug }) => lang === DEFAULT_LANGUAGE && cleanSlug !== ''),
  );
  if (original === undefined) return 'nothing';
  const { kind, path: old } = original;
  const rev = newUid();
  const path = `${old.slice(0, 8)}-told-${rev}`;
  const followsPath = chance.happens(0.5);
  for (const file of files.filter((each) => each.kind === kind && each.path === old)) {
    const isRewritten = chance.happens(0.5);
    // What it says keeps it the same, whatever else changes.
    file.cleanPath = path;
    moveTo(file, path, followsPath, folder, newUid);
    if (isRewritten) file.text = `text ${rev}`;
  }
  original.formerly = [...original.formerly, old];
  return `${kind} ${old} told as ${path}`;
}

/** Path, slug and text all changed since the last run in sync: nobody could tell it from a new file, so it is one. */
export function settleIdentity(file: SimFile, newUid: () => string): void {
  const { path, slug, text, cleanPath, cleanSlug, cleanText } = file;
  // A category has no body, so only its slug can tell.
  const isTextOther = text !== cleanText || file.kind === 'category';
  if (path === cleanPath || slug === cleanSlug || !isTextOther) return;
  file.uid = newUid();
  file.formerly = [];
  file.cleanPath = path;
}

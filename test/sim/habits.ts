import type { Author } from './author.ts';
import { settleIdentity } from './author.ts';
import type { Folder, SimFile } from './files.ts';
import { copyOf, fileKey } from './files.ts';

interface Reorganiser extends Author {
  readonly past: readonly Folder[];
}

/** What authors do to a folder now and then. Returns what it was, for the trace. */
export function reorganise(author: Reorganiser): string {
  const { chance } = author;
  const roll = chance.below(6);
  if (roll < 2) return swapPaths(author);
  if (roll === 2) return renameLanguage(author);
  if (roll === 3) return swapTexts(author);
  if (roll === 4) return dropLanguage(author);
  return goBack(author);
}

/** Two files, or two families with all their languages, change places; slugs stay with the text or with the place. */
function swapPaths({ folder, chance, newUid }: Author): string {
  const files = [...folder.values()];
  const one = chance.pick(files);
  const other = chance.pick(files.filter(({ kind, path }) => kind === one?.kind && path !== one.path));
  if (one === undefined || other === undefined) return 'nothing';
  const isWhole = chance.happens(0.7);
  const followsPath = chance.happens(0.5);
  const [a, b] = [one.path, other.path];
  const moving = files.filter(
    ({ kind, path, lang }) =>
      kind === one.kind && (path === a || path === b) && (isWhole || lang === one.lang),
  );
  for (const file of moving) folder.delete(fileKey(file));
  for (const file of moving) {
    file.path = file.path === a ? b : a;
    if (followsPath) file.slug = file.path;
    folder.set(fileKey(file), file);
    settleIdentity(file, newUid);
  }
  return `swap ${one.kind} ${a} and ${b}`;
}

/** `de` becomes `es`, or the other way round. */
function renameLanguage({ folder, chance }: Author): string {
  const [from, to] = chance.oneOf<readonly [string, string]>(['de', 'es'], ['es', 'de']);
  for (const file of [...folder.values()].filter(({ lang }) => lang === from)) {
    const renamed: SimFile = { ...file, lang: to };
    if (folder.has(fileKey(renamed))) continue;
    folder.delete(fileKey(file));
    folder.set(fileKey(renamed), renamed);
  }
  return `language ${from} to ${to}`;
}

function dropLanguage({ folder, chance }: Author): string {
  const lang = chance.oneOf('fr', 'de', 'es');
  for (const [key, file] of folder) if (file.lang === lang) folder.delete(key);
  return `language ${lang} dropped`;
}

/** The texts of two files were in each other's place. */
function swapTexts({ folder, chance }: Author): string {
  const files = [...folder.values()].filter(({ formerly }) => formerly.length === 0);
  const one = chance.pick(files);
  const other = chance.pick(files.filter(({ kind, lang }) => kind === one?.kind && lang === one.lang));
  if (one === undefined || other === undefined) return 'nothing';
  [one.text, other.text, one.uid, other.uid] = [other.text, one.text, other.uid, one.uid];
  [one.title, other.title] = [other.title, one.title];
  return `texts of ${fileKey(one)} and ${fileKey(other)}`;
}

/** As git revert does it: every file as it was before some round. */
function goBack({ folder, chance, past }: Reorganiser): string {
  const then = chance.pick(past);
  if (then === undefined) return 'nothing';
  const now = new Map([...folder.values()].map((file) => [file.uid, file]));
  folder.clear();
  for (const [key, file] of copyOf(then)) {
    const { cleanPath, cleanSlug, cleanText } = now.get(file.uid) ?? file;
    folder.set(key, { ...file, cleanPath, cleanSlug, cleanText });
  }
  return 'back';
}

import { newFile } from './files.ts';
import type { Folder, SimFile } from './files.ts';
import { fileKey } from './files.ts';
import type { Personality } from './service.ts';

/** A change of the files whose run is killed at every step. */
export interface CrashScenario {
  readonly name: string;
  readonly personality: Personality;
  readonly prune?: boolean;
  /** The folder of a first run that ends in sync; undefined: the crash is in the very first run. */
  readonly before?: (folder: Folder) => void;
  readonly change: (folder: Folder) => void;
}

const RICH: Personality = {
  headers: true,
  slugs: 'refuse-doubles',
  html: 'keep',
  originalDelete: 'refuse',
  showsUse: false,
};
const PLAIN: Personality = { ...RICH, headers: false };
const LENIENT: Personality = { ...PLAIN, slugs: 'accept-doubles', originalDelete: 'cascade' };
const STRIPPING: Personality = { ...PLAIN, html: 'strip-comments' };

function add(folder: Folder, kind: SimFile['kind'], path: string, lang = 'en'): SimFile {
  const file = newFile(kind, path, lang, `u${folder.size + 1}`);
  folder.set(fileKey(file), file);
  return file;
}

function at(folder: Folder, key: string): SimFile {
  const file = folder.get(key);
  if (file === undefined) throw new Error(`bug: no file ${key}`);
  return file;
}

function move(folder: Folder, key: string, path: string): void {
  const file = at(folder, key);
  folder.delete(key);
  file.path = path;
  folder.set(fileKey(file), file);
}

function small(folder: Folder): void {
  add(folder, 'category', 'c0');
  add(folder, 'category', 'c1').parent = 'c0';
  add(folder, 'tag', 't0');
  const first = add(folder, 'article', 'a0');
  first.categories = ['c0'];
  first.tags = ['t0'];
  add(folder, 'article', 'a1').categories = ['c1'];
  add(folder, 'article', 'a0', 'fr').categories = ['c0'];
}

const edit = (folder: Folder): void => {
  at(folder, 'article/a0@en').text = 'second';
  at(folder, 'article/a0@fr').text = 'seconde';
  at(folder, 'category/c1@en').title = 'renamed';
};
const swap = (folder: Folder): void => {
  at(folder, 'article/a0@en').slug = 'a1';
  at(folder, 'article/a1@en').slug = 'a0';
};
const removeArticle = (folder: Folder): void => {
  folder.delete('article/a0@en');
  folder.delete('article/a0@fr');
};
const removeTree = (folder: Folder): void => {
  folder.delete('article/a1@en');
  folder.delete('category/c1@en');
};
const rename = (folder: Folder): void => {
  move(folder, 'article/a1@en', 'moved');
  at(folder, 'article/moved@en').slug = 'moved';
};
const everything = (folder: Folder): void => {
  edit(folder);
  removeTree(folder);
  add(folder, 'tag', 't1');
  const file = add(folder, 'article', 'a2');
  file.tags = ['t1'];
  add(folder, 'article', 'a2', 'de');
};
const turnTree = (folder: Folder): void => {
  at(folder, 'category/c0@en').parent = 'c1';
  at(folder, 'category/c1@en').parent = undefined;
};
const takeSlugOfDeleted = (folder: Folder): void => {
  removeArticle(folder);
  at(folder, 'article/a1@en').slug = 'a0';
};
const addTranslations = (folder: Folder): void => {
  add(folder, 'article', 'a1', 'fr');
  add(folder, 'article', 'a1', 'de');
  add(folder, 'category', 'c0', 'fr');
  add(folder, 'tag', 't0', 'fr');
};

export const CRASH_SCENARIOS: readonly CrashScenario[] = [
  { name: 'the first run', personality: RICH, change: small },
  { name: 'the first run, no headers', personality: PLAIN, change: small },
  { name: 'the first run, slugs twice', personality: LENIENT, change: small },
  { name: 'the first run, no comments', personality: STRIPPING, change: small },
  { name: 'edits', personality: RICH, before: small, change: edit },
  { name: 'edits, no headers', personality: PLAIN, before: small, change: edit },
  { name: 'edits, no comments', personality: STRIPPING, before: small, change: edit },
  { name: 'slugs change places', personality: RICH, before: small, change: swap },
  { name: 'slugs change places, no headers', personality: PLAIN, before: small, change: swap },
  { name: 'an article is deleted', personality: RICH, prune: true, before: small, change: removeArticle },
  {
    name: 'an article is deleted, no headers',
    personality: PLAIN,
    prune: true,
    before: small,
    change: removeArticle,
  },
  {
    name: 'an article is deleted, translations go along',
    personality: LENIENT,
    prune: true,
    before: small,
    change: removeArticle,
  },
  {
    name: 'a category is deleted with its article',
    personality: RICH,
    prune: true,
    before: small,
    change: removeTree,
  },
  { name: 'a file is renamed', personality: RICH, prune: true, before: small, change: rename },
  { name: 'a file is renamed, no headers', personality: LENIENT, prune: true, before: small, change: rename },
  { name: 'everything at once', personality: RICH, prune: true, before: small, change: everything },
  {
    name: 'everything at once, no headers',
    personality: PLAIN,
    prune: true,
    before: small,
    change: everything,
  },
  {
    name: 'everything at once, slugs twice',
    personality: LENIENT,
    prune: true,
    before: small,
    change: everything,
  },
  { name: 'a category tree turns over', personality: RICH, before: small, change: turnTree },
  {
    name: 'the slug of a deleted article is taken',
    personality: RICH,
    prune: true,
    before: small,
    change: takeSlugOfDeleted,
  },
  { name: 'translations are added', personality: RICH, before: small, change: addTranslations },
  { name: 'translations are added, no headers', personality: PLAIN, before: small, change: addTranslations },
];

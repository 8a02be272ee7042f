import { digestOfText } from '../../src/model/digest.ts';
import type { Fields } from '../../src/model/fields.ts';
import { nameFieldOf } from '../../src/model/fields.ts';
import type { Family, Key, Kind } from '../../src/model/key.ts';
import { familyFrom, keyOf } from '../../src/model/key.ts';
import { recordRules } from '../../src/content/record-rules.ts';
import type { DesiredRecord, DesiredState } from '../../src/model/record.ts';
import type { Chance } from './random.ts';

/** One file of the author's folder. `uid` stays with a text whatever its path: it is how the model recognises it. */
export interface SimFile {
  readonly kind: Kind;
  path: string;
  readonly lang: string;
  uid: string;
  title: string;
  slug: string;
  text: string;
  /** Families by path; only those that exist are written out. */
  categories: readonly string[];
  tags: readonly string[];
  parent: string | undefined;
  /** Also owned when set. */
  excerpt: string | undefined;
  /** Paths that it says it had (`movedFrom`); its translations go along. */
  formerly: readonly string[];
  /** Slug and text as of the last run that ended in sync: a rename that changes both is another record. */
  cleanSlug: string;
  cleanText: string;
  cleanPath: string;
}

export type Folder = Map<string, SimFile>;

export const DEFAULT_LANGUAGE = 'en';
export const LANGUAGES = ['en', 'fr', 'de'] as const;

export function fileKey({ kind, path, lang }: Pick<SimFile, 'kind' | 'path' | 'lang'>): Key {
  return keyOf(kind, path, lang);
}

export function newFile(kind: Kind, path: string, lang: string, uid: string): SimFile {
  return {
    kind,
    path,
    lang,
    uid,
    title: `${path} ${lang}`,
    slug: path,
    text: `first ${uid}`,
    categories: [],
    tags: [],
    parent: undefined,
    excerpt: undefined,
    formerly: [],
    cleanSlug: '',
    cleanText: '',
    cleanPath: path,
  };
}

/** The folder as it is now, for later. */
export function copyOf(folder: Folder): Folder {
  return new Map([...folder].map(([key, file]) => [key, { ...file }]));
}

/** What the content reader would make of the folder, with the same promises: slugs once, references there, no cycle. */
export function desiredOf(folder: Folder, scope = 'scope'): DesiredState {
  const records = new Map<Key, DesiredRecord>();
  const slugs = new Set<string>();
  for (const file of [...folder.values()].sort((a, b) => (fileKey(a) < fileKey(b) ? -1 : 1))) {
    while (slugs.has(`${file.kind} ${file.lang} ${file.slug}`)) file.slug = `${file.slug}x`;
    slugs.add(`${file.kind} ${file.lang} ${file.slug}`);
    const record = recordOf(file, folder);
    records.set(record.key, record);
  }
  return {
    records,
    defaultLanguage: DEFAULT_LANGUAGE,
    languages: [...LANGUAGES],
    fileCount: records.size,
    scopeDigest: digestOfText(scope),
    ...toldMoves(folder),
  };
}

/** What content makes of `movedFrom`: a name that a file has, or that two files claim, moves nothing. */
function toldMoves(folder: Folder): Pick<DesiredState, 'moved'> {
  const files = [...folder.values()];
  const held = new Set(files.map(({ kind, path }) => familyFrom(kind, path)));
  const moved = new Map<Family, Family>();
  for (const { kind, path, lang, formerly } of files) {
    for (const name of lang === DEFAULT_LANGUAGE ? formerly : []) {
      const origin = familyFrom(kind, name);
      if (!held.has(origin) && !moved.has(origin)) moved.set(origin, familyFrom(kind, path));
    }
  }
  return moved.size === 0 ? {} : { moved };
}

/** The same under a kbsync.yaml that protects records. */
export function withRules(desired: DesiredState, protect: readonly string[]): DesiredState {
  return { ...desired, ...recordRules({ preset: 'kbsync', protect }) };
}

function recordOf(file: SimFile, folder: Folder): DesiredRecord {
  const { kind, path, lang } = file;
  const html = bodyOf(file);
  return {
    key: fileKey(file),
    kind,
    family: familyFrom(kind, path),
    lang,
    isOriginal: lang === DEFAULT_LANGUAGE,
    fields: fieldsOfFile(file, folder),
    initial: kind === 'article' ? { excerpt: '', ordering: 0, status: 'published' } : {},
    ...(kind === 'category'
      ? {}
      : {
          body: {
            field: kind === 'article' ? 'content' : 'longDescription',
            inputDigest: digestOfText(html),
            render: () => html,
          },
        }),
    at: { file: `${lang}/${kind}/${path}.md`, line: 1, column: 1 },
    places: () => ({}),
  };
}

export function bodyOf({ text, uid }: SimFile): string {
  return `<p>${text} [${uid}]</p>`;
}

function fieldsOfFile(file: SimFile, folder: Folder): Fields {
  const { kind, title, slug, excerpt, uid, text } = file;
  const exists = (target: Kind, path: string): boolean =>
    folder.has(keyOf(target, path, DEFAULT_LANGUAGE)) && (target !== kind || path !== file.path);
  const families = (target: Kind, paths: readonly string[]): readonly Family[] =>
    paths.filter((path) => exists(target, path)).map((path) => familyFrom(target, path));
  const shared = { [nameFieldOf(kind)]: title, slug };
  if (kind === 'tag') return shared;
  if (kind === 'category') {
    const parent = parentOf(file, folder);
    return {
      ...shared,
      description: `${text} [${uid}]`,
      categoryParent: parent === undefined ? null : familyFrom('category', parent),
    };
  }
  return {
    ...shared,
    categories: families('category', file.categories),
    tags: families('tag', file.tags),
    ...(excerpt === undefined ? {} : { excerpt }),
  };
}

/** The parent, unless it is missing or below the file itself. A translation's parent is its original's. */
function parentOf(file: SimFile, folder: Folder): string | undefined {
  const original = folder.get(keyOf('category', file.path, DEFAULT_LANGUAGE)) ?? file;
  const { parent } = original;
  if (parent === undefined) return undefined;
  const seen = new Set([original.path]);
  for (let at: string | undefined = parent; at !== undefined;) {
    const above: SimFile | undefined = folder.get(keyOf('category', at, DEFAULT_LANGUAGE));
    if (above === undefined || seen.has(at)) return undefined;
    seen.add(at);
    at = above.parent;
  }
  return parent;
}

/** A small knowledge base to start with. */
export function startFolder(chance: Chance, newUid: () => string): Folder {
  const folder: Folder = new Map();
  const add = (kind: Kind, path: string, lang: string): SimFile => {
    const file = newFile(kind, path, lang, newUid());
    folder.set(fileKey(file), file);
    return file;
  };
  const categories = 1 + chance.below(3);
  for (let index = 0; index < categories; index += 1) {
    const file = add('category', `c${index}`, 'en');
    if (index > 0 && chance.happens(0.5)) file.parent = `c${chance.below(index)}`;
    if (chance.happens(0.3)) add('category', `c${index}`, 'fr');
  }
  const tags = chance.below(3);
  for (let index = 0; index < tags; index += 1) {
    add('tag', `t${index}`, 'en');
    if (chance.happens(0.3)) add('tag', `t${index}`, 'fr');
  }
  const articles = 1 + chance.below(5);
  for (let index = 0; index < articles; index += 1) {
    const file = add('article', `a${index}`, 'en');
    file.categories = [`c${chance.below(categories)}`];
    if (tags > 0 && chance.happens(0.5)) file.tags = [`t${chance.below(tags)}`];
    if (chance.happens(0.3)) file.excerpt = `about ${file.path}`;
    for (const lang of ['fr', 'de'] as const) {
      if (chance.happens(0.4)) add('article', `a${index}`, lang).categories = file.categories;
    }
  }
  return folder;
}

import { familyFrom, familyOf, keyIn, keyOf, pathOf } from '../../model/key.ts';
import type { Key, Kind } from '../../model/key.ts';
import type { ContentOptions } from '../options.ts';
import { slugOfPath } from '../presets/pages/page-tree.ts';
import type { Foreign } from '../presets/preset.ts';
import type { Reference, ReferenceField } from '../document/fields.ts';
import { isImplied } from './corpus.ts';
import type { SourceFile } from './corpus.ts';
import { START } from '../source-text.ts';
import type { Spot } from '../source-text.ts';
import { folderOf } from '../../text/path.ts';

type TermField = 'categories' | 'tags';

interface Draft {
  readonly byKey: Map<Key, SourceFile>;
  readonly made: SourceFile[];
  /** By kind and slug: the term that has it. */
  readonly terms: Map<string, string>;
  readonly defaultLanguage: string;
}

/**
 * Other systems make tags and categories by naming them, and sections by folders. Here each gets a record, at the place
 * that first names it; references then name it by its path. Which term of the originals a translated term means is
 * learnt from the articles: see `termTranslations`.
 */
export function withImplied(
  files: readonly SourceFile[],
  options: Pick<ContentOptions, 'defaultLanguage' | 'defaults'>,
  foreign: Foreign,
): readonly SourceFile[] {
  const { defaultLanguage } = options;
  const draft: Draft = {
    byKey: new Map(files.map((file) => [file.key, file])),
    made: [],
    terms: new Map(),
    defaultLanguage,
  };
  const originals = new Map(
    files.filter(({ place }) => place.lang === defaultLanguage).map((file) => [familyOf(file.key), file]),
  );
  const fallback = options.defaults.categories?.map((name) => ({ name, spot: START }));
  const articles = files
    .filter(({ place }) => place.kind === 'article')
    .map((file): Article => {
      const { categories, tags } = file.document.references;
      const original = originals.get(familyOf(file.key));
      const isOriginal = original === undefined || original === file;
      const named = termsOf(categories);
      const isSilent = named === undefined || named.length === 0;
      return {
        file,
        original,
        isOriginal,
        categories: isSilent && isOriginal ? (fallback ?? named) : named,
        tags: termsOf(tags),
      };
    })
    .sort(
      (a, b) => Number(b.file.place.lang === defaultLanguage) - Number(a.file.place.lang === defaultLanguage),
    );
  const tagMeanings = termTranslations(articles, draft);
  const rewritten = new Map<SourceFile, SourceFile>();
  for (const article of articles) {
    const { file } = article;
    const references: Partial<Record<ReferenceField, readonly Reference[] | null>> = {
      ...file.document.references,
    };
    for (const field of ['categories', 'tags'] as const) {
      const terms = article[field];
      if (terms === undefined) continue;
      const meaning = field === 'tags' ? tagMeanings : categoryMeanings(article);
      references[field] = termReferences(draft, file, field, { terms, meaning });
    }
    if (references.categories === undefined && article.isOriginal) implyFolders(draft, file, foreign);
    rewritten.set(file, { ...file, document: { ...file.document, references } });
  }
  for (const file of files) {
    if (file.place.kind === 'article') continue;
    if (file.place.kind === 'category') implyFolders(draft, file, foreign);
    if (!draft.byKey.has(keyIn(familyOf(file.key), defaultLanguage))) implyOriginal(draft, file);
  }
  return [...files.map((file) => rewritten.get(file) ?? file), ...draft.made];
}

interface Article {
  readonly file: SourceFile;
  readonly original: SourceFile | undefined;
  readonly isOriginal: boolean;
  readonly categories: readonly Reference[] | undefined;
  readonly tags: readonly Reference[] | undefined;
}

/** Templates leave empty names behind (`["cli", "", ""]`). */
function termsOf(written: readonly Reference[] | null | undefined): readonly Reference[] | undefined {
  return written?.filter(({ name }) => name !== '');
}

/** `fr réseau` → `networking`. */
type Meanings = ReadonlyMap<string, string>;

/** A translation stands where its original stands: its categories are the original's, in other words. */
function categoryMeanings({ file, original, categories = [] }: Article): Meanings {
  const theirs = original === file ? undefined : termsOf(original?.document.references.categories);
  if (theirs?.length !== categories.length) return new Map();
  return new Map(
    categories.map(({ name }, index) => [
      `${file.place.lang} ${termPath(name)}`,
      termPath(theirs[index]?.name ?? name),
    ]),
  );
}

/** Long lists may be in another order; two that agree are no accident. A list of one has no order. */
const WITNESSES_MIN = 2;

/**
 * What a translation's tag is called in the originals: the tag that most often stands at the same place of the
 * original's list, lists of one length compared. A name that the originals use themselves means itself.
 */
function termTranslations(articles: readonly Article[], { defaultLanguage }: Draft): Meanings {
  const used = new Set<string>();
  const counts = new Map<string, Map<string, number>>();
  for (const { file, original, tags: own } of articles) {
    if (own === undefined) continue;
    if (file.place.lang === defaultLanguage) for (const { name } of own) used.add(termPath(name));
    const theirs = termsOf(original?.document.references.tags);
    if (original === file || theirs?.length !== own.length) continue;
    for (const [index, { name }] of own.entries()) {
      const at = `${file.place.lang} ${termPath(name)}`;
      const meant = termPath(theirs[index]?.name ?? name);
      const byMeaning = counts.get(at) ?? new Map<string, number>();
      counts.set(
        at,
        byMeaning.set(meant, (byMeaning.get(meant) ?? 0) + (own.length === 1 ? WITNESSES_MIN : 1)),
      );
    }
  }
  const found = new Map<string, string>();
  for (const [at, byMeaning] of counts) {
    if (used.has(at.slice(at.indexOf(' ') + 1))) continue;
    const [best] = [...byMeaning].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    if (best !== undefined && best[1] >= WITNESSES_MIN) found.set(at, best[0]);
  }
  return found;
}

function termReferences(
  draft: Draft,
  file: SourceFile,
  field: TermField,
  { terms, meaning }: { readonly terms: readonly Reference[]; readonly meaning: Meanings },
): readonly Reference[] {
  const kind = field === 'tags' ? 'tag' : 'category';
  const { lang } = file.place;
  return terms.map(({ name, spot }) => {
    const own = termPath(name);
    const path = oneOfSlug(draft, kind, meaning.get(`${lang} ${own}`) ?? own);
    const family = familyFrom(kind, path);
    for (const language of new Set([draft.defaultLanguage, lang])) {
      if (draft.byKey.has(keyIn(family, language))) continue;
      imply(draft, { kind, path, lang: language, name }, { file, spot });
    }
    return { name: path, spot };
  });
}

/** `css/grid` and `css-grid` would have one address: they are one term, by the name that comes first. A file's own key stays. */
function oneOfSlug({ byKey, terms, defaultLanguage }: Draft, kind: Kind, path: string): string {
  const file = byKey.get(keyOf(kind, path, defaultLanguage));
  if (file !== undefined && !isImplied(file)) return path;
  const at = `${kind} ${slugOfPath(path)}`;
  const first = terms.get(at) ?? path;
  terms.set(at, first);
  return first;
}

/** `Hetzner Cloud` → `hetzner-cloud`; a path stays one. */
export function termPath(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .split('/')
    .map((part) => slugOfPath(part.replaceAll(/[^\p{L}\p{M}\p{N}.+#-]+/gu, '-')))
    .join('/');
}

/** Every folder or heading of a navigation above a file that has no page of its own, from the top. */
function implyFolders(draft: Draft, file: SourceFile, foreign: Foreign): void {
  for (const folder of categoriesAbove(file.place, foreign)) {
    if (draft.byKey.has(keyOf('category', folder, draft.defaultLanguage))) continue;
    const own = draft.byKey.get(keyOf('category', folder, file.place.lang));
    const said = foreign.folder(folder);
    const name = own === undefined ? said.name : String(own.document.fields['name']);
    imply(
      draft,
      {
        kind: 'category',
        path: folder,
        lang: draft.defaultLanguage,
        name,
        priority: said.priority,
        category: said.parent,
      },
      { file: own ?? file, spot: START },
    );
  }
}

function categoriesAbove({ path, category }: SourceFile['place'], foreign: Foreign): readonly string[] {
  const above: string[] = [];
  let next = category ?? folderOf(path);
  while (next !== '' && !above.includes(next)) {
    above.unshift(next);
    next = foreign.folder(next).parent ?? folderOf(next);
  }
  return above;
}

/** A section that only a translation has: its articles need the original. */
function implyOriginal(draft: Draft, file: SourceFile): void {
  const family = familyOf(file.key);
  const path = pathOf(family);
  const name = String(file.document.fields['name'] ?? path);
  imply(draft, { kind: file.place.kind, path, lang: draft.defaultLanguage, name }, { file, spot: START });
}

interface Implied {
  readonly kind: Kind;
  readonly path: string;
  readonly lang: string;
  readonly name: string;
  readonly priority?: number | undefined;
  readonly category?: string | undefined;
}

function imply(
  draft: Draft,
  { kind, path, lang, name, priority, category }: Implied,
  at: { readonly file: SourceFile; readonly spot: Spot },
): void {
  const slug = slugOfPath(path);
  const key = keyOf(kind, path, lang);
  const made: SourceFile = {
    // No file has such a path, so no link finds it by name.
    path: `${key}/`,
    diskPath: at.file.diskPath,
    shown: at.file.shown,
    place: {
      role: 'document',
      kind,
      lang,
      languageFolder: lang,
      path,
      defaultSlug: slug,
      ...(category === undefined ? {} : { category }),
    },
    document: {
      fields: { name, slug, ...(priority === undefined ? {} : { priority }) },
      references: {},
      spots: { name: at.spot, slug: at.spot },
    },
    key,
  };
  draft.byKey.set(key, made);
  draft.made.push(made);
}

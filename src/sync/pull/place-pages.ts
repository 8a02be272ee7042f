import { termPath } from '../../content/corpus/implied.ts';
import type { ContentEditing } from '../../content/options.ts';
import type { Preset } from '../../content/presets/preset.ts';
import { familyFrom, familyOf, idKey, keyIn, keyOf, kindOf, langOf, pathOf } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import { safeName } from './file-name.ts';
import { knownFamilies } from './place-records.ts';
import type { PlaceInput, Places } from './place-records.ts';
import type { Fetched } from './read-records.ts';

export interface PlacePagesInput extends PlaceInput {
  readonly editing: ContentEditing;
}

/**
 * Records as pages of another system's layout. A new page lies where the other pages of its category lie, and is named by its
 * slug; a new translation lies as the translations of other pages do. The layout itself then says which record a file in
 * that place would be. Tags and categories that pages make by naming them need no file.
 */
export function placePages(input: PlacePagesInput): Places & { readonly preset: Preset } {
  const { desired, editing } = input;
  const { families, originals } = knownFamilies(input);
  const files = new Map<Key, string>();
  for (const key of desired.records.keys()) {
    const file = editing.fileOf(key);
    if (file !== undefined) files.set(key, file);
  }
  const taken = new Set(files.values());
  const beside = new Map<string, string>();
  const coming = new Map<Fetched, string>();
  const reasons = new Map<string, string>();
  for (const record of originals) {
    const id = idKey(record.kind, record.id);
    if (record.kind === 'article' || families.has(id)) continue;
    families.set(id, familyFrom(record.kind, termPath(String(record.fields['slug'] ?? record.id))));
  }
  for (const record of originals) {
    const id = idKey(record.kind, record.id);
    if (families.has(id)) continue;
    const spot = placeBeside(record, { input, families, files });
    const name = safeName(String(record.fields['slug'] ?? record.id));
    const file = `${spot.folder}${name}${spot.ending}`;
    if (taken.has(file)) {
      reasons.set(id, `${file} is there already`);
      continue;
    }
    taken.add(file);
    coming.set(record, file);
    if (spot.beside !== undefined) beside.set(file, spot.beside);
  }
  const first = editing.presetWith([...coming.values()]);
  for (const [record, file] of coming) {
    const id = idKey(record.kind, record.id);
    const place = first.place(file);
    const isArticle = place.role === 'document' && place.kind === 'article' && place.lang === record.lang;
    if (!isArticle) {
      const why = place.role === 'ignored' ? place.reason : undefined;
      reasons.set(
        id,
        `this layout would not read ${file} as an article${why === undefined ? '' : `: ${why}`}`,
      );
      continue;
    }
    const family = familyFrom('article', place.path);
    families.set(id, family);
    files.set(keyOf('article', place.path, record.lang), file);
  }
  const translations = translationFiles(input, { families, files, taken, beside });
  const preset =
    translations.length === 0 ? first : editing.presetWith([...coming.values(), ...translations]);
  return {
    preset,
    familyOf: families,
    fileOf: (family, lang) => files.get(keyIn(family, lang)),
    whyNot: ({ kind, id }) => reasons.get(idKey(kind, id)),
    besideOf: (file) => beside.get(file),
  };
}

interface Known {
  readonly input: PlacePagesInput;
  readonly families: ReadonlyMap<string, Family>;
  readonly files: ReadonlyMap<Key, string>;
}

interface Spot {
  readonly folder: string;
  readonly ending: string;
  readonly beside?: string;
}

/** Where most pages of the deepest category lie; without any, where the layout says. */
function placeBeside(record: Fetched, { input, families, files }: Known): Spot {
  const { desired, preset } = input;
  const ids = Array.isArray(record.fields['categories']) ? record.fields['categories'] : [];
  const categories = ids
    .flatMap((id) => families.get(idKey('category', String(id))) ?? [])
    .sort((a, b) => b.split('/').length - a.split('/').length || (a < b ? -1 : 1));
  const pages = [...desired.records.values()].filter(
    ({ kind, lang, key }) => kind === 'article' && lang === record.lang && files.has(key),
  );
  const wanted = categories.length === 0 ? [undefined] : categories;
  for (const category of wanted) {
    const inside = pages.filter(({ fields }) => {
      const own = fields['categories'] ?? [];
      return category === undefined ? own.length === 0 : own.includes(category);
    });
    const spots = inside.flatMap(({ key }) => {
      const file = files.get(key);
      return file === undefined ? [] : [spotOf(file)];
    });
    const best = mostOf(spots.filter(({ isIndex }) => !isIndex)) ?? mostOf(spots);
    if (best !== undefined) return best;
  }
  const folder = categories[0] === undefined ? '' : `${pathOf(categories[0])}/`;
  const file = preset.fileFor('article', `${folder}x`, record.lang);
  const { ending } = spotOf(file);
  const any = mostOf(pages.map(({ key }) => spotOf(files.get(key) ?? '')));
  return {
    folder: file.slice(0, file.lastIndexOf('/') + 1),
    ending: any?.ending ?? ending,
    ...(any?.beside === undefined ? {} : { beside: any.beside }),
  };
}

interface FoundSpot extends Spot {
  readonly isIndex: boolean;
}

/** `guide/install.fr.md` → the folder `guide/` and the ending `.fr.md`; the folder of `guide/install/index.md` is `guide/`. */
function spotOf(file: string): FoundSpot {
  const [, folder = '', name = '', ending = ''] =
    /^((?:.*\/)?)([^/]*?)((?:\.[a-z]{2}(?:[-_][A-Za-z]+)?)?\.(?:md|mdx|markdown))$/.exec(file) ?? [];
  const isIndex = /^(?:_?index|readme)$/i.test(name);
  return { folder: isIndex ? folder.replace(/[^/]+\/$/, '') : folder, ending, beside: file, isIndex };
}

function mostOf(spots: readonly FoundSpot[]): FoundSpot | undefined {
  const counts = new Map<string, number>();
  for (const { folder, ending } of spots)
    counts.set(`${folder}\n${ending}`, (counts.get(`${folder}\n${ending}`) ?? 0) + 1);
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most === undefined
    ? undefined
    : spots.find(({ folder, ending }) => `${folder}\n${ending}` === most[0]);
}

/** What is placed so far; translations add to it. */
interface Placed {
  readonly families: ReadonlyMap<string, Family>;
  readonly files: Map<Key, string>;
  readonly taken: Set<string>;
  readonly beside: Map<string, string>;
}

/** Files for translations that have none, by the pattern of a page that has one. */
function translationFiles(input: PlacePagesInput, known: Placed): readonly string[] {
  const { desired, editing, preset, records } = input;
  const { families, files, taken, beside } = known;
  const made: string[] = [];
  for (const record of records) {
    const family = families.get(idKey(record.kind, record.id));
    if (family === undefined || record.lang === desired.defaultLanguage) continue;
    const key = keyIn(family, record.lang);
    const original = files.get(keyIn(family, desired.defaultLanguage));
    if (files.has(key) || desired.records.has(key) || original === undefined) continue;
    const candidates = [
      ...pairs(files, record.lang, desired.defaultLanguage).flatMap(
        ([from, to]) => moved(original, from, to) ?? [],
      ),
      preset.fileFor(kindOf(family), pathOf(family), record.lang),
    ];
    const file = [...new Set(candidates)].find((candidate) => {
      if (taken.has(candidate)) return false;
      const place = editing.presetWith([...made, candidate]).place(candidate);
      return (
        place.role === 'document' &&
        place.lang === record.lang &&
        place.kind === record.kind &&
        place.path === pathOf(family)
      );
    });
    if (file === undefined) continue;
    files.set(key, file);
    taken.add(file);
    beside.set(file, original);
    made.push(file);
  }
  return made;
}

/** Files of one page in the default language and in another: three are enough to see the pattern. */
function pairs(
  files: ReadonlyMap<Key, string>,
  lang: string,
  defaultLanguage: string,
): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (const [key, file] of files) {
    if (found.length >= 3) break;
    if (langOf(key) !== lang) continue;
    const original = files.get(keyIn(familyOf(key), defaultLanguage));
    if (original !== undefined) found.push([original, file]);
  }
  return found;
}

/** What makes `to` of `from`, done to another path: other folders in front, or another ending. */
function moved(path: string, from: string, to: string): string | undefined {
  let same = 0;
  while (same < Math.min(from.length, to.length) && from.at(-1 - same) === to.at(-1 - same)) same += 1;
  const [head, otherHead] = [from.slice(0, from.length - same), to.slice(0, to.length - same)];
  if (
    path.startsWith(head) &&
    (head === '' || head.endsWith('/')) &&
    (otherHead === '' || otherHead.endsWith('/'))
  )
    return `${otherHead}${path.slice(head.length)}`;
  const end = /\.[^./]+$/.exec(from)?.[0] ?? '';
  const stem = from.slice(0, from.length - end.length);
  if (!to.startsWith(stem) || !path.endsWith(end)) return undefined;
  return `${path.slice(0, path.length - end.length)}${to.slice(stem.length)}`;
}

import { termPath } from '../../../content/corpus/implied.ts';
import type { NewPage } from '../../../content/navigations/entered-pages.ts';
import type { ContentEditing } from '../../../content/options.ts';
import type { Placement, Preset } from '../../../content/presets/preset.ts';
import { familyFrom, familyOf, idKey, keyIn, keyOf, kindOf, langOf, pathOf } from '../../../model/key.ts';
import type { Family, Key } from '../../../model/key.ts';
import { safeName } from './file-name.ts';
import { knownFamilies } from './place-records.ts';
import type { PlaceInput, Places } from './place-records.ts';
import { textsOf } from '../proposals/proposal.ts';
import type { Fetched } from '../reading/read-records.ts';

export interface PlacePagesInput extends PlaceInput {
  readonly editing: ContentEditing;
}

/**
 * Records as pages of another system's layout. A new page lies where the other pages of its category lie, and is named by its
 * slug; a new translation lies as the translations of other pages do. The layout itself then says which record a file in
 * that place would be. Tags and categories that pages make by naming them need no file.
 */
export function placePages(input: PlacePagesInput): Places & { readonly preset: Preset } {
  const { desired, editing, preset } = input;
  const known = knownFamilies(input);
  const { families, originals } = known;
  const files = new Map<Key, string>();
  for (const key of desired.records.keys()) {
    const file = editing.fileOf(key);
    if (file !== undefined) files.set(key, file);
  }
  const waiting = [...(desired.withheld?.keys() ?? [])].flatMap((key) => editing.fileOf(key) ?? []);
  const taken = new Set([...files.values(), ...waiting]);
  const beside = new Map<string, readonly string[]>();
  const coming = new Map<Fetched, string>();
  const reasons = new Map<string, string>();
  for (const record of originals) {
    const id = idKey(record.kind, record.id);
    if (record.kind === 'article' || families.has(id)) continue;
    families.set(id, familyFrom(record.kind, termPath(String(record.fields['slug'] ?? record.id))));
  }
  const spotBeside = spotsBeside({ input, families, files });
  for (const record of originals) {
    const id = idKey(record.kind, record.id);
    if (families.has(id)) continue;
    const spot = spotBeside(record);
    const name = safeName(String(record.fields['slug'] ?? record.id));
    const file = `${spot.folder}${name}${spot.ending}`;
    if (taken.has(file)) {
      reasons.set(id, thereAlready(file, preset.place(file)));
      continue;
    }
    taken.add(file);
    coming.set(record, file);
    if (spot.beside !== undefined) beside.set(file, spot.beside);
  }
  const entries = entriesFor(coming, beside, editing);
  const texts = textsOf(editing.entered({ pages: [...entries.values()] }));
  const elsewhere = secondPlaces(coming, input, { taken, texts });
  const first = editing.presetWith([...new Set([...coming.values(), ...elsewhere.values()])], texts);
  for (const [record, wanted] of coming) {
    const id = idKey(record.kind, record.id);
    const file = elsewhere.get(record) ?? wanted;
    const place = first.place(file);
    if (!isArticleOf(record, place)) {
      reasons.set(id, refusal(file, place));
      continue;
    }
    const family = familyFrom('article', place.path);
    families.set(id, family);
    files.set(keyOf('article', place.path, record.lang), file);
  }
  const translations = translationFiles(input, { families, files, taken, beside });
  return {
    preset:
      translations.length === 0 ? first : editing.presetWith([...coming.values(), ...translations], texts),
    familyOf: families,
    waiting: known.waiting,
    fileOf: (family, lang) => files.get(keyIn(family, lang)),
    whyNot: ({ kind, id }) => reasons.get(idKey(kind, id)),
    besideOf: (file) => beside.get(file)?.[0],
    entryOf: (file) => entries.get(file),
  };
}

function thereAlready(file: string, place: Placement): string {
  const why = place.role === 'ignored' ? place.reason : undefined;
  return why === undefined ? `${file} is there already` : `${file} is there already, and ${why}`;
}

/**
 * What navigations say of pages that are to come. A list of pages may as well be one of a plugin, so an entry counts only if the layout
 * reads the page otherwise with it.
 */
function entriesFor(
  coming: ReadonlyMap<Fetched, string>,
  beside: ReadonlyMap<string, readonly string[]>,
  editing: ContentEditing,
): ReadonlyMap<string, NewPage> {
  const wanted = new Map<string, NewPage>();
  for (const [{ fields }, page] of coming) {
    const pages = beside.get(page);
    if (pages !== undefined) wanted.set(page, { page, title: String(fields['title'] ?? ''), beside: pages });
  }
  const entered = editing.entered({ pages: [...wanted.values()] });
  if (entered.size === 0) return new Map();
  const files = [...coming.values()];
  const without = editing.presetWith(files);
  const telling = new Map<string, string[]>();
  for (const [navigation, { text, pages }] of entered) {
    const preset = editing.presetWith(files, new Map([[navigation, text]]));
    for (const page of pages) {
      const place = preset.place(page);
      if (place.role !== 'document' || JSON.stringify(place) === JSON.stringify(without.place(page)))
        continue;
      telling.set(page, [...(telling.get(page) ?? []), navigation]);
    }
  }
  return new Map(
    [...wanted].flatMap(([page, entry]) => {
      const navigations = telling.get(page);
      return navigations === undefined ? [] : [[page, { ...entry, navigations }] as const];
    }),
  );
}

/**
 * Places for pages that the layout would not read beside the others of their category, as in a folder of dated posts: where the
 * layout itself would put them.
 */
function secondPlaces(
  coming: ReadonlyMap<Fetched, string>,
  { editing, preset }: PlacePagesInput,
  { taken, texts }: { readonly taken: Set<string>; readonly texts: ReadonlyMap<string, string> },
): ReadonlyMap<Fetched, string> {
  const first = editing.presetWith([...coming.values()], texts);
  const choices = [...coming].flatMap(([record, file]) => {
    if (isArticleOf(record, first.place(file))) return [];
    const name = safeName(String(record.fields['slug'] ?? record.id));
    const other = preset.fileFor('article', name, record.lang);
    return taken.has(other) ? [] : [[record, other] as const];
  });
  if (choices.length === 0) return new Map();
  const second = editing.presetWith(choices.map(([, file]) => file));
  const found = new Map<Fetched, string>();
  for (const [record, file] of choices) {
    if (taken.has(file) || !isArticleOf(record, second.place(file))) continue;
    taken.add(file);
    found.set(record, file);
  }
  return found;
}

function isArticleOf(
  { lang }: Fetched,
  place: Placement,
): place is Extract<Placement, { readonly role: 'document' }> {
  return place.role === 'document' && place.kind === 'article' && place.lang === lang;
}

function refusal(file: string, place: Placement): string {
  const why = place.role === 'ignored' ? place.reason : undefined;
  if (why === undefined) return `this layout would not read ${file} as an article`;
  const isUnlisted = why.includes('does not list it');
  return `this layout would not read ${file} as an article: ${why}${isUnlisted ? '; enter that file there, and pull again' : ''}`;
}

interface Known {
  readonly input: PlacePagesInput;
  readonly families: ReadonlyMap<string, Family>;
  readonly files: ReadonlyMap<Key, string>;
}

interface Spot {
  readonly folder: string;
  readonly ending: string;
  /** Pages that lie there. */
  readonly beside?: readonly string[];
}

/** Where most pages of the deepest category lie; without any, where the layout says. */
function spotsBeside({ input, families, files }: Known): (record: Fetched) => Spot {
  const { desired, preset } = input;
  const groups = new Map<string, FoundSpot[]>();
  for (const { key, kind, lang, fields } of desired.records.values()) {
    const file = files.get(key);
    if (kind !== 'article' || file === undefined) continue;
    const own = fields['categories'] ?? [];
    const spot = spotOf(file);
    for (const name of [ALL, ...(own.length === 0 ? [NONE] : own)]) {
      const group = groups.get(`${lang} ${name}`);
      if (group === undefined) groups.set(`${lang} ${name}`, [spot]);
      else group.push(spot);
    }
  }
  const best = new Map<string, FoundSpot | undefined>();
  const bestOf = (name: string): FoundSpot | undefined => {
    if (!best.has(name)) {
      const spots = groups.get(name) ?? [];
      const pages = name.endsWith(` ${ALL}`) ? spots : spots.filter(({ isIndex }) => !isIndex);
      best.set(name, mostOf(pages) ?? mostOf(spots));
    }
    return best.get(name);
  };
  return ({ fields, lang }) => {
    const ids = Array.isArray(fields['categories']) ? fields['categories'] : [];
    const categories = ids
      .flatMap((id) => families.get(idKey('category', String(id))) ?? [])
      .sort((a, b) => b.split('/').length - a.split('/').length || (a < b ? -1 : 1));
    for (const category of categories.length === 0 ? [NONE] : categories) {
      const found = bestOf(`${lang} ${category}`);
      if (found !== undefined) return found;
    }
    const folder = categories[0] === undefined ? '' : `${pathOf(categories[0])}/`;
    const file = preset.fileFor('article', `${folder}x`, lang);
    const overall = bestOf(`${lang} ${ALL}`);
    return {
      folder: file.slice(0, file.lastIndexOf('/') + 1),
      ending: overall?.ending ?? spotOf(file).ending,
      ...(overall?.beside === undefined ? {} : { beside: overall.beside }),
    };
  };
}

/** Groups of pages besides those of a category: families have a slash. */
const [ALL, NONE] = ['all', 'none'];

interface FoundSpot extends Spot {
  readonly isIndex: boolean;
}

/** `guide/install.fr.md` → the folder `guide/` and the ending `.fr.md`; the folder of `guide/install/index.md` is `guide/`. */
function spotOf(file: string): FoundSpot {
  const [, folder = '', name = '', ending = ''] =
    /^((?:.*\/)?)([^/]*?)((?:\.[a-z]{2}(?:[-_][A-Za-z]+)?)?\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|[Rr]md))$/.exec(
      file,
    ) ?? [];
  const isIndex = /^(?:_?index|readme)$/i.test(name);
  return { folder: isIndex ? folder.replace(/[^/]+\/$/, '') : folder, ending, beside: [file], isIndex };
}

function mostOf(spots: readonly FoundSpot[]): FoundSpot | undefined {
  const counts = new Map<string, number>();
  for (const { folder, ending } of spots)
    counts.set(`${folder}\n${ending}`, (counts.get(`${folder}\n${ending}`) ?? 0) + 1);
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  if (most === undefined) return undefined;
  const alike = spots.filter(({ folder, ending }) => `${folder}\n${ending}` === most[0]);
  const [first] = alike;
  return first && { ...first, beside: alike.slice(0, BESIDE_MAX).flatMap(({ beside = [] }) => beside) };
}

/** Of pages that a new one may stand beside in a navigation. */
const BESIDE_MAX = 20;

/** What is placed so far; translations add to it. */
interface Placed {
  readonly families: ReadonlyMap<string, Family>;
  readonly files: Map<Key, string>;
  readonly taken: Set<string>;
  readonly beside: Map<string, readonly string[]>;
}

/**
 * Files for translations that have none, by the pattern of a page that has one. The layout is asked once for all first
 * choices, then for the next ones of those that it refused: to lay a folder out anew costs as much as to list it.
 */
function translationFiles(input: PlacePagesInput, known: Placed): readonly string[] {
  const { desired, editing, preset, records } = input;
  const { families, files, taken, beside } = known;
  const { defaultLanguage } = desired;
  const patterns = new Map<string, ReturnType<typeof pairs>>();
  const patternsOf = (lang: string): ReturnType<typeof pairs> => {
    const found = patterns.get(lang) ?? pairs(files, lang, defaultLanguage);
    patterns.set(lang, found);
    return found;
  };
  let open = records.flatMap((record) => {
    const family = families.get(idKey(record.kind, record.id));
    if (family === undefined || record.lang === defaultLanguage) return [];
    const key = keyIn(family, record.lang);
    const original = files.get(keyIn(family, defaultLanguage));
    if (files.has(key) || desired.records.has(key) || original === undefined) return [];
    const candidates = new Set([
      ...patternsOf(record.lang).flatMap(([from, to]) => moved(original, from, to) ?? []),
      preset.fileFor(kindOf(family), pathOf(family), record.lang),
    ]);
    return [{ record, family, key, original, candidates: [...candidates] }];
  });
  const made: string[] = [];
  for (let round = 0; open.length > 0; round += 1) {
    const choices = new Map<string, (typeof open)[number]>();
    for (const one of open) {
      const choice = one.candidates[round];
      if (choice !== undefined && !taken.has(choice) && !choices.has(choice)) choices.set(choice, one);
    }
    const layout = editing.presetWith([...made, ...choices.keys()]);
    for (const [file, { record, family, key, original }] of choices) {
      const place = layout.place(file);
      if (place.role !== 'document' || place.lang !== record.lang || place.kind !== record.kind) continue;
      if (place.path !== pathOf(family) || files.has(key)) continue;
      files.set(key, file);
      taken.add(file);
      beside.set(file, [original]);
      made.push(file);
    }
    open = open.filter(({ key, candidates }) => !files.has(key) && round + 1 < candidates.length);
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

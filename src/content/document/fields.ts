import { SOURCE_COMMIT_KEYS } from '../front-matter/source-commit.ts';
import { fieldsOf, nameFieldOf } from '../../model/fields.ts';
import type { FieldSpec, FieldValue, Fields } from '../../model/fields.ts';
import type { Kind } from '../../model/key.ts';
import { EXCERPT_CHARS_MAX, cutExcerpt } from './excerpt.ts';
import { describeValue, fieldValue, scalarText } from './field-value.ts';
import { instantOf } from '../instant.ts';
import type { FrontMatter } from '../front-matter/front-matter.ts';
import type { ContentOptions, ValueWords } from '../options.ts';
import type { Dialect, Placement } from '../presets/preset.ts';
import { START } from '../source-text.ts';
import type { LocalProblem, Spot } from '../source-text.ts';
import { suggest } from '../suggest.ts';

export type DocumentOptions = Pick<
  ContentOptions,
  'fields' | 'values' | 'defaults' | 'ignoreKeys' | 'html' | 'components' | 'timezone'
> & { readonly dialect?: Dialect | undefined };

/** Our field → the key to read it under; one that is not named has its own name, `undefined` is not read. */
export type FieldKeys = Readonly<Record<string, string | undefined>>;
export type DocumentPlace = Extract<Placement, { readonly role: 'document' }>;

/** When the article becomes public, and when it stops being so: ISO 8601, UTC. */
export interface Schedule {
  readonly publishAt?: string;
  readonly unpublishAt?: string;
}

/** Keys that are read but are no fields. */
export const OWN_KEYS = ['translationKey', 'movedFrom', 'aliases', 'lang', ...SOURCE_COMMIT_KEYS];
export const SCHEDULE_KEYS = ['publishAt', 'unpublishAt'] as const;
/** Fields that a page shows in one line. */
const ONE_LINE = new Set(['title', 'name', 'slug', 'excerpt']);

const NAMES_A_PAGE = new Set(['title', 'name', 'slug']);

export type ReferenceField = 'categories' | 'tags' | 'categoryParent';

export interface Reference {
  readonly name: string;
  readonly spot: Spot;
}

/** The front matter of one file, read by the types of its kind's fields. */
export interface FieldsReading {
  /** Fields the author owns, references left out. */
  readonly fields: Fields;
  /** References as written; null clears. */
  readonly references: Readonly<Partial<Record<ReferenceField, readonly Reference[] | null>>>;
  readonly spots: Readonly<Record<string, Spot>>;
  readonly translationKey?: string;
  /** Paths that it had before. */
  readonly movedFrom?: readonly string[];
  /** Addresses that the page had before, as written. */
  readonly aliases?: readonly string[];
  readonly schedule?: Schedule;
  readonly needsExcerpt: boolean;
  readonly problems: readonly LocalProblem[];
}

interface Draft {
  readonly source: FrontMatter;
  readonly place: DocumentPlace;
  /** Another system's layout. */
  readonly isForeign: boolean;
  readonly fields: Record<string, FieldValue>;
  readonly references: Partial<Record<ReferenceField, readonly Reference[] | null>>;
  readonly spots: Record<string, Spot>;
  readonly problems: LocalProblem[];
}

export function readFields(
  source: FrontMatter,
  place: DocumentPlace,
  options: Omit<DocumentOptions, 'fields'> & { readonly fields: FieldKeys },
): FieldsReading {
  const draft: Draft = {
    source,
    place,
    isForeign: options.dialect !== undefined,
    fields: {},
    references: {},
    spots: {},
    problems: [],
  };
  const keyOf = authorKeys(place.kind, options.fields);
  for (const [field, spec] of fieldsOf(place.kind)) {
    const key = keyOf.get(field);
    if (key !== undefined && source.values.has(key))
      readField(draft, field, spec, { key, words: options.values?.[field] });
  }
  const hasSchedule = place.kind === 'article' || options.dialect !== undefined;
  const schedule = hasSchedule ? scheduleOf(draft, options) : undefined;
  unknownKeys(draft, [...keyOf.values(), ...(hasSchedule ? SCHEDULE_KEYS : [])], options.ignoreKeys);
  languageKey(draft);
  fromPath(draft, options);
  const name = nameFieldOf(place.kind);
  if (isBlank(draft.fields[name])) {
    const spot = draft.spots[name];
    const isNamed = draft.problems.some((problem) => problem.spot === spot);
    if (!isNamed) {
      const field = keyOf.get(name) ?? name;
      draft.problems.push({ code: 'missing-field', field, kind: place.kind, spot: spot ?? START });
    }
    // Only used when the problem is allowed: the record then stays, under the name of its file.
    draft.fields[name] = place.defaultSlug;
  }
  const translationKey = translationKeyOf(draft);
  const movedFrom = movedFromOf(draft);
  const aliases = aliasesOf(draft, options.dialect !== undefined);
  return {
    fields: draft.fields,
    references: draft.references,
    spots: draft.spots,
    problems: draft.problems,
    needsExcerpt: place.kind === 'article' && draft.fields['excerpt'] === undefined,
    ...(translationKey === undefined ? {} : { translationKey }),
    ...(movedFrom === undefined ? {} : { movedFrom }),
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(schedule === undefined ? {} : { schedule }),
  };
}

/** Our field → the key the author writes, for the fields of a kind; the body has none. */
export function authorKeys(kind: Kind, mapping: FieldKeys): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const [field, spec] of fieldsOf(kind)) {
    const key = Object.hasOwn(mapping, field) ? mapping[field] : field;
    if (spec.type !== 'html' && key !== undefined) keys.set(field, key);
  }
  return keys;
}

interface Read {
  readonly key: string;
  /** What the author's words mean. */
  readonly words: ValueWords[string] | undefined;
}

function readField(draft: Draft, field: string, spec: FieldSpec, { key, words }: Read): void {
  const { source } = draft;
  const written = source.values.get(key);
  const value = meant(written, words);
  const spot = source.spotOf(key);
  draft.spots[field] = spot;
  if (field === 'categories' || field === 'tags' || field === 'categoryParent') {
    readReferences(draft, field, key, { value, words });
    return;
  }
  const reading = fieldValue(spec.type, value, () => (value === written ? source.typed().get(key) : value));
  if ('expected' in reading) {
    draft.problems.push({ code: 'wrong-type', field: key, ...reading, spot });
    return;
  }
  let read = reading.value;
  if (typeof read === 'string') {
    if (/\p{Surrogate}/u.test(read)) {
      draft.problems.push({
        code: 'bad-encoding',
        reason: `\`${key}\` contains half a character (a lone surrogate)`,
        spot,
      });
      return;
    }
    if (ONE_LINE.has(field)) read = read.replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
  }
  draft.fields[field] = read;
  checkControls(draft, key, field, spot);
  if (field === 'excerpt') checkExcerpt(draft, read, spot);
  if (field === 'slug') checkSlug(draft, key, read, spot);
}

function checkControls({ fields, problems }: Draft, key: string, field: string, spot: Spot): void {
  const shown = controlIn(field, fields[field]);
  if (shown !== undefined) problems.push({ code: 'control-character', field: key, shown, spot });
}

/**
 * `U+009D`, or undefined. The API's description says nothing of them. Services refuse them where menus and addresses repeat a text, in
 * addresses also what turns the direction of the text around it, and NUL in every text.
 */
export function controlIn(field: string, value: FieldValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const refused =
    field === 'slug'
      ? /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
      : NAMES_A_PAGE.has(field)
        ? /(?![\t\n\r])\p{Cc}/u
        : /\0/;
  const found = refused.exec(value)?.[0];
  return found === undefined
    ? undefined
    : `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function checkExcerpt(draft: Draft, excerpt: FieldValue, spot: Spot): void {
  if (typeof excerpt !== 'string' || excerpt.length <= EXCERPT_CHARS_MAX) return;
  draft.problems.push({ code: 'excerpt-long', chars: excerpt.length, charsMax: EXCERPT_CHARS_MAX, spot });
  // The service would refuse the whole record.
  draft.fields['excerpt'] = cutExcerpt(excerpt);
}

/** Whether a slug can be one part of an address. */
export function isSlug(slug: string): boolean {
  return !/[\s/?#\\]|^\.{0,2}$|^\p{Cf}*$/u.test(slug);
}

function checkSlug(draft: Draft, key: string, slug: FieldValue, spot: Spot): void {
  if (typeof slug === 'string' && isSlug(slug)) return;
  delete draft.fields['slug'];
  const found = slug === '' ? 'empty' : describeValue(slug);
  draft.problems.push({
    code: 'wrong-type',
    field: key,
    expected: 'one part of an address, without spaces, `/`, `?` and `#`',
    found,
    spot,
  });
}

/** `PUBLISHED` as `status: { PUBLISHED: published }` says. */
function meant(value: unknown, words: Read['words']): unknown {
  if (
    words === undefined ||
    (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
  )
    return value;
  const word = String(value).trim();
  return Object.hasOwn(words, word) ? words[word] : value;
}

function readReferences(
  draft: Draft,
  field: ReferenceField,
  key: string,
  { value, words }: { readonly value: unknown; readonly words: Read['words'] },
): void {
  const { source } = draft;
  if (value === null || value === undefined || value === '') {
    draft.references[field] = field === 'categoryParent' ? null : [];
    return;
  }
  const isOne = field === 'categoryParent';
  const written: readonly unknown[] = Array.isArray(value) && !isOne ? value : [value];
  const typed = typedValue(source, key);
  const typedItems: readonly unknown[] = Array.isArray(typed) ? typed : [typed];
  // A template for new pages leaves a dash without a name, which other systems take for none.
  const items = [...written.entries()].filter(
    ([, item]) => !draft.isForeign || (item !== null && item !== ''),
  );
  const names = items.map(([index, item]) => scalarText(item, () => typedItems[index])?.trim());
  const known = names.filter((name) => name !== undefined).map((name) => String(meant(name, words)));
  if (known.length < names.length) {
    const [, bad] = items[names.indexOf(undefined)] ?? [];
    const expected = isOne ? 'the name of one category' : 'a list of names';
    draft.problems.push({
      code: 'wrong-type',
      field: key,
      expected,
      found: Array.isArray(value) && !isOne ? `a list with ${describeValue(bad)} in it` : describeValue(bad),
      spot: source.spotOf(key),
    });
    return;
  }
  const searched = typedItems.map(String);
  draft.references[field] = known.map((name, index) => ({
    name,
    spot: source.spotOfItem(key, searched, items[index]?.[0] ?? index),
  }));
}

/** A value as the author typed it. A text is read as it was typed: nearly always the front matter need not be parsed again. */
function typedValue(source: FrontMatter, key: string): unknown {
  const read = source.values.get(key);
  const items: readonly unknown[] = Array.isArray(read) ? read : [read];
  return items.every((item) => typeof item === 'string') ? read : source.typed().get(key);
}

function unknownKeys(draft: Draft, known: readonly string[], ignored: readonly string[]): void {
  const names = [...known, ...OWN_KEYS];
  for (const name of draft.source.values.keys()) {
    if (names.includes(name) || ignored.includes(name)) continue;
    const suggestion = suggest(name, names);
    draft.problems.push({
      code: 'unknown-key',
      name,
      kind: draft.place.kind,
      spot: draft.source.spotOf(name),
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }
}

/** `lang` may repeat what the folder says; anything else would put the file into a language where nobody looks for it. */
function languageKey(draft: Draft): void {
  const { source, place } = draft;
  const value = source.values.get('lang');
  if (value === undefined) return;
  const text = scalarText(value, () => source.typed().get('lang'))?.toLowerCase();
  if (text === place.lang.toLowerCase() || text === place.languageFolder.toLowerCase()) return;
  const expected = `\`${place.lang}\`, the language of the folder \`${place.languageFolder}\``;
  draft.problems.push({
    code: 'wrong-type',
    field: 'lang',
    expected,
    found: describeValue(value),
    spot: source.spotOf('lang'),
  });
}

/** Dates by which an article becomes public, or stops being so. */
function scheduleOf(
  draft: Draft,
  { dialect, timezone }: Pick<DocumentOptions, 'dialect' | 'timezone'>,
): Schedule | undefined {
  const { source } = draft;
  const zone = timezone ?? dialect?.timezone ?? 'UTC';
  const schedule: { publishAt?: string; unpublishAt?: string } = {};
  for (const key of SCHEDULE_KEYS) {
    const value = source.values.get(key);
    if (value === undefined || value === null || value === '') continue;
    draft.spots[key] = source.spotOf(key);
    const at = typeof value === 'string' ? instantOf(value, zone, dialect !== undefined) : undefined;
    const isBefore = key === 'unpublishAt' && at !== undefined && at <= (schedule.publishAt ?? '');
    if (at !== undefined && (!isBefore || dialect !== undefined)) schedule[key] = at;
    else {
      // Only used when the problem is allowed: what nobody can read must not make it public.
      if (draft.place.kind === 'article') draft.fields['status'] = 'draft';
      const expected = isBefore
        ? `a date after \`publishAt\` (${schedule.publishAt})`
        : 'a date (`2030-01-01`, or `2030-01-01T09:00:00Z`)';
      draft.problems.push({
        code: 'wrong-type',
        field: key,
        expected,
        found: describeValue(value),
        spot: source.spotOf(key),
      });
    }
  }
  return Object.keys(schedule).length === 0 ? undefined : schedule;
}

function translationKeyOf(draft: Draft): string | undefined {
  const { source } = draft;
  const value = source.values.get('translationKey');
  if (value === undefined || value === null) return undefined;
  draft.spots['translationKey'] = source.spotOf('translationKey');
  const path = keyPath(scalarText(value, () => source.typed().get('translationKey')));
  if (path !== undefined) return path;
  draft.problems.push({
    code: 'wrong-type',
    field: 'translationKey',
    expected: 'a path or a name, in one line and without `@`',
    found: describeValue(value),
    spot: source.spotOf('translationKey'),
  });
  return undefined;
}

/** One path, or a list of them. */
function movedFromOf(draft: Draft): readonly string[] | undefined {
  const { source } = draft;
  const value = source.values.get('movedFrom');
  if (value === undefined || value === null) return undefined;
  const spot = source.spotOf('movedFrom');
  draft.spots['movedFrom'] = spot;
  const texts: readonly (string | undefined)[] = Array.isArray(value)
    ? value.map((each: unknown) => scalarText(each, () => each))
    : [scalarText(value, () => source.typed().get('movedFrom'))];
  const paths = texts.map(keyPath);
  const known = paths.filter((path) => path !== undefined);
  if (known.length === paths.length) return known.length === 0 ? undefined : known;
  draft.problems.push({
    code: 'wrong-type',
    field: 'movedFrom',
    expected: 'the path that the record had before, or a list of paths, without `@`',
    found: describeValue(value),
    spot,
  });
  return undefined;
}

/** One address that the page had before, or a list of them. Other systems' are what those make of them, so none is reported. */
function aliasesOf({ source, spots, problems }: Draft, isForeign: boolean): readonly string[] {
  const value = source.values.get('aliases');
  if (value === undefined || value === null) return [];
  const spot = source.spotOf('aliases');
  spots['aliases'] = spot;
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isAlias = (each: unknown): each is string =>
    typeof each === 'string' && (isForeign ? FOREIGN_ALIAS : ALIAS).test(each);
  const known = given.filter(isAlias);
  if (!isForeign && known.length < given.length) {
    problems.push({
      code: 'wrong-type',
      field: 'aliases',
      expected: 'an address that the page had before, like `/old/page`, or a list of them',
      found: describeValue(given.find((each) => !isAlias(each))),
      spot,
    });
  }
  return known;
}

const ALIAS = /^\/(?!\/)[^\s?#*]*$/;
const FOREIGN_ALIAS = /^(?![a-z][a-z+.-]*:|\/\/)[^\s?#*]+$/i;

/** Below the folder of a kind; undefined for a text that cannot be one. */
function keyPath(text: string | undefined): string | undefined {
  const path = text
    ?.trim()
    .normalize('NFC')
    .replaceAll(/^\/+|(?<!\/)\/+$/g, '');
  return path === undefined || path === '' || /[\n@]|\/\//.test(path) ? undefined : path;
}

/** What the path and the config say where the front matter is silent. */
function fromPath({ place, fields }: Draft, { defaults }: Pick<DocumentOptions, 'defaults'>): void {
  fields['slug'] ??= place.defaultSlug;
  const order = place.kind === 'article' ? 'ordering' : place.kind === 'category' ? 'priority' : undefined;
  if (order !== undefined && place.ordering !== undefined) fields[order] ??= place.ordering;
  if (place.kind !== 'article') return;
  if (defaults.status !== undefined) fields['status'] ??= defaults.status;
  if (defaults.hideFromSearch !== undefined) fields['hideFromSearch'] ??= defaults.hideFromSearch;
  if (defaults.ordering !== undefined) fields['ordering'] ??= defaults.ordering;
}

function isBlank(value: FieldValue | undefined): boolean {
  return value === undefined || value === '';
}

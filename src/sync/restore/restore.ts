import { cutAdditions } from '../../model/html/additions.ts';
import { unescaped } from '../../model/html/canonical-text.ts';
import type { PreImage } from '../../base/trash.ts';
import { digestOfText } from '../../model/digest.ts';
import {
  bodyFieldOf,
  fieldsOf,
  referenceFieldsOf,
  type DesiredFields,
  type FieldValue,
} from '../../model/fields.ts';
import type { Family, Key, Kind } from '../../model/key.ts';
import { familyFrom, familyOf, idKey, keyIn, kindOf, langOf, isOriginal } from '../../model/key.ts';
import type { Place } from '../../model/problem.ts';
import type { BaseRecord, BaseState, DesiredRecord, DesiredState, ListedRecord } from '../../model/record.ts';
import { splitStamp } from '../../model/stamp.ts';
import { habitOf, waysIn } from '../../plan/likeness.ts';
import { readMany } from '../../remote/read-many.ts';
import type { Remote } from '../../remote/remote.ts';
import { createSync, type Sync } from '../create-sync.ts';
import type { SyncOptions } from '../options.ts';
import { shieldedBase } from './shielded-base.ts';

export interface RestoreInput {
  /** Everything that the run kept. */
  readonly images: readonly PreImage[];
  readonly chosen: ReadonlySet<Key>;
  /** The files of now: a restored record is managed again only when its file is back. */
  readonly files: DesiredState;
  /** Where an image lies, for messages. */
  readonly placeOf: (image: PreImage) => Place;
  /** Records that are there, and what becomes of them. */
  readonly edits?: readonly TakenBack[];
}

/** A record that an earlier run wrote, and what it shall say. */
export interface TakenBack extends Pick<PreImage, 'key' | 'kind' | 'id' | 'fields' | 'labels'> {
  /** What that run left: a record that says something else was changed since. */
  readonly base: BaseRecord;
  readonly isDelete: boolean;
  readonly at: Place;
}

export interface Restore extends Pick<Sync, 'plan' | 'sync'> {
  readonly desired: DesiredState;
  /** Chosen records that the base holds and the service shows: sync looks after them. */
  readonly known: ReadonlyMap<Key, string>;
}

/**
 * Puts deleted records back. To a sync, the images are files: so a record that is there already is found and never made
 * twice, another one in its place is a conflict, creates are journalled, and the first write in a language is checked.
 * References become the records of now: by id, by an image of the same run, or by a name that only one record has.
 * The base learns nothing of it but the records whose file is back: any other is left alone by the next sync.
 */
export async function restoreFrom(options: SyncOptions, input: RestoreInput): Promise<Restore> {
  const loaded = await options.base.load();
  const known = await knownOf(input, loaded.state, options);
  const images = new Map(input.images.map((image) => [image.key, image] as const));
  const { edits = [] } = input;
  const restored = wanted(input, images, known);
  const keys = new Set([...restored, ...edits.map(({ key }) => key)]);
  const lists = await listsOf(keys, options);
  const needed = new Map<Key, BaseRecord>();
  const finder = {
    input,
    keptById: originalsById(images.values(), input.files),
    managedById: originalsById(loaded.state.records.values(), input.files),
    keys,
    lists,
    base: loaded.state,
    needed,
  };
  const records = [
    ...[...restored].flatMap((key) => {
      const image = images.get(key);
      return image === undefined ? [] : [desiredFrom(image, input.placeOf(image), finder)];
    }),
    ...edits.filter(({ isDelete }) => !isDelete).map((edit) => desiredFrom(edit, edit.at, finder)),
  ];
  for (const edit of edits) if (edit.isDelete) placeOfOriginal(edit, finder);
  // Only some records are in it: words that fit none of them are no mistake. And of a record only some fields are.
  const { protects, isWhole: _, ...files } = input.files;
  const desired: DesiredState = {
    ...files,
    ...(protects === undefined ? {} : { protects: { ...protects, unmatched: () => [] } }),
    languages: [...new Set([...input.files.languages, ...records.map(({ lang }) => lang)])],
    records: new Map([...[...needed.values()].map(placeholder), ...records].map((each) => [each.key, each])),
  };
  const seen = new Map([...needed, ...edits.map((edit) => [edit.key, edit.base] as const)]);
  const base = shieldedBase(options.base, loaded, { needed: seen, keys: restored, files: input.files });
  const policy = { ...options.policy, only: { keys, what: 'all' as const } };
  const remote = withoutWitness(withStampsKept(options.remote, edits));
  const sync = createSync({ ...options, remote, base, policy });
  return { plan: (state) => sync.plan(state), sync: (state, ask) => sync.sync(state, ask), desired, known };
}

/**
 * A stamp says what a file wrote, and an image is no file: with it a record that sync made again would be taken for an
 * image's and be overwritten with the older text. Records that this run makes are known by theirs.
 */
function withoutWitness(remote: Remote): Remote {
  let hasCreated = false;
  return {
    ...remote,
    create: (kind, fields, options) => {
      hasCreated = true;
      return remote.create(kind, fields, options);
    },
    read: async (kind, id, lang) => {
      const result = await remote.read(kind, id, lang);
      if (hasCreated || result.state !== 'found') return result;
      const { stamp: _, ...record } = result.record;
      return { state: 'found', record };
    },
  };
}

/**
 * The stamp says what a file wrote. A record that gets older words keeps the one that it has, so a sync without a state
 * takes them for an edit of the site, as a sync with a state does, and does not send the file again.
 */
function withStampsKept(remote: Remote, edits: readonly TakenBack[]): Remote {
  const kept = new Set(edits.map(({ kind, id, key }) => `${kind} ${id} ${langOf(key)}`));
  const stamps = new Map<string, string>();
  return {
    ...remote,
    read: async (kind, id, lang) => {
      const result = await remote.read(kind, id, lang);
      if (result.state !== 'found') return result;
      const { record } = result;
      if (record.stamp !== undefined) stamps.set(`${kind} ${id} ${record.lang}`, record.stamp);
      return result;
    },
    edit: (kind, id, lang, fields, options) => {
      const name = `${kind} ${id} ${lang}`;
      const field = bodyFieldOf(kind);
      const html = fields[field];
      if (!kept.has(name) || typeof html !== 'string') return remote.edit(kind, id, lang, fields, options);
      const { body } = splitStamp(html);
      const stamp = stamps.get(name);
      const stamped = stamp === undefined ? body : `${body}\n${stamp}`;
      return remote.edit(kind, id, lang, { ...fields, [field]: stamped }, options);
    },
  };
}

/** A record that the base holds may be gone from the service all the same. */
async function knownOf(
  { chosen, files }: RestoreInput,
  { records }: BaseState,
  { remote, policy }: SyncOptions,
): Promise<ReadonlyMap<Key, string>> {
  const known = [...chosen].flatMap((key) => {
    const record = records.get(key);
    return record === undefined ? [] : [[key, record.id] as const];
  });
  const wants = known.map(([key, id]) => {
    const lang = isOriginal(key, files) ? undefined : langOf(key);
    return { name: key, kind: kindOf(key), id, lang };
  });
  const reads = await readMany(remote, wants, policy.concurrencyMax);
  return new Map(known.filter(([key]) => reads.get(key)?.state !== 'absent'));
}

/** The chosen ones, and the originals that the same run deleted: without them a translation has nowhere to go. */
function wanted(
  { chosen, files }: RestoreInput,
  images: ReadonlyMap<Key, PreImage>,
  known: ReadonlyMap<Key, string>,
): ReadonlySet<Key> {
  const open = [...chosen].filter((key) => !known.has(key));
  const originals = open.map((key) => keyIn(familyOf(key), files.defaultLanguage));
  return new Set([...open, ...originals.filter((key) => images.has(key) && !known.has(key))]);
}

type Lists = ReadonlyMap<Kind, readonly ListedRecord[]>;

async function listsOf(keys: ReadonlySet<Key>, { remote }: SyncOptions): Promise<Lists> {
  const kinds = new Set<Kind>();
  for (const key of keys) {
    kinds.add(kindOf(key));
    for (const { of } of referenceFieldsOf(kindOf(key))) kinds.add(of);
  }
  const lists = [...kinds].map(async (kind) => [kind, (await remote.list(kind)).items] as const);
  return new Map(await Promise.all(lists));
}

interface Finder {
  readonly input: RestoreInput;
  /** By `idKey`, as the next one. */
  readonly keptById: ReadonlyMap<string, PreImage>;
  readonly managedById: ReadonlyMap<string, BaseRecord>;
  readonly keys: ReadonlySet<Key>;
  readonly lists: Lists;
  readonly base: BaseState;
  /** Records of now that the images name; they are only looked at. */
  readonly needed: Map<Key, BaseRecord>;
}

type Image = Pick<PreImage, 'key' | 'kind' | 'id' | 'fields' | 'labels'>;

function desiredFrom(image: Image, at: Place, finder: Finder): DesiredRecord {
  const { key, kind, fields } = image;
  const { defaultLanguage } = finder.input.files;
  const lang = langOf(key);
  const isOriginal = lang === defaultLanguage;
  placeOfOriginal(image, finder);
  const name = bodyFieldOf(kind);
  const shown = fields[name];
  const html = typeof shown === 'string' ? bodyToSend(shown, kind, finder) : undefined;
  return {
    key,
    kind,
    family: familyOf(key),
    lang,
    isOriginal,
    fields: withFamilies(image, name, finder),
    initial: {},
    ...(html !== undefined
      ? { body: { field: name, inputDigest: digestOfText(html), render: () => html } }
      : {}),
    at,
    places: () => ({}),
  };
}

/** A translation has its place beside its original, which is only looked at. */
function placeOfOriginal(image: Image, finder: Finder): void {
  const original = keyIn(familyOf(image.key), finder.input.files.defaultLanguage);
  if (image.key !== original && !finder.keys.has(original)) needOriginal(image, finder);
}

/** The original of a translation: as the base knows it, or by the id that it had. */
function needOriginal({ key, id, kind }: Image, finder: Finder): void {
  const original = keyIn(familyOf(key), finder.input.files.defaultLanguage);
  const record = finder.base.records.get(original);
  const isListed = finder.lists.get(kind)?.some((item) => item.id === id) === true;
  if (record === undefined && !isListed) return;
  finder.needed.set(original, pointer(original, record?.id ?? id));
}

function withFamilies(image: Image, body: string, finder: Finder): DesiredFields {
  const specs = fieldsOf(image.kind);
  return Object.fromEntries(
    Object.entries(image.fields)
      .filter(([name]) => name !== body)
      .map(([name, value]) => {
        const { of, type } = specs.get(name) ?? {};
        if (of !== undefined) return [name, familiesOf(value, of, image, finder)];
        const isText = type === 'text' && name !== 'slug' && typeof value === 'string';
        return [name, isText ? textToSend(value, finder) : value];
      }),
  );
}

/** Without what the service puts into each page that it saves: it would put it in once more. */
function bodyToSend(shown: string, kind: Kind, { base }: Finder): string {
  return cutAdditions(shown, habitOf({ kind, name: bodyFieldOf(kind) }, waysIn(base)).additions);
}

/** An image holds what was shown: a service that escapes what it saves would escape it once more. */
function textToSend(shown: string, { base }: Finder): string {
  return base.capabilities['keeps-texts'] === 'no' ? (unescaped(shown) ?? shown) : shown;
}

function familiesOf(value: FieldValue, kind: Kind, image: Image, finder: Finder): FieldValue {
  if (typeof value === 'string') return familyNow(value, kind, image, finder);
  if (typeof value !== 'object' || value === null) return value;
  return value.map((id) => familyNow(id, kind, image, finder));
}

/** The first of each id that is no translation. */
function originalsById<T extends { readonly key: Key; readonly id: string }>(
  records: Iterable<T>,
  files: DesiredState,
): ReadonlyMap<string, T> {
  const byId = new Map<string, T>();
  for (const record of records) {
    const name = idKey(kindOf(record.key), record.id);
    if (isOriginal(record.key, files) && !byId.has(name)) byId.set(name, record);
  }
  return byId;
}

/** The record of now that an id of then means. One that is nowhere keeps its name, so the refusal can say it. */
function familyNow(id: string, kind: Kind, image: Image, finder: Finder): Family {
  const { keys, lists, input } = finder;
  const { defaultLanguage } = input.files;
  const kept = finder.keptById.get(idKey(kind, id));
  if (kept !== undefined && keys.has(kept.key)) return familyOf(kept.key);
  const managed = finder.managedById.get(idKey(kind, id));
  if (managed !== undefined) return need(managed.key, id, finder);
  const items = lists.get(kind) ?? [];
  if (items.some((item) => item.id === id)) return need(aside(kind, id, defaultLanguage), id, finder);
  const label = image.labels[id];
  const [named, ...more] = items.filter(({ name }) => name === label);
  if (named !== undefined && more.length === 0) {
    return need(aside(kind, named.id, defaultLanguage), named.id, finder);
  }
  return kept === undefined ? familyFrom(kind, label ?? id) : familyOf(kept.key);
}

function need(key: Key, id: string, finder: Finder): Family {
  finder.needed.set(key, pointer(key, id));
  return familyOf(key);
}

/** A name for a record that has no file; `~` cannot begin the path of one that has. */
function aside(kind: Kind, id: string, lang: string): Key {
  return keyIn(familyFrom(kind, `~${id}`), lang);
}

function pointer(key: Key, id: string): BaseRecord {
  return { key, id, ownership: 'adopted', sent: {} };
}

/** The file that goes with a pointer: a base record without a file would be taken for one that was moved. */
function placeholder({ key }: BaseRecord): DesiredRecord {
  return {
    key,
    kind: kindOf(key),
    family: familyOf(key),
    lang: langOf(key),
    isOriginal: true,
    fields: {},
    initial: {},
    at: { file: key, line: 1, column: 1 },
    places: () => ({}),
  };
}

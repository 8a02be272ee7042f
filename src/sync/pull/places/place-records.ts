import type { Intent } from '../../../base/base.ts';
import type { NewPage } from '../../../content/navigations/entered-pages.ts';
import type { Preset } from '../../../content/presets/preset.ts';
import { familyFrom, familyOf, keyIn, kindOf, parseKey, pathOf, idKey } from '../../../model/key.ts';
import type { Family, Key, Kind } from '../../../model/key.ts';
import { bodyFieldOf, nameFieldOf } from '../../../model/fields.ts';
import { waysIn } from '../../../plan/likeness.ts';
import type { BaseState, DesiredState } from '../../../model/record.ts';
import { parseStamp } from '../../../model/stamp.ts';
import { baseIds } from '../../survey/consistent-base.ts';
import { newOriginals } from '../../survey/adoption.ts';
import { formerSlugs, pairsByText } from '../../survey/pairing.ts';
import { likelyPages } from '../../survey/likely-pages.ts';
import { nameMark } from '../../survey/twins.ts';
import { isSafePath, safeName, uniquePaths } from './file-name.ts';
import { groupedBy } from '../../../text/grouped.ts';
import type { Fetched } from '../reading/read-records.ts';

/** Where records of the service have their files. */
export interface Places {
  /** By kind and id: `article 7f3a`. */
  readonly familyOf: ReadonlyMap<string, Family>;
  /** Families whose files wait for their records: no sync has taken the one for the other. */
  readonly waiting: ReadonlySet<Family>;
  /** The file of a record, relative to the content folder; undefined where none can hold it. */
  readonly fileOf: (family: Family, lang: string) => string | undefined;
  /** Why a record has no place; only of other systems' layouts, which have one for their own pages alone. */
  readonly whyNot?: (record: Fetched) => string | undefined;
  /** The page that a new one of such a layout lies beside. */
  readonly besideOf?: (file: string) => string | undefined;
  /** How navigations name a new one. */
  readonly entryOf?: (file: string) => NewPage | undefined;
}

export interface PlaceInput {
  readonly records: readonly Fetched[];
  readonly desired: DesiredState;
  readonly base: BaseState;
  readonly preset: Preset;
  /** Not needed where no file is waiting for its record. */
  readonly bodyOf?: (record: Fetched) => string;
  /** Writes without an answer. */
  readonly open?: readonly Intent[];
  /** Of a record that has a file. */
  readonly fileOf: (key: Key) => string | undefined;
}

/**
 * Gives every record its name. In this order: what the base says; the stamp of an earlier sync that names a file; a file of the same slug,
 * or of the text that the stamp tells; the stamp of a file that is gone; a file that waits for it; else the slug as a file name, below the folders of its category. The same knowledge base gets the same
 * names in every run, because records are taken in order of their ids.
 */
export function placeRecords(input: PlaceInput): Places {
  const { families, claimed, waiting, originals } = knownFamilies(input);
  const { desired } = input;
  const unique = uniquePaths([...claimed, ...[...desired.records.values()].map(({ family }) => family)]);
  const take = (record: Fetched, folder: string): Family => {
    const slug = String(record.fields['slug'] ?? '');
    const path = `${folder}${folder === '' ? '' : '/'}${safeName(slug === '' ? record.id : slug)}`;
    const [, ...name] = unique(`${record.kind}/${path}`, record.id).split('/');
    return familyFrom(record.kind, name.join('/'));
  };
  nameCategories(originals, families, take);
  for (const record of originals) {
    const id = idKey(record.kind, record.id);
    if (!families.has(id))
      families.set(id, take(record, record.kind === 'article' ? articleFolder(record, families) : ''));
  }
  return { familyOf: families, waiting, fileOf: (family, lang) => fileFor(family, lang, input) };
}

export interface KnownFamilies {
  readonly families: Map<string, Family>;
  readonly claimed: Set<Family>;
  readonly waiting: ReadonlySet<Family>;
  readonly originals: readonly Fetched[];
}

/**
 * Records that have a name already: by the base, by the stamp, or by a file of the same slug. A stamp that names no file is that of a
 * file that was moved: the file with the slug, or with the text that was sent, is the record's. Else the record gets its old name.
 */
export function knownFamilies(input: PlaceInput): KnownFamilies {
  const { records, desired, base } = input;
  const families = new Map<string, Family>();
  for (const [family, id] of baseIds(base, desired.defaultLanguage))
    families.set(idKey(kindOf(family), id), family);
  const originals = records.filter(({ lang }) => lang === desired.defaultLanguage);
  const claimed = new Set<Family>(families.values());
  const bySlug = slugsOfNewFiles(input, claimed);
  const byFormerSlug = formerSlugsOfNewFiles(input, claimed);
  const pulled = familiesOfPulled(input);
  const enter = (record: Fetched, family: Family | undefined): void => {
    if (family === undefined || claimed.has(family)) return;
    families.set(idKey(record.kind, record.id), family);
    claimed.add(family);
  };
  const strays: Fetched[] = [];
  for (const record of originals) {
    const id = idKey(record.kind, record.id);
    if (families.has(id)) continue;
    const slug = `${record.kind} ${String(record.fields['slug'])}`;
    const stamped = stampedFamily(record, desired, claimed);
    const hasFile = stamped !== undefined && desired.records.has(keyIn(stamped, desired.defaultLanguage));
    if (stamped !== undefined && !hasFile && !bySlug.has(slug)) strays.push(record);
    else
      enter(
        record,
        (hasFile ? stamped : undefined) ??
          bySlug.get(slug) ??
          pulled.get(id) ??
          (record.stamp === undefined ? byFormerSlug.get(slug) : undefined),
      );
  }
  const homeless = newOriginals(desired, base).filter(({ family }) => !claimed.has(family));
  for (const [{ family }, record] of pairsByText(homeless, strays)) enter(record, family);
  for (const record of strays)
    if (!families.has(idKey(record.kind, record.id))) enter(record, stampedFamily(record, desired, claimed));
  const known = new Set(claimed);
  enterTwins({ families, claimed, originals }, input);
  enterMade({ families, claimed, originals }, input);
  const waiting = new Set([...claimed].filter((family) => !known.has(family)));
  return { families, claimed, waiting, originals };
}

/**
 * Records that a file waits for, because a sync found them under another slug with its name: a second file would have the
 * next sync make the file's record once more.
 */
function enterTwins(
  { families, claimed, originals }: Omit<KnownFamilies, 'waiting'>,
  { desired, base, bodyOf }: PlaceInput,
): void {
  const homeless = newOriginals(desired, base).filter(({ family }) => !claimed.has(family));
  if (homeless.length === 0 || bodyOf === undefined) return;
  const ways = waysIn(base);
  const names = new Set(homeless.map((desired) => nameMark(desired, ways) ?? ''));
  const left = originals.flatMap((record) => {
    const { kind, id, fields } = record;
    if (families.has(idKey(kind, id))) return [];
    const isNamesake = names.has(nameMark(record, ways) ?? '');
    const text = isNamesake ? { [bodyFieldOf(kind)]: bodyOf(record) } : {};
    const { stamp, ...shown } = { ...record, fields: { ...fields, ...text } };
    return [stamp === undefined ? shown : { ...shown, stamp }];
  });
  const ids = new Map([...families].map(([id, family]) => [family, id.slice(id.indexOf(' ') + 1)]));
  const { found, twins, edited } = likelyPages(homeless, left, base, (of) => ids.get(of));
  for (const [family, { kind, id }] of [...found, ...twins, ...edited]) {
    if (families.has(idKey(kind, id))) continue;
    families.set(idKey(kind, id), family);
    claimed.add(family);
  }
}

/**
 * Records that may be what creates without a clear answer made: their files wait for them. A second file would have the next sync take the
 * record for that file's, and send the create once more.
 */
function enterMade(
  { families, claimed, originals }: Omit<KnownFamilies, 'waiting'>,
  { desired, open = [] }: PlaceInput,
): void {
  const markOf = (kind: Kind, name: unknown): string => `${kind} ${String(name)}`;
  const waiting = open.filter(
    ({ action, key }) => action === 'create' && desired.records.has(key) && !claimed.has(familyOf(key)),
  );
  if (waiting.length === 0) return;
  const free = originals.filter(({ kind, id }) => !families.has(idKey(kind, id)));
  const byName = groupedBy(free, ({ kind, fields }) => [markOf(kind, fields[nameFieldOf(kind)])]);
  for (const [mark, [{ key }, ...more]] of groupedBy(waiting, (each) => [
    markOf(kindOf(each.key), each.name),
  ])) {
    const [record, ...others] = byName.get(mark) ?? [];
    if (record === undefined || more.length + others.length > 0) continue;
    families.set(idKey(record.kind, record.id), familyOf(key));
    claimed.add(familyOf(key));
  }
}

/** Files without a base whose slug the service knows: the same record, by the same rule as a sync's. */
function slugsOfNewFiles(
  { desired, base }: PlaceInput,
  claimed: ReadonlySet<Family>,
): ReadonlyMap<string, Family> {
  const slugs = new Map<string, Family>();
  for (const { key, kind, family, isOriginal, fields } of desired.records.values()) {
    if (isOriginal && !base.records.has(key) && !claimed.has(family))
      slugs.set(`${kind} ${String(fields['slug'])}`, family);
  }
  return slugs;
}

/**
 * What an earlier pull called a page, which keeps this name in a pull request that somebody may have merged meanwhile. Pages of
 * other systems have their address by their name, so there a page with another address has another name.
 */
function familiesOfPulled({ base, desired, preset }: PlaceInput): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  if (preset.foreign !== undefined) return families;
  for (const { key, id } of base.pulled ?? []) {
    const family = familyOf(key);
    if (!desired.records.has(keyIn(family, desired.defaultLanguage)))
      families.set(idKey(kindOf(key), id), family);
  }
  return families;
}

/** Slugs that new files had under the names that they say they had. */
function formerSlugsOfNewFiles(
  { desired, base }: PlaceInput,
  claimed: ReadonlySet<Family>,
): ReadonlyMap<string, Family> {
  const { moved = new Map(), records } = desired;
  return new Map(
    [...formerSlugs(moved)].flatMap(([family, slugs]) => {
      const key = keyIn(family, desired.defaultLanguage);
      if (!records.has(key) || base.records.has(key) || claimed.has(family)) return [];
      return slugs.map((slug) => [`${kindOf(family)} ${slug}`, family] as const);
    }),
  );
}

function stampedFamily(
  record: Fetched,
  desired: DesiredState,
  claimed: ReadonlySet<Family>,
): Family | undefined {
  const stamp = record.stamp === undefined ? undefined : parseStamp(record.stamp);
  const parts = stamp === undefined ? undefined : parseKey(stamp.key);
  if (parts === undefined || parts.kind !== record.kind || parts.lang !== desired.defaultLanguage)
    return undefined;
  const named = familyFrom(parts.kind, parts.path);
  const family = desired.moved?.get(named) ?? named;
  if (claimed.has(family)) return undefined;
  return desired.records.has(keyIn(family, desired.defaultLanguage)) || isSafePath(parts.path)
    ? family
    : undefined;
}

/** Parents first; a parent that is unknown, or circular, is none. */
function nameCategories(
  originals: readonly Fetched[],
  families: Map<string, Family>,
  take: (record: Fetched, folder: string) => Family,
): void {
  const byId = new Map(
    originals.filter(({ kind }) => kind === 'category').map((record) => [record.id, record]),
  );
  const name = (record: Fetched, open: ReadonlySet<string>): string => {
    const id = idKey('category', record.id);
    const known = families.get(id);
    if (known !== undefined) return pathOf(known);
    const parent = byId.get(String(record.fields['categoryParent'] ?? ''));
    const isUsable = parent !== undefined && !open.has(parent.id);
    const folder = isUsable ? name(parent, new Set([...open, record.id])) : '';
    const family = families.get(id) ?? take(record, folder);
    families.set(id, family);
    return pathOf(family);
  };
  for (const record of byId.values()) name(record, new Set([record.id]));
}

/** Of several categories the deepest; of equals the first by name. */
function articleFolder({ fields }: Fetched, families: ReadonlyMap<string, Family>): string {
  const ids = Array.isArray(fields['categories']) ? fields['categories'] : [];
  const paths = ids.flatMap((id) => {
    const family = families.get(idKey('category', String(id)));
    return family === undefined ? [] : [pathOf(family)];
  });
  const depth = (path: string): number => path.split('/').length;
  return paths.sort((a, b) => depth(b) - depth(a) || (a < b ? -1 : 1))[0] ?? '';
}

function fileFor(family: Family, lang: string, { desired, preset, fileOf }: PlaceInput): string | undefined {
  const key = keyIn(family, lang);
  const known = fileOf(key);
  if (known !== undefined) return known;
  const kind: Kind = kindOf(family);
  const file = preset.fileFor(kind, pathOf(family), lang);
  if (
    isRead(file, key, preset) &&
    file
      .split('/')
      .slice(2)
      .every((part) => safeName(part.replace(/\.md$/, '')) === part.replace(/\.md$/, ''))
  )
    return file;
  // A record whose name is no path (`translationKey`): its translation lies where its original does.
  const original = fileOf(keyIn(family, desired.defaultLanguage));
  const folder = file.split('/')[0] ?? lang;
  return original === undefined ? undefined : preset.inLanguage(original, folder);
}

/** Whether a sync would read this record from that file. */
export function isRead(file: string, key: Key, preset: Preset): boolean {
  const place = preset.place(file);
  const parts = parseKey(key);
  if (place.role !== 'document' || parts === undefined) return false;
  return place.kind === parts.kind && place.lang === parts.lang && place.path === parts.path;
}

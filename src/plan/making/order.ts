import type { DesiredRecord, DesiredState } from '../../model/record.ts';
import type { Family, Key } from '../../model/key.ts';
import { KINDS, familyOf, keyIn } from '../../model/key.ts';
import { referencesOf } from '../compare.ts';
import type { Change } from '../plan.ts';

/**
 * Desired records in an order in which each comes after everything it needs: categories by depth, tags, articles,
 * then translations. Ties keep key order, so equal inputs give equal plans.
 */
export function inOrder(records: Iterable<DesiredRecord>): readonly DesiredRecord[] {
  const all = [...records];
  const parents = new Map<Family, Family | undefined>();
  for (const record of all) {
    if (record.kind !== 'category' || !record.isOriginal) continue;
    parents.set(record.family, referencesOf(record)[0]);
  }
  return all
    .map((record) => ({ record, rank: rankOf(record, parents) }))
    .sort((a, b) => compareRanks(a.rank, b.rank) || (a.record.key < b.record.key ? -1 : 1))
    .map(({ record }) => record);
}

/**
 * The waves in which changes are carried out: all changes of one wave are independent of each other, and each wave
 * needs only earlier ones. Deletes are the last waves, children before parents.
 */
export function inWaves(
  changes: readonly Change[],
  needs: (change: Change) => readonly Key[],
): readonly Change[][] {
  const byKey = new Map(changes.map((change) => [change.key, change]));
  const waveOf = new Map<Key, number>();
  const wave = (change: Change, path: ReadonlySet<Key>): number => {
    const known = waveOf.get(change.key);
    if (known !== undefined) return known;
    if (path.has(change.key)) return 0; // a slug cycle: its order is the applier's business
    const before = needs(change)
      .flatMap((key) => byKey.get(key) ?? [])
      .filter(({ key }) => key !== change.key);
    const below = new Set([...path, change.key]);
    const number = 1 + Math.max(-1, ...before.map((needed) => wave(needed, below)));
    waveOf.set(change.key, number);
    return number;
  };
  const writes: Change[][] = [];
  for (const change of changes.filter(({ action }) => action !== 'delete')) {
    (writes[wave(change, new Set())] ??= []).push(change);
  }
  return [...writes.filter((each) => each !== undefined), ...deleteWaves(changes)];
}

/** Translations, then articles, then tags; categories one by one, in the plan's order: children before parents. */
function deleteWaves(changes: readonly Change[]): readonly Change[][] {
  const deletes = changes.filter(({ action }) => action === 'delete');
  const originals = deletes.filter(({ isTranslation }) => isTranslation !== true);
  return [
    deletes.filter(({ isTranslation }) => isTranslation === true),
    originals.filter(({ kind }) => kind === 'article'),
    originals.filter(({ kind }) => kind === 'tag'),
    ...originals.filter(({ kind }) => kind === 'category').map((change) => [change]),
  ].filter((wave) => wave.length > 0);
}

type Rank = readonly [translation: number, kind: number, depth: number];

function rankOf(record: DesiredRecord, parents: ReadonlyMap<Family, Family | undefined>): Rank {
  return [record.isOriginal ? 0 : 1, KINDS.indexOf(record.kind), depthOf(record.family, parents)];
}

function depthOf(family: Family, parents: ReadonlyMap<Family, Family | undefined>): number {
  let depth = 0;
  const seen = new Set<Family>();
  for (let at = parents.get(family); at !== undefined && !seen.has(at); at = parents.get(at)) {
    seen.add(at);
    depth += 1;
  }
  return depth;
}

function compareRanks(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/**
 * What must be done before a change: the original of a translation, the categories and tags it names, the categories
 * above a category, and the record that gives up the slug it takes (but for those whose slug is `freed` beforehand).
 */
export function prerequisitesOf(
  changes: readonly Change[],
  desired: DesiredState,
  freed: ReadonlySet<Key> = new Set(),
): (change: Change) => readonly Key[] {
  return prerequisitesWith(slugHolders(changes), desired, freed);
}

function prerequisitesWith(
  holders: ReadonlyMap<string, Key>,
  desired: DesiredState,
  freed: ReadonlySet<Key>,
): (change: Change) => readonly Key[] {
  return (change) => {
    const record = desired.records.get(change.key);
    if (record === undefined) return [];
    const original = record.isOriginal ? [] : [keyIn(familyOf(change.key), desired.defaultLanguage)];
    const references = referencesOf(record).map((family) => keyIn(family, desired.defaultLanguage));
    // A move below a category that stays can still close a circle with a category above that has yet to move away.
    const above = record.kind === 'category' ? references.flatMap((key) => ancestorsOf(key, desired)) : [];
    const holder = holders.get(slugKey(change, change.slug));
    const isOpen = holder !== undefined && holder !== change.key && !freed.has(holder);
    return [...original, ...references, ...above, ...(isOpen ? [holder] : [])];
  };
}

/**
 * Records whose slug must be freed before any other write, because waiting would never end: where a record that gives
 * up a slug waits itself, in whatever way, for the one that takes it; and records that are deleted in the end while
 * another takes their slug.
 */
export function slugsToFree(changes: readonly Change[], desired: DesiredState): ReadonlySet<Key> {
  const holders = slugHolders(changes);
  const byKey = new Map(changes.map((change) => [change.key, change]));
  const freed = new Set<Key>();
  // It looks into `freed` anew at each call, so one is enough for all changes.
  const needs = prerequisitesWith(holders, desired, freed);
  for (const change of changes) {
    const holder = change.action === 'delete' ? undefined : holders.get(slugKey(change, change.slug));
    if (holder === undefined || holder === change.key) continue;
    if (byKey.get(holder)?.action === 'delete' || reaches(holder, change.key, byKey, needs))
      freed.add(holder);
  }
  return freed;
}

/** Whether one change waits for another, directly or through others. */
function reaches(
  from: Key,
  to: Key,
  byKey: ReadonlyMap<Key, Change>,
  needs: (change: Change) => readonly Key[],
): boolean {
  const seen = new Set<Key>([from]);
  for (const key of seen) {
    const change = byKey.get(key);
    if (key === to) return true;
    if (change !== undefined) for (const next of needs(change)) seen.add(next);
  }
  return false;
}

/** Which record of the plan holds a slug now and gives it up. */
function slugHolders(changes: readonly Change[]): ReadonlyMap<string, Key> {
  const holders = new Map<string, Key>();
  for (const change of changes) {
    const before = change.fields.find(({ field }) => field === 'slug')?.before;
    if (change.action === 'update' && typeof before === 'string')
      holders.set(slugKey(change, before), change.key);
    if (change.action === 'delete') holders.set(slugKey(change, change.slug), change.key);
  }
  return holders;
}

function ancestorsOf(key: Key, desired: DesiredState): readonly Key[] {
  const above = new Set<Key>();
  for (let at = desired.records.get(key); at !== undefined;) {
    const parent = referencesOf(at)[0];
    const next = parent === undefined ? undefined : keyIn(parent, desired.defaultLanguage);
    if (next === undefined || above.has(next)) break;
    above.add(next);
    at = desired.records.get(next);
  }
  return [...above];
}

function slugKey({ kind, lang }: Change, slug: string): string {
  return `${kind} ${lang} ${slug}`;
}

import type { Key } from '../model/key.ts';
import { familyOf, keyIn } from '../model/key.ts';
import { referencesOf } from '../plan/compare.ts';
import type { Change } from '../plan/plan.ts';
import type { DesiredState } from '../model/record.ts';

/**
 * What must be done before a change: the original of a translation, the categories and tags it names, the categories
 * above a category, and the record that gives up the slug it takes (but for those whose slug is `freed` beforehand).
 */
export function needsOf(
  changes: readonly Change[],
  desired: DesiredState,
  freed: ReadonlySet<Key> = new Set(),
): (change: Change) => readonly Key[] {
  const holders = slugHolders(changes);
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
  for (const change of changes) {
    const holder = change.action === 'delete' ? undefined : holders.get(slugKey(change, change.slug));
    if (holder === undefined || holder === change.key) continue;
    const needs = needsOf(changes, desired, freed);
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

import type { DesiredRecord } from '../model/record.ts';
import type { Family, Key } from '../model/key.ts';
import { KINDS } from '../model/key.ts';
import { referencesOf } from './compare.ts';
import type { Change } from './plan.ts';

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

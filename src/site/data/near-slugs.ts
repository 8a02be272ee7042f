import { setImmediate as nextTurn } from 'node:timers/promises';
import { editDistance } from '../../text/edit-distance.ts';

export interface Named {
  readonly slug: string;
  readonly name: string;
}

const NEAR_MAX = 5;
const SLUG_CHARS_MAX = 120;
/** Two slugs with a smaller share of equal letter pairs are not similar. So most slugs need no exact comparison. */
const SHARED_MIN = 0.35;
/** Farther ones are not what was meant. */
const DISTANCE_MAX = 0.5;

/** So many are looked at, then others have their turn: everybody may ask for what is nowhere, as often as they like. */
const SLICE = 500;
/** Of so many the letters are compared, those that share most pairs of letters with what was asked for. */
const COMPARED_MAX = 500;
/** A comparison takes up to 14,400 steps. */
const COMPARED_SLICE = 50;

/** The records whose slugs are most like the one asked for, the nearest first; none when all are far. */
export async function nearest<T extends Named>(slug: string, among: readonly T[]): Promise<readonly T[]> {
  const wanted = slug.toLowerCase().slice(0, SLUG_CHARS_MAX);
  const pairs = pairsIn(wanted);
  const sharedMin = Math.max(0, wanted.length - 1) * SHARED_MIN;
  const similar: { readonly named: T; readonly shared: number }[] = [];
  for (const [index, named] of among.entries()) {
    if (index > 0 && index % SLICE === 0) await nextTurn();
    const other = named.slug.toLowerCase();
    let shared = 0;
    for (const [pair, count] of pairs) if (other.includes(pair)) shared += count;
    if (shared >= sharedMin) similar.push({ named, shared });
  }
  const near: { readonly named: T; readonly distance: number }[] = [];
  for (const [index, named] of mostShared(similar).entries()) {
    if (index > 0 && index % COMPARED_SLICE === 0) await nextTurn();
    const other = named.slug.toLowerCase();
    // Of equally near ones the first stays.
    const farthest = near.length < NEAR_MAX ? undefined : near.at(-1)?.distance;
    const distance = distanceOf(wanted, other.slice(0, SLUG_CHARS_MAX), farthest ?? DISTANCE_MAX);
    if (distance > DISTANCE_MAX || (farthest !== undefined && distance >= farthest)) continue;
    const at = near.findIndex((one) => one.distance > distance);
    near.splice(at < 0 ? near.length : at, 0, { named, distance });
    if (near.length > NEAR_MAX) near.pop();
  }
  return near.map(({ named }) => named);
}

/** In the order in which they came. */
function mostShared<T>(similar: readonly { readonly named: T; readonly shared: number }[]): readonly T[] {
  if (similar.length <= COMPARED_MAX) return similar.map(({ named }) => named);
  const best = new Set([...similar].sort((a, b) => b.shared - a.shared).slice(0, COMPARED_MAX));
  return similar.filter((one) => best.has(one)).map(({ named }) => named);
}

/**
 * 0: the same, 1: nothing in common. Letters that differ count, or words that both have. Beyond `max` it may be any distance that is
 * larger.
 */
function distanceOf(a: string, b: string, max: number): number {
  const longest = Math.max(a.length, b.length, 1);
  const edits = Math.floor(longest * max);
  const letters = Math.abs(a.length - b.length) > edits ? 1 : editDistance(a, b, edits) / longest;
  const words = new Set(a.split('-').filter((word) => word.length > 2));
  const shared = b.split('-').filter((word) => words.has(word)).length;
  const byWords = shared === 0 ? 1 : 1 - shared / Math.max(words.size, b.split('-').length);
  return Math.min(letters, byWords);
}

/** How often each pair of letters is in a text. */
function pairsIn(text: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

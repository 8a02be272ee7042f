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

/** The records whose slugs are most like the one asked for, the nearest first; none when all are far. */
export function nearest<T extends Named>(slug: string, among: readonly T[]): readonly T[] {
  const wanted = slug.toLowerCase().slice(0, SLUG_CHARS_MAX);
  const pairs = pairsIn(wanted);
  const isSimilar = (other: string): boolean => {
    let shared = 0;
    for (const pair of pairs) if (other.includes(pair)) shared += 1;
    return shared >= pairs.length * SHARED_MIN;
  };
  const near: { readonly named: T; readonly distance: number }[] = [];
  for (const named of among) {
    const other = named.slug.toLowerCase();
    if (!isSimilar(other)) continue;
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

function pairsIn(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
}

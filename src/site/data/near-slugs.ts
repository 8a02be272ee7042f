import { editDistance } from '../../text/edit-distance.ts';

export interface Named {
  readonly slug: string;
  readonly name: string;
}

const NEAR_MAX = 5;
const SLUG_CHARS_MAX = 120;
/** Two slugs with a smaller share of equal letter pairs are not similar. So most slugs need no exact comparison. */
const SHARED_MIN = 0.35;

/** The records whose slugs are most like the one asked for, the nearest first; none when all are far. */
export function nearest<T extends Named>(slug: string, among: readonly T[]): readonly T[] {
  const wanted = slug.toLowerCase().slice(0, SLUG_CHARS_MAX);
  const pairs = pairsIn(wanted);
  const isSimilar = (other: string): boolean => {
    let shared = 0;
    for (const pair of pairs) if (other.includes(pair)) shared += 1;
    return shared >= pairs.length * SHARED_MIN;
  };
  return among
    .filter(({ slug }) => isSimilar(slug.toLowerCase()))
    .map((named) => ({
      named,
      distance: distanceOf(wanted, named.slug.toLowerCase().slice(0, SLUG_CHARS_MAX)),
    }))
    .filter(({ distance }) => distance <= 0.5)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAR_MAX)
    .map(({ named }) => named);
}

/** 0: the same, 1: nothing in common. Letters that differ count, or words that both have. */
function distanceOf(a: string, b: string): number {
  const longest = Math.max(a.length, b.length, 1);
  const letters = Math.abs(a.length - b.length) > longest / 2 ? 1 : editDistance(a, b, longest) / longest;
  const words = new Set(a.split('-').filter((word) => word.length > 2));
  const shared = b.split('-').filter((word) => words.has(word)).length;
  const byWords = shared === 0 ? 1 : 1 - shared / Math.max(words.size, b.split('-').length);
  return Math.min(letters, byWords);
}

function pairsIn(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
}

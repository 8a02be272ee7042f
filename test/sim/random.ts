import { seededRandom } from '../support/random.ts';

/** Choices that follow from one seed. */
export interface Chance {
  /** In [0, 1). */
  readonly next: () => number;
  /** 0 … below - 1. */
  below(count: number): number;
  happens(probability: number): boolean;
  pick<T>(items: readonly T[]): T | undefined;
  /** One of a list that is never empty. */
  oneOf<T>(first: T, ...more: readonly T[]): T;
}

export function chanceFrom(seed: number): Chance {
  const next = seededRandom(seed);
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    happens: (probability) => next() < probability,
    pick: (items) => items[below(items.length)],
    oneOf: (first, ...more) => [first, ...more][below(more.length + 1)] ?? first,
  };
}

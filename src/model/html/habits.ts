import type { Addition } from './additions.ts';
import type { Loss } from './losses.ts';
import { isRewriting } from './rewritings.ts';
import type { Rewriting } from './rewritings.ts';

/**
 * What a service made of a text: rewritings that keep its sense, what it did not keep and what it put in. All empty:
 * nothing.
 */
export interface Difference {
  readonly rewritings: readonly Rewriting[];
  readonly losses: readonly Loss[];
  readonly additions?: readonly Addition[];
}

/** What a service was seen doing to a field. */
export interface Habit {
  readonly rewritings: readonly Rewriting[];
  readonly losses: readonly Loss[];
  readonly additions: readonly Addition[];
}

/** By kind and field: `article.content`. */
export type Habits = Readonly<Record<string, Habit>>;

export const NO_HABIT: Habit = { rewritings: [], losses: [], additions: [] };

export const NO_HABITS: Habits = {};

/** Longer lists are no habits. */
const NAMES_MAX = 100;

/** The habits with what one more record shows; the same object where that is nothing new. */
export function withDifference(habits: Habits, name: string, difference: Difference): Habits {
  const known = habits[name] ?? NO_HABIT;
  const habit: Habit = {
    rewritings: union(known.rewritings, difference.rewritings),
    losses: union(known.losses, difference.losses),
    additions: union(known.additions, difference.additions ?? []),
  };
  const isKnown =
    habit.rewritings === known.rewritings &&
    habit.losses === known.losses &&
    habit.additions === known.additions;
  return isKnown ? habits : { ...habits, [name]: habit };
}

/** As a state holds them: what this version does not know is left out. */
export function habitsFrom(json: unknown): Habits {
  if (typeof json !== 'object' || json === null) return NO_HABITS;
  return Object.fromEntries(
    Object.entries(json).map(([name, habit]: [string, unknown]) => [
      name,
      {
        rewritings: textsIn(habit, 'rewritings').filter(isRewriting),
        losses: textsIn(habit, 'losses'),
        additions: textsIn(habit, 'additions'),
      },
    ]),
  );
}

function textsIn(json: unknown, name: string): readonly string[] {
  const list: unknown =
    typeof json === 'object' && json !== null ? new Map<string, unknown>(Object.entries(json)).get(name) : [];
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

function union<T extends string>(known: readonly T[], more: readonly T[]): readonly T[] {
  const fresh = more.filter((item) => !known.includes(item));
  return fresh.length === 0 || known.length >= NAMES_MAX
    ? known
    : [...known, ...new Set(fresh)].sort().slice(0, NAMES_MAX);
}

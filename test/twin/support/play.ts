import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HABITS } from './habits/habits.ts';
import type { HabitGroup } from './habits/habits.ts';
import { LIVES } from './lives.ts';
import type { LifeName } from './lives.ts';
import type { Habit } from './service/habit.ts';
import { createStage } from './stage.ts';
import type { Stop } from './stage.ts';
import { knownFaults, rightEnds } from './tables.ts';

export interface End {
  /** What the judge holds against kbsync; a stop that no line of ends.txt allows is among it. */
  readonly faults: readonly string[];
  readonly trace: string;
}

/** Many lives on a machine that may be busy. */
const TIMEOUT_MS = 600_000;

/** One life in front of one service. */
export async function play(
  names: readonly string[],
  habits: readonly Habit[],
  life: LifeName,
  seed = 1,
): Promise<End> {
  const stage = await createStage(habits, seed);
  try {
    await LIVES[life](stage);
    const faults = [
      ...stage.faults,
      ...stage.stops.filter((stop) => !isRight(names, life, stop)).map(stopText),
    ];
    const trace = stage.trace();
    record({ habits: names, life, seed, trace, faults, stops: stage.stops });
    return { faults, trace };
  } finally {
    await stage.close();
  }
}

function isRight(names: readonly string[], life: string, { exit, said }: Stop): boolean {
  return rightEnds().some(
    (end) =>
      names.includes(end.habit) &&
      (end.life === '*' || end.life === life) &&
      end.exit === exit &&
      said.includes(end.words),
  );
}

function stopText({ step, exit, said }: Stop): string {
  return `${step}: stopped with ${exit}: ${said.slice(0, 600)}`;
}

/** KBSYNC_TWIN_REPORT names a file that gets a line of JSON for each life. */
function record(line: object): void {
  const file = process.env['KBSYNC_TWIN_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** KBSYNC_TWIN is `all`, or names lives: `prune,clone`. */
function chosenLives(text: string | undefined, usual: readonly LifeName[]): readonly LifeName[] {
  if (text === undefined) return usual;
  const names = Object.keys(LIVES).filter(isLife);
  return text === 'all' ? names : names.filter((name) => text.split(',').includes(name));
}

function isLife(name: string): name is LifeName {
  return name in LIVES;
}

/**
 * Plays these lives with every habit of a group. A life that known-faults.txt lists must fail, so that whoever mends it
 * takes the line away; every other one must not.
 */
export function testHabits(group: HabitGroup, lives: readonly LifeName[]): void {
  const played = chosenLives(process.env['KBSYNC_TWIN'], lives);
  const faults = knownFaults();
  for (const [name, habit] of Object.entries<Habit>(HABITS[group]))
    test(
      `${name}: nothing is lost, doubled or wrongly deleted, and each life ends in sync or with its reason`,
      async () => {
        const known = faults.filter((fault) => fault.habit === name).map(({ life }) => life);
        const wrong: string[] = [];
        for (const life of played) {
          const end = await play([name], [habit], life);
          if (known.includes(life)) {
            if (end.faults.length === 0) wrong.push(`${life}: mended; take its line out of known-faults.txt`);
          } else wrong.push(...end.faults.map((fault) => `${life}: ${fault}`));
        }
        expect(wrong).toEqual([]);
      },
      TIMEOUT_MS,
    );
}

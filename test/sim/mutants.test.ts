import { afterAll, describe, expect, test } from 'vitest';
import { mutantFactory, occurrences } from './mutant-factory.ts';
import { MUTANTS } from './mutants.ts';
import type { Mutant } from './mutants.ts';
import { CRASH_SCENARIOS } from './crash-scenarios.ts';
import { crashed } from './crash.ts';
import { ENGINE } from './engine.ts';
import type { Engine } from './engine.ts';
import { lostToPowerCuts } from './power-cuts.ts';
import { simulate } from './simulate.ts';

/** Within so many worlds a missing guard must be noticed. */
const BUDGET = Number(process.env['KBSYNC_MUTANT_BUDGET'] ?? 600);

const factory = mutantFactory();
afterAll(() => factory.close());

async function caughtByCrashes(name: string, engine: Engine): Promise<readonly string[]> {
  const scenario = CRASH_SCENARIOS.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`bug: no scenario ${name}`);
  for (let at = 1; at < 60; at += 1) {
    const { violations } = await crashed(scenario, [{ where: 'disk', at, power: false }], engine);
    if (violations.length > 0) return violations;
  }
  return [];
}

describe('the simulation notices when a guard is missing', () => {
  test('every guard is still in the sources where the mutant looks for it', () => {
    expect(MUTANTS.filter((mutant) => occurrences(mutant) !== 1).map(({ name }) => name)).toEqual([]);
  });

  for (const mutant of MUTANTS) {
    test(`noticed: ${mutant.name}`, { timeout: 3_600_000 }, async () => {
      const engine = await factory.load(mutant);
      const { caught, control } = await caughtBy(mutant, engine);
      expect(caught.slice(0, 1)).toEqual([expect.any(String)]);
      // Only what the whole engine does not do in the same world speaks of the guard.
      expect(control).toEqual([]);
    });
  }
});

async function caughtBy(mutant: Mutant, engine: Engine): Promise<Caught> {
  if (mutant.byPowerCuts === true)
    return { caught: await lostToPowerCuts(engine), control: await lostToPowerCuts(ENGINE) };
  if (mutant.scenario === undefined) return caughtByChance(mutant, engine);
  return { caught: await caughtByCrashes(mutant.scenario, engine), control: [] };
}

interface Caught {
  readonly caught: readonly string[];
  /** What the engine as it is did wrong in the world that gave the mutant away. */
  readonly control: readonly string[];
}

async function caughtByChance({ climate = {}, personality = {} }: Mutant, engine: Engine): Promise<Caught> {
  for (let seed = 1; seed <= BUDGET; seed += 1) {
    const { violations } = await simulate(seed, { engine, climate, personality });
    if (violations.length === 0) continue;
    const control = await simulate(seed, { climate, personality });
    return { caught: violations, control: control.violations.map((each) => `seed ${seed}: ${each}`) };
  }
  return { caught: [], control: [] };
}

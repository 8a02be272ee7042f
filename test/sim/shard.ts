import type { SimulateOptions } from './simulate.ts';
import { simulate } from './simulate.ts';

/** The worlds are shared out between two test files, so that two cores have work. */
export const SHARDS = 2;

/** Half of the worlds know every habit; the others stay as they were when their seeds were recorded. */
export function habitsOf(seed: number): SimulateOptions {
  if (seed % 4 < 2) return {};
  const tells = seed % 8 < 4 ? 0 : 0.15;
  return { climate: { habits: 0.3, tells }, personality: { showsUse: true } };
}

/**
 * `KBSYNC_SIM_RUNS` worlds (2,000 unless said otherwise) from `KBSYNC_SIM_SEED` on. One in ten is lived twice: the same
 * seed must leave the same trace.
 */
export async function runShard(shard: number, judge: (wrong: readonly string[]) => void): Promise<void> {
  const count = Number(process.env['KBSYNC_SIM_RUNS'] ?? 2000);
  const from = Number(process.env['KBSYNC_SIM_SEED'] ?? 1);
  const wrong: string[] = [];
  const total = { worlds: 0, runs: 0, requests: 0, crashes: 0, deletes: 0, races: 0, twice: 0 };
  for (let seed = from + shard; seed < from + count && wrong.length < 20; seed += SHARDS) {
    const life = await simulate(seed, habitsOf(seed));
    total.worlds += 1;
    total.runs += life.runs;
    total.requests += life.requests;
    total.crashes += life.crashes;
    total.deletes += life.deletes;
    total.races += life.races;
    wrong.push(...life.violations.map((violation) => `seed ${seed}: ${violation}`));
    if (seed % 10 < SHARDS) {
      total.twice += 1;
      const again = await simulate(seed, habitsOf(seed));
      if (again.traceHash !== life.traceHash) wrong.push(`seed ${seed}: I15: two lives, two traces`);
    }
  }
  console.log(
    `simulation, shard ${shard + 1}, seeds ${from} to ${from + count - 1}: ${JSON.stringify(total)}`,
  );
  judge(wrong);
}

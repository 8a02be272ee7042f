import { describe, expect, test } from 'vitest';
import { CRASH_SCENARIOS } from './crash-scenarios.ts';
import type { CrashScenario } from './crash-scenarios.ts';
import type { CrashPoint } from './crash.ts';
import { crashed } from './crash.ts';
import { chanceFrom } from './random.ts';

/** `KBSYNC_CRASH_PAIRS=all` kills again at every step of the recovery of every first death; else that many pairs. */
const PAIRS = process.env['KBSYNC_CRASH_PAIRS'] ?? '1000';

describe('a run that dies', () => {
  const all: { readonly scenario: CrashScenario; readonly point: CrashPoint }[] = [];

  for (const scenario of CRASH_SCENARIOS) {
    test(`at any step loses, doubles and wrongly deletes nothing: ${scenario.name}`, async () => {
      const wrong: string[] = [];
      let count = 0;
      for (const where of ['disk', 'before', 'after'] as const) {
        for (const power of [false, true]) {
          for (let at = 1; ; at += 1) {
            const point = { where, at, power };
            const { violations, died } = await crashed(scenario, [point]);
            wrong.push(...violations.map((violation) => `${JSON.stringify(point)} ${violation}`));
            if (died[0] !== true) break;
            count += 1;
            all.push({ scenario, point });
          }
        }
      }
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(count).toBeGreaterThan(20);
    });
  }

  test('and whose recovery dies too loses, doubles and wrongly deletes nothing', async () => {
    const wrong: string[] = [];
    const chance = chanceFrom(20261120);
    const isAll = PAIRS === 'all';
    let count = 0;
    for (let index = 0; isAll ? index < all.length : count < Number(PAIRS); index += 1) {
      const first = isAll ? all[index] : chance.pick(all);
      if (first === undefined) break;
      for (const second of isAll ? await laterPoints(first) : [somePoint()]) {
        count += 1;
        const { violations } = await crashed(first.scenario, [first.point, second]);
        wrong.push(
          ...violations.map(
            (each) => `${first.scenario.name} ${JSON.stringify([first.point, second])} ${each}`,
          ),
        );
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    console.log(`crash pairs: ${count}`);

    function somePoint(): CrashPoint {
      return {
        where: chance.oneOf('disk', 'before', 'after'),
        at: 1 + chance.below(30),
        power: chance.happens(0.5),
      };
    }
  }, 3_600_000);
});

/** The steps of the recovery from a first death. */
async function laterPoints(first: {
  readonly scenario: CrashScenario;
  readonly point: CrashPoint;
}): Promise<readonly CrashPoint[]> {
  const points: CrashPoint[] = [];
  for (const where of ['disk', 'before', 'after'] as const) {
    for (let at = 1; ; at += 1) {
      const second = { where, at, power: at % 2 === 0 };
      if ((await crashed(first.scenario, [first.point, second])).died[1] !== true) break;
      points.push(second);
    }
  }
  return points;
}

import { describe, expect, test } from 'vitest';
import { CRASH_SCENARIOS } from './crash-scenarios.ts';
import type { CrashScenario } from './crash-scenarios.ts';
import type { CrashPoint } from './crash.ts';
import { crashed } from './crash.ts';
import { chanceFrom } from './random.ts';

/** `KBSYNC_CRASH_PAIRS=all`: at every step of the recovery of every first death; else that many pairs. */
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
    const count = PAIRS === 'all' ? await everyPair(all, wrong) : await somePairs(all, Number(PAIRS), wrong);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(count).toBeGreaterThan(0);
    console.log(`crash pairs: ${count}`);
  }, 36_000_000);
});

interface FirstDeath {
  readonly scenario: CrashScenario;
  readonly point: CrashPoint;
}

async function somePairs(all: readonly FirstDeath[], count: number, wrong: string[]): Promise<number> {
  const chance = chanceFrom(20261120);
  for (let index = 0; index < count; index += 1) {
    const first = chance.pick(all);
    if (first === undefined) return 0;
    await diesTwice(first, somePoint(), wrong);
  }
  return count;

  function somePoint(): CrashPoint {
    return {
      where: chance.oneOf('disk', 'before', 'after'),
      at: 1 + chance.below(30),
      power: chance.happens(0.5),
    };
  }
}

/** Each step of the recovery from each first death, until the recovery has no such step any more. */
async function everyPair(all: readonly FirstDeath[], wrong: string[]): Promise<number> {
  let count = 0;
  for (const first of all) {
    for (const where of ['disk', 'before', 'after'] as const) {
      for (let at = 1; await diesTwice(first, { where, at, power: at % 2 === 0 }, wrong); at += 1) count += 1;
    }
  }
  return count;
}

/** Whether the recovery came as far as the second death; what was wrong afterwards goes into `wrong`. */
async function diesTwice(first: FirstDeath, second: CrashPoint, wrong: string[]): Promise<boolean> {
  const { violations, died } = await crashed(first.scenario, [first.point, second]);
  wrong.push(
    ...violations.map((each) => `${first.scenario.name} ${JSON.stringify([first.point, second])} ${each}`),
  );
  return died[1] === true;
}

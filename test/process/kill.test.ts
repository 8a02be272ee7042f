import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresMissing, startPostgres, type PostgresServer } from '../support/postgres.ts';
import { killCampaign } from './campaign.ts';
import type { LaneState } from './lane.ts';

/** `npm run campaign:kill` asks for more of them, and other ones. */
const KILLS = Number(process.env['KBSYNC_KILLS'] ?? 40);
const SHARED_KILLS = Number(process.env['KBSYNC_SHARED_KILLS'] ?? 12);
const SEED = Number(process.env['KBSYNC_SEED'] ?? 1);

const timeout = (kills: number): number => 60_000 + kills * 15_000;

/** What the next runs did not put right. */
async function wrongAfter(kills: number, state: LaneState): Promise<object> {
  const figures = await killCampaign({ kills, seed: SEED, lanes: 2, state });
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
  const { faults, duplicates, lost, wrongDeletes, extraRunsMax } = figures;
  return { faults, duplicates, lost, wrongDeletes, missing: figures.kills < kills, slow: extraRunsMax > 1 };
}

const NOTHING = { faults: [], duplicates: 0, lost: 0, wrongDeletes: 0, missing: false, slow: false };

test(
  `${KILLS} real runs are killed at any point: nothing is doubled, lost or wrongly deleted`,
  { timeout: timeout(KILLS) },
  async () => expect(await wrongAfter(KILLS, 'file')).toEqual(NOTHING),
);

test.each(['serve', 'git'] as const)(
  `${SHARED_KILLS} runs with a state in %s are killed: the next one takes over without a duplicate or a loss`,
  { timeout: timeout(SHARED_KILLS) },
  async (state) => expect(await wrongAfter(SHARED_KILLS, state)).toEqual(NOTHING),
);

describe.skipIf(postgresMissing() !== undefined)('in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  test(
    `${SHARED_KILLS} runs are killed: the next one takes over without a duplicate or a loss`,
    { timeout: timeout(SHARED_KILLS) },
    async () =>
      expect(await wrongAfter(SHARED_KILLS, { postgres: await server.freshUrl() })).toEqual(NOTHING),
  );
});

import { expect, test } from 'vitest';
import { killCampaign } from './campaign.ts';

/** `npm run campaign:kill` asks for more of them, and other ones. */
const KILLS = Number(process.env['KBSYNC_KILLS'] ?? 100);
const SEED = Number(process.env['KBSYNC_SEED'] ?? 1);

test(
  `${KILLS} real runs are killed at any point: nothing is doubled, lost or wrongly deleted`,
  { timeout: 60_000 + KILLS * 15_000 },
  async () => {
    const figures = await killCampaign({ kills: KILLS, seed: SEED, lanes: 2 });
    process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
    expect(figures.faults).toEqual([]);
    expect(figures).toMatchObject({ duplicates: 0, lost: 0, wrongDeletes: 0 });
    expect(figures.kills).toBeGreaterThanOrEqual(KILLS);
    expect(figures.extraRunsMax).toBeLessThanOrEqual(1);
  },
);

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { postgresMissing, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { fleetRig, type FleetRig } from '../support/fleet-rig.ts';
import { killCampaign } from '../support/kill-campaign.ts';

const { KBSYNC_BASES = '5', KBSYNC_KILLS = '20', KBSYNC_SEED = '7' } = process.env;

const CLOSE_MS_MAX = 3600 * 1000;

describe.skipIf(postgresMissing() !== undefined)('the campaign of kills', () => {
  let server: PostgresServer;
  let rig: FleetRig;
  beforeAll(async () => {
    server = await startPostgres();
  });
  // Two hundred services end one after the other.
  afterEach(() => rig.close(), CLOSE_MS_MAX);
  afterAll(() => server.remove());

  test(
    `${KBSYNC_BASES} knowledge bases, ${KBSYNC_KILLS} kills: nothing twice, nothing lost, one run at a time`,
    { timeout: 6 * 3600 * 1000 },
    async () => {
      const names = Array.from({ length: Number(KBSYNC_BASES) }, (_, at) => `kb-${at}`);
      rig = await fleetRig(names, {
        top: 'webhook: { secret: { variable: HOOK_SECRET } }\n',
        settings: '    schedule: 1d\n',
      });
      rig.env['DATABASE_URL'] = server.url;
      rig.env['HOOK_SECRET'] = 'a-secret-of-pushes';
      const figures = await killCampaign(rig, { kills: Number(KBSYNC_KILLS), seed: Number(KBSYNC_SEED) });
      process.stdout.write(`${JSON.stringify(figures)}\n`);
      expect(figures).toMatchObject({ duplicates: 0, lost: 0, atOnceMax: 1, kills: Number(KBSYNC_KILLS) });
    },
  );
});

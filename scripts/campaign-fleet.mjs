// The long form of the kills in test/fleet/workers: npm run campaign:fleet -- [knowledge bases] [kills] [seed]
import { spawnSync } from 'node:child_process';

const [bases = '200', kills = '200', seed = '1'] = process.argv.slice(2);
for (const text of [bases, kills, seed]) {
  if (!/^\d+$/.test(text)) {
    throw new Error(`${text} is no number; npm run campaign:fleet -- [knowledge bases] [kills] [seed]`);
  }
}
const { status } = spawnSync('npx', ['vitest', 'run', 'test/fleet/workers/kill.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, KBSYNC_BASES: bases, KBSYNC_KILLS: kills, KBSYNC_SEED: seed },
});
process.exitCode = status ?? 1;

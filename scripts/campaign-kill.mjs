// The long form of test/process/kill.test.ts: npm run campaign:kill -- [kills] [seed]
import { spawnSync } from 'node:child_process';

const [kills = '2000', seed = '1'] = process.argv.slice(2);
for (const text of [kills, seed]) {
  if (!/^\d+$/.test(text)) throw new Error(`${text} is no number; npm run campaign:kill -- [kills] [seed]`);
}
const { status } = spawnSync('npx', ['vitest', 'run', 'test/process/kill.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, KBSYNC_KILLS: kills, KBSYNC_SEED: seed },
});
process.exitCode = status ?? 1;

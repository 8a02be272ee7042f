// The long form of test/migrate/processes.test.ts: npm run campaign:migrate -- [articles]
import { spawnSync } from 'node:child_process';

const [articles = '5000'] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(articles))
  throw new Error(`${articles} is no number; npm run campaign:migrate -- [articles]`);
const { status } = spawnSync('npx', ['vitest', 'run', 'test/migrate/processes.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, KBSYNC_MIGRATE_ARTICLES: articles },
});
process.exitCode = status ?? 1;

// The service's long tests, beyond what CI runs: npm run campaign:service -- --kills 500 --fuzz 10000 --replicas [--seed 1]
// Each part is tests that CI runs too, with larger numbers; without flags all run at full length. `--replicas`: the nemesis
// for 10 minutes, 1,000 rounds of each race, and a kill at every statement of every migration, on both databases.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    fuzz: { type: 'string' },
    replicas: { type: 'boolean', default: false },
    seed: { type: 'string' },
  },
});
const isAll = values.kills === undefined && values.fuzz === undefined && !values.replicas;
const seed = values.seed === undefined ? {} : { KBSYNC_SEED: values.seed };
const kills = values.kills ?? (isAll ? '500' : undefined);
const fuzz = values.fuzz ?? (isAll ? '10000' : undefined);
if (kills !== undefined) run(['kill'], { KBSYNC_KILLS: countOf('--kills', kills) });
if (fuzz !== undefined) run(['fuzz'], { KBSYNC_FUZZ: countOf('--fuzz', fuzz) });
if (values.replicas || isAll) {
  run(['nemesis', 'store/replicas', 'store/migration', 'store/postgres', 'store/sqlite'], {
    KBSYNC_NEMESIS_SECONDS: '600',
    KBSYNC_RACE_ROUNDS: '1000',
    KBSYNC_KILL_STRIDE: '1',
  });
}

function run(names, env) {
  const files = names.map((name) => `test/service/${name}.test.ts`);
  // Vitest says nothing about a file that is not there, as long as it finds another one.
  for (const file of files) if (!existsSync(file)) throw new Error(`${file}: no such file`);
  const { status } = spawnSync('npx', ['vitest', 'run', '--no-file-parallelism', ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...seed, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
}

function countOf(flag, text) {
  if (/^[1-9]\d*$/.test(text)) return text;
  throw new Error(`${flag}: ${text} is no whole number from 1`);
}

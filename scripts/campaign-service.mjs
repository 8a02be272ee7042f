// The service's long tests, beyond what CI runs: npm run campaign:service -- --kills 500 --fuzz 10000 [--seed 1]
// Each part is the test of the same name with a larger number; without flags both run at full length.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { kills: { type: 'string' }, fuzz: { type: 'string' }, seed: { type: 'string' } },
});
const isAll = values.kills === undefined && values.fuzz === undefined;
const parts = [
  ['kill', 'KBSYNC_KILLS', values.kills ?? (isAll ? '500' : undefined)],
  ['fuzz', 'KBSYNC_FUZZ', values.fuzz ?? (isAll ? '10000' : undefined)],
];
for (const [name, variable, count] of parts) {
  if (count === undefined) continue;
  if (!/^[1-9]\d*$/.test(count)) throw new Error(`--${name}: ${count} is no whole number from 1`);
  const seed = values.seed === undefined ? {} : { KBSYNC_SEED: values.seed };
  const { status } = spawnSync('npx', ['vitest', 'run', `test/service/${name}.test.ts`], {
    stdio: 'inherit',
    env: { ...process.env, ...seed, [variable]: count },
  });
  if (status !== 0) process.exit(status ?? 1);
}

// The long form of the proofs in test/sim and test/plan: npm run campaign [-- --worlds N --laws N --seed N --pairs all|N]
// Prints the totals that docs/operations/reliability.md records. Half an hour of CPU is about 60,000 worlds.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '500000' },
    laws: { type: 'string', default: '833334' },
    seed: { type: 'string', default: '1' },
    pairs: { type: 'string', default: 'all' },
    mutants: { type: 'string', default: '2000' },
  },
});

const parts = [
  { what: 'truth table', files: ['test/plan/truth-table.test.ts'] },
  { what: 'laws of a plan', files: ['test/plan/laws.test.ts'] },
  { what: 'whole lives', files: ['test/sim/simulation.test.ts', 'test/sim/simulation-2.test.ts'] },
  { what: 'deaths at every step', files: ['test/sim/crash.test.ts'] },
  { what: 'missing guards', files: ['test/sim/mutants.test.ts'] },
  { what: 'regressions', files: ['test/sim/regressions.test.ts'] },
];

let failed = 0;
for (const { what, files } of parts) {
  const startMs = Date.now();
  const { status } = spawnSync('npx', ['vitest', 'run', ...files], {
    stdio: 'inherit',
    env: {
      ...process.env,
      KBSYNC_SIM_RUNS: values.worlds,
      KBSYNC_SIM_SEED: values.seed,
      KBSYNC_LAWS_RUNS: values.laws,
      KBSYNC_LAWS_SEED: values.seed,
      KBSYNC_CRASH_PAIRS: values.pairs,
      KBSYNC_MUTANT_BUDGET: values.mutants,
    },
  });
  const seconds = Math.round((Date.now() - startMs) / 1000);
  console.log(
    `campaign: ${what}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s, seed ${values.seed}`,
  );
  if (status !== 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;

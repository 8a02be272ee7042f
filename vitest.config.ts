import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Whole lives, deaths, kills, races, load, whole repositories, each hostile text in each command, `mv` in each layout, the store on PostgreSQL, the Action, and all pages of the site in a browser. `npm run test:long` */
export const LONG = [
  'test/sim/!(regressions).test.ts',
  'test/twin/**/*.test.ts',
  'test/sync/odd-services/**/*.test.ts',
  'test/sync/malformed.test.ts',
  'test/sync/pull/layouts.test.ts',
  'test/sync/{undo,partial,interleaved}/*.laws.test.ts',
  'test/shared-state/commands.test.ts',
  'test/site/no-markdown.test.ts',
  'test/process/**/*.test.ts',
  'test/**/{kill,nemesis,processes,corpora,hostile-clients}.test.ts',
  'test/corpora/**/*.test.ts',
  'test/service/store/{postgres,migration,replicas}.test.ts',
  'test/action/**/*.test.ts',
  'test/fleet/**/process.test.ts',
  'test/site/{browser,attacks,static/browser}.test.ts',
  'test/cli/hostile.test.ts',
  'test/cli/commands/mv/layouts.test.ts',
  'test/cli/commands/migrate/lives.test.ts',
  'test/cli/commands/pull/propose.test.ts',
  'test/service/api/generated-clients.test.ts',
];

/** The built command, a browser, PostgreSQL, or more than three seconds. `npm test` runs these and the quick ones. */
export const SLOW = [
  'test/bench/{repositories,peer-mocks}.test.ts',
  'test/package/{package,demo,ci-limits,patterns}.test.ts',
  'test/docs/{guides,migration}.test.ts',
  'test/**/{browser,attacks,process}.test.ts',
  'test/cli/commands/{build,dev,watch,serve,migrate,restore,resolve,pull}/*.test.ts',
  'test/base/{crash,shared/lease-model}.test.ts',
  'test/sim/regressions.test.ts',
  'test/session/revision.test.ts',
  'test/plan/{laws,truth-table}.test.ts',
  'test/model/compare/difference.test.ts',
  'test/cli/commands/{undo/undo,status/status,translations/accept,state/older-checkout,plan/renames}.test.ts',
  'test/cli/commands/mv/*.test.ts',
  'test/cli/run/{files.laws,scope,uploads}.test.ts',
  'test/machine/run-program.test.ts',
  'test/remote/http/{once,send}.test.ts',
  'test/service/{fuzz,listen}.test.ts',
  'test/service/api/exact.test.ts',
  'test/shared-state/{git,http,postgres,machines}.test.ts',
  'test/service/store/{sqlite,postgres-server}.test.ts',
  'test/content/{html-to-markdown,presets}/laws.test.ts',
  'test/content/reading/checkouts.test.ts',
  'test/sync/pull/pull.test.ts',
  'test/service/team-states/large.test.ts',
  'test/site/http/shared-bytes.test.ts',
  'test/service/redirects/sets.test.ts',
  'test/site/data/former-address.test.ts',
  'test/site/text/highlight.test.ts',
];

const ALL = 'test/**/*.test.ts';

export default defineConfig({
  test: {
    // Each test file belongs to exactly one of the three; a new one is quick until it is named above.
    projects: [
      // Quick files share a process and what it has loaded, and so do slow ones: that halves the time of the quick ones. They mock no module and set no global.
      { extends: true, test: { name: 'quick', include: [ALL], exclude: [...SLOW, ...LONG], isolate: false } },
      { extends: true, test: { name: 'slow', include: SLOW, exclude: LONG, isolate: false } },
      { extends: true, test: { name: 'long', include: LONG } },
    ],
    globalSetup: ['test/support/temporary-root.ts', 'test/support/build-threads.ts'],
    // No test is about speed: the limit only ends one that hangs, also on a machine with ten other things to do.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // Many tests wait for processes: two of them leave a third of two cores unused. Vitest would take one for two cores.
    maxWorkers: availableParallelism() + 1,
    coverage: {
      // What decides and what remembers: there, a branch that no test enters is a rule that nobody has stated.
      include: ['src/plan/**', 'src/base/**'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { 'src/plan/**': { branches: 100 }, 'src/base/**': { branches: 100 } },
    },
  },
});

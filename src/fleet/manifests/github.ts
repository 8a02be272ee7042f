import { stringify } from 'yaml';
import { SetupError } from '../../config/setup-error.ts';
import type { Fleet } from '../settings/settings.ts';

/** docs.github.com, "Usage limits": a matrix makes at most 256 jobs a run. */
const JOBS_MAX = 256;

/**
 * A workflow of GitHub Actions with one job for each knowledge base. The folder of the fleet is kept in the cache, one entry for each.
 * @throws SetupError if a key is in a file, or there are more knowledge bases than a matrix takes
 */
export function githubWorkflow(fleet: Fleet): string {
  if (fleet.bases.length > JOBS_MAX) {
    throw new SetupError(
      'usage',
      `a matrix of GitHub takes ${JOBS_MAX} jobs, and the file has ${fleet.bases.length}`,
      {
        help: 'use workers (kbsync fleet), or --print k8s',
      },
    );
  }
  const include = fleet.bases.map(({ name, key }) => {
    if ('variable' in key) return { name, key: key.variable };
    throw new SetupError('usage', `the key of ${name} is in a file, and GitHub keeps secrets as variables`, {
      help: 'key: { variable: NAME }',
    });
  });
  const folder = '.kbsync-fleet';
  const workflow = {
    name: 'fleet',
    on: { schedule: [{ cron: '*/15 * * * *' }], workflow_dispatch: {} },
    permissions: { contents: 'read' },
    jobs: {
      sync: {
        'runs-on': 'ubuntu-latest',
        strategy: { 'fail-fast': false, 'max-parallel': fleet.atOnce, matrix: { include } },
        concurrency: { group: 'fleet-${{ matrix.name }}', 'cancel-in-progress': false },
        steps: [
          { uses: 'actions/checkout@v4' },
          {
            uses: 'actions/cache@v4',
            with: {
              path: folder,
              key: 'fleet-${{ matrix.name }}-${{ github.run_id }}-${{ github.run_attempt }}',
              'restore-keys': 'fleet-${{ matrix.name }}-',
            },
          },
          {
            run: 'npx kbsync fleet --once "$NAME" --file fleet.yaml',
            env: { NAME: '${{ matrix.name }}', ...secretsOf(include.map(({ key }) => key)) },
          },
        ],
      },
    },
  };
  return stringify(workflow, { lineWidth: 0 });
}

/** Each job gets the value of its own key only. */
function secretsOf(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, `\${{ matrix.key == '${name}' && secrets.${name} || '' }}`]),
  );
}

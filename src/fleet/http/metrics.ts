import type { Standing } from '../runs/standings.ts';
import { CONDITIONS } from '../runs/verdict.ts';

/** The text of Prometheus' exposition format, version 0.0.4. */
export function fleetMetrics(standings: readonly Standing[]): string {
  const known = standings.flatMap(({ name, outcome }) => (outcome === undefined ? [] : [{ name, outcome }]));
  return [
    ...family(
      'kbsync_fleet_condition',
      'Whether the knowledge base is in this condition: 1 or 0.',
      standings.flatMap(({ name, condition }) =>
        [...CONDITIONS, 'never-run'].map(
          (one) => [`name="${name}",condition="${one}"`, one === condition ? 1 : 0] as const,
        ),
      ),
    ),
    ...family(
      'kbsync_fleet_condition_since_seconds',
      'When the condition began, in seconds since 1970.',
      known.map(({ name, outcome }) => [`name="${name}"`, Date.parse(outcome.since) / 1000]),
    ),
    ...family(
      'kbsync_fleet_last_run_seconds',
      'When the last run ended, in seconds since 1970.',
      known.map(({ name, outcome }) => [`name="${name}"`, Date.parse(outcome.at) / 1000]),
    ),
    ...family(
      'kbsync_fleet_commits_behind',
      'Commits of the branch that the knowledge base does not have yet.',
      known.flatMap(({ name, outcome: { behind } }) =>
        behind === undefined ? [] : [[`name="${name}"`, behind] as const],
      ),
    ),
    ...family(
      'kbsync_fleet_runs_total',
      'Runs that ended.',
      known.map(({ name, outcome }) => [`name="${name}"`, outcome.runs]),
      'counter',
    ),
    '',
  ].join('\n');
}

/** Names are made of letters, digits and -, so labels need no escapes. */
function family(
  name: string,
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
  type = 'gauge',
): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}{${labels}} ${value}`),
  ];
}

import type { Env } from '../machine/machine.ts';
import type { ForgeJob } from './forge.ts';
import { gitHub } from './github.ts';
import { gitLab } from './gitlab.ts';

/** The job that this process is part of; undefined where no variable names one. */
export function forgeJob(env: Env): ForgeJob | undefined {
  if (env['GITHUB_ACTIONS'] === 'true') return gitHub(env);
  return env['GITLAB_CI'] === 'true' ? gitLab(env) : undefined;
}

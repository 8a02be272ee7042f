import { postJson } from '../../../fleet/runs/post.ts';
import { rememberLost } from '../../../fleet/runs/run-base.ts';
import { startRun, type RunEnd, type StartOptions } from '../../../fleet/runs/start-run.ts';
import type { Fleet, KnowledgeBase } from '../../../fleet/settings/settings.ts';
import type { World } from '../../world.ts';

/** A run in a process of its own. If that process is killed, it cannot say so itself. */
export async function runAndRemember(
  fleet: Fleet,
  base: KnowledgeBase,
  options: StartOptions,
  { env, clock, files }: World,
): Promise<RunEnd> {
  const end = await startRun(fleet, base, options);
  if (!end.isLost || options.signal.aborted) return end;
  await rememberLost(fleet, base, { message: end.message, env, clock, files, post: postJson });
  return { ...end, condition: 'failing' };
}

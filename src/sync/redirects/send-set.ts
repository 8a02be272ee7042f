import type { RedirectChanges } from '../../plan/plan.ts';
import { RemoteError } from '../../remote/error.ts';
import type { RedirectsEnd } from '../report.ts';
import type { RunOptions } from '../options.ts';

/** Has the service replace the set. A set that it does not take is told, and sent again by the next run. */
export async function sendSet(
  { repository, tag, lines, former, unread }: RedirectChanges,
  { remote, signal }: RunOptions,
  stop: string | undefined,
): Promise<RedirectsEnd | undefined> {
  if (repository === undefined) return undefined;
  if (signal?.aborted === true) return { outcome: 'skipped', message: 'the run was interrupted' };
  if (stop !== undefined) return { outcome: 'skipped', message: stop };
  if (unread !== undefined) return { outcome: 'failed', message: unread };
  try {
    const claimed = await remote.writeRedirects(repository, tag, lines);
    // Its lines are in the new set by now.
    for (const name of former) await remote.writeRedirects(name, tag, []);
    return { outcome: 'done', message: 'kept by the service', claimed };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    const outcome = error.code === 'aborted' ? 'skipped' : 'failed';
    return { outcome, message: error.serviceMessage ?? error.message };
  }
}

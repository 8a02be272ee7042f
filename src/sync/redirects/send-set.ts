import { REDIRECT_LINES_MAX } from '../../contract/redirects.ts';
import type { OldAddress } from '../../model/address/redirect.ts';
import type { RedirectChanges } from '../../plan/plan.ts';
import { RemoteError } from '../../remote/error.ts';
import type { RedirectsEnd, Result } from '../report.ts';
import type { RunOptions } from '../options.ts';
import { puts, tagWhile } from './set-lines.ts';

/**
 * Has the service replace the set. A set that it does not take is told, and sent again by the next run. `ends`: of the records, which
 * were sent before.
 */
export async function sendSet(
  changes: RedirectChanges,
  { remote, signal }: RunOptions,
  { stop, ends = [] }: { readonly stop?: string | undefined; readonly ends?: readonly Result[] } = {},
): Promise<RedirectsEnd | undefined> {
  const { repository, former, unread } = changes;
  if (repository === undefined) return undefined;
  if (signal?.aborted === true) return { outcome: 'skipped', message: 'the run was interrupted' };
  if (stop !== undefined) return { outcome: 'skipped', message: stop };
  if (unread !== undefined) return { outcome: 'failed', message: unread };
  const { lines, tag, waiting } = withoutUnsent(changes, ends);
  try {
    const claimed = await remote.writeRedirects(repository, tag, lines);
    // Its lines are in the new set by now.
    for (const name of former) await remote.writeRedirects(name, tag, []);
    return { outcome: 'done', message: 'kept by the service', claimed, waiting };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    const outcome = error.code === 'aborted' ? 'skipped' : 'failed';
    return { outcome, message: error.serviceMessage ?? error.message };
  }
}

/** A page whose new address or whose delete did not arrive is where it was, and so are the lines that lead to it. */
function withoutUnsent(
  { tag, lines, changed, removed }: RedirectChanges,
  ends: readonly Result[],
): Pick<RedirectChanges, 'tag' | 'lines'> & { readonly waiting: number } {
  const unsent = new Set<string>(ends.filter(({ outcome }) => outcome !== 'done').map(({ key }) => key));
  const sent = new Map(lines.map((line) => [line.from, line]));
  const waiting: OldAddress[] = [];
  for (const { from, before } of changed) {
    const now = sent.get(from);
    if (now === undefined || !unsent.has(now.key ?? '')) continue;
    const line = { ...now, to: before };
    if (puts(sent, line)) waiting.push(line);
  }
  for (const line of removed) {
    if (!unsent.has(line.key ?? '') || sent.size >= REDIRECT_LINES_MAX) continue;
    if (puts(sent, line)) waiting.push(line);
  }
  if (waiting.length === 0) return { tag, lines, waiting: 0 };
  return { tag: tagWhile(waiting, tag), lines: [...sent.values()], waiting: waiting.length };
}

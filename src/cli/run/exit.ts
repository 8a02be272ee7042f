import type { Blocked, Hold, Plan } from '../../plan/plan.ts';
import type { Result, SyncReport } from '../../sync/report.ts';
import { redirectCount } from '../print/plan/redirects.ts';

/** docs/reference/exit-codes.md. Scripts rely on these numbers. */
export const EXIT = {
  done: 0,
  failed: 1,
  pending: 2,
  conflicts: 3,
  refused: 4,
  partly: 5,
  usage: 64,
  interrupted: 130,
} as const;

/** `plan` alone succeeds even with changes pending, unless `--exit-code` is given; errors in files, conflicts and refusals always show. */
export function planExit(
  plan: Plan,
  options: { readonly exitCode: boolean; readonly hasErrors?: boolean },
): number {
  if (plan.refusals.length > 0) return EXIT.refused;
  if (plan.conflicts.length > 0 || plan.blocked.some(isForAPerson)) return EXIT.conflicts;
  if (options.hasErrors || plan.redirects?.unread !== undefined) return EXIT.failed;
  const isPending = plan.changes.length > 0 || redirectCount(plan) > 0;
  return options.exitCode && isPending ? EXIT.pending : EXIT.done;
}

/**
 * The worst thing that happened decides: interrupted, refused, failed or partly done, conflicts, done. Deletes that were
 * asked for and not made are work that is not done; where nothing else happened and a flag lifts what holds them, a guard
 * has refused them.
 */
export function syncExit(report: SyncReport): number {
  const { plan, results, summary } = report;
  if (report.interrupted) return EXIT.interrupted;
  if (plan.refusals.length > 0) return EXIT.refused;
  const isUnfinished = results.some((result) => result.outcome !== 'done') || summary.pending > 0;
  if (isUnfinished) {
    const hasWritten = ({ outcome, hasWritten: wrote }: Result) => outcome === 'done' || wrote === true;
    const isDone = results.some(hasWritten) || summary.pending > 0;
    return !isDone && summary.failed > 0 ? EXIT.failed : EXIT.partly;
  }
  if (report.redirects !== undefined && report.redirects.outcome !== 'done') return EXIT.partly;
  if (keptAgainstWish(plan).length > 0) {
    const isHeld = plan.holds.length > 0 && plan.holds.every(isLiftable);
    const isForGood = keptAgainstWish(plan).every(({ reason }) => STAYS_FOR_GOOD.has(reason));
    const isRefused = results.length === 0 && (isHeld || isForGood);
    return isRefused ? EXIT.refused : EXIT.partly;
  }
  if (plan.conflicts.length > 0 || plan.blocked.some(isForAPerson)) return EXIT.conflicts;
  return plan.blocked.some(isUnfinishedWork) ? EXIT.partly : EXIT.done;
}

/** No later run deletes these by itself. */
const STAYS_FOR_GOOD: ReadonlySet<Plan['kept'][number]['reason']> = new Set(['protected', 'no-state']);

/** Records whose delete was asked for and was not even tried. */
function keptAgainstWish({ prunes, kept }: Plan): Plan['kept'] {
  return prunes ? kept.filter(({ reason }) => reason !== 'no-prune') : [];
}

/** By a flag. A record that could not be read may be readable in the next run. */
function isLiftable(hold: Hold): boolean {
  return hold.what === 'unmatched' || (hold.what === 'list' && !hold.isLeaky && hold.isUnread !== true);
}

/** Another repository's record has its place, or the original's value is the one that is kept: no run can change that. */
function isForAPerson({ reason }: Blocked): boolean {
  return reason === 'taken' || reason === 'shared';
}

/**
 * A translation whose original has no file cannot be sent by anybody and is already a warning in the content; every
 * other block is work that a later run may finish.
 */
export function isUnfinishedWork(blocked: Blocked): boolean {
  return blocked.reason !== 'original-missing';
}

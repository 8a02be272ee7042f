import type { Blocked, Plan } from '../../plan/plan.ts';
import type { SyncReport } from '../../sync/report.ts';

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

/** `plan` alone succeeds even with changes pending, unless `--exit-code` is given; conflicts and refusals always show. */
export function planExit(plan: Plan, options: { readonly exitCode: boolean }): number {
  if (plan.refusals.length > 0) return EXIT.refused;
  if (plan.conflicts.length > 0 || plan.blocked.some(isForAPerson)) return EXIT.conflicts;
  return options.exitCode && plan.changes.length > 0 ? EXIT.pending : EXIT.done;
}

/** The worst thing that happened decides: interrupted, refused, failed or partly done, conflicts, done. */
export function syncExit(report: SyncReport): number {
  const { plan, results, summary } = report;
  if (report.interrupted) return EXIT.interrupted;
  if (plan.refusals.length > 0) return EXIT.refused;
  const isUnfinished = results.some((result) => result.outcome !== 'done') || summary.pending > 0;
  if (isUnfinished) {
    const isDone = results.some(({ outcome }) => outcome === 'done') || summary.pending > 0;
    return !isDone && summary.failed > 0 ? EXIT.failed : EXIT.partly;
  }
  if (plan.conflicts.length > 0 || plan.blocked.some(isForAPerson)) return EXIT.conflicts;
  return plan.blocked.some(isUnfinishedWork) ? EXIT.partly : EXIT.done;
}

/** Another repository's record has its place: no run can change that. */
function isForAPerson({ reason }: Blocked): boolean {
  return reason === 'taken';
}

/**
 * A translation whose original has no file cannot be sent by anybody and is already a warning in the content; every
 * other block is work that a later run may finish.
 */
export function isUnfinishedWork(blocked: Blocked): boolean {
  return blocked.reason !== 'original-missing';
}

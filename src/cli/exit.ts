import type { Blocked, Plan } from '../plan/plan.ts';
import type { SyncReport } from '../sync/report.ts';

/** DESIGN.md, "The command". Scripts rely on these numbers. */
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

/** `plan` alone is green whatever is pending, unless `--exit-code` asks; conflicts and refusals always show. */
export function planExit(plan: Plan, options: { readonly exitCode: boolean }): number {
  if (plan.refusals.length > 0) return EXIT.refused;
  if (plan.conflicts.length > 0) return EXIT.conflicts;
  return options.exitCode && plan.changes.length > 0 ? EXIT.pending : EXIT.done;
}

/** The worst thing that happened decides: interrupted, refused, failed or partly done, conflicts, done. */
export function syncExit(report: SyncReport): number {
  const { plan, results, summary } = report;
  if (report.interrupted) return EXIT.interrupted;
  if (plan.refusals.length > 0) return EXIT.refused;
  const isUnfinished = results.some((result) => result.outcome !== 'done') || summary.pending > 0;
  if (isUnfinished) {
    const isAllFailed = summary.pending === 0 && results.every((result) => result.outcome === 'failed');
    return isAllFailed ? EXIT.failed : EXIT.partly;
  }
  if (plan.conflicts.length > 0) return EXIT.conflicts;
  return plan.blocked.some(isUnfinishedWork) ? EXIT.partly : EXIT.done;
}

/**
 * A translation whose original has no file cannot be sent by anybody and is already a warning in the content; every
 * other block is work that a later run may finish.
 */
export function isUnfinishedWork(blocked: Blocked): boolean {
  return blocked.reason !== 'original-missing';
}

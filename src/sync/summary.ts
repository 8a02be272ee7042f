import type { Plan } from '../plan/plan.ts';
import type { Result, SyncSummary } from './report.ts';

/** The counts of the JSON shape (DESIGN.md, "The command"). */
export function summaryOf(plan: Plan, results: readonly Result[]): SyncSummary {
  const done = (action: Result['action']) =>
    results.filter((result) => result.action === action && result.outcome === 'done').length;
  return {
    created: done('create'),
    updated: done('update'),
    deleted: done('delete'),
    unchanged: plan.unchanged,
    conflict: plan.conflicts.length,
    drift: plan.drift.length,
    failed: results.filter(({ outcome }) => outcome === 'failed' || outcome === 'skipped').length,
    pending:
      results.filter(({ outcome }) => outcome === 'pending').length +
      plan.blocked.filter(({ reason }) => reason === 'pending').length,
  };
}

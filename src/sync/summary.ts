import type { Plan } from '../plan/plan.ts';
import type { Outcome, Result, SyncSummary } from './report.ts';

/** The counts of the JSON shape (DESIGN.md, "The command"). */
export function summaryOf(plan: Plan, results: readonly Result[]): SyncSummary {
  const done = (action: Result['action']) =>
    results.filter((result) => result.action === action && result.outcome === 'done').length;
  const ended = (how: Outcome) => results.filter(({ outcome }) => outcome === how).length;
  return {
    created: done('create'),
    updated: done('update'),
    deleted: done('delete'),
    unchanged: plan.unchanged,
    conflict: plan.conflicts.length,
    drift: plan.drift.length,
    failed: ended('failed'),
    pending: ended('pending') + plan.blocked.filter(({ reason }) => reason === 'pending').length,
    skipped: ended('skipped'),
  };
}

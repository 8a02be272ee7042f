import type { Plan } from '../plan/plan.ts';
import type { Paint } from './colour.ts';
import { counted, grouped } from './numbers.ts';

/** Nothing to send and nothing to decide. */
export function isInStep(plan: Plan): boolean {
  return (
    plan.changes.length === 0 &&
    plan.conflicts.length === 0 &&
    plan.refusals.length === 0 &&
    plan.drift.length === 0 &&
    plan.kept.length === 0 &&
    plan.blocked.every((blocked) => blocked.reason === 'original-missing')
  );
}

/**
 * `in step: 5 records unchanged, 1 unmanaged`, or `in step but for 2 blocked: …`: translations that wait for an original
 * are nothing that a run could send, and yet not in step.
 */
export function inStepSum({ blocked, unchanged, unmanaged }: Plan, paint: Paint): string {
  const isWhole = blocked.length === 0;
  const head = isWhole
    ? paint.green('in step')
    : paint.yellow(`in step but for ${grouped(blocked.length)} blocked`);
  const others = unmanaged.length === 0 ? '' : `, ${grouped(unmanaged.length)} unmanaged`;
  return `${head}: ${counted(unchanged, 'record')} unchanged${others}`;
}

import type { Plan } from '../../../src/plan/plan.ts';

/** A plan of nothing. */
export const EMPTY_PLAN: Plan = {
  changes: [],
  conflicts: [],
  drift: [],
  unmanaged: [],
  kept: [],
  prunes: false,
  holds: [],
  files: [],
  excluded: [],
  scheduled: [],
  unmatched: [],
  blocked: [],
  refusals: [],
  learnt: [],
  unchanged: 0,
  labels: {},
};

import type { Family, Key } from '../model/key.ts';
import { familyOf, langOf } from '../model/key.ts';
import type { PlanInput } from './plan-input.ts';
import type { Choices, Decision } from './reconcile.ts';
import { reconcile } from './reconcile.ts';
import type { Sides } from './reconcile.ts';

/**
 * Records that a run is about when it is not about all. `all` writes whatever they need; `disputes` only settles
 * conflicts and drift: a record without either is left as it is.
 */
export interface Only {
  readonly keys: ReadonlySet<Key>;
  readonly what: 'all' | 'disputes';
}

const UNDECIDED: Choices = { onConflict: 'fail', onDrift: 'report', adopt: 'fail' };

export function isSelected(key: Key, { languages, only, focus }: PlanInput): boolean {
  return (
    (languages === undefined || languages.includes(langOf(key))) &&
    (only === undefined || only.keys.has(key)) &&
    (focus === undefined || focus.keys.has(key))
  );
}

/** Whether a run that only settles disputes has nothing to do with this record. */
export function isUndisputed(sides: Sides, { only }: PlanInput): boolean {
  if (only === undefined || only.what === 'all') return false;
  const decision: Decision = reconcile(sides, UNDECIDED);
  if (decision.verdict === 'conflict' || decision.verdict === 'drift') return false;
  return decision.verdict !== 'update' || decision.drift.length === 0;
}

/** Families of which this run leaves some record out: what their list entry says now was not looked at as a whole. */
export function partlySelected(input: PlanInput): ReadonlySet<Family> {
  if (input.focus !== undefined) return input.focus.untrusted;
  if (input.languages === undefined && input.only === undefined) return new Set();
  const keys = [...input.desired.records.keys(), ...input.base.records.keys()];
  return new Set(
    input.only === undefined
      ? keys.filter((key) => !isSelected(key, input)).map(familyOf)
      : keys.map(familyOf),
  );
}

import type { Family, Key } from '../model/key.ts';
import { familyOf, langOf } from '../model/key.ts';
import type { DesiredRecord } from '../model/record.ts';
import type { PlanInput } from './plan-input.ts';
import type { Decision } from './reconcile.ts';
import type { RecordRule, Sides } from './sides.ts';
import { reconcile } from './reconcile.ts';
import { NO_CHOICES } from './policy.ts';

export function isSelected(key: Key, { languages, only, focus }: PlanInput): boolean {
  return (
    (languages === undefined || languages.includes(langOf(key))) &&
    (only === undefined || only.keys.has(key)) &&
    (focus === undefined || focus.keys.has(key))
  );
}

/** Thousands of records need not be made and sorted for the one that somebody has saved; in a whole run the order stands on all. */
export function selectedRecords({ focus, desired: { records } }: PlanInput): readonly DesiredRecord[] {
  return focus === undefined
    ? [...records.values()]
    : [...focus.keys].map((key) => records.get(key)).filter((record) => record !== undefined);
}

/**
 * What kbsync.yaml says of a record. One that was moved stays protected by its old name: both names are in the plan. What is
 * given back is nobody's to protect.
 */
export function ruleOf(
  key: Key,
  { desired, moves }: Pick<PlanInput, 'desired' | 'moves'>,
): RecordRule | undefined {
  const { protects, releases } = desired;
  if (releases?.has(key) === true && !desired.records.has(key)) return 'released';
  if (protects === undefined) return undefined;
  const wasProtected = (): boolean =>
    moves.some(
      (move) =>
        move.how === 'moved' && move.from !== undefined && move.record.key === key && protects.has(move.from),
    );
  return protects.has(key) || wasProtected() ? 'protected' : undefined;
}

/** Words of `protect` that no record fits: a misspelt one protects nothing. */
export function unmatchedWords({ desired, base, focus }: PlanInput): readonly string[] {
  if (desired.protects === undefined || focus !== undefined) return [];
  return desired.protects.unmatched([
    ...desired.records.keys(),
    ...(desired.withheld?.keys() ?? []),
    ...base.records.keys(),
  ]);
}

/** Whether a run that only resolves disputes has nothing to do with this record. */
export function isUndisputed(sides: Sides, { only, ways }: PlanInput): boolean {
  if (only?.what !== 'disputes') return false;
  const decision: Decision = reconcile(sides, NO_CHOICES, ways);
  if (decision.verdict === 'conflict' || decision.verdict === 'drift') return false;
  return decision.verdict !== 'update' || decision.drift.length === 0;
}

/** Families from which this run leaves a record out: it did not check all that their list entry stands for. */
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

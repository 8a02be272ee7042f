import type { Intent } from '../../base/base.ts';
import type { Key } from '../../model/key.ts';
import { familyOf, keyIn } from '../../model/key.ts';
import type { BaseState } from '../../model/record.ts';
import type { PlanInput } from '../../plan/plan-input.ts';
import type { Plan } from '../../plan/plan.ts';
import type { SyncReport } from '../report.ts';
import { isAllInSync, othersBeside, withoutLists } from './known-outcome.ts';
import type { KnownOutcome, OutcomeMemory } from './known-outcome.ts';
import type { Lists, Peeked } from './peeked-lists.ts';

/** Of more writes, the steps of the lists cost more than the next run gains: its rows tell that run enough. */
const FOLLOWED_MAX = 200;

/**
 * All is in sync once these changes are done, if the lists alone said of every other record that it is as the base knows it. The next
 * run sees that nobody wrote meanwhile by the tags that these writes led to, or by each row of its lists.
 */
export function outcomeOfChanges(
  plan: Plan,
  input: PlanInput,
  { tags, read }: Peeked & { readonly read: () => Lists },
  before: BaseState,
): KnownOutcome | undefined {
  const { changes, unchanged, unmanaged } = plan;
  if (changes.length === 0) return undefined;
  const changed = new Set(changes.map(({ key }) => key));
  for (const [key, { state }] of input.remote) if (state !== 'base' && !changed.has(key)) return undefined;
  const kept = changes.filter(({ action }) => action !== 'delete');
  const others = othersBeside(read(), before, input.desired.defaultLanguage);
  const isFollowed = tags !== undefined && changes.length <= FOLLOWED_MAX;
  return { unchanged: unchanged + kept.length, unmanaged, others, ...(isFollowed ? { tags } : {}) };
}

/** The same where the outcome before the edits is known: what the edited records add is the plan's alone. */
export function outcomeOfEdits(outcome: KnownOutcome, { tags }: Peeked): KnownOutcome {
  return withTags(withoutLists(outcome), tags);
}

/** What a run that wrote has come to. */
export interface EndOfWrites {
  readonly report: SyncReport;
  readonly state: BaseState;
  readonly open: readonly Intent[];
  readonly defaultLanguage: string;
  /** Of the saved state; undefined: it was not saved. */
  readonly checksum: string | undefined;
}

/** Has the next run know that all is in sync, if this one has done all, and the lists can tell the next one that it still holds. */
export function rememberOutcome(
  outcome: KnownOutcome,
  { report, state, open, defaultLanguage, checksum }: EndOfWrites,
  outcomes: OutcomeMemory | undefined,
): void {
  const isTold = outcome.tags !== undefined || outcome.others !== undefined;
  if (checksum === undefined || !isTold || !isAllDone(report, open)) return;
  if (report.plan.changes.every(({ key }) => isConfirmed(key, state, defaultLanguage)))
    outcomes?.writeAfter?.(outcome, checksum);
}

/** The tags that the lists have now; undefined: nobody knows them. */
export function withTags(
  { tags: _before, ...outcome }: KnownOutcome,
  tags: KnownOutcome['tags'],
): KnownOutcome {
  return tags === undefined ? outcome : { ...outcome, tags };
}

/** Whether the state knows what the lists show of a record since it was written: else the next run reads it before it is trusted. */
function isConfirmed(key: Key, { records }: BaseState, defaultLanguage: string): boolean {
  return !records.has(key) || records.get(keyIn(familyOf(key), defaultLanguage))?.seen !== undefined;
}

/** The record is ours as before, and the base knows it now as it is. */
const SAVED = new Set<string>(['refreshed', 'converged'] satisfies Plan['learnt'][number]['how'][]);

/** Whether the run leaves nothing to do, to ask, to say again or to learn. */
function isAllDone(
  { plan, results, lost, redirects, interrupted }: SyncReport,
  open: readonly Intent[],
): boolean {
  return (
    // What was learnt of the edited records is saved.
    isAllInSync({ ...plan, changes: [], learnt: plan.learnt.filter(({ how }) => !SAVED.has(how)) }) &&
    results.every(({ outcome }) => outcome === 'done') &&
    results.length === plan.changes.length &&
    lost.length + open.length === 0 &&
    (redirects?.outcome ?? 'done') === 'done' &&
    !interrupted
  );
}

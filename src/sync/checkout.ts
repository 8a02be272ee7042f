import type { BaseState } from '../model/record.ts';
import type { Checkout } from '../model/revision.ts';
import { isOlder, revisionText } from '../model/revision.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunOptions } from './options.ts';

/** The commit that the state names from now on. */
export function withRevision(
  state: BaseState,
  { changes }: Pick<Plan, 'changes'>,
  { checkout, policy }: Pick<RunOptions, 'checkout' | 'policy'>,
): BaseState {
  if (checkout === undefined || checkout.relation === 'same') return state;
  if (isOlder(checkout) && !policy.allow.has('older-commit')) return state;
  const { revision, ...others } = state;
  if (checkout.own !== undefined) return { ...others, revision: checkout.own };
  // Files of no commit that have nothing to send are those of the commit that is known.
  return revision === undefined || changes.length === 0 ? state : others;
}

/** What nobody can know is said where something could be taken back: a create takes nothing back. */
export function tellDoubtfulCheckout({ changes }: Plan, { checkout, emit }: RunOptions): void {
  const { known, relation } = checkout ?? {};
  if (known === undefined || changes.every(({ action }) => action === 'create')) return;
  const text = doubtOf(relation, revisionText(known));
  if (text !== undefined) emit({ type: 'note', text });
}

function doubtOf(relation: Checkout['relation'] | undefined, known: string): string | undefined {
  const was = `the last sync was made from ${known}`;
  switch (relation) {
    case 'beside':
      return `${was}, which is not in the history of this checkout (another branch, a rebase or a force-push?): what changed only there is taken back`;
    case 'dated-after':
      return `${was}, which this clone does not hold; its date is earlier, so kbsync goes on. Whether this checkout contains it, only the whole history tells (fetch-depth: 0, or git fetch --unshallow)`;
    case 'untold':
      return `${was}; git does not tell here whether this checkout is older, so what changed there may be taken back`;
    default:
      return undefined;
  }
}

import type { Family, Key, RemoteId } from '../../model/key.ts';
import type { BaseRecord, BaseValue } from '../../model/record.ts';
import type { Blocked, Change, Conflict, Drift, Learnt } from '../plan.ts';

/** What the making of a plan collects on the way. */
export interface Collected {
  readonly changes: Change[];
  readonly conflicts: Conflict[];
  readonly drift: Drift[];
  readonly blocked: Blocked[];
  readonly learnt: Learnt[];
  /** Base records the run will end with, for records that need no request; the `seen` of originals is added last. */
  readonly records: Map<Key, { readonly how: 'adopted' | 'acknowledged'; readonly record: BaseRecord }>;
  /** Families with a record that is not in sync: the next run must not trust their list fingerprint. */
  readonly unsteady: Set<Family>;
  /** Originals that will exist once the plan is carried out. */
  readonly coming: Set<Family>;
  /** Categories that move, with their new parents. */
  readonly moving: Map<Family, BaseValue | undefined>;
  readonly categories: () => ReadonlyMap<RemoteId, Family>;
  unchanged: number;
}

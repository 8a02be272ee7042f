import type { BaseStore } from '../base/base.ts';
import type { History } from '../base/history/history.ts';
import type { Clock } from '../model/clock.ts';
import type { Emit } from '../model/event.ts';
import type { BaseState, DesiredState } from '../model/record.ts';
import type { Repository, RepositoryNames } from '../model/repository.ts';
import type { Checkout, Revision } from '../model/revision.ts';
import type { Renamed } from '../plan/plan.ts';
import type { OpenNames } from '../plan/renamed.ts';
import type { Remote } from '../remote/remote.ts';
import type { SyncPolicy } from './report.ts';
import type { SaveTrash } from './run.ts';
import type { OutcomeMemory } from './outcome/known-outcome.ts';

export interface SyncOptions {
  readonly remote: Remote;
  readonly base: BaseStore;
  readonly policy: SyncPolicy;
  /** The records that each run is about, which may be others once files have changed; undefined: those of the policy. */
  readonly choose?: (desired: DesiredState, base: BaseState) => SyncPolicy['only'];
  readonly emit: Emit;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly signal?: AbortSignal;
  readonly saveTrash: SaveTrash;
  /** Where the run notes what it does; undefined: nowhere. */
  readonly history?: History | undefined;
  /** Whose run it is; undefined: of a folder that nothing names. */
  readonly repository?: RepositoryNames;
  /** Why files may only seem to be gone now; asked by each run that may delete. */
  readonly doubts?: () => Promise<readonly string[]>;
  /** Which of the new records' files git knows under the names of records that lost theirs; undefined: the runs are not about files. */
  readonly renames?: (names: OpenNames) => Promise<readonly Renamed[]>;
  /** What is checked out, beside the commit that the state names; asked by each run. undefined: the runs are not about files. */
  readonly checkout?: (known: Revision | undefined) => Promise<Checkout>;
  /** Of the knowledge base, for runs over all that the files say, their old addresses too; undefined: these are left alone. */
  readonly origin?: string | undefined;
  /** Of runs that found everything in sync with these very files, base and wishes. */
  readonly outcomes?: OutcomeMemory | undefined;
}

/** Those of one run. */
export interface RunOptions extends Omit<SyncOptions, 'repository' | 'checkout'> {
  readonly repository: Repository;
  /** Of this run. */
  readonly checkout?: Checkout;
  /** Operations that were open when the command began: what a flag vouches for can only be about them. */
  readonly openBefore: ReadonlySet<string>;
}

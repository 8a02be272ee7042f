import type { Key, Kind } from '../model/key.ts';
import type { Plan } from '../plan/plan.ts';
import type { Only } from '../plan/selection.ts';

export type Outcome = 'done' | 'failed' | 'skipped' | 'pending';

/** What became of one change. */
export interface Result {
  readonly key: Key;
  readonly kind: Kind;
  readonly lang: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly outcome: Outcome;
  readonly id?: string;
  readonly message: string;
}

export interface SyncSummary {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly conflict: number;
  readonly drift: number;
  readonly failed: number;
  readonly pending: number;
  /** Changes that were not sent: the run was interrupted, or they stood on something that failed. */
  readonly skipped: number;
}

export interface SyncReport {
  readonly plan: Plan;
  readonly results: readonly Result[];
  readonly summary: SyncSummary;
  readonly requests: number;
  readonly durationMs: number;
  readonly interrupted: boolean;
}

/** What the run was asked to do with what it finds. */
export interface SyncPolicy {
  readonly prune: boolean;
  /** undefined: 20 % of the managed records or 10, whichever is larger. */
  readonly maxDelete: number | undefined;
  readonly onConflict: 'fail' | 'local' | 'remote';
  readonly onDrift: 'report' | 'overwrite' | 'acknowledge';
  /** What to do with records that exist on both sides and of which no witness says whose the difference is. */
  readonly adopt: 'fail' | 'local' | 'remote';
  /** `--allow-vanished`, `--allow-scope-change`, `--assume-complete`, `--allow-empty-remote`. */
  readonly allow: ReadonlySet<'vanished' | 'scope-change' | 'incomplete-list' | 'empty-remote' | 'checkout'>;
  readonly stamp: boolean;
  /** Only these languages; undefined: all. */
  readonly languages: readonly string[] | undefined;
  readonly concurrencyMax: number;
  /** Why files may only seem to be gone, as the checkout shows it. */
  readonly doubts?: readonly string[] | undefined;
  /** Only these records; undefined: all. */
  readonly only?: Only | undefined;
  /**
   * How long after a create was sent without an answer it may still arrive: before, its absence proves nothing.
   * undefined: a minute.
   */
  readonly settleMs?: number | undefined;
}

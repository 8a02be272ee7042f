import type { Key, Kind } from '../model/key.ts';
import type { Plan } from '../plan/plan.ts';
import type { PlanPolicy } from '../plan/policy.ts';
import type { SyncSummary } from '../model/sync-summary.ts';

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
  /** It failed, and the service has changed all the same. */
  readonly hasWritten?: true;
}

/** What the service did not keep of a record that this run wrote. */
export interface Lost {
  readonly kind: Kind;
  readonly key: Key;
  readonly lang: string;
  readonly field: string;
  /** As losses.ts names it: `table`, `end`; `value`: all of it. */
  readonly what: string;
}

export interface RedirectsEnd {
  readonly outcome: 'done' | 'failed' | 'skipped';
  readonly message: string;
  /** Addresses that another repository had before: they lead where its files say. */
  readonly claimed?: readonly { readonly from: string; readonly by: string }[];
  /** Of the changed and removed lines, how many lead where they led, because their page or its delete was not sent. */
  readonly waiting?: number;
}

export interface SyncReport {
  readonly plan: Plan;
  readonly results: readonly Result[];
  /** Of each record only what no run before has told; the state remembers it. */
  readonly lost: readonly Lost[];
  readonly summary: SyncSummary;
  /** Images and files that the service did not have before. */
  readonly filesSent: number;
  /** What became of the plan's set of old addresses; absent: there was none to send. */
  readonly redirects?: RedirectsEnd;
  readonly requests: number;
  readonly durationMs: number;
  readonly interrupted: boolean;
  /** Nothing more was sent because of a setting here or on the service, which a note has named: another run stops there too. */
  readonly needsSetting?: true;
  /**
   * When the creates whose end is open may be judged: until then one that is not found may still arrive. Unix ms;
   * undefined: none is open, or time alone tells nothing more.
   */
  readonly lookAgainAtMs?: number;
}

/** What the run was asked to do with what it finds, and how it goes about it. */
export interface SyncPolicy extends PlanPolicy {
  readonly stamp: boolean;
  readonly concurrencyMax: number;
  /**
   * How long after a create was sent without an answer it may still arrive: before, its absence proves nothing.
   * undefined: a minute.
   */
  readonly lateMs?: number | undefined;
  /** Sits out whatever time the service asks for, and what open creates take; else more than a minute ends the run. */
  readonly waits?: boolean | undefined;
}

/** The counts that `--json` prints. */
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

import type { Family, Key, Kind } from '../model/key.ts';
import type { ListView } from '../model/fingerprint.ts';
import type { BaseRecord, BaseState, DesiredState, UnmanagedRecord } from '../model/record.ts';
import type { Settled } from './plan.ts';
import type { Choices, RemoteSide } from './reconcile.ts';
import type { Only } from './selection.ts';

/** The three states, paired, and what the user allows. Everything a plan is made of. */
export interface PlanInput {
  readonly desired: DesiredState;
  /** The base with file moves carried out (`moves` tells which). */
  readonly base: BaseState;
  readonly moves: readonly Settled[];
  /** Base records rebuilt from stamps, for records that the state file does not know. */
  readonly stamped: ReadonlyMap<Key, BaseRecord>;
  /** The id of each original that exists on the service, as far as it is known. */
  readonly ids: ReadonlyMap<Family, string>;
  readonly remote: ReadonlyMap<Key, RemoteSide>;
  /** What the list shows now of each original with an id. */
  readonly seen: ReadonlyMap<Family, string>;
  /** The list's view behind `seen`. */
  readonly views: ReadonlyMap<Family, ListView>;
  readonly lists: Readonly<Record<Kind, ListSide>>;
  readonly unmanaged: readonly (UnmanagedRecord & { readonly name: string; readonly isNew: boolean })[];
  /** Creates of earlier runs whose end is still open, and why. */
  readonly pending: ReadonlyMap<Key, string>;
  readonly labels: ReadonlyMap<string, string>;
  readonly choices: Choices;
  readonly prune: boolean;
  readonly maxDelete: number | undefined;
  readonly allow: ReadonlySet<'vanished' | 'scope-change' | 'incomplete-list' | 'empty-remote' | 'checkout'>;
  readonly languages: readonly string[] | undefined;
  /** Why files may only seem to be gone. */
  readonly doubts?: readonly string[] | undefined;
  /** undefined: every record. */
  readonly only?: Only | undefined;
  /** A run that read these records alone; the lists were not read. */
  readonly focus?: {
    readonly keys: ReadonlySet<Key>;
    /** Families whose list entry is trusted no further than before. */
    readonly untrusted: ReadonlySet<Family>;
  };
}

export interface ListSide {
  readonly complete: boolean;
  readonly count: number;
  /** Why it is not known to be complete. */
  readonly why?: string;
}

import type { Family, Key, Kind, Lang, RemoteId } from '../model/key.ts';
import type { ListView } from '../model/compare/fingerprint.ts';
import type { Checkout } from '../model/revision.ts';
import type { BaseRecord, BaseState, DesiredRecord, DesiredState, UnmanagedRecord } from '../model/record.ts';
import type { Learnt, Renamed } from './plan.ts';
import type { Ways } from './likeness.ts';
import type { RemoteSide } from './sides.ts';
import type { Choices, PlanPolicy } from './policy.ts';

/** The three states, paired, and what the user allows. Everything a plan is made of. */
export interface PlanInput extends Omit<PlanPolicy, keyof Choices> {
  readonly desired: DesiredState;
  /** The base with file moves carried out (`moves` tells which). */
  readonly base: BaseState;
  readonly moves: readonly Learnt[];
  /** Why files may only seem to be gone, as the checkout shows it. */
  readonly doubts?: readonly string[] | undefined;
  /** New records whose files git knows under the names of records that lost theirs. */
  readonly renamed?: ReadonlyMap<Family, Renamed> | undefined;
  /** What is checked out, beside what the base was made from; undefined: the run is not about files. */
  readonly checkout?: Checkout | undefined;
  /** Base records rebuilt from stamps, for records that the state file does not know. */
  readonly stamped: ReadonlyMap<Key, BaseRecord>;
  /** The id of each original that exists on the service, as far as it is known. */
  readonly ids: ReadonlyMap<Family, RemoteId>;
  readonly remote: ReadonlyMap<Key, RemoteSide>;
  /** What the list shows now of each original with an id. */
  readonly seen: ReadonlyMap<Family, string>;
  /** The list's view behind `seen`. */
  readonly views: ReadonlyMap<Family, ListView>;
  readonly lists: Readonly<Record<Kind, ListSide>>;
  /** The language of the originals, if the service tells it. */
  readonly originals?: Lang | undefined;
  /** The only original that a first sync has made so far, if the service keeps it in another language than the files' originals. */
  readonly misplaced?: Misplaced | undefined;
  readonly unmanaged: readonly (UnmanagedRecord & { readonly name: string; readonly isNew: boolean })[];
  /** Creates of earlier runs whose end is still open, and why. */
  readonly pending: ReadonlyMap<Key, string>;
  readonly labels: ReadonlyMap<string, string>;
  readonly choices: Choices;
  /** How this service shows what it was sent. */
  readonly ways: Ways;
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
  /** Records are known that the list leaves out: `--assume-complete` cannot vouch for it. */
  readonly isLeaky?: boolean;
  /** A record that it shows could not be read: the next run may be able to. */
  readonly isUnread?: boolean;
  /** It shows no draft, and nothing tells whether it would. */
  readonly mayHideDrafts?: boolean;
}

export function baseOf(key: Key, input: PlanInput): BaseRecord | undefined {
  return input.base.records.get(key) ?? input.stamped.get(key);
}

/** An original that is not on the service yet, as far as it is known. */
export function isNew({ isOriginal, family }: DesiredRecord, { ids }: PlanInput): boolean {
  return isOriginal && !ids.has(family);
}

export interface Misplaced {
  readonly key: Key;
  readonly lang: Lang;
}

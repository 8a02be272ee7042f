import type { Fields } from '../../model/fields.ts';
import type { Key, Kind } from '../../model/key.ts';
import type { BaseRecord } from '../../model/record.ts';

/**
 * The history: what each run did on the service, beside the state in `.kbsync/history/<run>.log`. A run that writes nothing
 * leaves none. What a run is remembered by, and what taking it back means:
 *
 *     in the run                        kept of it                        taken back
 *     a field of a record was changed   the whole record before, the      the field gets its value of before, if the
 *                                       changed fields after              record still says what the run wrote
 *     a record was created              its id, digests of its fields     an article becomes a draft; with --prune it is
 *                                                                         deleted; a category or tag stays without it
 *     a record was deleted              the whole record (trash)          it is made again
 *     a write whose end is not known    as if it was carried out          what the service shows decides
 *
 * A record that says something else now was changed since: it is left alone and named. The state is not told of any of
 * this: to the next sync what was taken back is an edit of the site, which it reports and leaves alone.
 */
export interface RunHead {
  /** Its name: the time of its start as a file name. */
  readonly run: string;
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  readonly command: string;
  /** The knowledge base. */
  readonly origin: string;
  readonly who?: string | undefined;
  /** The commit that was checked out, in full. */
  readonly commit?: string | undefined;
  /** The run that this one took back. */
  readonly undoes?: string | undefined;
}

/** A record as a run found it. */
export interface Found {
  readonly id: string;
  readonly fields: Fields;
  readonly labels: Readonly<Record<string, string>>;
}

/** One line of a run's log. */
export type Step =
  | {
      readonly do: 'intend';
      readonly op: string;
      readonly action: 'create' | 'update' | 'delete';
      readonly key: Key;
      readonly id?: string | undefined;
      readonly name: string;
      /** What a write overwrites; null where nobody could see that. */
      readonly before?: Found | 'new' | null;
      readonly after?: Fields;
    }
  /** Without a record: it is gone, was never made, or was not changed. */
  | { readonly do: 'end'; readonly op: string; readonly record?: EndRecord };

export type EndRecord = Pick<BaseRecord, 'id' | 'sent' | 'forms'>;

/** What one run did to one record, all its steps taken together. */
export interface PastChange {
  readonly action: 'created' | 'updated' | 'deleted';
  readonly key: Key;
  readonly kind: Kind;
  /** Of a translation: its original's. undefined: a create whose answer was lost. */
  readonly id?: string | undefined;
  readonly name: string;
  /** Of an update, as far as the service showed it. */
  readonly before?: Found;
  /** Of an update: the changed fields. Of a create: what it was made with that the base does not remember. */
  readonly after?: Fields;
  /** What the base remembered of it once it was written. */
  readonly made?: EndRecord;
  /** Whether an answer said that it was done. */
  readonly isSure: boolean;
}

export interface PastRun {
  readonly head: RunHead;
  /** By key, in the order of the run. */
  readonly changes: ReadonlyMap<Key, PastChange>;
}

/** How much is kept: the oldest runs go first. The last one is kept whatever its size. */
export interface HistoryBound {
  readonly runs: number;
  readonly bytes: number;
}

export interface HistoryUse {
  readonly runs: number;
  readonly bytes: number;
}

/** The log of the run that is under way. */
export interface History {
  /** An update that overwrites something is durable when it resolves, everything else is handed to the system. */
  add(step: Step): Promise<void>;
  close(): Promise<void>;
}

export interface PastRuns {
  /** Names of runs, the oldest first. */
  names(): Promise<readonly string[]>;
  /** Undefined when there is no such run. A cut last line is no step. @throws BaseError `damaged`, `newer-format` */
  read(run: string): Promise<PastRun | undefined>;
  use(): Promise<HistoryUse>;
}

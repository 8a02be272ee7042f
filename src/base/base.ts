import { CodedError } from '../model/coded-error.ts';
import type { Digest } from '../model/digest.ts';
import type { Fields } from '../model/fields.ts';
import type { BaseRecord, BaseState, KnownRecord } from '../model/record.ts';
import type { Key } from '../model/key.ts';

/**
 * The last sync, on disk. A store is opened under its lock; `load` replays the journal and comes first. A state that is
 * torn, edited, of a newer format or of another origin throws a BaseError and is never taken for empty; a missing file
 * is the empty state.
 */
export interface BaseStore {
  load(): Promise<LoadedBase>;
  /**
   * Temp file, fsync, rename, directory fsync; the previous generation is kept; the journal is emptied after, but for
   * intents without an end. The serial written is the loaded one plus one, whatever `state` says. Nothing is written
   * when neither the state nor the journal holds anything new.
   */
  save(state: BaseState): Promise<void>;
  /** Of the state as it was loaded or saved last: what the next `load` says if no journal adds to it. undefined: there is none. */
  readonly checksum?: () => string | undefined;
  readonly journal: Journal;
  /**
   * A state that differs by its commit alone is written too. Not so in a file: a team may commit it, and then each commit
   * would make another.
   */
  readonly keepsEachRevision?: boolean;
  /**
   * Of a state that machines share: does a write to the knowledge base under the lease, and throws a BaseError `locked` when
   * the lease may end before its answer. A write without an answer may be carried out later, so it keeps the lock after `close`
   * until the lease ends, if its intent is open.
   */
  readonly guard?: <T>(write: () => Promise<T>) => Promise<T>;
  /** Releases the lock. */
  close(): Promise<void>;
}

export interface LoadedBase {
  readonly state: BaseState;
  /** Intents that were journalled and with an unknown outcome: they may have been carried out. */
  readonly open: readonly Intent[];
  /** Neither a state nor anything in a journal was found. */
  readonly isNew: boolean;
  /** Checksum of the state file, where no journal adds to it. */
  readonly digest?: string;
}

/** Said before a create, an edit or a delete is sent, durable before the request leaves. */
export interface Intent {
  readonly op: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly key: Key;
  readonly id?: string;
  readonly name: string;
  readonly slug: string;
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  /** Of a create: an earlier one without an answer was given up for it, because somebody said that no list hides it. */
  readonly again?: true;
  /** Of a create or an update: what the record says once it is carried out, as a base record remembers it. */
  readonly sent?: BaseRecord['sent'];
  /** Of a create or an update: field → digest of what it means in whatever form the service stores it. */
  readonly meanings?: Readonly<Record<string, Digest>>;
  /** Of a create or an update: field → digest of its letters, digits and addresses, which stay where a service changes markup and signs. */
  readonly letters?: Readonly<Record<string, Digest>>;
}

/** What an edit overwrites, or that it overwrites nothing. */
export interface Overwritten {
  /** As it was read just before; undefined: there was no text of it in this language. */
  readonly record: KnownRecord | undefined;
  /** Of an edit: the fields that it changes, as it sends them, without stamp. Of a first text: what it sends besides what the file says. */
  readonly after: Fields;
}

export interface Journal {
  /**
   * Durable (fsync) when it resolves; concurrent calls share one fsync. `over` is what an edit overwrites, for the history;
   * undefined where nobody could see that.
   */
  intend(intent: Intent, over?: Overwritten): Promise<void>;
  /**
   * The intent's end: what the base shall hold for the key, or nothing when the record is gone or was never made.
   * Handed to the operating system when it resolves (survives kill -9), durable with the next intent or at close; when a
   * power cut takes it back, the intent is open again.
   */
  end(op: string, record: BaseRecord | undefined): Promise<void>;
  /** A base record that changed without an operation; not fsynced unless asked. */
  note(record: BaseRecord, how?: 'durable'): Promise<void>;
}

/**
 * `damaged` torn, edited, emptied or merged: refused, never taken for empty · `newer-format` written by a newer kbsync ·
 * `other-origin` belongs to another knowledge base ·
 * `other-repository` belongs to another repository · `locked` another run holds it (or took it over) · `changed` somebody
 * replaced the state file during the run · `two-states` a state file lies where machines share one · `not-readable`, `not-writable` what the disk said.
 */
export type BaseErrorCode =
  | 'damaged'
  | 'newer-format'
  | 'other-origin'
  | 'other-repository'
  | 'locked'
  | 'changed'
  | 'two-states'
  | 'not-readable'
  | 'not-writable';

export class BaseError extends CodedError<BaseErrorCode> {
  override readonly name = 'BaseError';
}

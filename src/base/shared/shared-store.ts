import type { ProcessIdentity } from '../lock.ts';

/** State and journal as one: a store replaces both in one step, or neither. */
export interface SharedDocument {
  /** The text of a state file. */
  readonly state?: string;
  /** The text of the state file before. */
  readonly previous?: string;
  /** The text of a journal. */
  readonly journal?: string;
}

/** Who asks for the lock. */
export interface LockOwner {
  /** Names this run's lock: 32 hex digits. */
  readonly id: string;
  /** `ada@laptop` */
  readonly who: string;
  /** `kbsync sync` */
  readonly command: string;
  /** Of the repository, if there is one. */
  readonly commit?: string;
  /** ISO 8601 */
  readonly since: string;
  readonly version: string;
  /** Of the machine that it runs on; a process that is proved dead there holds nothing. */
  readonly process: ProcessIdentity;
}

/** What a store says about the lock of another. Everything but the id may be missing. */
export interface HeldBy extends Partial<Omit<LockOwner, 'id'>> {
  /** Undefined: the store does not say. */
  readonly id?: string;
  readonly fence?: number;
  /** ISO 8601, when the lease ends by itself if nobody renews it. */
  readonly until?: string;
}

/**
 * A lock that somebody holds. The store takes a write under it only while it is held, whatever the holder believes:
 * the number of a lease is higher than those of all leases before.
 */
export interface Lease {
  readonly fence: number;
  /** Milliseconds after which the store lets others have it, counted from the last write or renewal. Undefined: never. */
  readonly leaseMs: number | undefined;
  /** As it was when the lock was taken. */
  readonly document: SharedDocument;
  /**
   * Replaces the document; durable when it resolves, and a renewal.
   *
   * @throws BaseError `locked` the lease is lost, nothing was written · `not-writable` it is not known, or not possible
   */
  write(document: SharedDocument): Promise<void>;
  /** @throws BaseError as `write` */
  renew(): Promise<void>;
  /** Gives the lock back if it is still ours. @throws BaseError `not-writable` */
  release(): Promise<void>;
}

/** With which code of BaseError a store fails that cannot be used. */
export type StoreFailure = 'not-readable' | 'not-writable';

/** A place that several machines reach and that keeps one document under one lock. */
export interface SharedStore {
  /** For messages: an address without user, password and token. */
  readonly name: string;
  /** Without the lock. @throws BaseError `not-readable`, `damaged` */
  read(): Promise<SharedDocument>;
  /** @throws BaseError `not-readable`, `damaged` */
  lock(owner: LockOwner): Promise<{ readonly lease: Lease } | { readonly heldBy: HeldBy }>;
  /** Takes the lock with this id from whoever holds it; false: nobody holds a lock of this id. @throws BaseError */
  unlock(id: string): Promise<boolean>;
  close(): Promise<void>;
}

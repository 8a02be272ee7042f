import type { OldAddress } from '../model/address/redirect.ts';
import type { FieldValue } from '../model/fields.ts';
import type { Family, Key, Kind } from '../model/key.ts';
import type { Place } from '../model/problem.ts';
import type { BaseRecord, BaseValue, Scheduled, UnmanagedRecord } from '../model/record.ts';

/** Everything a run would do, as plain data: it can be printed, saved, compared and applied. */
export interface Plan {
  /** In the order in which they are carried out. References in field values are ids, or `new:<family>` until made. */
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
  readonly drift: readonly Drift[];
  readonly unmanaged: readonly Unmanaged[];
  /** Records whose file is gone and which stay, because deletes need `--prune`. */
  readonly kept: readonly Kept[];
  /** Whether deletes were asked for: what is kept was then asked for and is not done. */
  readonly prunes: boolean;
  /** What keeps the deletes of `unsettled` records from being made; empty if there are none. */
  readonly holds: readonly Hold[];
  /** Images and files that the changed records show, each once: the run sends those that the service lacks. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  /** Words of `protect` that no record fits: they protect nothing. */
  readonly unmatched: readonly string[];
  /** Records whose files are there and excluded by the settings: they stay as they are, with `--prune` too. */
  readonly excluded: readonly Key[];
  /** Articles whose status changes by itself, by a date in their file; the next first. */
  readonly scheduled: readonly (Scheduled & { readonly key: Key })[];
  /** Records that cannot be decided safely; each says why. Nothing is written for them. */
  readonly blocked: readonly Blocked[];
  /** Guards that stop the run: nothing at all is written. */
  readonly refusals: readonly Refusal[];
  /** What only the base learns: adopted, moved, converged and forgotten records. No request. */
  readonly learnt: readonly Learnt[];
  readonly unchanged: number;
  /** What becomes of the old addresses that the service keeps for this repository; absent: nothing, or it keeps none. */
  readonly redirects?: RedirectChanges;
  /** Names for the ids that occur in field values, for people. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The set of old addresses that a run sends, and how it differs from the one that the service has. */
export interface RedirectChanges {
  /** Undefined: the repository has no name, so nothing can be sent. */
  readonly repository: string | undefined;
  readonly tag: string;
  /** All of them, in the order of their old addresses. */
  readonly lines: readonly OldAddress[];
  /** Names that the repository had before, whose sets go into this one. */
  readonly former: readonly string[];
  readonly added: readonly OldAddress[];
  readonly changed: readonly (OldAddress & { readonly before: string })[];
  readonly removed: readonly OldAddress[];
  /** As the service has them: their pages have no file, or one that is not sent now. */
  readonly kept: readonly OldAddress[];
  /** Why the service's set could not be read: nothing is known of the lines then, and nothing is sent. */
  readonly unread?: string | undefined;
  /** Lines that the service does not take, and why, as a sentence. */
  readonly leftOut: readonly { readonly from: string; readonly why: string }[];
}

export interface Change {
  readonly action: 'create' | 'update' | 'delete';
  readonly kind: Kind;
  readonly key: Key;
  readonly lang: string;
  readonly slug: string;
  readonly name: string;
  /** The original's id for an update; the record's own id for a delete; absent for a create whose original is new. */
  readonly id?: string;
  readonly fields: readonly FieldChange[];
  readonly isTranslation?: boolean;
  readonly at?: Place;
  /** Fields that were edited on the service and stay as they are there. */
  readonly drift?: readonly string[];
  /** Fields whose conflict was resolved in favour of the service: they stay, and the base remembers both values. */
  readonly acknowledged?: readonly string[];
}

export interface FieldChange {
  readonly field: string;
  readonly before?: BaseValue | undefined;
  readonly after?: BaseValue;
  /** For a body: words added and removed, counted when the old text is at hand. */
  readonly words?: { readonly added: number; readonly removed: number };
}

export type ConflictCode =
  | 'both-changed' // a field differs from the base on both sides
  | 'both-new' // no witness says which side is ours
  | 'remote-deleted' // in sync before, gone from the service
  | 'modified-deleted' // changed in the files, gone from the service
  | 'replaced' // somebody else's record has its id now
  | 'delete-modified' // the file is gone, the remote record was edited
  | 'draft-open' // the service holds an open draft copy of it
  | 'not-shown'; // the file changed a field that the service does not show

export interface Conflict {
  readonly kind: Kind;
  readonly key: Key;
  readonly lang: string;
  readonly code: ConflictCode;
  readonly id?: string;
  readonly fields: readonly ConflictField[];
  /** Fields edited only on the service, which are resolved with the conflict. */
  readonly drift?: Drift['fields'];
  /** How the base is known. */
  readonly witness: 'state' | 'stamp' | 'none';
  /** What the service shows was written by a run of kbsync that this base does not know of, and not edited since. */
  readonly isOurs?: true;
  /** It is gone from the site, and no list of this service has ever shown a draft: somebody may have taken it off instead. */
  readonly mayBeDraft?: true;
  readonly at?: Place;
}

export interface ConflictField {
  readonly field: string;
  readonly base?: BaseValue | undefined;
  readonly local?: FieldValue;
  readonly remote?: FieldValue | undefined;
  readonly at?: Place | undefined;
}

/** Fields edited on the service where the file did not change. */
export interface Drift {
  readonly kind: Kind;
  readonly key: Key;
  readonly lang: string;
  readonly id: string;
  readonly fields: readonly {
    readonly field: string;
    readonly base?: BaseValue | undefined;
    readonly remote: FieldValue;
  }[];
  /** As in Conflict. */
  readonly isOurs?: true;
}

export interface Unmanaged {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  /** The key in its stamp, which no file has: it may be an old copy of a file that was moved and edited. */
  readonly was?: string;
  /** The repository that its stamp names, where it is another one. */
  readonly by?: string;
}

export interface Kept {
  readonly kind: Kind;
  readonly key: Key;
  readonly id: string;
  /**
   * `no-prune` deletes are off · `unsettled` something else in this plan is open, so nothing is deleted · `translations`
   * it has translations that stay: their files are there, or they are not ours · `in-use` articles or categories that
   * stay are in it · `unreadable` the service does not show it · `protected` kbsync.yaml says that nothing deletes it ·
   * `no-state` its stamp says that it is ours, and no state says what was written there.
   */
  readonly reason:
    | 'no-prune'
    | 'unsettled'
    | 'translations'
    | 'in-use'
    | 'unreadable'
    | 'protected'
    | 'no-state';
  /** Of `in-use`: what is in it, as far as it is ours. */
  readonly users?: readonly Key[];
}

/** Something that is open while deletes were asked for. Conflicts and blocked records are in the plan under their keys. */
export type Hold =
  | { readonly what: 'conflict' | 'blocked'; readonly key: Key }
  /** A word of `protect` that no record fits: it may be meant for one of those. */
  | { readonly what: 'unmatched'; readonly word: string }
  /** `isLeaky`: records are known that the list leaves out, so nobody can vouch for it. */
  | {
      readonly what: 'list';
      readonly kind: Kind;
      readonly why: string;
      readonly isLeaky: boolean;
      /** A record that the list shows could not be read. */
      readonly isUnread?: true;
    };

export interface Blocked {
  readonly key: Key;
  readonly reason:
    | 'original-missing' // no file in the default language
    | 'original-conflict' // its original is in conflict or gone
    | 'reference-blocked' // a category or tag it names cannot be made now
    | 'list-incomplete' // creating could duplicate a record that the cut list hides
    | 'pending' // an earlier run sent a create whose end is not known yet
    | 'renamed' // git knows its file under the name of a record whose file is gone, or only their title tells
    | 'file-errors' // its file has errors, or it looks like a record whose file has
    | 'taken' // somebody else's record has its slug or its place
    | 'protected' // its file changes what kbsync.yaml protects
    | 'shared' // the service keeps one value of a field for all languages, and this file says another one
    | 'unreadable'; // the service does not show this record
  readonly message: string;
  readonly at?: Place;
  /** Of `renamed`. */
  readonly renamed?: Renamed;
}

/** A new record whose file was that of another record before, as git knows it, or as its title says where git cannot tell. */
export interface Renamed {
  readonly from: Family;
  readonly to: Family;
  /** What the file was called, relative to the content folder; absent: git cannot tell, and both have one title. */
  readonly before?: string;
  /** What it is called now. */
  readonly after: string;
}

export type RefusalCode =
  | 'files-vanished' // the content folder is empty or holds far fewer records than the base
  | 'checkout-incomplete' // git says that files may only seem to be gone
  | 'older-commit' // the checkout is older than what was synced last
  | 'scope-changed' // layout, filter or languages changed and records seem gone
  | 'list-incomplete'
  | 'remote-empty' // the base knows records, the service shows none
  | 'too-many-deletes'
  | 'protected' // a record that kbsync.yaml protects would lose its address or its readers
  | 'other-originals' // the service says that its originals are in another language than the files'
  | 'wrong-remote'; // most known ids are unknown to this service

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  /** The exact flag that lets the run go on, when there is one. */
  readonly flag?: string;
}

export type Learnt =
  | {
      readonly how: 'adopted' | 'converged' | 'moved' | 'acknowledged' | 'refreshed';
      readonly record: BaseRecord;
      readonly from?: Key;
    }
  /** `isReleased`: it stays on the service. */
  | { readonly how: 'forgotten'; readonly key: Key; readonly isReleased?: boolean }
  | { readonly how: 'unmanaged'; readonly record: UnmanagedRecord };

/** The counts that `--json` prints. */
export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
  readonly conflict: number;
  readonly drift: number;
  readonly unmanaged: number;
  readonly problem: number;
}

import type { Fields } from '../model/fields.ts';
import type { BaseRecord, KnownRecord } from '../model/record.ts';

/** Remote as the decision sees it; `base` means: listed, and nothing was edited since the base was written. */
export type RemoteSide =
  | {
      readonly state: 'known';
      readonly record: KnownRecord;
      /** The list's date of it is the one of our last write. */
      readonly isUnwritten?: boolean;
    }
  | { readonly state: 'base' }
  /** `copy`: there is one that the service itself has made of the original, and nobody has written since. */
  | { readonly state: 'absent'; readonly copy?: KnownRecord }
  /**
   * What is there is somebody else's: its stamp names another repository (`by`), or it shares no title, slug or text with
   * what was written. `isOnlyPlace`: nothing can be made beside it (a translation).
   */
  | {
      readonly state: 'taken';
      readonly by: string | undefined;
      readonly record: KnownRecord;
      readonly isOnlyPlace: boolean;
    }
  /** The service lists this translation, cannot show it, and says that something was edited since the base. */
  | { readonly state: 'unreadable'; readonly why: string }
  | { readonly state: 'unknown'; readonly why: string };

export interface Sides {
  /** Owned fields as the file wants them, body included, references as ids; undefined: there is no file. */
  readonly file: Fields | undefined;
  readonly base: BaseRecord | undefined;
  readonly remote: RemoteSide;
  /** Whether the file's text is the one that a pull makes of what the service shows. Asked only where they differ. */
  readonly isPulled?: (() => boolean) | undefined;
  /** What kbsync.yaml says of this record. */
  readonly rule?: RecordRule | undefined;
}

/** `protected`: it is not deleted or unpublished, and keeps its slug. `released`: if it has no file, it is not ours any more. */
export type RecordRule = 'protected' | 'released';

import type { LanguageRule } from './language.ts';
import type { NewId } from './ids.ts';
import type { KnowledgeBase } from './store/store.ts';
import type { Clock } from './time.ts';

/** What every piece of work on the store needs to know. */
export interface Context {
  readonly knowledgeBase: KnowledgeBase;
  readonly rule: LanguageRule;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** A write also has an author: the user behind the API key. */
export interface WriteContext extends Context {
  readonly userId: string;
  readonly keyId: string;
}

/** What a write answers; kept as it is for a repeated Idempotency-Key. */
export interface WriteAnswer {
  readonly message: string;
  readonly id?: string;
  readonly etag?: string;
  /** Articles only: the original's date after this write, in the spelling of the list. */
  readonly lastEdited?: string;
  /** What it was before this write. */
  readonly previousEdited?: string;
}

import type { Key } from '../../../model/key.ts';
import type { Choice } from '../../../sync/choice.ts';
import type { Finding } from '../problems.ts';
import type { ValueStyle } from './value.ts';

/** What stands around a plan: where from, where to, how old the state is. */
export interface PlanContext {
  /** The content folder as people type it. */
  readonly content: string;
  readonly baseUrl: string;
  readonly fileCount: number;
  readonly languages: readonly string[];
  /** undefined: there is no state yet. */
  readonly stateAgeMs: number | undefined;
  /** The state is shared and holds a sync: it has no age on this machine. */
  readonly hasSharedState?: boolean;
  readonly warnings: readonly Finding[];
  readonly isVerbose: boolean;
  readonly style: ValueStyle;
  /** The records that a partial run is about; undefined: all. */
  readonly partial?: Choice | undefined;
  /** The plan's files go where the command of `assets.upload` puts them. */
  readonly uploads?: boolean | undefined;
  /** What becomes of an address that a slug leaves. Undefined: nothing is said. */
  readonly oldAddresses?: 'redirect' | 'die' | undefined;
  /** Whether readers see it, as the files say. */
  readonly isPublic?: (key: Key) => boolean;
  /** The flags that name files, state and address, as they must be repeated; with a space before, or empty. */
  readonly setup: string;
}

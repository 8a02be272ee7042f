import type { Key } from '../../model/key.ts';
import type { Fetched } from './read-records.ts';
import type { PulledText } from './report.ts';

/** A file as it would be after the pull. */
export interface Proposal {
  readonly key: Key;
  readonly record: Fetched;
  readonly file: string;
  /** Undefined: there is no such file yet. */
  readonly before: string | undefined;
  readonly after: string;
  /** What is brought in; of a new file everything that it says. */
  readonly fields: readonly string[];
  /** The author changed other fields of the record, which no sync has sent yet. */
  readonly isRest?: boolean;
  readonly text?: PulledText | undefined;
}

export function isProposal(made: object): made is Proposal {
  return 'after' in made;
}

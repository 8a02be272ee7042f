import type { LoadedBase } from '../../base/base.ts';
import type { Kind } from '../../model/key.ts';
import type { DesiredState } from '../../model/record.ts';
import type { Repository } from '../../model/repository.ts';
import type { Checkout } from '../../model/revision.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';
import type { SyncPolicy } from '../report.ts';

export interface SurveyOptions {
  readonly remote: Remote;
  readonly base: LoadedBase;
  readonly desired: DesiredState;
  readonly policy: SyncPolicy;
  readonly repository: Repository;
  /** Why files may only seem to be gone; undefined: the run deletes nothing. */
  readonly doubts?: readonly string[] | undefined;
  /** undefined: the run is not about files. */
  readonly checkout?: Checkout | undefined;
  readonly openBefore: ReadonlySet<string>;
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** Where they have been read already. */
  readonly lists?: Readonly<Record<Kind, RemoteList>> | undefined;
}

import type { Key } from '../../model/key.ts';
import type { Problem } from '../../model/problem.ts';
import type { Change, Conflict, Drift, Refusal } from '../../plan/plan.ts';
import type { Result, SyncReport } from '../report.ts';

/** What happened, for whoever shows it. Files are named as problems name them. */
export type WatchEvent =
  | {
      readonly type: 'whole';
      readonly report: SyncReport;
      readonly fileCount: number;
      readonly isFirst: boolean;
    }
  | {
      readonly type: 'sent';
      readonly result: Result;
      readonly change: Change;
      /** Its file was faulty before. */
      readonly isRepaired: boolean;
      /** Records sent too because they link to it. */
      readonly alsoSent: number;
      /** Since the file was saved. */
      readonly durationMs: number;
    }
  | {
      readonly type: 'many';
      readonly files: number;
      readonly updated: number;
      readonly unchanged: number;
      readonly failed: number;
      readonly durationMs: number;
    }
  /** The service keeps other old addresses of pages now. */
  | { readonly type: 'redirects'; readonly count: number }
  /** The file was saved, and says the same as before. */
  | { readonly type: 'same'; readonly key: Key }
  /** The file was saved, and the run is not about its record. */
  | { readonly type: 'outside'; readonly key: Key }
  | { readonly type: 'problem'; readonly problem: Problem }
  | { readonly type: 'problems'; readonly problems: readonly Problem[] }
  | { readonly type: 'removed'; readonly keys: readonly Key[] }
  | { readonly type: 'conflict'; readonly conflict: Conflict }
  | { readonly type: 'drift'; readonly drift: Drift }
  | { readonly type: 'waiting'; readonly key: Key; readonly message: string }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | { readonly type: 'trouble'; readonly message: string };

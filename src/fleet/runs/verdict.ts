import type { SyncSummary } from '../../model/sync-summary.ts';

/**
 * How a knowledge base stands after a run: `in-sync` · `drift` somebody edited the site, and nothing was overwritten ·
 * `conflict` both sides changed a field · `stopped` a person is needed: a guard, the files, the key or a setting · `failing`
 * the network, the service or the git host; the fleet tries again by itself.
 */
export const CONDITIONS = ['in-sync', 'drift', 'conflict', 'stopped', 'failing'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** What a run of `kbsync sync` left: its exit code, and its counts or the code of its failure. */
export interface SyncEnd {
  readonly exit: number;
  readonly counts?: SyncSummary | undefined;
  /** Records that are not sent until a person decides something, or writes a file. */
  readonly blocked?: number | undefined;
  readonly failure?: { readonly code: string; readonly message: string } | undefined;
  /** Of a run that came to its end: the first thing that a person has to look at. */
  readonly reason?: string | undefined;
}

export interface Verdict {
  /** Undefined: the run says nothing about the knowledge base (it was interrupted, or another run was under way). */
  readonly condition: Condition | undefined;
  /** Whether the fleet tries again soon, with growing delays, and not only when the schedule says. */
  readonly mayRetry: boolean;
  readonly message: string;
}

/** Failures of the network or of a service in trouble. A service that says no (401, 403, 4xx) says it again. */
const NETWORK = new Set(['not-sent', 'unclear', 'throttled']);

/**
 * | exit | of the run | condition | again soon |
 * |---|---|---|---|
 * | 0 | no drift | in-sync | no |
 * | 0 | drift | drift | no |
 * | 3 | | conflict | no |
 * | 4 | `locked`: another run | – | yes |
 * | 4 | any other refusal | stopped | no |
 * | 1, 5 | `not-sent`, `unclear`, `throttled` | failing | yes |
 * | 1, 5 | answers missing, or changes not sent | failing | yes |
 * | 1, 5 | anything else: the service or the files say no | stopped | no |
 * | 64 | | stopped | no |
 * | 130 | | – | yes |
 */
export function verdictOf({ exit, counts, blocked = 0, failure, reason }: SyncEnd): Verdict {
  const sum = countedWords(counts, blocked, exit === 0);
  const message = failure?.message ?? (reason === undefined ? sum : `${sum}; ${reason}`);
  const stopped = { condition: 'stopped', mayRetry: false, message } as const;
  switch (exit) {
    case 0:
      return { condition: (counts?.drift ?? 0) > 0 ? 'drift' : 'in-sync', mayRetry: false, message };
    case 3:
      return { condition: 'conflict', mayRetry: false, message };
    case 4:
      return failure?.code === 'locked' ? { condition: undefined, mayRetry: true, message } : stopped;
    case 1:
    case 5: {
      const isNetwork =
        failure === undefined
          ? (counts?.pending ?? 0) + (counts?.skipped ?? 0) > 0
          : NETWORK.has(failure.code);
      return isNetwork ? { condition: 'failing', mayRetry: true, message } : stopped;
    }
    case 130:
      return { condition: undefined, mayRetry: true, message: 'interrupted' };
    default:
      return stopped;
  }
}

function countedWords(counts: SyncSummary | undefined, blocked: number, isDone: boolean): string {
  if (counts === undefined) return '';
  const { unchanged, conflict, failed, skipped, ...rest } = counts;
  const words: Readonly<Record<string, number>> = {
    ...rest,
    unchanged,
    ...(conflict === 1 ? { conflict } : { conflicts: conflict }),
    blocked,
    failed,
    'not sent': skipped,
  };
  if (isDone && Object.values(words).every((count) => count === 0)) return 'the files hold no record';
  return Object.entries(words)
    .filter(([word, count]) => count > 0 || word === 'unchanged')
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
}

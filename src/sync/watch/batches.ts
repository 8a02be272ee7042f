/** A set of files that changed together, or a look at everything. */
export interface Batch {
  /** As the watcher named them; empty when nobody said that something changed. */
  readonly paths: readonly string[];
  /** `changes` these paths · `look-again` whatever a watcher may have missed · `everything` ask the service too. */
  readonly scope: 'changes' | 'look-again' | 'everything';
  /** When the first of the paths changed. */
  readonly sinceMs: number;
}

export type BatchEnd = 'done' | 'again' | 'soon';

export interface BatchesOptions {
  readonly clock: {
    readonly now: () => number;
    /** Calls back after `delayMs` unless cancelled. */
    readonly after: (delayMs: number, callback: () => void) => () => void;
  };
  /** In [0, 1). */
  readonly random: () => number;
  /**
   * One at a time. `again`: it could not be finished; tried again later, as `everything`. `soon`: the files changed while
   * they were read; tried again without a pause to speak of.
   */
  readonly run: (batch: Batch) => Promise<BatchEnd>;
  /** Told how long the next try waits, and for how many changed files. */
  readonly onWait: (delayMs: number, waiting: number) => void;
  /** A `run` that threw: it is a bug or the end. Nothing runs afterwards. */
  readonly onFailure: (error: unknown) => void;
  /** While true (a checkout is under way), batches wait, for `BUSY_MS_MAX` at most. */
  readonly isBusy?: () => boolean;
  /** When a date in the files passes next: then they want something else, although nobody has changed them. */
  readonly dateMs?: () => number | undefined;
  readonly times?: Partial<BatchTimes>;
}

export interface BatchTimes {
  /** A file is taken once nothing was heard for so long: an editor that truncates and writes is done by then. */
  readonly quietMs: number;
  /** The same after many files: a checkout pauses longer between two of them. */
  readonly manyQuietMs: number;
  /** Files that never rest are taken all the same. */
  readonly waitMsMax: number;
  /** After a batch, the files are looked at once more: watchers lose events in a storm. */
  readonly lookAgainMs: number;
  /** How often the whole service is compared, for edits made there. */
  readonly everythingMs: number;
}

export interface Batches {
  /** A file was made, changed or removed. */
  changed(path: string): void;
  /** Compares everything, as soon as the batch under way has ended. */
  everything(): void;
  /** Begins no more batches; resolves when the one under way has ended. */
  stop(): Promise<void>;
  /** Whether nothing is under way and nothing waits. */
  isIdle(): boolean;
}

const TIMES: BatchTimes = {
  quietMs: 30,
  manyQuietMs: 250,
  waitMsMax: 3000,
  lookAgainMs: 1000,
  everythingMs: 600_000,
};

/** So many files within one batch are no longer somebody who types. */
const MANY = 10;
const BUSY_MS = 50;
const BUSY_MS_MAX = 10_000;
const BACKOFF_MS = 1000;
const BACKOFF_MS_MAX = 15_000;

/**
 * Makes batches of changes. Of a file that changes ten times in a moment, the last version counts; changes that come
 * while a batch runs are the next batch; a batch that could not be finished is tried again with growing pauses, and what
 * changes meanwhile joins it. Pure but for the clock that is handed in.
 */
export function createBatches(options: BatchesOptions): Batches {
  const { clock, random, run, onWait, onFailure, isBusy = () => false, dateMs = () => undefined } = options;
  const times: BatchTimes = { ...TIMES, ...options.times };
  const paths = new Set<string>();
  let firstMs = 0;
  let lastMs = 0;
  let isAllWanted = false;
  let lookAgainAtMs: number | undefined;
  let everythingAtMs = clock.now() + times.everythingMs;
  let notBeforeMs = 0;
  let failures = 0;
  let running: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  let isStopped = false;

  const dueMs = (): number => {
    if (isAllWanted) return Math.max(clock.now(), notBeforeMs);
    const restMs = paths.size > MANY ? times.manyQuietMs : times.quietMs;
    const filesAtMs = paths.size === 0 ? Infinity : Math.min(lastMs + restMs, firstMs + times.waitMsMax);
    const lookAtMs = Math.min(lookAgainAtMs ?? Infinity, everythingAtMs, dateMs() ?? Infinity);
    return Math.max(notBeforeMs, Math.min(filesAtMs, lookAtMs));
  };

  const schedule = (delayMs: number): void => {
    cancel?.();
    cancel = clock.after(delayMs, wake);
  };

  function wake(): void {
    if (isStopped || running !== undefined) return;
    const waitMs = dueMs() - clock.now();
    if (waitMs > 0) return schedule(waitMs);
    if (paths.size > 0 && isBusy() && clock.now() - firstMs < BUSY_MS_MAX) return schedule(BUSY_MS);
    cancel?.();
    running = work(take()).finally(() => {
      running = undefined;
      wake();
    });
  }

  function take(): Batch {
    const nowMs = clock.now();
    const isAll = isAllWanted || nowMs >= everythingAtMs;
    const scope = isAll ? 'everything' : paths.size > 0 ? 'changes' : 'look-again';
    const batch: Batch = { paths: [...paths], scope, sinceMs: paths.size === 0 ? nowMs : firstMs };
    paths.clear();
    isAllWanted = false;
    if (isAll) everythingAtMs = nowMs + times.everythingMs;
    lookAgainAtMs = scope === 'changes' ? nowMs + times.lookAgainMs : undefined;
    return batch;
  }

  async function work(batch: Batch): Promise<void> {
    let end: BatchEnd;
    try {
      end = await run(batch);
    } catch (error) {
      isStopped = true;
      return onFailure(error);
    }
    if (end !== 'again') failures = 0;
    if (end === 'done') return;
    if (paths.size === 0 && batch.paths.length > 0) firstMs = batch.sinceMs;
    for (const path of batch.paths) paths.add(path);
    isAllWanted = true;
    const delayMs =
      end === 'soon' ? BUSY_MS : Math.min(BACKOFF_MS * 2 ** failures, BACKOFF_MS_MAX) * (0.75 + random() / 2);
    notBeforeMs = clock.now() + delayMs;
    if (end === 'soon') return;
    failures += 1;
    if (!isStopped) onWait(delayMs, paths.size);
  }

  wake();
  return {
    changed: (path) => {
      lastMs = clock.now();
      if (paths.size === 0) firstMs = lastMs;
      paths.add(path);
      wake();
    },
    everything: () => {
      isAllWanted = true;
      wake();
    },
    stop: async () => {
      isStopped = true;
      cancel?.();
      await running;
    },
    isIdle: () => running === undefined && paths.size === 0 && !isAllWanted && lookAgainAtMs === undefined,
  };
}

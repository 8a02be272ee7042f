import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Counts what happens without making anybody wait. */
export interface Tally<Entry> {
  /** Entries with the same key are counted together. */
  readonly note: (key: string, entry: Entry) => void;
}

export interface TallyOptions<Entry> {
  readonly write: (entry: Entry, times: number) => Promise<void>;
  readonly pauseMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** The store takes no more than so many writes that wait, and others write too. */
const WRITES_AT_ONCE = 100;
/** Keys that wait; one more than that is not counted. */
const WAITING_MAX = 10_000;

/**
 * The first entry is written at once, and those of the next `pauseMs` together: each write is one for the disk. What cannot be
 * written is lost and told to nobody but `onFailure`.
 */
export function createTally<Entry>({ write, pauseMs, onFailure }: TallyOptions<Entry>): Tally<Entry> {
  const waiting = new Map<string, { readonly entry: Entry; readonly times: number }>();
  const limit = pLimit(WRITES_AT_ONCE);
  let isWriting = false;
  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.size > 0) {
      const entries = [...waiting.values()];
      waiting.clear();
      // What is asked for at the same time shares one commit.
      await Promise.all(entries.map(({ entry, times }) => limit(() => write(entry, times).catch(onFailure))));
      if (pauseMs > 0) await delay(pauseMs, undefined, { ref: false });
    }
    isWriting = false;
  };
  return {
    note(key, entry) {
      const times = (waiting.get(key)?.times ?? 0) + 1;
      if (times === 1 && waiting.size >= WAITING_MAX) return;
      waiting.set(key, { entry, times });
      if (!isWriting) void writeAll();
    },
  };
}

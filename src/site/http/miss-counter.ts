import { createBuckets } from '../../service/http/buckets.ts';
import { networkOf } from '../../service/http/client-address.ts';
import { countedQuery, countMiss } from '../../service/insights/search-misses.ts';
import type { Store } from '../../service/store/store.ts';
import { type Clock, nowMicros } from '../../service/time.ts';
import { createTally } from './tally.ts';
import { isReader } from './view-counter.ts';

/** Counts searches that find nothing, without making readers wait. */
export interface MissCounter {
  readonly note: (
    query: string,
    by: { readonly language: string; readonly request: Request; readonly from: string | undefined },
  ) => void;
}

export interface MissCounterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly pauseMs: number;
  /** Milliseconds of any clock. */
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** One address cannot fill the list with words of its own. */
const MISSES_PER_MINUTE = 10;

/** The address only limits how much of one reader is counted; it stays in the memory of this process. */
export function createMissCounter({
  store,
  clock,
  pauseMs,
  now,
  onFailure,
}: MissCounterOptions): MissCounter {
  const tally = createTally<{ readonly query: string; readonly language: string }>({
    write: (miss, times) => countMiss(store, miss, { times, at: nowMicros(clock) }),
    pauseMs,
    onFailure,
  });
  const take = createBuckets(now, MISSES_PER_MINUTE);
  return {
    note(asked, { language, request, from }) {
      const query = countedQuery(asked);
      if (query === undefined || !isReader(request)) return;
      if (from !== undefined && !take(networkOf(from)).isGranted) return;
      tally.note(JSON.stringify([language, query]), { query, language });
    },
  };
}

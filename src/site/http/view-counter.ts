import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Store } from '../../service/store/store.ts';
import { countViews } from '../../service/records/views.ts';

/** The store takes no more than so many writes that wait, and others write too. */
const WRITES_AT_ONCE = 100;
const MACHINES = /bot|crawl|spider|slurp|preview|fetch|curl|wget|python|headlesschrome|lighthouse/i;

/** Counts readers without making them wait. */
export interface ViewCounter {
  readonly note: (articleId: string, request: Request) => void;
}

/**
 * The first view is written at once, and those of the next `pauseMs` together: each write is one for the disk, and makes an
 * old one of every kept page. A view that cannot be counted is lost and told to nobody but `onFailure`: the page was shown.
 */
export function createViewCounter(
  store: Store,
  { onFailure, pauseMs }: { readonly onFailure: (error: unknown) => void; readonly pauseMs: number },
): ViewCounter {
  const waiting = new Map<string, number>();
  const limit = pLimit(WRITES_AT_ONCE);
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    while (waiting.size > 0) {
      const counts = [...waiting];
      waiting.clear();
      // What is asked for at the same time shares one commit.
      await Promise.all(
        counts.map(([id, count]) => limit(() => countViews(store, id, count).catch(onFailure))),
      );
      if (pauseMs > 0) await delay(pauseMs, undefined, { ref: false });
    }
    isWriting = false;
  };
  return {
    note: (articleId, { method, headers }) => {
      const isMachine = MACHINES.test(headers.get('user-agent') ?? 'bot');
      const isAhead = (headers.get('sec-purpose') ?? '').includes('prefetch');
      if (method !== 'GET' || isMachine || isAhead) return;
      waiting.set(articleId, (waiting.get(articleId) ?? 0) + 1);
      if (!isWriting) void write();
    },
  };
}

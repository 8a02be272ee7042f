import type { Store } from '../../service/store/store.ts';
import { countViews } from '../../service/records/views.ts';

const MACHINES = /bot|crawl|spider|slurp|preview|fetch|curl|wget|python|headlesschrome|lighthouse/i;

/** Counts readers without making them wait. Views that come while others are being written are written together. */
export interface ViewCounter {
  readonly note: (articleId: string, request: Request) => void;
}

/** A view that cannot be counted is lost and told to nobody but `onFailure`: the page was shown. */
export function createViewCounter(store: Store, onFailure: (error: unknown) => void): ViewCounter {
  const waiting = new Map<string, number>();
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    for (const [articleId, count] of waiting) {
      waiting.delete(articleId);
      await countViews(store, articleId, count).catch(onFailure);
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

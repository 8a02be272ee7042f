import type { Store } from '../../service/store/store.ts';
import { countViews } from '../../service/records/views.ts';
import { createTally } from './tally.ts';
import { urlOf } from '../../text/url.ts';

const MACHINES = /bot|crawl|spider|slurp|preview|fetch|curl|wget|python|headlesschrome|lighthouse/i;

/** Counts readers without making them wait. */
export interface ViewCounter {
  readonly note: (articleId: string, request: Request) => void;
}

/** Views are gathered for `pauseMs`: each write makes an old one of every kept page. */
export function createViewCounter(
  store: Store,
  { onFailure, pauseMs }: { readonly onFailure: (error: unknown) => void; readonly pauseMs: number },
): ViewCounter {
  const tally = createTally<string>({
    write: (id, times) => countViews(store, id, times),
    pauseMs,
    onFailure,
  });
  return {
    note: (articleId, request) => {
      if (isReader(request) && !isFromSelf(request)) tally.note(articleId, articleId);
    },
  };
}

/** Whether a person seems to read the answer now. */
export function isReader({ method, headers }: Request): boolean {
  const isMachine = MACHINES.test(headers.get('user-agent') ?? 'bot');
  const isAhead = (headers.get('sec-purpose') ?? '').includes('prefetch');
  return method === 'GET' && !isMachine && !isAhead;
}

/** Who answers the question below an article comes back to it. */
function isFromSelf({ url, headers }: Request): boolean {
  const referrer = headers.get('referer') ?? '';
  return urlOf(referrer)?.pathname === new URL(url).pathname;
}

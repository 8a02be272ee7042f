import { createBuckets } from '../../service/http/buckets.ts';
import { networkOf } from '../../service/http/client-address.ts';
import { readBytes } from '../../service/http/request-body.ts';
import { countFeedback, isPublished, type Verdict } from '../../service/insights/feedback.ts';
import { Refusal } from '../../service/refusal.ts';
import type { Store } from '../../service/store/store.ts';
import { type Clock, nowMicros } from '../../service/time.ts';
import { THANKS_ID } from '../addresses.ts';
import { ownPath } from './preferences.ts';
import { redirect, textReply } from './reply.ts';
import { createTally } from './tally.ts';
import { isUrl } from '../../text/url.ts';

/** Takes the form below an article. @throws Refusal 413, 429 */
export type TakeFeedback = (request: Request, from: string | undefined) => Promise<Response>;

export interface FeedbackOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Where readers are; undefined: where each request says it goes. */
  readonly origin: string | undefined;
  readonly pauseMs: number;
  /** Milliseconds of any clock. */
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

const FORM_BYTES_MAX = 4000;
const ANSWERS_PER_MINUTE = 30;
const VERDICTS: ReadonlyMap<string, Verdict> = new Map([
  ['yes', 'helpful'],
  ['no', 'not-helpful'],
]);

/**
 * Counts answers for each article, and nothing of who gave them: no cookie is set, and addresses are in the memory of this
 * process alone, for as long as they limit how often one may answer.
 */
export function createFeedback(options: FeedbackOptions): TakeFeedback {
  const { store, clock, origin, pauseMs, now, onFailure } = options;
  const tally = createTally<{ readonly articleId: string; readonly verdict: Verdict }>({
    write: (answer, times) => countFeedback(store, answer, { times, at: nowMicros(clock) }),
    pauseMs,
    onFailure,
  });
  const take = createBuckets(now, ANSWERS_PER_MINUTE);
  const takeSame = createBuckets(now, 1);
  return async (request, from) => {
    if (!isSameOrigin(request, origin)) return textReply(403, 'Only a page of this site may send this form.');
    const network = from === undefined ? undefined : networkOf(from);
    const taken = network === undefined ? undefined : take(network);
    if (taken?.isGranted === false) {
      throw new Refusal(
        429,
        `you may answer ${ANSWERS_PER_MINUTE} times a minute; wait ${taken.waitSeconds} s`,
        {
          'Retry-After': String(taken.waitSeconds),
        },
      );
    }
    const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, FORM_BYTES_MAX)));
    const verdict = VERDICTS.get(form.get('answer') ?? '');
    if (verdict === undefined) return textReply(400, 'answer: must be yes or no.');
    const articleId = form.get('article') ?? '';
    const isKnown = ID.test(articleId) && (await store.read((sql) => isPublished(sql, articleId)));
    if (!isKnown) return textReply(404, 'article: there is no published article with this id.');
    // A second click within a minute changes nothing.
    const isNew = network === undefined || takeSame(`${network} ${articleId}`).isGranted;
    if (isNew) tally.note(`${articleId} ${verdict}`, { articleId, verdict });
    return redirect(303, `${ownPath(form.get('to') ?? '').replace(/#.*/, '')}#${THANKS_ID}`);
  };
}

const ID = /^[\w-]{1,64}$/;

/**
 * Browsers say with Sec-Fetch-Site where a form comes from, over connections that they trust; with Origin always. A program that
 * says neither is no reader. Of Origin the host counts: behind a proxy that ends TLS the service sees another scheme than the reader.
 */
function isSameOrigin({ url, headers }: Request, siteOrigin: string | undefined): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  if (origin === null || !isUrl(origin)) return false;
  return origin === siteOrigin || new URL(origin).host === new URL(url).host;
}

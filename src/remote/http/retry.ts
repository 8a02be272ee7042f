import { RemoteError } from '../error.ts';

/** What may be sent again: any read; a change or create only when it provably was not carried out. */
export type Effect = 'read' | 'create' | 'change';

const TRIES_MAX = 4;
/** A throttled request was refused, not tried: it may wait longer, as long as the bucket allows. */
const THROTTLED_TRIES_MAX = 10;
/** `Pace` knows when waiting is of no use any more. */
const RATE_TRIES_MAX = 50;
const TOKENS_MAX = 500;
const TRANSIENT_COST = 10;
const THROTTLED_COST = 5;
const TRANSIENT_BASE_MS = 100;
const THROTTLED_BASE_MS = 500;
const WAIT_MS_MAX = 20_000;
const SPREAD_MS_MAX = 1_000;

interface RetryWishes {
  readonly waits?: boolean | undefined;
  readonly isProved?: boolean | undefined;
}

export interface RetryBudget {
  /**
   * How long to wait before the next try; undefined: no further try. `tries` counts those already made; `isList` says that
   * the request names no record, so no refusal can be about one.
   */
  next(error: RemoteError, effect: Effect, tries: number, isList?: boolean): number | undefined;
  /** A call that succeeded at its first try earns a token back. */
  succeeded(): void;
}

/**
 * One budget for all calls of a run, so an outage costs a bounded number of requests: 500 tokens; a retry takes 10,
 * after throttling 5, and none after 429, for which all requests wait (pace.ts). The wait before retry n has full jitter up to 100 ms · 2ⁿ⁻¹ (500 ms · 2ⁿ⁻¹ when throttled), at most 20 s;
 * Retry-After is kept to, plus up to a second, for not all clients should come back at once; one beyond a minute ends the call unless
 * `waits`. Once the service has answered as the API does, in this run or (`isProved`) before, a page or a refusal in the place of an answer is read again too: a
 * login page or "under maintenance", said with 200, is somebody else's word between two answers.
 */
export function createRetryBudget(
  random: () => number,
  { waits = false, isProved = false }: RetryWishes = {},
): RetryBudget {
  let tokens = TOKENS_MAX;
  let hasAnswered = isProved;
  const isPassing = (error: RemoteError, effect: Effect, isList: boolean): boolean =>
    effect === 'read' &&
    (error.code === 'not-understood'
      ? hasAnswered
      : isList && error.code === 'rejected' && error.status === 200);
  return {
    next(error, effect, tries, isList = false) {
      const isWorth = mayRetry(error, effect) || isPassing(error, effect, isList);
      if (!isWorth || (isLongWait(error) && !waits)) return undefined;
      const isThrottled = error.code === 'throttled';
      const cost = isOfRate(error) ? 0 : isThrottled ? THROTTLED_COST : TRANSIENT_COST;
      if (tries >= triesMax(error) || tokens < cost) return undefined;
      tokens -= cost;
      if (error.retryAfterMs !== undefined) return Math.round(error.retryAfterMs + random() * SPREAD_MS_MAX);
      const baseMs = isThrottled ? THROTTLED_BASE_MS : TRANSIENT_BASE_MS;
      return Math.round(random() * Math.min(WAIT_MS_MAX, baseMs * 2 ** (tries - 1)));
    },
    succeeded() {
      hasAnswered = true;
      tokens = Math.min(TOKENS_MAX, tokens + 1);
    },
  };
}

function triesMax(error: RemoteError): number {
  if (isOfRate(error)) return RATE_TRIES_MAX;
  return error.code === 'throttled' ? THROTTLED_TRIES_MAX : TRIES_MAX;
}

/** Refused for the number of requests, and for nothing else. */
export function isOfRate(error: unknown): boolean {
  return error instanceof RemoteError && error.code === 'throttled' && error.status === 429;
}

/** A Retry-After that a run does not sit out unless it is told to: whoever started it would rather come back. */
const SHORT_WAIT_MS_MAX = 60_000;

export function isLongWait({ retryAfterMs }: Pick<RemoteError, 'retryAfterMs'>): boolean {
  return retryAfterMs !== undefined && retryAfterMs > SHORT_WAIT_MS_MAX;
}

function mayRetry(error: RemoteError, effect: Effect): boolean {
  switch (error.code) {
    case 'not-sent':
      return true;
    case 'throttled':
      // Who refuses for the number of requests has done nothing; of a 503 a create cannot be sure.
      return effect !== 'create' || error.status !== 503;
    case 'unclear':
      return effect === 'read';
    case 'rejected':
    case 'unauthorized':
    case 'forbidden':
    case 'stale':
    case 'redirect':
    case 'not-understood':
    case 'aborted':
      return false;
  }
}

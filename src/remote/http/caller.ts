import type { Answer } from './answer.ts';
import { createAttempt } from './attempt.ts';
import type { Call, CallerOptions } from './call.ts';
import { RemoteError } from '../error.ts';
import { interruptible } from './interrupt.ts';
import { createLimiter } from './limiter.ts';
import { COME_BACK, comeBack } from './retry-after.ts';
import { createRetryBudget, isLongWait, isOfRate } from './retry.ts';
import { SendError } from './send-error.ts';

export interface Caller {
  /** Resolves with a clear yes; throws RemoteError for anything else, after the tries that the call's class allows. */
  call(call: Call): Promise<Answer>;
  requests(): number;
  atOnce(): number;
}

const CONCURRENCY_START = 4;

/** Puts every request through the limiter, the retry budget and the decoder, and tells what happens. */
export function createCaller(options: CallerOptions): Caller {
  const budget = createRetryBudget(options.random, options);
  const limiter = createLimiter({ start: CONCURRENCY_START, max: options.concurrencyMax, isCongestion });
  const interrupt = interruptible(options.clock, options.signal);
  const once = createAttempt(options, interrupt);

  const call = async (call: Call): Promise<Answer> => {
    for (let tries = 1; ; tries++) {
      try {
        // What stands on a read must not wait behind others: somebody may write in that time.
        const answer = await limiter.run(() => once.attempt(call), call.staleAtMs !== undefined);
        if (tries === 1) budget.succeeded();
        return answer;
      } catch (error) {
        const isHopeless = isOfRate(error) && !once.isWorthWaiting();
        const delayMs =
          error instanceof RemoteError && !isHopeless
            ? budget.next(error, call.effect, tries, call.isList)
            : undefined;
        if (!(error instanceof RemoteError) || delayMs === undefined) throw withTime(error, options);
        const { method, path } = call;
        options.emit({ type: 'retry', method, path, reason: error.message, attempt: tries + 1, delayMs });
        await interrupt.sleep(delayMs, `${method} ${path}`);
      }
    }
  };

  return { call, requests: () => once.requests(), atOnce: () => limiter.atOnce() };
}

/** Where the wait is too long for a run, when to come back. */
function withTime(error: unknown, { clock }: CallerOptions): unknown {
  if (!(error instanceof RemoteError) || !isLongWait(error) || error.message.includes(COME_BACK))
    return error;
  const { code, message, request, status, retryAfterMs = 0, serviceMessage } = error;
  const details = { request, status, retryAfterMs, serviceMessage, cause: error.cause };
  return new RemoteError(code, `${message}; ${comeBack(clock.now() + retryAfterMs)}`, details);
}

/** A connection that is cut says so too: some balancers allow a client only so many. */
function isCongestion(error: unknown): boolean {
  if (!(error instanceof RemoteError)) return false;
  return error.code === 'throttled' || error.status === 503 || error.cause instanceof SendError;
}

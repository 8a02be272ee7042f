import type { Answer } from './answer.ts';
import { createAttempt } from './attempt.ts';
import type { Call, CallerOptions } from './call.ts';
import { RemoteError } from './error.ts';
import { interruptible } from './interrupt.ts';
import { createLimiter } from './limiter.ts';
import { createRetryBudget } from './retry.ts';
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
  const budget = createRetryBudget(options.random);
  const limiter = createLimiter({ start: CONCURRENCY_START, max: options.concurrencyMax, isCongestion });
  const interrupt = interruptible(options.clock, options.signal);
  const once = createAttempt(options, interrupt);

  const call = async (call: Call): Promise<Answer> => {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await limiter.run(() => once.attempt(call));
        if (tries === 1) budget.succeeded();
        return answer;
      } catch (error) {
        const delayMs = error instanceof RemoteError ? budget.next(error, call.retryClass, tries) : undefined;
        if (!(error instanceof RemoteError) || delayMs === undefined) throw error;
        const { method, path } = call;
        options.emit({ type: 'retry', method, path, reason: error.message, attempt: tries + 1, delayMs });
        await interrupt.sleep(delayMs, `${method} ${path}`);
      }
    }
  };

  return { call, requests: () => once.requests(), atOnce: () => limiter.atOnce() };
}

function isCongestion(error: unknown): boolean {
  if (!(error instanceof RemoteError)) return false;
  const isTimeout = error.cause instanceof SendError && error.cause.isTimeout;
  return error.code === 'throttled' || error.status === 503 || isTimeout;
}

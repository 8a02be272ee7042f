import type { Clock } from '../../model/clock.ts';
import { RemoteError } from '../error.ts';

/** A write that is on its way when the run is interrupted is waited for this long: its answer saves a lookup. */
const GRACE_MS = 5_000;

export interface Interrupt {
  /** Throws `aborted` when the run was interrupted: nothing was sent. */
  check(request: string): void;
  /** Sleeps, or throws `aborted`. */
  sleep(ms: number, request: string): Promise<void>;
  /** The exchange's result; `aborted` at once for a read, `unclear` after a grace for a write. */
  whole<T>(exchange: () => Promise<T>, request: string, isWrite: boolean): Promise<T>;
}

/**
 * One listener on the signal for all requests: a listener for each (as `new Request(…, {signal})` makes) costs more with
 * every request that went before.
 */
export function interruptible(clock: Clock, signal: AbortSignal | undefined): Interrupt {
  const waiting = new Set<() => void>();
  signal?.addEventListener('abort', () => {
    for (const wake of waiting) wake();
  });
  const check = (request: string): void => {
    if (signal?.aborted === true) throw aborted(request);
  };
  return {
    check,
    async sleep(ms, request) {
      check(request);
      const own = new AbortController();
      const wake = (): void => own.abort();
      waiting.add(wake);
      try {
        await clock.sleep(ms, own.signal);
      } finally {
        waiting.delete(wake);
        check(request);
      }
    },
    whole(exchange, request, isWrite) {
      if (signal === undefined) return exchange();
      return new Promise((resolve, reject) => {
        const giveUp = (): void => reject(isWrite ? unanswered(request) : aborted(request));
        const wake = isWrite ? () => void clock.sleep(GRACE_MS).then(giveUp, giveUp) : giveUp;
        waiting.add(wake);
        void exchange()
          .then(resolve, reject)
          .finally(() => waiting.delete(wake));
      });
    },
  };
}

function aborted(request: string): RemoteError {
  return new RemoteError('aborted', `${request}: the run was interrupted`, { request });
}

function unanswered(request: string): RemoteError {
  return new RemoteError(
    'unclear',
    `${request}: interrupted before the answer came; the change may have been made`,
    {
      request,
    },
  );
}

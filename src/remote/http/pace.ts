import type { RemoteError } from '../error.ts';

const HOLD_MS = 500;
const HOLD_MS_MAX = 20_000;
/** A hold that so many answers follow was long enough, perhaps too long. */
const ANSWERS_MIN = 5;
/** About two minutes without any answer but refusals. */
const REFUSALS_MAX = 10;

/** How long all requests wait because one was refused: what is refused for the number of requests is about the client. */
export interface Pace {
  /** Nothing is sent before. */
  untilMs(): number;
  /** `sentAtMs`: what left before others were refused says nothing new. */
  refused(error: RemoteError, sentAtMs: number): void;
  answered(): void;
  /** Whether waiting still helps. */
  isWorthWaiting(): boolean;
}

/**
 * Retry-After is kept to. Most services that limit a rate name no time: then each refusal (429) doubles the wait as long as no answer
 * follows, from half a second to 20 s. Once answers come between the refusals, the wait stays as it is; after many of them it is halved.
 */
export function createPace(now: () => number): Pace {
  let untilMs = 0;
  let holdMs = HOLD_MS / 2;
  let heldAtMs = Number.NEGATIVE_INFINITY;
  let answers = 0;
  let refusals = 0;
  return {
    untilMs: () => untilMs,
    refused({ code, status, retryAfterMs }, sentAtMs) {
      const isNews = sentAtMs >= heldAtMs;
      const isRate = code === 'throttled' && status === 429;
      if (retryAfterMs !== undefined) untilMs = Math.max(untilMs, now() + retryAfterMs);
      if (!isRate || !isNews) return;
      refusals = answers === 0 ? refusals + 1 : 1;
      if (answers === 0) holdMs = Math.min(HOLD_MS_MAX, holdMs * 2);
      else if (answers >= ANSWERS_MIN) holdMs = Math.max(HOLD_MS, holdMs / 2);
      answers = 0;
      heldAtMs = now();
      if (retryAfterMs === undefined && refusals < REFUSALS_MAX)
        untilMs = Math.max(untilMs, heldAtMs + holdMs);
    },
    answered: () => void (answers += 1),
    isWorthWaiting: () => answers > 0 || refusals < REFUSALS_MAX,
  };
}

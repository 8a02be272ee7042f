import type { Clock } from '../model/clock.ts';

/** Lists and reads of a service may lag behind its writes. If they do not show something, kbsync looks again after these times. */
export const LOOKS_MS: readonly number[] = [300, 700, 1000, 2000, 3000, 4000];

/** Asks at once, and again after each of the times, until the answer is yes. @returns whether it was */
export async function looksAgain(
  isSo: () => Promise<boolean>,
  {
    clock,
    signal,
    looksMs,
  }: { readonly clock: Clock; readonly signal: AbortSignal | undefined; readonly looksMs: readonly number[] },
): Promise<boolean> {
  if (await isSo()) return true;
  for (const delayMs of looksMs) {
    if (signal?.aborted === true) return false;
    await clock.sleep(delayMs, signal);
    if (await isSo()) return true;
  }
  return false;
}

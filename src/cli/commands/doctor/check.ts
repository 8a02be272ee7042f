import { failureOf } from '../../run/failure.ts';

/** What was looked at, how it stands, and what to do about it. */
export interface Check {
  readonly check: string;
  readonly standing: 'ok' | 'warning' | 'failed';
  readonly found: string;
  readonly help?: string;
}

/** A check that could not be made. What is no failure but a bug is thrown on. */
export function failed(check: string, error: unknown): Check {
  const failure = failureOf(error);
  if (failure === undefined) throw error;
  const help = failure.help === undefined ? {} : { help: failure.help };
  return { check, standing: 'failed', found: failure.message, ...help };
}

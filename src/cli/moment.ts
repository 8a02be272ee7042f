import { CliError } from './cli-error.ts';
import { visible } from './plain.ts';

/** Stored dates are microseconds in a number that must stay exact. */
const YEAR_MAX = 2199;

/**
 * A date or timestamp (ISO 8601, UTC where no zone is named) as milliseconds since 1970.
 * @throws CliError `usage`
 */
export function momentOf(flag: string, text: string): number {
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const hasZone = !text.includes('T') || /(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isIso ? Date.parse(hasZone ? text : `${text}Z`) : NaN;
  if (ms >= 0 && new Date(ms).getUTCFullYear() <= YEAR_MAX) return ms;
  throw new CliError('usage', `${flag}: \`${visible(text)}\` is not a date from 1970 to ${YEAR_MAX}`, {
    help: 'like 2026-12-31 or 2026-12-31T18:00Z',
  });
}

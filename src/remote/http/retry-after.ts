const WAIT_MS_MAX = 7 * 24 * 3_600_000;

/**
 * How long a Retry-After header asks to wait, in milliseconds from now, at most a week; undefined when there is none or
 * it says nothing. A date is measured against the reply's own Date, because two clocks need not agree.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(WAIT_MS_MAX, Math.round(Number(text) * 1000));
  const until = httpDateMs(text);
  if (until === undefined) return undefined;
  const from = httpDateMs(headers['date']?.trim() ?? '') ?? nowMs;
  return Math.min(WAIT_MS_MAX, Math.max(0, until - from));
}

export const COME_BACK = 'it asks to come back at';

/** `it asks to come back at 2026-11-22 14:05:00 UTC` */
export function comeBack(atMs: number): string {
  return `${COME_BACK} ${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The three forms of RFC 9110 5.6.7; all are GMT, also the one that does not say so. */
export function httpDateMs(text: string): number | undefined {
  const isNamed = /^[A-Z][a-z]+, .*GMT$/.test(text);
  const isAsctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(text);
  if (!isNamed && !isAsctime) return undefined;
  const ms = Date.parse(isAsctime ? `${text} GMT` : text);
  return Number.isNaN(ms) ? undefined : ms;
}

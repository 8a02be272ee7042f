/** Milliseconds since 1970, like Date.now(); fractions are kept down to the microsecond. */
export interface Clock {
  now(): number;
}

/** Microseconds since 1970: the unit of every stored date, because the list shows six digits. */
export function nowMicros(clock: Clock): number {
  return Math.round(clock.now() * 1000);
}

/** `2026-11-20T10:00:00.000001Z`, the spelling of single reads. */
export function isoDate(micros: number): string {
  return `${seconds(micros)}.${fraction(micros)}Z`;
}

/** `2026-11-20 10:00:00.000001`, the spelling of the article list. */
export function listDate(micros: number): string {
  return `${seconds(micros).replace('T', ' ')}.${fraction(micros)}`;
}

const ISO_DATE =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<hours>\d{2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:[.,]\d{1,9})?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * An ISO 8601 date or timestamp as `2026-12-01T00:00:00.000Z`, or undefined when the text is not one that exists. A date
 * without time is midnight, a time without zone is UTC.
 */
export function canonicalDate(text: string): string | undefined {
  const parts = ISO_DATE.exec(text)?.groups;
  const day = parts?.['day'];
  if (parts === undefined || day === undefined) return undefined;
  // A day that does not exist (30 February) is rolled over by Date, not refused.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined;
  if (parts['hours'] === undefined) return midnight.toISOString();
  const zone = (parts['zone'] ?? 'Z').toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const fractionText = /[.,](\d{1,3})/.exec(text)?.[1] ?? '0';
  const moment = new Date(
    `${day}T${parts['hours']}:${parts['minutes']}:${parts['seconds'] ?? '00'}.${fractionText.padEnd(3, '0')}${zone}`,
  );
  if (Number.isNaN(moment.getTime())) return undefined;
  const canonical = moment.toISOString();
  // The zone may carry year 0000 or 9999 over the edge, where text order is no longer time order.
  return canonical.length === 24 ? canonical : undefined;
}

/** The last second that was spelt out: dates of a list stand close together, and spelling one costs most of its line. */
let spelt = { second: 0, text: '1970-01-01T00:00:00' };

function seconds(micros: number): string {
  const second = Math.floor(micros / 1_000_000);
  if (spelt.second !== second) {
    spelt = { second, text: new Date(second * 1000).toISOString().slice(0, 19) };
  }
  return spelt.text;
}

function fraction(micros: number): string {
  return String(micros % 1_000_000).padStart(6, '0');
}

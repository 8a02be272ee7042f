import { canonicalDate } from '../model/compare/canonical.ts';

const ISO =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T\s]\s*(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;

/**
 * The instant that a date in a file means, as ISO 8601 in UTC; undefined for a text that is no date. A date without a time
 * is midnight; one without a zone is a time in `zone` (`Europe/Paris`). `isLenient` reads what site generators read too:
 * `2030/1/2`, `Jan 2, 2030`, `Wed, 02 Jan 2030 15:04:05 GMT`.
 */
export function instantOf(text: string, zone: string, isLenient: boolean): string | undefined {
  const written = text.trim();
  const found = ISO.exec(written);
  if (found === null) return isLenient ? englishInstant(written, zone) : undefined;
  const [, year = '', month = '', day = '', hour = '0', minute = '00', second = '00', offset] = found;
  if (!isLenient && (month.length !== 2 || day.length !== 2 || written.includes('/'))) return undefined;
  const two = (part: string): string => part.padStart(2, '0');
  const local = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}`;
  const isNamed = offset !== undefined && /^[a-z]/i.test(offset);
  const instant = canonicalDate(`${local}${isNamed ? 'Z' : (offset ?? 'Z')}`);
  // What no calendar has comes back as it was.
  if (instant === null || !instant.endsWith('.000Z')) return undefined;
  return offset === undefined ? inZone(instant, zone) : instant;
}

const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
const ENGLISH = new RegExp(
  `^(?:[a-z]{3,9},? )?(?:\\d{1,2} ${MONTH}|${MONTH} \\d{1,2}),? \\d{4}(?:,? \\d{1,2}:\\d\\d(?::\\d\\d)?(?: [ap]m)?)?(?: (utc|gmt|[a-z]{2,3}t|[+-]\\d{4}))?$`,
  'i',
);

/** What no rule above reads: names of months and zones in English. */
function englishInstant(written: string, zone: string): string | undefined {
  const found = ENGLISH.exec(written);
  if (found === null) return undefined;
  const hasZone = found[1] !== undefined;
  const time = Date.parse(hasZone ? written : `${written} UTC`);
  if (Number.isNaN(time)) return undefined;
  const instant = new Date(time).toISOString();
  return hasZone ? instant : inZone(instant, zone);
}

/** The instant at which a clock in `zone` shows what a clock in UTC shows at `instant`. */
function inZone(instant: string, zone: string): string {
  const local = Date.parse(instant);
  const first = local - offsetMs(local, zone);
  // Asked twice: at the first guess another offset may hold, because summer time began or ended in between.
  return new Date(local - offsetMs(first, zone)).toISOString();
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetMs(instantMs: number, zone: string): number {
  if (zone === 'UTC') return 0;
  let format = formats.get(zone);
  if (format === undefined) {
    const numeric = 'numeric';
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    formats.set(zone, format);
  }
  const parts = new Map(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
  const at = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const shown = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
  return shown - Math.floor(instantMs / 1000) * 1000;
}

/** Whether this system knows a time zone of that name. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

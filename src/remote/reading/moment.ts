/** A point in time, and how exactly it was said. */
export interface Moment {
  /** Seconds since 1970. */
  readonly atS: number;
  readonly exactS: 1 | 60;
  readonly isZoned: boolean;
}

const DATE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/** A date as services write it: ISO 8601 with or without `T`, parts of a second and a zone, or seconds or milliseconds since 1970. */
export function momentOf(text: string | undefined): Moment | undefined {
  if (text === undefined) return undefined;
  if (/^\d{9,10}$/.test(text)) return { atS: Number(text), exactS: 1, isZoned: true };
  if (/^\d{12,13}$/.test(text)) return { atS: Math.floor(Number(text) / 1000), exactS: 1, isZoned: true };
  const [, day, minute, second, zone = ''] = DATE.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const [, sign = '', hours = '00', minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = sign === '' ? 'Z' : `${sign}${hours}:${minutes}`;
  const ms = Date.parse(`${day}T${minute}:${second ?? '00'}${offset}`);
  if (Number.isNaN(ms)) return undefined;
  return { atS: ms / 1000, exactS: second === undefined ? 60 : 1, isZoned: zone !== '' };
}

const QUARTER_S = 15 * 60;
/** The zones of the world are at most so far from UTC. */
export const ZONE_S_MAX = 14 * 3600;

/** By how much the clocks of a zone are before UTC at that time; undefined for a name that is none. */
export function offsetOf(timeZone: string, atS: number): number | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(
      atS * 1000,
    );
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  } catch {
    return undefined;
  }
}

/** What one side rounds, and the other does not, is apart by so much. */
export const ROUNDED_S = 1;

/** How much later the first one is, as exactly as both are said. */
export function apartS(one: Moment, other: Moment): number {
  const exactS = Math.max(one.exactS, other.exactS);
  return (Math.floor(one.atS / exactS) - Math.floor(other.atS / exactS)) * exactS;
}

/**
 * Two dates may be one: said less exactly, rounded, or in the time of a zone that one of them does not name. Then this is by how
 * much the zone of the first is before UTC.
 */
export function zoneBetween(one: Moment, other: Moment): number | undefined {
  const apart = apartS(one, other);
  const zoneS = Math.round(apart / QUARTER_S) * QUARTER_S;
  return Math.abs(apart - zoneS) <= ROUNDED_S && Math.abs(zoneS) <= ZONE_S_MAX ? zoneS : undefined;
}

/**
 * How old a date is. In a zone that it does not name it may be any number of quarters of an hour older, so the least age is told that the
 * zones of the world allow. `slackS`: so far may the clocks be apart.
 */
export function ageS(
  { atS, isZoned }: Pick<Moment, 'atS' | 'isZoned'>,
  atMs: number,
  slackS: number,
): number {
  const apart = atMs / 1000 - atS;
  const zoneS = isZoned ? 0 : Math.floor((apart + slackS) / QUARTER_S) * QUARTER_S;
  return Math.abs(zoneS) <= ZONE_S_MAX ? apart - zoneS : Infinity;
}

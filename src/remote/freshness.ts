import type { Clock } from '../model/clock.ts';
import { sameLanguage } from '../model/language.ts';
import type { Lang, RemoteId } from '../model/key.ts';
import { RemoteError } from './error.ts';
import type { ReadResult, RemoteList } from './remote.ts';
import { notUnderstood } from './wire/reply.ts';

/** One read of an article. `isAgain`: an answer that is kept somewhere on the way is not wanted. */
export type ReadArticle = (id: RemoteId, lang: Lang | undefined, isAgain: boolean) => Promise<DatedRead>;

export type DatedRead =
  | (Extract<ReadResult, { state: 'found' }> & {
      /** When the article was edited last, as the reply says. */
      readonly lastEdited?: string;
    })
  | Exclude<ReadResult, { state: 'found' }>;

export interface FreshnessOptions {
  readonly read: ReadArticle;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly defaultLanguage: Lang;
}

export interface Freshness {
  /** What the list said of an article at the last sync. */
  knew(listedBefore: (id: RemoteId) => string | undefined): void;
  /** This run edits the article: a read from before is no wonder from now on. */
  wrote(id: RemoteId): void;
  /** The article list, with the zone that it names, and when it was answered by the service's own clock. */
  saw(list: Pick<RemoteList, 'items' | 'timezone'>, atMs: number): void;
  /** An article that is as new as all that was seen of it since the list. Throws where the service shows an older one for some seconds. */
  read(id: RemoteId, lang: Lang | undefined, request: string): Promise<ReadResult>;
}

/** What is behind is read again at once, and after these times. */
const LOOKS_MS = [0, 1000, 2000];
const DAY_S = 24 * 3600;
/** What dates mean is found out once a run; `watch` runs for days. */
const ASKED_AGAIN_MS = 600_000;
/**
 * So many other articles are asked whether their dates mean the same in the list and alone: one of each age, because what
 * many people edit at once is old in a cache all together.
 */
const WITNESS_AGES_S = [0, 3600, DAY_S];

interface Listed {
  readonly moment: Moment;
  /** As the list writes it. */
  readonly text: string;
  readonly hasTranslations: boolean;
}

/**
 * A cache or a copy of the service may answer a single read with what an article was before somebody edited it: what an editor
 * wrote would be overwritten unseen. The date of a read is compared with the list's and with that of the read before.
 *
 * Dates may mean something else in lists. They mean the same where a read has the very date that the list had at the last sync, or
 * where another article has one date in both places; articles of several ages are asked. Else no date of the list is believed. A date
 * of the list that is older than a day is not asked about: no cache is so slow.
 */
export function createFreshness(options: FreshnessOptions): Freshness {
  const { read, clock, signal, defaultLanguage } = options;
  let listed: ReadonlyMap<RemoteId, Listed> = new Map();
  let listedAtMs = 0;
  let zoneName: string | undefined;
  let listedBefore: (id: RemoteId) => string | undefined = () => undefined;
  const written = new Set<RemoteId>();
  const newest = new Map<string, Seen>();
  const agreed = new Set<RemoteId>();
  /** By how much the list's dates were seen to be later than equal ones of single reads, in seconds. */
  const zones = new Set<number>();
  let belief: Promise<boolean> | undefined;
  let isFutile = false;
  let askedAtMs = 0;

  /**
   * In UTC, or in the zone that the list names; where it names none, the first zone that is seen is that of all dates of that day. A
   * read that is older by whole quarters of an hour may be old as well, so another article has to show such a zone first.
   */
  const isOneDate = (inList: Moment, alone: Moment, isOther = false): boolean => {
    const zoneS = zoneBetween(inList, alone);
    if (zoneS === undefined || zoneS === 0) return zoneS === 0;
    if (inList.isZoned && alone.isZoned) return false;
    const namedS = zoneName === undefined ? undefined : offsetOf(zoneName, alone.atS);
    if (namedS !== undefined) return zoneS === namedS || (!alone.isZoned && zoneS === -namedS);
    return zones.has(zoneS) || (zones.size === 0 && (isOther || zoneS < 0));
  };

  const isOld = ({ atS }: Moment): boolean => atS < listedAtMs / 1000 - DAY_S;

  const isAgreed = (id: RemoteId, moment: Moment | undefined, isOther = false): boolean => {
    const item = listed.get(id);
    if (item === undefined || moment === undefined || !isOneDate(item.moment, moment, isOther)) return false;
    agreed.add(id);
    // Another day may be in summer.
    if (!isOld(item.moment)) zones.add(zoneBetween(item.moment, moment) ?? 0);
    return true;
  };

  const latestZone = (): number => (zones.size === 0 ? 0 : Math.max(...zones));

  const isWitness = async (id: RemoteId): Promise<boolean> => {
    if (agreed.has(id)) return true;
    try {
      const other = await read(id, undefined, true);
      return isAgreed(id, other.state === 'found' ? momentOf(other.lastEdited) : undefined, true);
    } catch (error) {
      if (error instanceof RemoteError && error.code !== 'aborted') return false;
      throw error;
    }
  };

  /** Whether the dates of lists and of single reads mean the same: another article shows it. */
  const areDatesOne = async (except: RemoteId): Promise<boolean> => {
    const others = [...listed]
      .filter(([id, { hasTranslations }]) => id !== except && !hasTranslations)
      .sort(([, a], [, b]) => b.moment.atS - a.moment.atS);
    const ofAges = WITNESS_AGES_S.flatMap(
      (ageS) => others.find(([, { moment }]) => moment.atS <= listedAtMs / 1000 - ageS)?.[0] ?? [],
    );
    const witnesses = new Set([...ofAges, ...others.slice(0, WITNESS_AGES_S.length).map(([id]) => id)]);
    for (const id of [...witnesses].slice(0, WITNESS_AGES_S.length)) if (await isWitness(id)) return true;
    return false;
  };

  /** What is newer than this read; undefined: nothing that is known. */
  const newerThan = (name: string, id: RemoteId | undefined, moment: Moment): Newer | undefined => {
    const before = newest.get(name);
    if (before !== undefined && before.moment.atS > moment.atS)
      return { text: before.text, by: 'an earlier read' };
    const item = id === undefined ? undefined : listed.get(id);
    if (item === undefined || isOld(item.moment) || isOneDate(item.moment, moment)) return undefined;
    const isBehind = apartS(item.moment, moment) - latestZone() > ROUNDED_S;
    return isBehind ? { text: item.text, by: 'the list', item } : undefined;
  };

  /** The same, unless it is only the list's, and its dates mean something else. */
  const believedNewer = async (
    name: string,
    id: RemoteId | undefined,
    moment: Moment,
  ): Promise<Newer | undefined> => {
    const newer = newerThan(name, id, moment);
    if (newer?.item === undefined || id === undefined) return newer;
    if (newer.item.hasTranslations && isFutile) return newer;
    const before = written.has(id) ? undefined : momentOf(listedBefore(id));
    if (before !== undefined && isOneDate(before, moment)) return newer;
    belief ??= areDatesOne(id);
    // Another article may have shown the zone of the list's dates.
    return (await belief) ? newerThan(name, id, moment) : undefined;
  };

  return {
    knew(dateOf) {
      listedBefore = dateOf;
      written.clear();
    },
    wrote(id) {
      written.add(id);
    },
    saw({ items, timezone }, atMs) {
      listedAtMs = atMs;
      zoneName = timezone;
      // Between two lists the site may be taken back to an earlier version, or a zone's summer may end.
      newest.clear();
      agreed.clear();
      zones.clear();
      if (atMs >= askedAtMs + ASKED_AGAIN_MS) {
        askedAtMs = atMs;
        belief = undefined;
        isFutile = false;
      }
      listed = new Map(
        items.flatMap(({ id, view, languages }) => {
          const { lastEdited = '' } = view;
          const moment = momentOf(lastEdited);
          const hasTranslations = languages.some((each) => !sameLanguage(each, defaultLanguage));
          return moment === undefined ? [] : [[id, { moment, text: lastEdited, hasTranslations }] as const];
        }),
      );
    },
    async read(id, lang, request) {
      const name = `${id} ${lang ?? ''}`;
      const own = lang === undefined ? id : undefined;
      let result = await read(id, lang, false);
      for (const delayMs of [...LOOKS_MS, undefined]) {
        const shown = result.state === 'found' ? result.lastEdited : undefined;
        const moment = momentOf(shown);
        if (moment === undefined || shown === undefined) break;
        if (own !== undefined) isAgreed(own, moment);
        const newer = await believedNewer(name, own, moment);
        const isLast = delayMs === undefined;
        // The list may mean an edit of a translation.
        if (isLast && newer?.item?.hasTranslations === true) isFutile = true;
        if (newer === undefined || (isFutile && newer.item?.hasTranslations === true)) {
          newest.set(name, { moment, text: shown });
          break;
        }
        if (isLast) throw behind(request, shown, newer);
        if (delayMs > 0) await clock.sleep(delayMs, signal);
        result = await read(id, lang, true);
      }
      return withoutDate(result);
    },
  };
}

interface Seen {
  readonly moment: Moment;
  readonly text: string;
}

interface Newer {
  readonly text: string;
  readonly by: 'the list' | 'an earlier read';
  readonly item?: Listed;
}

function withoutDate(result: DatedRead): ReadResult {
  return result.state === 'found' ? { state: 'found', record: result.record } : result;
}

function behind(request: string, shown: string, { text, by }: Newer): RemoteError {
  return notUnderstood(
    request,
    `the service shows the article as it was on ${shown}, but ${by} says that it was edited on ${text}: a cache shows what ` +
      'was there before, and what was edited would be overwritten unseen; run again in a few minutes' +
      (by === 'the list' ? ' (after a day, kbsync asks no more about a date of the list)' : ''),
  );
}

/** A point in time, and how exactly it was said. */
interface Moment {
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
const ZONE_S_MAX = 14 * 3600;

/** By how much the clocks of a zone are before UTC at that time; undefined for a name that is none. */
function offsetOf(timeZone: string, atS: number): number | undefined {
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

const ROUNDED_S = 1;

/** How much later the first one is, as exactly as both are said. */
function apartS(one: Moment, other: Moment): number {
  const exactS = Math.max(one.exactS, other.exactS);
  return (Math.floor(one.atS / exactS) - Math.floor(other.atS / exactS)) * exactS;
}

/**
 * Two dates may be one: said less exactly, rounded, or in the time of a zone that one of them does not name. Then this is by how
 * much the zone of the first is before UTC.
 */
function zoneBetween(one: Moment, other: Moment): number | undefined {
  const apart = apartS(one, other);
  const zoneS = Math.round(apart / QUARTER_S) * QUARTER_S;
  return Math.abs(apart - zoneS) <= ROUNDED_S && Math.abs(zoneS) <= ZONE_S_MAX ? zoneS : undefined;
}

import type { Lang, RemoteId } from '../../model/key.ts';
import { sameLanguage } from '../../model/language.ts';
import { RemoteError } from '../error.ts';
import type { RemoteList } from '../remote.ts';
import { apartS, momentOf, offsetOf, ROUNDED_S, zoneBetween } from './moment.ts';
import type { Moment } from './moment.ts';
import type { DatedRead } from './reader.ts';

export interface ListDates {
  /**
   * The article list, with the zone that it names, and when it was answered by the service's own clock. Answers whether it is time to
   * find out anew what its dates mean.
   */
  saw(list: Pick<RemoteList, 'items' | 'timezone'>, atMs: number): boolean;
  /** A single read showed this date of an article: where the list has the same, both mean the same. */
  showed(id: RemoteId, moment: Moment): void;
  /** What the list says of an article, if that is later than this date of a single read. */
  laterThan(id: RemoteId, moment: Moment): ListedDate | undefined;
  /** Whether a date of lists and one of a single read are one. */
  isOneDate(inList: Moment, alone: Moment): boolean;
  /** Whether the dates of lists and of single reads mean the same: another article than this one shows it. Asked once. */
  areBelieved(except: RemoteId): Promise<boolean>;
}

export interface ListedDate {
  readonly moment: Moment;
  /** As the list writes it. */
  readonly text: string;
  readonly hasTranslations: boolean;
}

export interface ListDatesOptions {
  /** A read of an original that no cache on the way may answer. */
  readonly readAgain: (id: RemoteId) => Promise<DatedRead>;
  readonly defaultLanguage: Lang;
}

const DAY_S = 24 * 3600;
/** What dates mean is found out once a run; `watch` runs for days. */
const ASKED_AGAIN_MS = 600_000;
/**
 * So many other articles are asked whether their dates mean the same in the list and alone: one of each age, because what
 * many people edit at once is old in a cache all together.
 */
const WITNESS_AGES_S = [0, 3600, DAY_S];

/**
 * Dates may mean something else in lists. They mean the same where a read has the very date that the list had at the last sync, or
 * where another article has one date in both places; articles of several ages are asked. Else no date of the list is believed. A date
 * of the list that is older than a day is not asked about: no cache is so slow.
 */
export function createListDates({ readAgain, defaultLanguage }: ListDatesOptions): ListDates {
  let listed: ReadonlyMap<RemoteId, ListedDate> = new Map();
  let listedAtMs = 0;
  let zoneName: string | undefined;
  const agreed = new Set<RemoteId>();
  /** By how much the list's dates were seen to be later than equal ones of single reads, in seconds. */
  const zones = new Set<number>();
  let belief: Promise<boolean> | undefined;
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

  const isWitness = async (id: RemoteId): Promise<boolean> => {
    if (agreed.has(id)) return true;
    try {
      const other = await readAgain(id);
      return isAgreed(id, other.state === 'found' ? momentOf(other.lastEdited) : undefined, true);
    } catch (error) {
      if (error instanceof RemoteError && error.code !== 'aborted') return false;
      throw error;
    }
  };

  const anotherShowsIt = async (except: RemoteId): Promise<boolean> => {
    for (const id of witnesses(listed, except, listedAtMs)) if (await isWitness(id)) return true;
    return false;
  };

  return {
    saw({ items, timezone }, atMs) {
      listedAtMs = atMs;
      zoneName = timezone;
      // Between two lists a zone's summer may end.
      agreed.clear();
      zones.clear();
      listed = new Map(items.flatMap((item) => datedItem(item, defaultLanguage)));
      if (atMs < askedAtMs + ASKED_AGAIN_MS) return false;
      askedAtMs = atMs;
      belief = undefined;
      return true;
    },
    showed: (id, moment) => void isAgreed(id, moment),
    laterThan(id, moment) {
      const item = listed.get(id);
      if (item === undefined || isOld(item.moment) || isOneDate(item.moment, moment)) return undefined;
      const latestZone = zones.size === 0 ? 0 : Math.max(...zones);
      return apartS(item.moment, moment) - latestZone > ROUNDED_S ? item : undefined;
    },
    isOneDate: (inList, alone) => isOneDate(inList, alone),
    areBelieved: (except) => (belief ??= anotherShowsIt(except)),
  };
}

function datedItem(
  { id, view, languages }: RemoteList['items'][number],
  defaultLanguage: Lang,
): readonly (readonly [RemoteId, ListedDate])[] {
  const { lastEdited = '' } = view;
  const moment = momentOf(lastEdited);
  const hasTranslations = languages.some((each) => !sameLanguage(each, defaultLanguage));
  return moment === undefined ? [] : [[id, { moment, text: lastEdited, hasTranslations }]];
}

/** The newest of each age, then the newest at all. Of an article with translations, the list may mean one of those. */
function witnesses(
  listed: ReadonlyMap<RemoteId, ListedDate>,
  except: RemoteId,
  listedAtMs: number,
): readonly RemoteId[] {
  const others = [...listed]
    .filter(([id, { hasTranslations }]) => id !== except && !hasTranslations)
    .sort(([, a], [, b]) => b.moment.atS - a.moment.atS);
  const ofAges = WITNESS_AGES_S.flatMap(
    (ageS) => others.find(([, { moment }]) => moment.atS <= listedAtMs / 1000 - ageS)?.[0] ?? [],
  );
  const newest = others.slice(0, WITNESS_AGES_S.length).map(([id]) => id);
  return [...new Set([...ofAges, ...newest])].slice(0, WITNESS_AGES_S.length);
}

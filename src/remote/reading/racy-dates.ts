import { marked } from '../../model/compare/fingerprint.ts';
import type { ListedRecord } from '../../model/record.ts';
import { ageS, momentOf, ZONE_S_MAX } from './moment.ts';

const DAY_S = 24 * 3600;
/** `Date` headers tell whole seconds. */
const HEADER_S = 1;
/** Clocks of two machines are so far apart where both are set by a time server. */
const CLOCKS_S = 5;

interface ListedAt {
  /** When the list was answered, by the service's clock if it says so. */
  readonly atMs: number;
  readonly isServiceTime: boolean;
  /** Small letters and digits, others for each list. */
  readonly mark: string;
}

/**
 * Articles whose date in the list is that of this very second, minute or day, where no date of the list tells a smaller part: an edit that
 * comes next may have the same date. The fingerprint of such an article gets a mark, so the next list shows another one, and the
 * article is read again before it is trusted. This is git's rule for files that have changed just now ("racy git").
 */
export function withRacyMarks(items: readonly ListedRecord[], at: ListedAt): readonly ListedRecord[] {
  const dates = items.map(({ view }) => coarseDate(view.lastEdited ?? ''));
  const exactS = dates.reduce((least, date) => Math.min(least, date?.exactS ?? least), DAY_S);
  if (exactS === 0) return items;
  return items.map((item, index) => {
    const date = dates[index];
    const isMarked = date !== undefined && isRacy({ ...date, exactS }, at);
    return isMarked ? { ...item, seen: marked(item.seen, at.mark) } : item;
  });
}

/** Whether another edit may come in the time that such a date means. */
function isRacy({ atS, exactS, isZoned }: CoarseDate, { atMs, isServiceTime }: ListedAt): boolean {
  const isDay = exactS >= DAY_S;
  const slackS = isServiceTime ? HEADER_S : CLOCKS_S;
  const maxS = exactS + slackS + (isDay ? ZONE_S_MAX : 0);
  const oldS = ageS({ atS, isZoned: isZoned || isDay }, atMs, slackS);
  return oldS < maxS && oldS > -ZONE_S_MAX - maxS;
}

interface CoarseDate {
  readonly atS: number;
  /** The largest unit that it may be told in; 0: it tells parts of a second. */
  readonly exactS: number;
  readonly isZoned: boolean;
}

/** Undefined: it is no date. */
function coarseDate(text: string): CoarseDate | undefined {
  if (text === '') return undefined;
  const moment = momentOf(text);
  const atS = moment?.atS ?? Date.parse(text) / 1000;
  if (Number.isNaN(atS)) return undefined;
  const isFine = /:\d\d[.,]\d*[1-9]/.test(text) || /^\d{10}(?!000$)\d{3}$/.test(text);
  const unitS = atS % DAY_S === 0 ? DAY_S : atS % 60 === 0 ? 60 : 1;
  // What no pattern knows names a zone, as RFC 9110 dates do, or a day alone.
  return { atS, exactS: isFine ? 0 : unitS, isZoned: moment?.isZoned ?? true };
}

import type { Clock } from '../../model/clock.ts';
import type { Lang, RemoteId } from '../../model/key.ts';
import type { RemoteError } from '../error.ts';
import type { ReadResult, RemoteList } from '../remote.ts';
import { notUnderstood } from '../wire/reply.ts';
import { createListDates } from './list-dates.ts';
import type { ListedDate } from './list-dates.ts';
import { momentOf } from './moment.ts';
import type { Moment } from './moment.ts';
import type { DatedRead } from './reader.ts';

/** One read of an article. `isAgain`: an answer that is kept somewhere on the way is not wanted. */
export type ReadArticle = (id: RemoteId, lang: Lang | undefined, isAgain: boolean) => Promise<DatedRead>;

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

/**
 * A cache or a copy of the service may answer a single read with what an article was before somebody edited it: what an editor
 * wrote would be overwritten unseen. The date of a read is compared with the list's and with that of the read before.
 */
export function createFreshness(options: FreshnessOptions): Freshness {
  const { read, clock, signal, defaultLanguage } = options;
  const dates = createListDates({ readAgain: (id) => read(id, undefined, true), defaultLanguage });
  let listedBefore: (id: RemoteId) => string | undefined = () => undefined;
  const written = new Set<RemoteId>();
  const newest = new Map<string, Seen>();
  let isFutile = false;

  /** What is newer than this read; undefined: nothing that is known. */
  const newerThan = (name: string, id: RemoteId | undefined, moment: Moment): Newer | undefined => {
    const before = newest.get(name);
    if (before !== undefined && before.moment.atS > moment.atS)
      return { text: before.text, by: 'an earlier read' };
    const item = id === undefined ? undefined : dates.laterThan(id, moment);
    return item === undefined ? undefined : { text: item.text, by: 'the list', item };
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
    if (before !== undefined && dates.isOneDate(before, moment)) return newer;
    // Another article may have shown the zone of the list's dates.
    return (await dates.areBelieved(id)) ? newerThan(name, id, moment) : undefined;
  };

  return {
    knew(dateOf) {
      listedBefore = dateOf;
      written.clear();
    },
    wrote(id) {
      written.add(id);
    },
    saw(list, atMs) {
      // Between two lists the site may be taken back to an earlier version.
      newest.clear();
      if (dates.saw(list, atMs)) isFutile = false;
    },
    async read(id, lang, request) {
      const name = `${id} ${lang ?? ''}`;
      const own = lang === undefined ? id : undefined;
      let result = await read(id, lang, false);
      for (const delayMs of [...LOOKS_MS, undefined]) {
        const shown = result.state === 'found' ? result.lastEdited : undefined;
        const moment = momentOf(shown);
        if (moment === undefined || shown === undefined) break;
        if (own !== undefined) dates.showed(own, moment);
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
  readonly item?: ListedDate;
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

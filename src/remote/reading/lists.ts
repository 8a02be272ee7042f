import type { Clock } from '../../model/clock.ts';
import type { Kind } from '../../model/key.ts';
import { HEADERS } from '../../contract/headers.ts';
import type { CapabilityLedger } from '../capabilities.ts';
import type { Answer } from '../http/answer.ts';
import type { CleanText } from '../http/clean-text.ts';
import { httpDateMs } from '../http/retry-after.ts';
import type { Remote, RemoteList } from '../remote.ts';
import { decodeList } from '../wire/decode-list.ts';
import { hasPageHeaders } from '../wire/pages.ts';
import { listPath } from '../wire/paths.ts';
import type { Absence } from './absence.ts';
import type { Freshness } from './freshness.ts';
import type { OriginalIds } from './original-ids.ts';
import { withRacyMarks } from './racy-dates.ts';
import type { TranslationRows } from './translation-rows.ts';
import { firstPage, wholeList, type GetList, type WholeList } from './pages.ts';

export interface ListsOptions {
  readonly get: GetList;
  readonly ledger: CapabilityLedger;
  readonly clean: CleanText;
  readonly clock: Clock;
  /** What learns from each list that is read. */
  readonly absence: Absence;
  readonly freshness: Freshness;
  readonly originals: OriginalIds;
  readonly translationRows: TranslationRows;
}

/** `Remote.list` and `Remote.peek`. */
export function createLists(options: ListsOptions): Pick<Remote, 'list' | 'peek'> {
  const { get, ledger, clean, clock, absence, freshness, originals, translationRows } = options;
  /** Lengths of article lists that were equal to their `limit`: no service truncates in two places. */
  const lengths = new Set<number>();
  const readingOf = (kind: Kind) => ({ request: `GET ${listPath(kind)}`, clean });
  const whole = (kind: Kind, first: Answer): Promise<WholeList> =>
    wholeList(first, listPath(kind), get, readingOf(kind));
  const listFrom = (kind: Kind, { answer, digest, more, isRead }: WholeList): RemoteList => {
    const decoded = decodeList(kind, answer, readingOf(kind));
    const total = decoded.total ?? (isRead === true ? decoded.rows : undefined);
    const serviceMs = httpDateMs(answer.headers['date'] ?? '');
    const nowMs = clock.now();
    // It tells the date with each write, so it has another one for each.
    const isExact = ledger.now()['last-edited'] === 'yes';
    const at = { atMs: serviceMs ?? nowMs, isServiceTime: serviceMs !== undefined, mark: nowMs.toString(36) };
    const list = {
      ...decoded,
      answeredAtMs: at.atMs,
      items: isExact || kind !== 'article' ? decoded.items : withRacyMarks(decoded.items, at),
      ...(total === undefined ? {} : { total }),
      ...(more === undefined ? {} : { more }),
    };
    if (digest === undefined && list.limit !== undefined && list.limit === list.rows) {
      lengths.add(list.rows);
      if (lengths.size > 1) ledger.learn({ 'limit-cuts': 'no' });
    }
    if (kind === 'article') freshness.saw(list, at.atMs);
    const ids = list.items.map((item) => item.id);
    originals.saw(kind, ids);
    translationRows.saw(kind, ids);
    absence.saw(kind, ids.slice(0, 3));
    return list;
  };
  const whenAsked = (kind: Kind, pages: WholeList) => (): RemoteList => listFrom(kind, pages);
  return {
    list: async (kind) => listFrom(kind, await whole(kind, await get(listPath(kind)))),
    async peek(kind, digest, knownTag) {
      const [knownDigest = ''] = digest.split(' ');
      const answer = await get(listPath(kind), { knownDigest, knownTag });
      if (answer.isUnchanged === true && knownTag !== undefined)
        return { digest, tag: knownTag, list: undefined };
      const total = answer.headers[HEADERS.totalCount.toLowerCase()] ?? '';
      const { etag } = answer.headers;
      // Tags of others may be of a cache in between, or never change: they say nothing that a sync could stand on.
      const isTold = ledger.now()['list-etag'] === 'yes' && etag !== undefined && /^"[^"]+"$/.test(etag);
      // The same bytes had no other page before, and need not be parsed to know that.
      const isOnePage = `${answer.digest} ${total}` === digest && !hasPageHeaders(answer.headers);
      const pages = isOnePage ? firstPage(answer, listPath(kind)) : await whole(kind, answer);
      const told = `${pages.digest ?? answer.digest ?? ''} ${total}`;
      return {
        digest: told,
        // The tag of the first page says nothing of the others.
        ...(isTold && pages.digest === undefined ? { tag: etag } : {}),
        // Of a list that is as it was, nobody may ever ask.
        list: told === digest ? whenAsked(kind, pages) : asRead(listFrom(kind, pages)),
      };
    },
  };
}

/** A function of its own, whose scope holds nothing of the answer: what was parsed of it can go before the other lists arrive. */
function asRead(list: RemoteList): () => RemoteList {
  return () => list;
}

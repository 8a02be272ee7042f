import type { Clock } from '../../model/clock.ts';
import type { Kind } from '../../model/key.ts';
import { HEADERS } from '../../contract/headers.ts';
import type { CapabilityLedger } from '../capabilities.ts';
import type { Answer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { CleanText } from '../http/clean-text.ts';
import { httpDateMs } from '../http/retry-after.ts';
import type { Remote, RemoteList } from '../remote.ts';
import { decodeList } from '../wire/decode-list.ts';
import { listPath } from '../wire/paths.ts';
import type { Absence } from './absence.ts';
import type { Freshness } from './freshness.ts';
import type { OriginalIds } from './original-ids.ts';

export interface ListsOptions {
  readonly get: (path: string, known?: Pick<Call, 'knownDigest' | 'knownTag'>) => Promise<Answer>;
  readonly ledger: CapabilityLedger;
  readonly clean: CleanText;
  readonly clock: Clock;
  /** What learns from each list that is read. */
  readonly absence: Absence;
  readonly freshness: Freshness;
  readonly originals: OriginalIds;
}

/** `Remote.list` and `Remote.peek`. */
export function createLists(options: ListsOptions): Pick<Remote, 'list' | 'peek'> {
  const { get, ledger, clean, clock, absence, freshness, originals } = options;
  /** Lengths of article lists that were equal to their `limit`: no service truncates in two places. */
  const lengths = new Set<number>();
  const listFrom = (kind: Kind, answer: Answer): RemoteList => {
    const list = decodeList(kind, answer, { request: `GET ${listPath(kind)}`, clean });
    if (list.limit !== undefined && list.limit === list.rows) {
      lengths.add(list.rows);
      if (lengths.size > 1) ledger.learn({ 'limit-cuts': 'no' });
    }
    if (kind === 'article') freshness.saw(list, httpDateMs(answer.headers['date'] ?? '') ?? clock.now());
    const ids = list.items.map((item) => item.id);
    originals.saw(kind, ids);
    absence.saw(kind, ids.slice(0, 3));
    return list;
  };
  return {
    list: async (kind) => listFrom(kind, await get(listPath(kind))),
    async peek(kind, digest, knownTag) {
      const [knownDigest = ''] = digest.split(' ');
      const answer = await get(listPath(kind), { knownDigest, knownTag });
      if (answer.isUnchanged === true && knownTag !== undefined)
        return { digest, tag: knownTag, list: undefined };
      const total = answer.headers[HEADERS.totalCount.toLowerCase()] ?? '';
      const { etag } = answer.headers;
      // Tags of others may be of a cache in between, or never change: they say nothing that a sync could stand on.
      const isTold = ledger.now()['list-etag'] === 'yes' && etag !== undefined && /^"[^"]+"$/.test(etag);
      return {
        digest: `${answer.digest ?? ''} ${total}`,
        ...(isTold ? { tag: etag } : {}),
        list: () => listFrom(kind, answer),
      };
    },
  };
}

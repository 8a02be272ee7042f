import type { Kind, Lang, RemoteId } from '../model/key.ts';
import type { Capabilities } from '../model/record.ts';
import { createBeyondText } from './beyond-text.ts';
import { createCapabilityLedger } from './capabilities.ts';
import type { Answer } from './http/answer.ts';
import type { Call, CallerOptions } from './http/call.ts';
import { createCaller } from './http/caller.ts';
import { createCleanText } from './http/clean-text.ts';
import { sameLanguage } from '../model/language.ts';
import { createAbsence } from './reading/absence.ts';
import { createFreshness } from './reading/freshness.ts';
import { createLists } from './reading/lists.ts';
import { createOriginalIds } from './reading/original-ids.ts';
import { createOriginalLanguage } from './reading/original-language.ts';
import { createReader } from './reading/reader.ts';
import { createTranslationRows } from './reading/translation-rows.ts';
import type { Remote } from './remote.ts';
import { decode } from './wire/decode.ts';
import type { Decoded } from './wire/decode.ts';
import { recordPath, TOOL_PATH } from './wire/paths.ts';
import { rowsOf } from './wire/reply.ts';
import { idOf } from './wire/values.ts';
import { createMatches } from './writing/matches.ts';
import { createWrites } from './writing/writes.ts';
import type { JsonObject } from '../text/json-value.ts';

export interface RemoteOptions extends Omit<CallerOptions, 'clean'> {
  /** What the base knows of the service. */
  readonly capabilities: Capabilities;
  readonly defaultLanguage: string;
}

export type RemoteClient = Remote & {
  /** How many requests may be under way at once now; for progress events. */
  readonly atOnce: () => number;
};

export const LIST_BYTES_MAX = 64 * 2 ** 20;
export const RECORD_BYTES_MAX = 16 * 2 ** 20;

type ReadCall = Pick<Call, 'knownDigest' | 'knownTag' | 'isList' | 'headers'>;

/** The knowledge base behind an address: what reads, what writes and what is known of the service, put together. */
export function createRemote(options: RemoteOptions): RemoteClient {
  const { defaultLanguage, clock, signal } = options;
  const clean = createCleanText(options.apiKey);
  const isProved = Object.keys(options.capabilities).length > 0;
  const caller = createCaller({ ...options, clean, isProved });
  const ledger = createCapabilityLedger(options.capabilities);
  const get = async (path: string, bytesMax: number, call: ReadCall = {}): Promise<Answer> => {
    const answer = await caller.call({ method: 'GET', path, effect: 'read', bytesMax, ...call });
    ledger.read(answer.headers);
    return answer;
  };
  const getRecord = (path: string, isAgain = false): Promise<Answer> =>
    get(path, RECORD_BYTES_MAX, isAgain ? { headers: { 'cache-control': 'no-cache' } } : {});
  const send = (call: Omit<Call, 'bytesMax'>): Promise<Answer> =>
    caller.call({ bytesMax: RECORD_BYTES_MAX, ...call });
  const rows = async (path: string): Promise<readonly JsonObject[]> =>
    rowsOf((await get(path, LIST_BYTES_MAX)).value, { request: `GET ${path}`, clean });

  const absence = createAbsence({
    read: (kind, id) => getRecord(recordPath(kind, id)),
    random: options.random,
  });
  const matches = createMatches(ledger);
  const plain = async (kind: Kind, id: RemoteId): Promise<Decoded> => {
    const path = recordPath(kind, id);
    return decode(kind, (await getRecord(path)).value, { request: `GET ${path}`, clean });
  };
  const translationRows = createTranslationRows(plain);
  const reader = createReader({
    get: getRecord,
    absence,
    ledger,
    clean,
    defaultLanguage,
    rows: translationRows,
  });
  const originals = createOriginalIds(async (kind, id) => (await plain(kind, id)).languageParent);
  const originalLanguage = createOriginalLanguage({ get: getRecord, defaultLanguage });
  const freshness = createFreshness({
    read: (id, lang, isAgain) => reader('article', id, lang, isAgain),
    clock,
    signal,
    defaultLanguage,
  });
  const otherLanguage = (lang: Lang | undefined): Lang | undefined =>
    lang === undefined || sameLanguage(lang, defaultLanguage) ? undefined : lang;
  const read: Remote['read'] = async (kind, id, lang) => {
    const result =
      kind === 'article'
        ? await freshness.read(id, otherLanguage(lang), `GET ${recordPath(kind, id)}`)
        : await reader(kind, id, lang);
    if (result.state !== 'found') return result;
    matches.saw(result.record.etag);
    // Only of a translation may the ids be others, and only once a list has shown which are originals'.
    const isTranslation = otherLanguage(lang) !== undefined;
    return isTranslation ? { state: 'found', record: await originals.resolved(result.record) } : result;
  };

  const lists = createLists({
    get: (path, known) => get(path, LIST_BYTES_MAX, { ...known, isList: true }),
    ledger,
    clean,
    clock,
    absence,
    freshness,
    originals,
    translationRows,
  });

  return {
    ...lists,
    read,
    originalLanguage: (kind, id) =>
      originalLanguage(kind, id, async () => {
        const [articles, tags] = [await lists.list('article'), await lists.list('tag')];
        return [...new Set([...(articles.languages ?? []), ...(tags.languages ?? [])])];
      }),
    ...createWrites({
      send,
      get: getRecord,
      ledger,
      matches,
      absence,
      freshness,
      address: options.address,
      defaultLanguage,
    }),
    ...createBeyondText({ get: getRecord, send, ledger, clean }),
    tool(name, query) {
      const search = query?.count === undefined ? '' : `?count=${query.count}`;
      return rows(`${TOOL_PATH[name]}${search}`);
    },
    async sideArticleIds() {
      const links = await rows(TOOL_PATH.links);
      const reviews = await rows(TOOL_PATH.reviews);
      const ids = [...links.map((link) => link['article_id']), ...reviews.map((entry) => entry['id'])];
      return new Set(ids.flatMap((id) => idOf(id) ?? []));
    },
    capabilities: () => ledger.now(),
    learn: (learnt) => ledger.learn(learnt),
    learnDates: (dateOf) => freshness.knew(dateOf),
    learnOriginals: (isOriginal) => translationRows.knew(isOriginal),
    requests: () => caller.requests(),
    atOnce: () => caller.atOnce(),
  };
}

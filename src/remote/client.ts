import type { Fields } from '../model/fields.ts';
import { HEADERS } from '../contract/headers.ts';
import type { Kind, Lang } from '../model/key.ts';
import type { Capabilities } from '../model/record.ts';
import { createAbsence } from './absence.ts';
import type { Answer } from './http/answer.ts';
import type { Call, CallerOptions } from './http/call.ts';
import { createCaller } from './http/caller.ts';
import { createCapabilityLedger } from './capabilities.ts';
import { sameLanguage } from '../model/language.ts';
import { decode } from './wire/decode.ts';
import { decodeList } from './wire/decode-list.ts';
import { claimedIn, oldAddressesIn } from './wire/decode-redirects.ts';
import { rowsOf } from './wire/reply.ts';
import { createBody, editBody } from './wire/encode.ts';
import { RemoteError } from './error.ts';
import { createdId, filePath, listPath, recordPath, redirectsPath, TOOL_PATH } from './wire/paths.ts';
import { createMatches } from './matches.ts';
import { createDefaultLang, createOwnTongue } from './default-lang.ts';
import { createDoor } from './door.ts';
import { createFreshness } from './freshness.ts';
import { createOriginalIds } from './original-ids.ts';
import { createReader } from './reader.ts';
import type { Remote, RemoteList, WriteOptions, Written } from './remote.ts';
import { httpDateMs } from './http/retry-after.ts';
import { createCleanText } from './http/clean-text.ts';
import { idOf } from './wire/values.ts';
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

export function createRemote(options: RemoteOptions): RemoteClient {
  const clean = createCleanText(options.apiKey);
  const caller = createCaller({
    ...options,
    clean,
    isProved: Object.keys(options.capabilities).length > 0,
  });
  const ledger = createCapabilityLedger(options.capabilities);
  const get = async (
    path: string,
    bytesMax: number,
    {
      knownDigest,
      knownTag,
      isList,
      headers,
    }: Pick<Call, 'knownDigest' | 'knownTag' | 'isList' | 'headers'> = {},
  ): Promise<Answer> => {
    const answer = await caller.call({
      method: 'GET',
      path,
      effect: 'read',
      bytesMax,
      knownDigest,
      knownTag,
      ...(isList === true ? { isList } : {}),
      ...(headers === undefined ? {} : { headers }),
    });
    ledger.read(answer.headers);
    return answer;
  };
  const getRecord = (path: string, isAgain = false): Promise<Answer> =>
    get(path, RECORD_BYTES_MAX, isAgain ? { headers: { 'cache-control': 'no-cache' } } : {});
  const absence = createAbsence({
    read: (kind, id) => getRecord(recordPath(kind, id)),
    random: options.random,
  });
  const { defaultLanguage } = options;
  const matches = createMatches(ledger);
  const door = createDoor();
  const langs = createDefaultLang(ledger, defaultLanguage);
  const ownTongue = createOwnTongue(getRecord, defaultLanguage);
  const otherLanguage = (lang: Lang | undefined): Lang | undefined =>
    lang === undefined || sameLanguage(lang, defaultLanguage) ? undefined : lang;
  const reader = createReader({ get: getRecord, absence, ledger, clean, defaultLanguage });
  const originals = createOriginalIds(async (kind, id) => {
    const path = recordPath(kind, id);
    return decode(kind, (await getRecord(path)).value, { request: `GET ${path}`, clean }).languageParent;
  });
  const freshness = createFreshness({
    read: (id, lang, isAgain) => reader('article', id, lang, isAgain),
    clock: options.clock,
    signal: options.signal,
    defaultLanguage,
  });
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

  /** Lengths of article lists that were equal to their `limit`: no service truncates in two places. */
  const lengths = new Set<number>();
  const listFrom = (kind: Kind, answer: Answer): RemoteList => {
    const list = decodeList(kind, answer, { request: `GET ${listPath(kind)}`, clean });
    if (list.limit !== undefined && list.limit === list.rows) {
      lengths.add(list.rows);
      if (lengths.size > 1) ledger.learn({ 'limit-cuts': 'no' });
    }
    if (kind === 'article')
      freshness.saw(list, httpDateMs(answer.headers['date'] ?? '') ?? options.clock.now());
    originals.saw(
      kind,
      list.items.map((item) => item.id),
    );
    absence.saw(
      kind,
      list.items.slice(0, 3).map((item) => item.id),
    );
    return list;
  };

  const rows = async (path: string): Promise<readonly JsonObject[]> =>
    rowsOf((await get(path, LIST_BYTES_MAX)).value, { request: `GET ${path}`, clean });

  return {
    list: async (kind) => listFrom(kind, await get(listPath(kind), LIST_BYTES_MAX, { isList: true })),
    async peek(kind, digest, knownTag) {
      const [knownDigest = ''] = digest.split(' ');
      const answer = await get(listPath(kind), LIST_BYTES_MAX, { knownDigest, knownTag, isList: true });
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
    read,
    async create(kind, fields, writeOptions) {
      const path = listPath(kind);
      const body = createBody(kind, fields, `PUT ${path}`);
      const creation = {
        method: 'PUT',
        path,
        effect: 'create',
        bytesMax: RECORD_BYTES_MAX,
        body,
        headers: writeHeaders(writeOptions),
        slug: slugIn(fields),
      } as const;
      const { value, headers } = await door.watched(() => caller.call(creation));
      ledger.read(headers);
      const id = createdId(kind, headers['location'], value, `${options.address.href}${path}`);
      return { ...written(headers), ...(id === undefined ? {} : { id }) };
    },
    async edit(kind, id, lang, fields, writeOptions) {
      const path = recordPath(kind, id);
      if (kind === 'article') freshness.wrote(id);
      const edit = (said: string | undefined) =>
        ({
          method: 'POST',
          path,
          effect: 'change',
          bytesMax: RECORD_BYTES_MAX,
          body: editBody(kind, { id, lang: said }, fields, `POST ${path}`),
          headers: writeHeaders(writeOptions),
          staleAtMs: writeOptions.staleAtMs,
          slug: slugIn(fields),
        }) as const;
      const { headers } = await matches.watched(path, writeOptions.ifMatch, () =>
        ownTongue({ kind, id, lang, ifMatch: writeOptions.ifMatch }, () =>
          door.watched(() => langs.edited(lang, (said) => caller.call(edit(said)))),
        ),
      );
      ledger.read(headers);
      return written(headers);
    },
    async remove(kind, id, writeOptions) {
      const path = recordPath(kind, id);
      absence.removed(kind, id);
      const headers = writeHeaders(writeOptions);
      const removal = {
        method: 'DELETE',
        path,
        effect: 'change',
        bytesMax: RECORD_BYTES_MAX,
        headers,
        staleAtMs: writeOptions.staleAtMs,
      } as const;
      const answer = await matches.watched(path, writeOptions.ifMatch, () =>
        door.watched(() => caller.call(removal)),
      );
      ledger.read(answer.headers);
      return written(answer.headers);
    },
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
    async hasFile(digest) {
      try {
        await get(filePath(digest), RECORD_BYTES_MAX);
        return ledger.now().files === 'yes';
      } catch (error) {
        if (error instanceof RemoteError && error.status === 404) return false;
        throw error;
      }
    },
    async storeFile(digest, name, bytes) {
      const path = `${filePath(digest)}?name=${name}`;
      // Equal bytes are one file, so it may be sent again like a read.
      await caller.call({
        method: 'PUT',
        path,
        effect: 'read',
        bytesMax: RECORD_BYTES_MAX,
        body: bytes,
        headers: { 'content-type': 'application/octet-stream' },
      });
    },
    redirectSets: () => ledger.sets(),
    async readRedirects(repository) {
      const path = redirectsPath(repository);
      const { value } = await get(path, RECORD_BYTES_MAX);
      return oldAddressesIn(value, { request: `GET ${path}`, clean });
    },
    async writeRedirects(repository, tag, redirects) {
      const path = redirectsPath(repository);
      // The set is replaced as a whole, so it may be sent again like a read.
      const { value, headers } = await caller.call({
        method: 'PUT',
        path,
        effect: 'read',
        bytesMax: RECORD_BYTES_MAX,
        body: JSON.stringify({ tag, redirects }),
      });
      ledger.read(headers);
      return claimedIn(value);
    },
    capabilities: () => ledger.now(),
    learn: (learnt) => ledger.learn(learnt),
    learnDates: (dateOf) => freshness.knew(dateOf),
    requests: () => caller.requests(),
    atOnce: () => caller.atOnce(),
  };
}

function slugIn({ slug }: Fields): string | undefined {
  return typeof slug === 'string' ? slug : undefined;
}

function writeHeaders({
  ifMatch,
  ifNoneMatch,
  idempotencyKey,
}: WriteOptions): Readonly<Record<string, string>> {
  return {
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    ...(idempotencyKey === undefined ? {} : { [HEADERS.idempotencyKey]: idempotencyKey }),
  };
}

function written(headers: Readonly<Record<string, string>>): Written {
  const lastEdited = headers[HEADERS.lastEdited.toLowerCase()];
  const previousEdited = headers[HEADERS.previousEdited.toLowerCase()];
  const { etag } = headers;
  return {
    ...(previousEdited === undefined ? {} : { previousEdited }),
    ...(lastEdited === undefined ? {} : { lastEdited }),
    ...(etag === undefined ? {} : { etag }),
  };
}

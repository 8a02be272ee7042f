import { HEADERS, ROUTES } from '../contract/index.ts';
import type { Kind } from '../model/key.ts';
import type { Capabilities } from '../model/record.ts';
import { createAbsence } from './absence.ts';
import type { Answer } from './answer.ts';
import { checkApiKey } from './api-key.ts';
import { parseBaseUrl } from './base-url.ts';
import type { CallerOptions } from './call.ts';
import { createCaller } from './caller.ts';
import { createCapabilityLedger } from './capability-ledger.ts';
import { decodeList } from './decode-list.ts';
import { createBody, editBody } from './encode.ts';
import { createdId, listPath, recordPath } from './location.ts';
import { createReader } from './reader.ts';
import type { Remote, RemoteList, WriteOptions, Written } from './remote.ts';
import { createCleanText } from './remote-text.ts';
import { conform } from './wire.ts';

export interface RemoteOptions extends Omit<CallerOptions, 'base' | 'clean'> {
  /** See parseBaseUrl. */
  readonly baseUrl: string;
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

/** Throws RemoteSetupError when the address or the key cannot be used. */
export function createRemote(options: RemoteOptions): RemoteClient {
  const base = parseBaseUrl(options.baseUrl);
  const clean = createCleanText(checkApiKey(options.apiKey));
  const caller = createCaller({ ...options, base, clean });
  const ledger = createCapabilityLedger(options.capabilities);
  const get = async (path: string, bytesMax: number, knownDigest?: string): Promise<Answer> => {
    const answer = await caller.call({ method: 'GET', path, retryClass: 'read', bytesMax, knownDigest });
    ledger.read(answer.headers);
    return answer;
  };
  const getRecord = (path: string): Promise<Answer> => get(path, RECORD_BYTES_MAX);
  const absence = createAbsence({
    read: (kind, id) => getRecord(recordPath(kind, id)),
    random: options.random,
  });
  const { defaultLanguage } = options;
  const read = createReader({ get: getRecord, absence, ledger, clean, defaultLanguage });

  const listFrom = (kind: Kind, answer: Answer): RemoteList => {
    const list = decodeList(kind, answer, { request: `GET ${listPath(kind)}`, clean });
    absence.saw(
      kind,
      list.items.slice(0, 3).map((item) => item.id),
    );
    return list;
  };

  return {
    list: async (kind) => listFrom(kind, await get(listPath(kind), LIST_BYTES_MAX)),
    async peek(kind, digest) {
      const [known = ''] = digest.split(' ');
      const answer = await get(listPath(kind), LIST_BYTES_MAX, known);
      const total = answer.headers[HEADERS.totalCount.toLowerCase()] ?? '';
      return { digest: `${answer.digest ?? ''} ${total}`, list: () => listFrom(kind, answer) };
    },
    read,
    async create(kind, fields, writeOptions) {
      const path = listPath(kind);
      const body = createBody(kind, fields, `PUT ${path}`);
      const { value, headers } = await caller.call({
        method: 'PUT',
        path,
        retryClass: 'create',
        bytesMax: RECORD_BYTES_MAX,
        body,
        headers: writeHeaders(writeOptions),
      });
      ledger.read(headers);
      const id = createdId(kind, headers['location'], value, `${base.href}${path}`);
      if (headers['location'] !== undefined && id !== undefined) ledger.learn({ location: 'yes' });
      return { ...written(headers), ...(id === undefined ? {} : { id }) };
    },
    async edit(kind, id, lang, fields, writeOptions) {
      const path = recordPath(kind, id);
      const body = editBody(kind, { id, lang }, fields, `POST ${path}`);
      const { headers } = await caller.call({
        method: 'POST',
        path,
        retryClass: 'change',
        bytesMax: RECORD_BYTES_MAX,
        body,
        headers: writeHeaders(writeOptions),
        staleAtMs: writeOptions.staleAtMs,
      });
      ledger.read(headers);
      return written(headers);
    },
    async remove(kind, id, writeOptions) {
      const path = recordPath(kind, id);
      absence.removed(kind, id);
      const headers = writeHeaders(writeOptions);
      const answer = await caller.call({
        method: 'DELETE',
        path,
        retryClass: 'change',
        bytesMax: RECORD_BYTES_MAX,
        headers,
        staleAtMs: writeOptions.staleAtMs,
      });
      ledger.read(answer.headers);
      return written(answer.headers);
    },
    async tool(name, query) {
      const { path, reply } = TOOLS[name];
      const search = query?.count === undefined ? '' : `?count=${query.count}`;
      const { value } = await get(`${path}${search}`, LIST_BYTES_MAX);
      return conform(reply, value, { request: `GET ${path}${search}`, clean }).data;
    },
    async sideArticleIds() {
      const links = conform(
        ROUTES.listLinks.reply,
        (await get(ROUTES.listLinks.path, LIST_BYTES_MAX)).value,
        {
          request: `GET ${ROUTES.listLinks.path}`,
          clean,
        },
      );
      const reviews = conform(
        ROUTES.listReviewDates.reply,
        (await get(ROUTES.listReviewDates.path, LIST_BYTES_MAX)).value,
        {
          request: `GET ${ROUTES.listReviewDates.path}`,
          clean,
        },
      );
      return new Set([
        ...links.data.map((link) => link.article_id),
        ...reviews.data.map((entry) => entry.id),
      ]);
    },
    capabilities: () => ledger.now(),
    learn: (learnt) => ledger.learn(learnt),
    requests: () => caller.requests(),
    atOnce: () => caller.atOnce(),
  };
}

const TOOLS = { versions: ROUTES.listVersions, links: ROUTES.listLinks, reviews: ROUTES.listReviewDates };

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

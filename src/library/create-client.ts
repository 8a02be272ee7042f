import type { z } from 'zod';
import { realClock, realRandom } from '../machine/machine.ts';
import { HEADERS } from '../contract/headers.ts';
import { ROUTES } from '../contract/routes.ts';
import type { Link, ReviewDate, Version } from '../contract/tools.ts';
import type { Emit } from '../model/event.ts';
import type { Kind } from '../model/key.ts';
import type { Answer } from '../remote/http/answer.ts';
import { checkApiKey } from '../remote/address.ts';
import { parseBaseUrl } from '../remote/address.ts';
import type { Call } from '../remote/http/call.ts';
import { createCaller } from '../remote/http/caller.ts';
import { LIST_BYTES_MAX, RECORD_BYTES_MAX } from '../remote/client.ts';
import { RemoteError } from '../remote/error.ts';
import { createdId, listPath, recordPath } from '../remote/wire/paths.ts';
import type { Send } from '../remote/remote.ts';
import { createCleanText } from '../remote/http/clean-text.ts';
import { createSend } from '../remote/http/send.ts';
import { ID, recordIn, rowsOf, unreadable, type Reading } from '../remote/wire/reply.ts';
import { idOf } from '../remote/wire/values.ts';
import type { JsonObject } from '../text/json-value.ts';
import type { RecordAsSent, ReplyAsSent } from './as-sent.ts';

export interface ClientOptions {
  /** Address of the knowledge base, without `/api/v2`: https, or http on loopback. */
  readonly url: string;
  readonly key: string;
  /** Most requests at once, 1 to 128. Default 16. */
  readonly concurrency?: number;
  /** Told of each request and each retry. */
  readonly onEvent?: Emit;
  /** Ends what is under way: RemoteError `aborted`, or `unclear` for a write whose answer has not come. */
  readonly signal?: AbortSignal;
  /** Another way to the service: a proxy, or the included service's own `fetch`. Default: HTTP/1.1, no redirects. */
  readonly send?: Send;
}

export interface ReadOptions {
  /** Language code of a translation. Where there is none yet, the reply's `newVersion` is true. */
  readonly lang?: string;
}

export interface ChangeOptions {
  /** The `etag` of a read: the write fails as `stale` when somebody wrote in between, where the service honours it. */
  readonly ifMatch?: string;
}

export interface CreateOptions {
  /** The same key twice is one record, where the service honours it. */
  readonly idempotencyKey?: string;
}

/** A reply of the API with the ETag that came beside it. */
export type Shown<Reply> = Reply & { readonly etag: string | undefined };

/**
 * One kind of record. Shapes, units and names are the API's own (`kbsync/contract`); nothing is renamed, and a
 * service that leaves something out leaves it out here. Every method
 * sends one request and throws a RemoteError when the answer is not a clear yes: 404 is `rejected` with `status` 404.
 * A read is repeated after an outage, a write only where the service provably did not carry it out.
 */
export interface Collection<List, Reply, CreateBody, EditBody> {
  /** The whole reply; the records are in `data`. */
  list(): Promise<List>;
  /** One record with all its fields, in the default language or in `lang`. */
  get(id: string, options?: ReadOptions): Promise<Shown<Reply>>;
  /** `id` is undefined where the service does not tell it (the documentation shows none). */
  create(body: CreateBody, options?: CreateOptions): Promise<{ readonly id: string | undefined }>;
  /** Writes the record in the language `body.lang`; another than the default one makes or edits its translation. */
  edit(id: string, body: EditBody, options?: ChangeOptions): Promise<void>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

const TABLE = {
  article: {
    list: ROUTES.listArticles,
    read: ROUTES.readArticle,
    create: ROUTES.createArticle,
    edit: ROUTES.editArticle,
    remove: ROUTES.deleteArticle,
  },
  category: {
    list: ROUTES.listCategories,
    read: ROUTES.readCategory,
    create: ROUTES.createCategory,
    edit: ROUTES.editCategory,
    remove: ROUTES.deleteCategory,
  },
  tag: {
    list: ROUTES.listTags,
    read: ROUTES.readTag,
    create: ROUTES.createTag,
    edit: ROUTES.editTag,
    remove: ROUTES.deleteTag,
  },
} as const;

type CollectionOf<K extends Kind> = Collection<
  ReplyAsSent<z.infer<(typeof TABLE)[K]['list']['reply']>>,
  ReplyAsSent<z.infer<(typeof TABLE)[K]['read']['reply']>>,
  z.infer<(typeof TABLE)[K]['create']['body']>,
  Omit<z.infer<(typeof TABLE)[K]['edit']['body']>, 'id'>
>;

export interface Client {
  readonly articles: CollectionOf<'article'>;
  readonly categories: CollectionOf<'category'>;
  readonly tags: CollectionOf<'tag'>;
  /** Release versions; `count` at most, where the service takes it. */
  versions(options?: { readonly count?: number }): Promise<readonly RecordAsSent<Version>[]>;
  /** Links in published articles. */
  links(): Promise<readonly RecordAsSent<Link>[]>;
  /** Articles that have a review date. */
  reviewDates(): Promise<readonly RecordAsSent<ReviewDate>[]>;
  /** Requests sent so far, retries included. */
  requests(): number;
  /** Cuts what is still under way. Not needed for the process to end. */
  close(): Promise<void>;
}

const CONCURRENCY = 16;

/**
 * The API as typed calls, one for each row of the route table, with the limits and retries that `kbsync sync` uses.
 *
 * @throws RemoteSetupError when the address or the key cannot be used; its message never holds the key
 */
export function createClient(options: ClientOptions): Client {
  const address = parseBaseUrl(options.url);
  const apiKey = checkApiKey(options.key);
  const clean = createCleanText(apiKey);
  const { send, close } = connection(address.origin, options.send);
  const caller = createCaller({
    address,
    apiKey,
    clean,
    send,
    emit: options.onEvent ?? (() => undefined),
    clock: realClock,
    random: realRandom,
    concurrencyMax: options.concurrency ?? CONCURRENCY,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const wire: Wire = {
    href: address.href,
    call: (call) => caller.call(call),
    async list(path) {
      const { value } = await caller.call({
        method: 'GET',
        path,
        effect: 'read',
        bytesMax: LIST_BYTES_MAX,
      });
      const reading = { request: `GET ${path}`, clean };
      return { ...value, data: rowsOf(value, reading).map((row, at) => withId(row, `data[${at}]`, reading)) };
    },
    async read(path) {
      const answer = await caller.call({
        method: 'GET',
        path,
        effect: 'read',
        bytesMax: RECORD_BYTES_MAX,
      });
      const reading = { request: `GET ${path}`, clean };
      const data = withId(recordIn(answer.value, reading), 'data', reading);
      return { ...answer.value, data, etag: answer.headers['etag'] };
    },
  };
  const { listVersions, listLinks, listReviewDates } = ROUTES;
  const rows = async (path: string): Promise<readonly Row[]> => (await wire.list(path)).data;
  return {
    // Bodies are checked against the schemas that these types are made of; of replies they promise no more than an id.
    articles: collection('article', wire) as CollectionOf<'article'>,
    categories: collection('category', wire) as CollectionOf<'category'>,
    tags: collection('tag', wire) as CollectionOf<'tag'>,
    versions: ({ count } = {}) =>
      rows(count === undefined ? listVersions.path : `${listVersions.path}?count=${count}`),
    links: () => rows(listLinks.path),
    reviewDates: () => rows(listReviewDates.path),
    requests: () => caller.requests(),
    close,
  };
}

type Row = JsonObject & { readonly id: string };

/** Ids that come as numbers are text from here on; a record without one is of no use to anybody. */
function withId(row: JsonObject, field: string, reading: Reading): Row {
  const id = idOf(row['id']);
  if (id === undefined) throw unreadable({ field: `${field}.id`, found: row['id'], ...ID }, reading);
  return { ...row, id };
}

/** What was handed in is the caller's to close. */
function connection(
  origin: string,
  given: Send | undefined,
): { readonly send: Send; readonly close: () => Promise<void> } {
  if (given !== undefined) return { send: given, close: () => Promise.resolve() };
  const send = createSend({ origin });
  return { send, close: () => send.close() };
}

interface Wire {
  readonly href: string;
  readonly call: (call: Call) => Promise<Answer>;
  readonly list: (path: string) => Promise<JsonObject & { readonly data: readonly Row[] }>;
  readonly read: (
    path: string,
  ) => Promise<JsonObject & { readonly data: Row; readonly etag: string | undefined }>;
}

function collection(
  kind: Kind,
  { href, call, list, read }: Wire,
): Collection<unknown, object, object, object> {
  const routes = TABLE[kind];
  const all = listPath(kind);
  return {
    list: () => list(all),
    get: (id, { lang } = {}) =>
      read(`${recordPath(kind, id)}${lang === undefined ? '' : `?lang=${encodeURIComponent(lang)}`}`),
    async create(body, { idempotencyKey } = {}) {
      const text = checkedBody(routes.create.body, body, `PUT ${all}`);
      const headers = named(HEADERS.idempotencyKey, idempotencyKey);
      const sent = { body: text, headers, bytesMax: RECORD_BYTES_MAX };
      const answer = await call({ method: 'PUT', path: all, effect: 'create', ...sent });
      return { id: createdId(kind, answer.headers['location'], answer.value, `${href}${all}`) };
    },
    async edit(id, body, { ifMatch } = {}) {
      const path = recordPath(kind, id);
      // Spec, tag edit body: it repeats the id.
      const whole = kind === 'tag' ? { ...body, id } : body;
      const text = checkedBody(routes.edit.body, whole, `POST ${path}`);
      const sent = { body: text, headers: named('if-match', ifMatch), bytesMax: RECORD_BYTES_MAX };
      await call({ method: 'POST', path, effect: 'change', ...sent });
    },
    async delete(id, { ifMatch } = {}) {
      const sent = { headers: named('if-match', ifMatch), bytesMax: RECORD_BYTES_MAX };
      await call({ method: 'DELETE', path: recordPath(kind, id), effect: 'change', ...sent });
    },
  };
}

/** The documented body, or `rejected` without a request. */
function checkedBody(schema: z.ZodType, body: object, request: string): string {
  const { success, data, error } = schema.safeParse(body);
  if (success) return JSON.stringify(data);
  const [issue] = error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  const words = `${field === '' ? 'the fields' : field}: ${issue?.message ?? ''}`;
  throw new RemoteError('rejected', `${request}: not sent: ${words}`, { request });
}

function named(header: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [header]: value };
}

import { type Context as Call, Hono } from 'hono';
import {
  CAPABILITY_TOKENS,
  FILES_TOKEN,
  HEADERS,
  INSIGHT_ROUTES,
  INSIGHTS_TOKEN,
  LIST_TAGS_PREFERENCE,
  REDIRECT_ROUTES,
  REDIRECT_SETS_TOKEN,
  REDIRECTS_TOKEN,
  ROUTE_NAMES,
  ROUTES,
  TELLING_LISTS,
} from '../contract/index.ts';
import { answer, answerFailure, answerText, type HeaderValues, unchanged } from './http/answers.ts';
import { type Caller, createAuthenticate } from './keys/auth.ts';
import type { Context, WriteAnswer } from './context.ts';
import { corsFor } from './http/cors.ts';
import { type Handler, HANDLERS, type ReadReply } from './api/handlers.ts';
import { addFiles, type FileOptions } from './files/routes.ts';
import { createNewId, type RandomBytes } from './ids.ts';
import { addInsights } from './insights/routes.ts';
import { addRedirects } from './redirects/routes.ts';
import { toldSets } from './redirects/sets.ts';
import { addTeamStates, type TeamStateOptions } from './team-states/routes.ts';
import { createKeyUses } from './keys/key-uses.ts';
import { observed, type Observe } from './http/observe.ts';
import type { Beyond } from './api/openapi/beyond.ts';
import { addPages, PAGES } from './api/pages.ts';
import { checkedQuery } from './http/query.ts';
import { createRateLimit, createStrangerLimit } from './http/rate-limit.ts';
import { Refusal } from './refusal.ts';
import { readJson } from './http/request-body.ts';
import { isShown } from './records/etag.ts';
import { type ListStep, withListSteps } from './records/list-tag.ts';
import type { Sql, Store } from './store/store.ts';
import { type Clock, nowMicros } from './time.ts';

export interface ServiceOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Languages that translations may have; undefined: every well-formed code. */
  readonly languages?: readonly string[];
  /** Default 2 MiB. */
  readonly bodyBytesMax?: number;
  /** Told of every failure that is answered with a 500, because the answer does not say what it was. */
  readonly onFailure?: (error: unknown, request: string) => void;
  readonly random?: RandomBytes;
  /** Requests a minute that each key may send, and each address without a valid one, counted by this process. Default: no limit. */
  readonly requestsPerMinute?: number;
  /** The one origin whose pages may read the answers: `https://editor.example.com`. Default: none. */
  readonly corsOrigin?: string;
  /** True from the moment on in which no new requests are wanted; `/readyz` says so. */
  readonly isStopping?: () => boolean;
  readonly observe?: Observe;
  /** Where images and files of articles are kept. Default: nowhere, and the service does not offer it. */
  readonly files?: FileOptions;
  /** What readers looked for and said can be asked for. Default: no, and the service does not offer it. */
  readonly insights?: boolean;
  /** Keeps states of kbsync runs that share one, at /api/state/NAME. Default: it does not offer that. */
  readonly teamStates?: TeamStateOptions;
  /** A help centre over the same store leads the addresses that slugs leave to their records, and those of sets that repositories send. */
  readonly redirects?: boolean;
}

/** The service as a function from request to response. */
export interface ServiceApp {
  /** `from`: the address of the client, if there is one. */
  readonly fetch: (request: Request, from?: string) => Promise<Response>;
}

/** `/%61pi/…` would pass by a proxy's rule for `/api/`. */
const ESCAPED_ROOT = /^https?:\/\/[^/]*\/[^/?#]*%/;
const NOTHING_THERE = {
  success: false,
  message: 'there is nothing at an address that begins with an escape',
};
const BODY_BYTES_MAX = 2 * 1024 * 1024;
const JSON_LIMITS = { depthMax: 64, valuesMax: 10_000 };
/** Lets a request in, or throws a Refusal. */
interface Door {
  readonly callerOf: (sql: Sql, call: Call) => Promise<Caller>;
  /** The headers go on the answer. */
  readonly admit: (caller: Caller) => Readonly<Record<string, string>>;
}

/** Every endpoint of the spec over one store, and what describes and watches it. */
export function createApp(options: ServiceOptions): ServiceApp {
  const { store, clock, languages, random, onFailure, corsOrigin, observe } = options;
  const newId = createNewId(clock, random);
  const context: Context = {
    knowledgeBase: store.knowledgeBase,
    rule: { defaultLanguage: store.knowledgeBase.defaultLanguage, languages },
    clock,
    newId,
  };
  const door = createDoor(options);
  const more = [
    ...(options.redirects === true ? [REDIRECTS_TOKEN, REDIRECT_SETS_TOKEN] : []),
    ...(options.files === undefined ? [] : [FILES_TOKEN]),
    ...(options.insights === true ? [INSIGHTS_TOKEN] : []),
  ];
  const announced = { [HEADERS.capabilities]: [...CAPABILITY_TOKENS, ...more].join(', ') };
  const hono = new Hono();
  if (corsOrigin !== undefined) hono.use(corsFor(corsOrigin));
  addPages(hono, options);
  if (options.files !== undefined) {
    const { files } = options;
    addFiles(hono, {
      store,
      clock,
      files,
      admit: (call, does) => admitted(call, does, { store, door }),
    });
  }
  if (options.insights === true) {
    addInsights(hono, { store, clock, admit: (call, does) => admitted(call, does, { store, door }) });
  }
  if (options.redirects === true) {
    addRedirects(hono, { store, clock, admit: (call, does) => admitted(call, does, { store, door }) });
  }
  if (options.teamStates !== undefined) addTeamStates(hono, { store, clock, states: options.teamStates });
  for (const name of ROUTE_NAMES) {
    const { method, path } = ROUTES[name];
    const handler = HANDLERS[name];
    const tellsSets = options.redirects === true && TELLING_LISTS.has(name);
    hono.on(method, path.replace('{id}', ':id'), async (call) => {
      const inside = { context, door, announced };
      const reply =
        handler.type === 'read'
          ? await answerRead(call, options, { ...inside, tellsSets }, handler)
          : await answerWrite(call, options, inside, handler);
      asked(call).isAnnounced = true;
      return reply;
    });
  }
  hono.notFound((call) => answerUnknown(call, options, door));
  hono.onError((error, call) =>
    answerFailure(error, {
      isRead: call.req.method === 'GET' || call.req.method === 'HEAD',
      onFailure: (cause) => onFailure?.(cause, `${call.req.method} ${call.req.path}`),
    }),
  );
  const { fetch: handle } = hono;
  const plain = async (request: Request, from?: string): Promise<Response> => {
    if (ESCAPED_ROOT.test(request.url)) return announcing(more, answer(404, NOTHING_THERE));
    const env: Asked = { from, isAnnounced: false };
    const response = await handle(request, env);
    return env.isAnnounced ? response : announcing(more, response);
  };
  if (observe === undefined) return { fetch: plain };
  return { fetch: observed(plain, { observe, now: () => clock.now(), newRequestId: newId }) };
}

/** What `handle` is given beside a request. */
interface Asked {
  readonly from: string | undefined;
  /** The answer was made with everything that this service offers: to look at its headers, and to set one, costs a tenth of a read. */
  isAnnounced: boolean;
}

function asked({ env }: Call): Asked {
  return env as Asked;
}

/** Says on an answer what is offered here beyond the API text. */
function announcing(more: readonly string[], response: Response): Response {
  if (more.length === 0) return response;
  const tokens = response.headers.get(HEADERS.capabilities);
  if (tokens !== null) {
    response.headers.set(HEADERS.capabilities, [tokens, ...more].join(', '));
  }
  return response;
}

function createDoor({ store, clock, onFailure, requestsPerMinute }: ServiceOptions): Door {
  const noteUse = createKeyUses({ store, clock }, (error) => onFailure?.(error, 'noting the use of a key'));
  const take = requestsPerMinute === undefined ? undefined : createRateLimit(clock, requestsPerMinute);
  const takeStranger =
    requestsPerMinute === undefined ? undefined : createStrangerLimit(clock, requestsPerMinute);
  const authenticate = createAuthenticate();
  return {
    async callerOf(sql, call) {
      try {
        return await authenticate(sql, call.req.header('authorization'), nowMicros(clock));
      } catch (error) {
        if (error instanceof Refusal) takeStranger?.(asked(call).from);
        throw error;
      }
    },
    admit(caller) {
      noteUse(caller);
      return take?.(caller.keyId) ?? {};
    },
  };
}

interface Inside {
  readonly context: Context;
  readonly door: Door;
  /** What is offered here, for the headers of each answer. */
  readonly announced: HeaderValues;
}

async function answerRead(
  call: Call,
  { store }: ServiceOptions,
  { context, door, announced, tellsSets }: Inside & { readonly tellsSets: boolean },
  handler: Extract<Handler, { readonly type: 'read' }>,
): Promise<Response> {
  const { reply, admitted } = await store.read(async (sql) => {
    const admitted = door.admit(await door.callerOf(sql, call));
    const query = checkedQuery(call, handler.query);
    const reply = await handler.run(sql, context, {
      id: call.req.param('id') ?? '',
      query,
      ifNoneMatch: call.req.header('if-none-match'),
    });
    if (!tellsSets) return { reply, admitted };
    const told = { [HEADERS.redirectSets]: await toldSets(sql, store.knowledgeBase.id) };
    return { reply, admitted: { ...admitted, ...told } };
  });
  const headers = { ...announced, ...admitted, ...headersOfRead(reply, context) };
  if (isKnown(call, reply)) return unchanged(headers);
  return reply.text === undefined ? answer(200, reply.body, headers) : answerText(200, reply.text, headers);
}

async function answerWrite(
  call: Call,
  { store, bodyBytesMax = BODY_BYTES_MAX }: ServiceOptions,
  { context, door, announced }: Inside,
  handler: Extract<Handler, { readonly type: 'write' }>,
): Promise<Response> {
  const { req } = call;
  const caller = await store.read((sql) => door.callerOf(sql, call));
  const admitted = door.admit(caller);
  checkScope(caller);
  checkedQuery(call, []);
  const limits = { bytesMax: bodyBytesMax, ...JSON_LIMITS };
  const body = req.method === 'DELETE' ? undefined : await readJson(req.raw, limits);
  const { keyId, userId } = caller;
  const work = await handler.prepare({
    dialect: store.dialect,
    id: req.param('id') ?? '',
    body,
    keyId,
    preconditions: { ifMatch: req.header('if-match'), ifNoneMatch: req.header('if-none-match') },
    idempotencyKey: req.header(HEADERS.idempotencyKey),
  });
  const isToldLists = prefersListTags(req.header('prefer'));
  const { value: written, steps } = await store.write(async (sql) => {
    const write = () => work(sql, { ...context, userId, keyId });
    return isToldLists ? withListSteps(sql, context, write) : { value: await write(), steps: [] };
  });
  const created = written.id !== undefined;
  return answer(
    created ? 201 : 200,
    { success: true, message: written.message },
    { ...announced, ...admitted, ...headersOfWrite(written, req.path), ...headersOfSteps(steps) },
  );
}

/** RFC 7240: preferences stand in a list, each with parameters that nobody has to know. */
function prefersListTags(prefer: string | undefined): boolean {
  const names = prefer?.split(',').map((each) => each.split(/[;=]/, 1)[0]?.trim().toLowerCase());
  return names?.includes(LIST_TAGS_PREFERENCE) === true;
}

function headersOfSteps(steps: readonly ListStep[]): Readonly<Record<string, string>> {
  if (steps.length === 0) return {};
  return { [HEADERS.listTags]: steps.map(({ before, after }) => `${before} ${after}`).join(', ') };
}

async function admitted(
  call: Call,
  does: 'read' | 'write',
  { store, door }: Pick<ServiceOptions, 'store'> & Pick<Inside, 'door'>,
): Promise<{ readonly caller: Caller; readonly headers: Readonly<Record<string, string>> }> {
  const caller = await store.read((sql) => door.callerOf(sql, call));
  const headers = door.admit(caller);
  if (does === 'write') checkScope(caller);
  return { caller, headers };
}

/** RFC 9110, 13.1.2 */
function isKnown({ req }: Call, { etag, isNamedByTag }: ReadReply): boolean {
  const ifNoneMatch = req.header('if-none-match');
  if (ifNoneMatch === undefined || etag === undefined || isNamedByTag !== true) return false;
  return isShown(ifNoneMatch, { etag, exists: true });
}

function headersOfRead(
  { etag, total }: ReadReply,
  { rule: { defaultLanguage, languages } }: Context,
): Readonly<Record<string, string>> {
  return {
    ...(etag === undefined ? {} : { ETag: etag }),
    ...(total === undefined ? {} : { [HEADERS.totalCount]: String(total) }),
    // Whoever did not say which languages there are did not say either that the originals are in English.
    ...(total === undefined || languages === undefined ? {} : { [HEADERS.defaultLanguage]: defaultLanguage }),
  };
}

function headersOfWrite(
  { id, etag, lastEdited, previousEdited }: WriteAnswer,
  path: string,
): Readonly<Record<string, string>> {
  return {
    ...(id === undefined ? {} : { Location: `${path}/${id}` }),
    ...(etag === undefined ? {} : { ETag: etag }),
    ...(lastEdited === undefined ? {} : { [HEADERS.lastEdited]: lastEdited }),
    ...(previousEdited === undefined ? {} : { [HEADERS.previousEdited]: previousEdited }),
  };
}

function checkScope({ scope }: Caller): void {
  if (scope === 'read') throw new Refusal(403, 'this API key may only read');
}

/** A path of the API under another method, or no path of ours at all; without a key the answer tells neither. */
async function answerUnknown(
  call: Call,
  { store, files, insights = false, redirects = false }: ServiceOptions,
  door: Door,
): Promise<Response> {
  const { method, path } = call.req;
  if (path.startsWith('/api/')) door.admit(await store.read((sql) => door.callerOf(sql, call)));
  const allowed = methodsAt(path, {
    hasFiles: files !== undefined,
    hasInsights: insights,
    hasRedirectSets: redirects,
  });
  if (allowed.length === 0) throw new Refusal(404, `there is nothing at ${path.slice(0, 200)}`);
  throw new Refusal(405, `${method} is not allowed at ${path.slice(0, 200)}; use ${allowed.join(' or ')}`, {
    Allow: allowed.join(', '),
  });
}

function methodsAt(
  path: string,
  { hasFiles, hasInsights, hasRedirectSets }: Required<Beyond>,
): readonly string[] {
  if (PAGES.has(path)) return ['GET', 'HEAD'];
  if (hasInsights && Object.values(INSIGHT_ROUTES).some((route) => route.path === path))
    return ['GET', 'HEAD'];
  if (hasRedirectSets && path === REDIRECT_ROUTES.readRedirects.path) return ['GET', 'PUT', 'HEAD'];
  if (hasFiles && /^\/api\/v2\/files\/[^/]+$/.test(path)) return ['GET', 'PUT', 'HEAD'];
  if (hasFiles && /^\/files\/[^/]+\/[^/]+$/.test(path)) return ['GET', 'HEAD'];
  const methods = ROUTE_NAMES.map((name) => ROUTES[name])
    .filter((route) => new RegExp(`^${route.path.replace('{id}', '[^/]+')}$`).test(path))
    .map((route) => route.method);
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

import { type Context as Call, Hono } from 'hono';
import { CAPABILITY_TOKENS, HEADERS, type RouteName, ROUTES } from '../contract/index.ts';
import { authenticate, type Caller } from './auth.ts';
import type { Context, Written } from './context.ts';
import { type Handler, HANDLERS, type ReadReply } from './handlers.ts';
import { createNewId, type RandomBytes } from './ids.ts';
import { Refusal } from './refusal.ts';
import { readJson } from './request-body.ts';
import { type Sql, type Store, StoreError } from './store/store.ts';
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
}

/** The service as a function from request to response. */
export interface ServiceApp {
  readonly fetch: (request: Request) => Promise<Response>;
}

const BODY_BYTES_MAX = 2 * 1024 * 1024;
const DEPTH_MAX = 64;
const RETRY_AFTER_SECONDS = '1';

/** On every answer. Content is data here, never a page, so a browser is told to make nothing of it. */
const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'application/json',
  [HEADERS.capabilities]: CAPABILITY_TOKENS.join(', '),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'",
};

/** Every endpoint of the spec over one store, and `/healthz`. Holds nothing between requests. */
export function createApp(options: ServiceOptions): ServiceApp {
  const { store, clock, languages, random } = options;
  const context: Context = {
    site: store.site,
    rule: { defaultLanguage: store.site.defaultLanguage, languages },
    clock,
    newId: createNewId(clock, random),
  };
  const hono = new Hono();
  hono.get('/healthz', async () => {
    await store.read((sql) => sql.get('select 1 as one'));
    return answer(200, { success: true, message: 'The service and its store answer.' });
  });
  for (const name of routeNames()) {
    const { method, path } = ROUTES[name];
    const handler = HANDLERS[name];
    hono.on(method, path.replace('{id}', ':id'), (call) =>
      handler.type === 'read'
        ? answerRead(call, options, context, handler)
        : answerWrite(call, options, context, handler),
    );
  }
  hono.notFound((call) => answerUnknown(call, options));
  hono.onError((error, call) => failure(error, call, options));
  const { fetch: handle } = hono;
  return { fetch: async (request) => handle(request) };
}

async function answerRead(
  call: Call,
  { store, clock }: ServiceOptions,
  context: Context,
  handler: Extract<Handler, { readonly type: 'read' }>,
): Promise<Response> {
  const reply = await store.read(async (sql) => {
    await authenticate(sql, call.req.header('authorization'), nowMicros(clock));
    const query = queryOf(call, handler.query);
    return handler.run(sql, context, { id: call.req.param('id') ?? '', query });
  });
  return answer(200, reply.body, headersOfRead(reply));
}

async function answerWrite(
  call: Call,
  { store, clock, bodyBytesMax = BODY_BYTES_MAX }: ServiceOptions,
  context: Context,
  handler: Extract<Handler, { readonly type: 'write' }>,
): Promise<Response> {
  const { req } = call;
  const caller = await store.read((sql) => authenticate(sql, req.header('authorization'), nowMicros(clock)));
  checkScope(caller);
  queryOf(call, []);
  const limits = { bytesMax: bodyBytesMax, depthMax: DEPTH_MAX };
  const body = req.method === 'DELETE' ? undefined : await readJson(req.raw, limits);
  const work = handler.prepare({
    id: req.param('id') ?? '',
    body,
    keyId: caller.keyId,
    preconditions: { ifMatch: req.header('if-match'), ifNoneMatch: req.header('if-none-match') },
    idempotencyKey: req.header(HEADERS.idempotencyKey),
  });
  const written = await store.write((sql) => work(sql, { ...context, userId: caller.userId }));
  const created = written.id !== undefined;
  return answer(
    created ? 201 : 200,
    { success: true, message: written.message },
    headersOfWrite(written, req.path),
  );
}

function headersOfRead({ etag, total }: ReadReply): Readonly<Record<string, string>> {
  return {
    ...(etag === undefined ? {} : { ETag: etag }),
    ...(total === undefined ? {} : { [HEADERS.totalCount]: String(total) }),
  };
}

function headersOfWrite(
  { id, etag, lastEdited, previousEdited }: Written,
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

/** Parameters that would be ignored are refused: whoever sends `?page=2` must not take the whole list for a page. */
function queryOf(call: Call, known: readonly string[]): Readonly<Record<string, string | undefined>> {
  if (!call.req.url.includes('?')) return {};
  const given = call.req.queries();
  for (const [name, values] of Object.entries(given)) {
    if (!known.includes(name)) {
      throw new Refusal(400, `query parameter ${JSON.stringify(name.slice(0, 80))} is not known here`);
    }
    if (values.length > 1) throw new Refusal(400, `query parameter ${name} is given ${values.length} times`);
  }
  return Object.fromEntries(known.map((name) => [name, given[name]?.[0]]));
}

/** A path of the API under another method, or no path of ours at all; without a key neither is told. */
async function answerUnknown(call: Call, { store, clock }: ServiceOptions): Promise<Response> {
  const { method, path } = call.req;
  if (path.startsWith('/api/')) {
    await store.read((sql: Sql) => authenticate(sql, call.req.header('authorization'), nowMicros(clock)));
  }
  const allowed = methodsAt(path);
  if (allowed.length === 0) throw new Refusal(404, `there is nothing at ${path.slice(0, 200)}`);
  throw new Refusal(405, `${method} is not possible at ${path.slice(0, 200)}; ${allowed.join(', ')} is`, {
    Allow: allowed.join(', '),
  });
}

function methodsAt(path: string): readonly string[] {
  if (path === '/healthz') return ['GET', 'HEAD'];
  const methods = routeNames()
    .map((name) => ROUTES[name])
    .filter((route) => new RegExp(`^${route.path.replace('{id}', '[^/]+')}$`).test(path))
    .map((route) => route.method);
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

function failure(error: unknown, call: Call, { onFailure }: ServiceOptions): Response {
  if (error instanceof Refusal) return refuse(error);
  if (error instanceof StoreError) {
    switch (error.code) {
      case 'unique':
        return refuse(new Refusal(409, 'another record has this slug already'));
      case 'reference':
        return refuse(new Refusal(409, 'a record that this one names, or that names it, stands in the way'));
      case 'busy':
      case 'overloaded':
      case 'closed':
      case 'unsafe':
        return refuse(
          new Refusal(503, `nothing was written: ${error.message}; try again`, {
            'Retry-After': RETRY_AFTER_SECONDS,
          }),
        );
      case 'unclear':
        // No Retry-After: it would say that nothing was done.
        return refuse(new Refusal(503, error.message));
      case 'schema':
      case 'language':
        break;
    }
  }
  onFailure?.(error, `${call.req.method} ${call.req.path}`);
  return answer(500, { success: false, message: 'the service failed; the cause is in its log' });
}

function refuse({ status, message, headers }: Refusal): Response {
  return answer(status, { success: false, message }, headers);
}

function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...COMMON_HEADERS, ...headers } });
}

function routeNames(): readonly RouteName[] {
  // The keys of a constant are its type's keys.
  return Object.keys(ROUTES) as RouteName[];
}

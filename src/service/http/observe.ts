import { ROUTES } from '../../contract/index.ts';

/** One request that was answered, without anything secret: no header, no body, no query. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** The path as it was sent, at most 200 characters. */
  readonly path: string;
  /** `/api/v2/articles/{id}`, or `other`. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Address of the client; undefined where there is no connection. */
  readonly from: string | undefined;
  /** The public part of the key that came with it; not known to be valid. */
  readonly keyPrefix: string | undefined;
}

export type Observe = (answered: Answered) => void;

export interface ObserveOptions {
  readonly observe: Observe;
  /** Milliseconds of any clock. */
  readonly now: () => number;
  readonly newRequestId: () => string;
}

const GIVEN_ID = /^[\w.-]{8,64}$/;
const KEY_PREFIX = /^Bearer +kb_([0-9a-f]{12})_/i;

/**
 * Tells of every answer, and names the request in `X-Request-Id`: the name it came with, if a proxy gave it one, else a new
 * one.
 */
export function observed(
  answer: (request: Request, from?: string) => Promise<Response>,
  { observe, now, newRequestId }: ObserveOptions,
): (request: Request, from?: string) => Promise<Response> {
  return async (request, from) => {
    const startMs = now();
    const given = request.headers.get('x-request-id') ?? '';
    const requestId = GIVEN_ID.test(given) ? given : newRequestId();
    const response = await answer(request, from);
    response.headers.set('X-Request-Id', requestId);
    const path = pathOf(request.url);
    observe({
      requestId,
      method: request.method,
      path: path.slice(0, 200),
      route: routeOf(path),
      status: response.status,
      durationMs: now() - startMs,
      from,
      keyPrefix: KEY_PREFIX.exec(request.headers.get('authorization') ?? '')?.[1],
    });
    return response;
  };
}

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.indexOf('?', start);
  return start === -1 ? '/' : url.slice(start, end === -1 ? undefined : end);
}

const FIXED = new Set<string>([
  ...Object.values(ROUTES).map(({ path }) => path),
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/reference',
]);
/** Pages for readers. */
const PAGE =
  /^\/[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}(?:\/(?:(search|releases|tags|)\/?|(articles|categories|tags)\/[^/]+))?$/i;
const SINGLE = /^(\/api\/v2\/(?:articles|categories|tags)\/)[^/]+$/;

/** Few names: an id in a name would make one time series for each record. */
function routeOf(path: string): string {
  if (FIXED.has(path)) return path;
  const single = SINGLE.exec(path)?.[1];
  if (single !== undefined) return `${single}{id}`;
  const page = PAGE.exec(path);
  if (page === null) return 'other';
  const [, place = '', kind] = page;
  return kind === undefined ? `/{lang}/${place}` : `/{lang}/${kind}/{slug}`;
}

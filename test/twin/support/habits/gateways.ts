import type { Habit, Handler } from '../service/habit.ts';

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const page = (status: number, title: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(`<!doctype html><title>${title}</title><h1>${title}</h1>`, {
    status,
    headers: { 'content-type': 'text/html', ...headers },
  });
const behind = (change: (next: Handler) => Handler): Habit => ({ gateway: () => change });
const isWrite = ({ method }: Request): boolean => method !== 'GET';

/** The same answer with other headers or another text. */
async function changed(
  response: Response,
  {
    text,
    headers = {},
    status,
  }: { text?: (text: string) => string; headers?: Record<string, string>; status?: number },
): Promise<Response> {
  const body = await response.text();
  const isEmpty = [204, 304].includes(status ?? response.status);
  return new Response(isEmpty ? null : (text?.(body) ?? body), {
    status: status ?? response.status,
    headers: { ...Object.fromEntries(response.headers), ...headers },
  });
}

/** Counts, per service, from 1. */
const every = (
  nth: number,
  answer: (next: Handler, request: Request) => Promise<Response>,
  only: (request: Request) => boolean = () => true,
): Habit => ({
  gateway: () => {
    let count = 0;
    return (next) => (request) =>
      only(request) && ++count % nth === 0 ? answer(next, request) : next(request);
  },
});

/** So many requests in so much time; then 429 until it is over. */
const throttle = (requests: number, ms: number, refusal: (leftMs: number) => Response): Habit => ({
  gateway: ({ now }) => {
    const seen: number[] = [];
    return (next) => (request) => {
      const [first] = seen.filter((atMs) => atMs > now() - ms);
      while (seen[0] !== undefined && seen[0] <= now() - ms) seen.shift();
      if (first !== undefined && seen.length >= requests) return Promise.resolve(refusal(first + ms - now()));
      seen.push(now());
      return next(request);
    };
  },
});

/** A cache of successful reads that nobody told of writes. */
const cached = (ms: number, isCached: (url: URL) => boolean, keyOf: (url: URL) => string): Habit => ({
  gateway: ({ now }) => {
    const kept = new Map<string, { readonly untilMs: number; readonly text: string }>();
    return (next) => async (request) => {
      const url = new URL(request.url);
      if (isWrite(request) || !isCached(url)) return next(request);
      const found = kept.get(keyOf(url));
      if (found !== undefined && found.untilMs > now())
        return new Response(found.text, { headers: { 'content-type': 'application/json', age: '1' } });
      const response = await next(request);
      if (response.status !== 200) return response;
      const text = await response.text();
      kept.set(keyOf(url), { untilMs: now() + ms, text });
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    };
  },
});
const isSingle = ({ pathname }: URL): boolean => /\/(articles|categories|tags)\/./.test(pathname);

/** What stands between a service and the world: proxies, caches, firewalls, limits. */
export const GATEWAYS = {
  'etags-honoured': { rules: { etags: 'honoured', createTells: 'location' } },
  'etags-ignored': { rules: { etags: 'ignored' } },
  'etags-weak': { rules: { etags: 'weak-shown' } },
  'a-proxy-weakens-etags': { rules: { etags: 'weak-compared-strongly', createTells: 'location' } },
  'etags-per-encoding': {
    rules: { etags: 'honoured' },
    gateway: () => (next) => async (request) => {
      const response = await next(request);
      const tag = response.headers.get('etag');
      return tag === null ? response : changed(response, { headers: { etag: tag.replace(/"$/, '-gzip"') } });
    },
  },
  'json-as-text': behind(
    (next) => async (request) => changed(await next(request), { headers: { 'content-type': 'text/json' } }),
  ),
  'json-as-plain-text': behind(
    (next) => async (request) =>
      changed(await next(request), { headers: { 'content-type': 'text/plain; charset=utf-8' } }),
  ),
  'json-as-html': behind(
    (next) => async (request) =>
      changed(await next(request), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  ),
  'json-with-a-type-of-its-own': behind(
    (next) => async (request) =>
      changed(await next(request), { headers: { 'content-type': 'application/vnd.api+json' } }),
  ),
  'json-with-a-bom': behind(
    (next) => async (request) => changed(await next(request), { text: (text) => `\ufeff${text}` }),
  ),
  'json-after-a-warning': every(7, async (next, request) =>
    changed(await next(request), { text: (text) => `<br /><b>Warning</b>: Undefined index\n${text}` }),
  ),
  'writes-need-a-moment-between': {
    gateway: ({ now }) => {
      let lastMs = Number.NEGATIVE_INFINITY;
      return (next) => (request) => {
        if (!isWrite(request)) return next(request);
        if (now() - lastMs < 300)
          return Promise.resolve(json(429, { success: false, message: 'Too fast' }, { 'retry-after': '1' }));
        lastMs = now();
        return next(request);
      };
    },
  },
  'writes-answer-204': behind((next) => async (request) => {
    const response = await next(request);
    return isWrite(request) && response.ok ? new Response(null, { status: 204 }) : response;
  }),
  'writes-answer-303': behind((next) => async (request) => {
    const response = await next(request);
    return isWrite(request) && response.ok
      ? new Response(null, { status: 303, headers: { location: '/api/v2/articles' } })
      : response;
  }),
  'edits-answer-302-to-the-record': behind((next) => async (request) => {
    const response = await next(request);
    return request.method === 'POST' && response.ok
      ? new Response(null, { status: 302, headers: { location: new URL(request.url).pathname } })
      : response;
  }),
  'writes-answer-302-to-a-page': behind((next) => async (request) => {
    const response = await next(request);
    return isWrite(request) && response.ok
      ? new Response(null, { status: 302, headers: { location: '/admin/overview' } })
      : response;
  }),
  'not-found-as-plain-text': behind((next) => async (request) => {
    const response = await next(request);
    return response.status === 404 ? new Response('Not Found', { status: 404 }) : response;
  }),
  'errors-as-problem-json': behind((next) => async (request) => {
    const response = await next(request);
    return response.ok
      ? response
      : new Response(JSON.stringify({ title: 'Error', status: response.status }), {
          status: response.status,
          headers: { 'content-type': 'application/problem+json' },
        });
  }),
  'creates-answer-201-without-a-body': behind((next) => async (request) => {
    const response = await next(request);
    return request.method === 'PUT' && response.ok ? new Response(null, { status: 201 }) : response;
  }),
  'writes-answer-ok': behind((next) => async (request) => {
    const response = await next(request);
    return isWrite(request) && response.ok ? new Response('OK') : response;
  }),
  'a-page-is-refused-by-a-firewall': behind(
    (next) => async (request) =>
      isWrite(request) && (await request.clone().text()).includes('npm install')
        ? page(403, 'Request blocked')
        : next(request),
  ),
  'a-firewall-refuses-with-json': behind(
    (next) => async (request) =>
      isWrite(request) && (await request.clone().text()).includes('npm install')
        ? json(403, { success: false, message: 'Forbidden' })
        : next(request),
  ),
  'a-firewall-refuses-with-406': behind(
    (next) => async (request) =>
      isWrite(request) && (await request.clone().text()).includes('npm install')
        ? page(406, 'Not Acceptable')
        : next(request),
  ),
  'a-firewall-refuses-with-200': behind(
    (next) => async (request) =>
      isWrite(request) && (await request.clone().text()).includes('npm install')
        ? page(200, 'Checking your browser')
        : next(request),
  ),
  'one-record-may-not-be-read': {
    gateway:
      ({ rows }) =>
      (next) =>
      async (request) => {
        const foreign = rows().find(({ createdBy }) => createdBy === 'editor');
        return !isWrite(request) &&
          foreign !== undefined &&
          new URL(request.url).pathname.endsWith(foreign.id)
          ? json(403, { success: false, message: 'Forbidden' })
          : next(request);
      },
  },
  'the-key-may-only-read': behind(
    (next) => async (request) =>
      isWrite(request) ? json(403, { success: false, message: 'This key may read only.' }) : next(request),
  ),
  'the-key-may-not-delete': behind(
    (next) => async (request) =>
      request.method === 'DELETE' ? json(403, { success: false, message: 'Forbidden' }) : next(request),
  ),
  'the-key-may-not-make-categories': behind(
    (next) => async (request) =>
      isWrite(request) && request.url.includes('/categories')
        ? json(403, { success: false, message: 'Forbidden' })
        : next(request),
  ),
  'put-is-not-allowed-now-and-then': every(
    6,
    () => Promise.resolve(page(405, 'Method Not Allowed')),
    ({ method }) => method === 'PUT',
  ),
  'twenty-a-minute': throttle(20, 60_000, (leftMs) =>
    json(
      429,
      { success: false, message: 'Too many requests' },
      { 'retry-after': String(Math.ceil(leftMs / 1000)) },
    ),
  ),
  'ten-in-5-s-without-a-word': throttle(10, 5000, () =>
    json(429, { success: false, message: 'Too many requests' }),
  ),
  'ten-in-5-s-said-in-html': throttle(10, 5000, () => page(429, 'Rate limited')),
  'ten-in-5-s-said-with-200': throttle(10, 5000, () =>
    json(200, { success: false, message: 'Too many requests' }),
  ),
  'ten-in-5-s-said-with-503': throttle(10, 5000, () =>
    page(503, 'Service Unavailable', { 'retry-after': '5' }),
  ),
  'ten-in-5-s-said-with-403': throttle(10, 5000, () =>
    json(403, { success: false, message: 'API rate limit exceeded' }),
  ),
  'sixty-an-hour': throttle(60, 3_600_000, (leftMs) =>
    json(
      429,
      { success: false, message: 'Too many requests' },
      { 'retry-after': String(Math.ceil(leftMs / 1000)) },
    ),
  ),
  'retry-after-as-a-date': {
    gateway: ({ now }) => {
      const limited = throttle(10, 5000, () =>
        json(
          429,
          { success: false, message: 'Slow down' },
          { 'retry-after': new Date(now() + 6000).toUTCString() },
        ),
      );
      return limited.gateway?.({ now, random: () => 0, rows: () => [] }) ?? ((next) => next);
    },
  },
  'every-ninth-is-reset': every(9, () => Promise.reject(new TypeError('fetch failed: ECONNRESET'))),
  'every-ninth-is-reset-after-its-work': every(9, async (next, request) => {
    await next(request);
    throw new TypeError('fetch failed: socket hang up');
  }),
  'every-ninth-write-is-504-after-its-work': every(
    4,
    async (next, request) => {
      await next(request);
      return page(504, 'Gateway Time-out');
    },
    isWrite,
  ),
  'every-fifth-write-is-502': every(5, () => Promise.resolve(page(502, 'Bad Gateway')), isWrite),
  'every-ninth-answer-is-cut': every(9, async (next, request) =>
    changed(await next(request), { text: (text) => text.slice(0, -9) }),
  ),
  'a-proxy-sends-creates-twice': every(
    3,
    async (next, request) => {
      await next(request.clone());
      return next(request);
    },
    ({ method }) => method === 'PUT',
  ),
  'a-proxy-sends-edits-twice': every(
    3,
    async (next, request) => {
      await next(request.clone());
      return next(request);
    },
    ({ method }) => method === 'POST',
  ),
  'a-proxy-sends-deletes-twice': every(
    1,
    async (next, request) => {
      await next(request.clone());
      return next(request);
    },
    ({ method }) => method === 'DELETE',
  ),
  'single-reads-are-cached-a-minute': cached(60_000, isSingle, ({ href }) => href),
  'lists-are-cached-a-minute': cached(
    60_000,
    (url) => !isSingle(url),
    ({ href }) => href,
  ),
  'everything-is-cached-10-s': cached(
    10_000,
    () => true,
    ({ href }) => href,
  ),
  'a-cache-without-the-query': cached(60_000, isSingle, ({ origin, pathname }) => origin + pathname),
  'addresses-end-with-a-slash': behind((next) => async (request) => {
    const url = new URL(request.url);
    return url.pathname.endsWith('/')
      ? next(request)
      : new Response(null, { status: 308, headers: { location: `${url.pathname}/${url.search}` } });
  }),
  'a-login-page-now-and-then': every(11, () => Promise.resolve(page(200, 'Sign in'))),
  'maintenance-now-and-then': every(11, () =>
    Promise.resolve(page(503, 'We will be back', { 'retry-after': '20' })),
  ),
  'maintenance-says-200': every(11, () =>
    Promise.resolve(json(200, { success: false, message: 'Under maintenance' })),
  ),
  'writes-are-locked-now-and-then': every(
    5,
    () => Promise.resolve(json(423, { success: false, message: 'Somebody is editing this.' })),
    ({ method }) => method === 'POST',
  ),
  'reads-are-404-now-and-then': every(
    7,
    () => Promise.resolve(json(404, { success: false, message: 'Not found.' })),
    (request) => !isWrite(request) && isSingle(new URL(request.url)),
  ),
  'lists-are-empty-now-and-then': every(
    5,
    async (next, request) =>
      changed(await next(request), {
        text: (text) => JSON.stringify({ ...(JSON.parse(text) as object), data: [] }),
      }),
    (request) => !isWrite(request) && !isSingle(new URL(request.url)),
  ),
  'an-empty-list-is-404': behind((next) => async (request) => {
    const response = await next(request);
    if (isWrite(request) || isSingle(new URL(request.url))) return response;
    const text = await response.clone().text();
    return /"data":\[\]/.test(text) ? json(404, { success: false, message: 'Nothing found.' }) : response;
  }),
} as const satisfies Readonly<Record<string, Habit>>;

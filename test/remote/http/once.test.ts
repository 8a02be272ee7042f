import { parseBaseUrl } from '../../../src/remote/address.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createRemote } from '../../../src/remote/client.ts';
import type { RemoteClient, RemoteOptions } from '../../../src/remote/client.ts';
import { createSend } from '../../../src/remote/http/send.ts';
import type { SendOptions } from '../../../src/remote/http/send.ts';
import type { RunEvent } from '../../../src/model/event.ts';
import { article, articleReply, fields } from '../support/replies.ts';
import { API_KEY, answer, bodyOf, failureOf, listening, virtualClock } from '../support/support.ts';

type Script = (request: IncomingMessage, response: ServerResponse, count: number) => void | Promise<void>;

interface Counted {
  readonly remote: RemoteClient;
  readonly counts: Map<string, number>;
  readonly events: RunEvent[];
  readonly url: string;
}

/** The client on a real socket against a scripted server, which counts what reaches it whole. */
async function against(script: Script, limits: Omit<SendOptions, 'origin'> = {}): Promise<Counted> {
  const counts = new Map<string, number>();
  const { url } = await listening(async (request, response) => {
    await bodyOf(request);
    const method = request.method ?? '';
    const count = (counts.get(method) ?? 0) + 1;
    counts.set(method, count);
    await script(request, response, count);
  });
  return { ...clientOf(url, {}, limits), counts, url };
}

function clientOf(
  url: string,
  options: Partial<RemoteOptions> = {},
  limits: Omit<SendOptions, 'origin'> = {},
): Pick<Counted, 'remote' | 'events'> {
  const send = createSend({ origin: url, ...limits });
  onTestFinished(() => send.close());
  const events: RunEvent[] = [];
  const remote = createRemote({
    address: parseBaseUrl(url),
    apiKey: API_KEY,
    send,
    emit: (event) => events.push(event),
    clock: virtualClock(),
    random: () => 0,
    concurrencyMax: 8,
    capabilities: {},
    defaultLanguage: 'en',
    ...options,
  });
  return { remote, events };
}

const DONE = '{"success":true,"message":"done"}';

/** Short only where an answer never comes; undici looks at these timers about once a second. */
const SHORT = { headersTimeoutMs: 60, bodyIdleTimeoutMs: 60 };

/** How a server can fail after it has the request: outcome and sends of a create · an edit · a delete · a read. */
const FAILURES: readonly (readonly [string, Script, string, string, string])[] = [
  [
    'resets the connection',
    (request) => void request.socket.resetAndDestroy(),
    'unclear 1',
    'unclear 1',
    'unclear 4',
  ],
  ['closes the connection', (request) => void request.socket.end(), 'unclear 1', 'unclear 1', 'unclear 4'],
  ['never answers', () => undefined, 'unclear 1', 'unclear 1', 'unclear 4'],
  [
    'stops in the middle of the answer',
    (_request, response) => void response.writeHead(200, { 'content-length': 100 }).write('{"success"'),
    'unclear 1',
    'unclear 1',
    'unclear 4',
  ],
  [
    'cuts the answer',
    async (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"success":true');
      await wait(5);
      request.socket.destroy();
    },
    'unclear 1',
    'unclear 1',
    'unclear 4',
  ],
  [
    'talks no HTTP',
    (request) => void request.socket.end('SSH-2.0-x\r\n'),
    'unclear 1',
    'unclear 1',
    'unclear 4',
  ],
  ['answers 500', (_q, response) => answer(response, 500, '{}'), 'unclear 1', 'unclear 1', 'unclear 4'],
  ['answers 502', (_q, response) => answer(response, 502, ''), 'unclear 1', 'unclear 1', 'unclear 4'],
  ['answers 504', (_q, response) => answer(response, 504, ''), 'unclear 1', 'unclear 1', 'unclear 4'],
  ['answers 503', (_q, response) => answer(response, 503, '{}'), 'unclear 1', 'unclear 1', 'unclear 4'],
  [
    'answers 503 with Retry-After',
    (_q, response) => answer(response, 503, '{}', { 'retry-after': '2' }),
    'unclear 1',
    'throttled 10',
    'throttled 10',
  ],
  [
    'answers 429',
    (_q, response) => answer(response, 429, '{}'),
    'throttled 10',
    'throttled 10',
    'throttled 10',
  ],
  ['answers 408', (_q, response) => answer(response, 408, '{}'), 'unclear 1', 'unclear 1', 'unclear 4'],
  [
    'refuses',
    (_q, response) => answer(response, 422, '{"success":false,"message":"no"}'),
    'rejected 1',
    'rejected 1',
    'rejected 1',
  ],
  [
    'answers 401',
    (_q, response) => answer(response, 401, '{}'),
    'unauthorized 1',
    'unauthorized 1',
    'unauthorized 1',
  ],
  ['answers 412', (_q, response) => answer(response, 412, '{}'), 'stale 1', 'stale 1', 'stale 1'],
  [
    'redirects',
    (_q, response) => answer(response, 308, '', { location: '/elsewhere' }),
    'redirect 1',
    'redirect 1',
    'redirect 1',
  ],
  [
    'shows a login page',
    (_q, response) => answer(response, 200, '<html>', { 'content-type': 'text/html' }),
    'unclear 1',
    'unclear 1',
    'not-understood 1',
  ],
  [
    'says yes without JSON',
    (_q, response) => void response.writeHead(204).end(),
    'unclear 1',
    'unclear 1',
    'not-understood 1',
  ],
];

test.each(FAILURES)(
  'a server that %s: what is sent again and what is not',
  async (name, script, create, change, read) => {
    const isSilent = /never answers|stops in the middle/.test(name);
    const outcome = async (
      method: string,
      call: (remote: RemoteClient) => Promise<unknown>,
    ): Promise<string> => {
      const { remote, counts, events } = await against(script, isSilent ? SHORT : {});
      const error = await failureOf(call(remote));
      expect(inspect([error, error.cause, events], { depth: 9 })).not.toContain(API_KEY);
      return `${error.code} ${counts.get(method) ?? 0}`;
    };
    const outcomes = await Promise.all([
      outcome('PUT', (remote) => remote.create('article', fields.article, {})),
      // Of a translation: the first refused edit of an original is asked once more without `lang`, see default-lang.test.ts.
      outcome('POST', (remote) => remote.edit('article', 'a1', 'fr', fields.article, {})),
      outcome('DELETE', (remote) => remote.remove('article', 'a1', {})),
      outcome('GET', (remote) => remote.list('article')),
    ]);
    expect(outcomes).toEqual([create, change, change, read]);
  },
);

test('a create whose request was never begun is sent again, until it arrives once', async () => {
  const { url, server } = await listening((_request, response) => answer(response, 200, DONE));
  let arrived = 0;
  server.on('request', () => arrived++);
  const port = Number(new URL(url).port);
  await new Promise<void>((done) => server.close(() => done()));
  const clock = virtualClock();
  const { remote } = clientOf(url, {
    clock: {
      now: () => clock.now(),
      // The server comes up while the client waits for its second try.
      sleep: async (ms) => {
        await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
        await clock.sleep(ms);
      },
    },
  });
  await remote.create('tag', fields.tag, {});
  expect([arrived, remote.requests()]).toEqual([1, 2]);
});

test('a create that nobody hears is given up after four tries', async () => {
  const { url, server } = await listening(() => undefined);
  server.close();
  const { remote, events } = clientOf(url);
  const error = await failureOf(remote.create('tag', fields.tag, {}));
  expect([error.code, remote.requests()]).toEqual(['not-sent', 4]);
  expect(error.message).toBe('PUT /api/v2/tags: not sent: nothing listens at that address (ECONNREFUSED)');
  expect(events.filter(({ type }) => type === 'retry')).toHaveLength(3);
});

test('a create that was refused with 429 is sent again', async () => {
  const { remote, counts } = await against((_request, response, count) =>
    count < 3
      ? answer(response, 429, '{}', { 'retry-after': '1' })
      : answer(response, 200, DONE, { location: '/api/v2/tags/t9' }),
  );
  expect(await remote.create('tag', fields.tag, {})).toEqual({ id: 't9' });
  expect(counts.get('PUT')).toBe(3);
});

test('many at once: every create is sent once, whatever becomes of its neighbours', async () => {
  const bodies: string[] = [];
  const { url } = await listening(async (request, response) => {
    const body = await bodyOf(request);
    bodies.push(body);
    const fate = bodies.length % 4;
    if (fate === 0) request.socket.resetAndDestroy();
    else if (fate === 1) answer(response, 500, '{}');
    else if (fate === 2) answer(response, 200, DONE);
    else answer(response, 200, '{"success":false,"message":"no"}');
  });
  const { remote } = clientOf(url, { concurrencyMax: 16 });
  const slugs = Array.from({ length: 200 }, (_, n) => `tag-${n}`);
  await Promise.allSettled(slugs.map((slug) => remote.create('tag', { ...fields.tag, slug }, {})));
  const arrived = bodies.map((body) => /"slug":"([^"]+)"/.exec(body)?.[1] ?? '').sort();
  expect(arrived).toEqual([...slugs].sort());
});

test('a read is repeated until it is answered', async () => {
  const { remote, events } = await against((request, response, count) =>
    count < 3 ? void request.socket.destroy() : answer(response, 200, JSON.stringify(articleReply)),
  );
  expect(await remote.read('article', 'a1')).toMatchObject({
    state: 'found',
    record: { fields: { title: article.name } },
  });
  expect(events.map(({ type }) => type)).toEqual(['request', 'retry', 'request', 'retry', 'request']);
});

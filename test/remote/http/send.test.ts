import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createSend } from '../../../src/remote/http/send.ts';
import { sendErrorOf, sendTo } from '../support/send-rig.ts';
import { bodyOf, listening } from '../support/support.ts';

const MB = 2 ** 20;

const get = (url: string): Request => new Request(`${url}/x`);
const put = (url: string): Request => new Request(`${url}/x`, { method: 'PUT', body: '{"a":"é"}' });

test('method, path with query, headers and body arrive as they were given, status and headers come back', async () => {
  const { url } = await listening(async (request, response) => {
    const body = await bodyOf(request);
    response.writeHead(409, {
      'x-one': '1',
      'set-cookie': ['a=1', 'b=2'],
      'content-type': 'application/json',
    });
    response.end(JSON.stringify([request.method, request.url, request.headers.authorization, body]));
  });
  const request = new Request(`${url}/kb/a%2Fb?lang=fr`, {
    method: 'PUT',
    headers: { authorization: 'Bearer k' },
    body: 'é',
  });
  const response = await sendTo(url)(request);
  expect(response.status).toBe(409);
  expect(response.headers.get('x-one')).toBe('1');
  expect(await response.json()).toEqual(['PUT', '/kb/a%2Fb?lang=fr', 'Bearer k', 'é']);
});

test('a redirect is an answer: nothing is followed', async () => {
  const seen: string[] = [];
  const { url } = await listening((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(302, { location: '/elsewhere' });
    response.end();
  });
  expect((await sendTo(url)(put(url))).status).toBe(302);
  expect(seen).toEqual(['PUT /x']);
});

test('connections are kept and carry one request at a time', async () => {
  const ports = new Set<number | undefined>();
  const { url } = await listening((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('{}');
  });
  const send = sendTo(url);
  for (let n = 0; n < 20; n++) await send(get(url));
  // A connection is free again a moment after its answer is complete, so that two take turns.
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('what never left is proved not sent: refused', async () => {
  const { url, server } = await listening((_request, response) => response.end());
  server.close();
  const error = await sendErrorOf(sendTo(url)(put(url)));
  expect([error.code, error.isTimeout]).toEqual(['not-sent', false]);
  expect(error.message).toContain('nothing listens');
});

test('what never left is proved not sent: unknown host', async () => {
  const url = 'http://kbsync-no-such-host.invalid';
  // A resolver that cannot be reached at all runs into the connect timeout instead: not sent either.
  const error = await sendErrorOf(sendTo(url, { connectTimeoutMs: 2_000 })(put(url)));
  expect(error.code).toBe('not-sent');
  expect(error.message).toMatch(/host name is not known|no connection within 2 s/);
});

test('what never left is proved not sent: no TLS on the other side', async () => {
  const { url } = await listening((_request, response) => response.end());
  const secure = url.replace('http:', 'https:');
  const error = await sendErrorOf(sendTo(secure)(put(secure)));
  expect(error.code).toBe('not-sent');
  expect(error.message).toMatch(
    /what listens at that address does not speak https .*; if it speaks http, write http:\/\//,
  );
});

test.each([{ connectTimeoutMs: 50 }, { totalTimeoutMs: 50 }])(
  'what never left is proved not sent: a TLS handshake that never ends (%j)',
  async (limits) => {
    const server = createServer(() => undefined);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const sockets = new Set<{ destroy(): void }>();
    server.on('connection', (socket) => sockets.add(socket));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const error = await sendErrorOf(sendTo(url, limits)(put(url)));
    expect([error.code, error.isTimeout]).toEqual(['not-sent', true]);
  },
);

test('a request that is stopped while it waits for its connection is not sent, and stays so', async () => {
  const seen: string[] = [];
  const { url } = await listening((request, response) => {
    seen.push(request.url ?? '');
    response.end('{}');
  });
  const send = sendTo(url);
  const controller = new AbortController();
  const plain = { method: 'PUT', headers: {}, body: '{}', bytesMax: MB };
  const stopped = sendErrorOf(send.exchange({ ...plain, url: `${url}/stopped`, signal: controller.signal }));
  controller.abort();
  expect((await stopped).code).toBe('not-sent');
  for (let n = 0; n < 3; n++) await send.exchange({ ...plain, url: `${url}/next` });
  expect(seen).toEqual(['/next', '/next', '/next']);
});

test.each([
  ['closed before a byte of the answer', 0],
  ['closed in the middle of the answer', 5],
])('a connection %s leaves it unclear, and is not tried again', async (_name, bytes) => {
  let requests = 0;
  const { url } = await listening(async (request, response) => {
    requests++;
    await bodyOf(request);
    if (bytes > 0) {
      response.writeHead(200, { 'content-length': 100 });
      response.write('x'.repeat(bytes));
      await wait(5);
    }
    request.socket.destroy();
  });
  const send = sendTo(url);
  expect((await sendErrorOf(send(put(url)))).code).toBe('unclear');
  expect((await sendErrorOf(send(get(url)))).code).toBe('unclear');
  expect(requests).toBe(2);
});

test('a kept connection that the server closes under the next request leaves that unclear', async () => {
  let requests = 0;
  const { url } = await listening((request, response) => {
    requests++;
    if (requests === 1) response.end('{}');
    else request.socket.resetAndDestroy();
  });
  const send = sendTo(url);
  await send(get(url));
  expect((await sendErrorOf(send(put(url)))).code).toBe('unclear');
  expect(requests).toBe(2);
});

test('a chunked answer that ends without its last chunk is not whole', async () => {
  const { url } = await listening(async (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"success":true}');
    await wait(5);
    request.socket.destroy();
  });
  expect((await sendErrorOf(sendTo(url)(get(url)))).code).toBe('unclear');
});

test.each([
  ['no headers', { headersTimeoutMs: 50 }, 'no answer within 0.05 s'],
  ['a body that stops', { bodyIdleTimeoutMs: 50 }, 'stopped for 0.05 s'],
  ['an answer that drips without end', { totalTimeoutMs: 500 }, 'no whole answer within 0.5 s'],
])('%s is given up in time', async (name, limits, words) => {
  const { url } = await listening(async (request, response) => {
    if (name === 'no headers') return;
    response.writeHead(200);
    response.write('x');
    while (name.includes('drips') && !request.socket.destroyed) {
      await wait(5);
      response.write('x');
    }
  });
  const error = await sendErrorOf(sendTo(url, limits)(put(url)));
  expect([error.code, error.isTimeout]).toEqual(['unclear', true]);
  expect(error.message).toContain(words);
});

test('a request is stopped by its signal, before and while it runs', async () => {
  let requests = 0;
  const { url, server } = await listening(() => requests++);
  const arrived = once(server, 'request');
  const send = sendTo(url);
  const controller = new AbortController();
  const running = sendErrorOf(send(new Request(`${url}/x`, { signal: controller.signal })));
  await arrived;
  controller.abort();
  expect((await running).code).toBe('unclear');
  const plain = {
    method: 'GET',
    url: `${url}/x`,
    headers: {},
    body: undefined,
    bytesMax: MB,
    signal: controller.signal,
  };
  expect((await sendErrorOf(send.exchange(plain))).code).toBe('not-sent');
  expect(requests).toBe(1);
});

test('closing cuts what is under way', async () => {
  const { url, server } = await listening(() => undefined);
  const arrived = once(server, 'request');
  const send = createSend({ origin: url });
  const running = sendErrorOf(send(get(url)));
  await arrived;
  await send.close();
  expect((await running).code).toBe('unclear');
});

test('another origin is a bug', async () => {
  await expect(sendTo('http://127.0.0.1:1')(get('http://127.0.0.1:12'))).rejects.toThrow('bug:');
});

test.each([
  ['a name', 'localhost'],
  ['an address', '127.0.0.1'],
])('no connection goes to an IP address that is refused: %s', async (_what, host) => {
  let arrived = 0;
  const { url } = await listening((_request, response) => {
    arrived += 1;
    response.end('{}');
  });
  const origin = `http://${host}:${new URL(url).port}`;
  const asked: string[] = [];
  const refusing = createSend({
    origin,
    allowsAddress: (address) => {
      asked.push(address);
      return false;
    },
  });
  onTestFinished(() => refusing.close());
  const error = await sendErrorOf(refusing(get(origin)));
  expect([error.code, error.message]).toEqual([
    'not-sent',
    `${host} is an address of this machine or of a private network`,
  ]);
  expect([arrived, asked.length > 0]).toEqual([0, true]);
  const allowing = createSend({ origin, allowsAddress: (address) => address === '127.0.0.1' });
  onTestFinished(() => allowing.close());
  expect((await allowing(get(origin))).status).toBe(200);
  expect(arrived).toBe(1);
});

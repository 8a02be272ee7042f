import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp, listen, type Listening, openSqlite } from '../../src/service/index.ts';
import { ARTICLES, articleBody, rig, type Rig } from './support/rig.ts';

/** Sends bytes as they are, and answers all that comes back until the service closes the connection. */
function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('the service on a socket', () => {
  let service: Rig;
  let listening: Listening;
  beforeEach(async () => {
    service = await rig(openSqlite({ file: ':memory:' }));
    const app = createApp({ store: service.store, clock: service.clock });
    listening = await listen(app, { port: 0, requestTimeoutMs: 200 });
  });
  afterEach(async () => {
    await listening.close();
    await service.close();
  });

  const headers = () => ({ authorization: `Bearer ${service.key}`, 'content-type': 'application/json' });

  test('answers at the address that it names, port 0 included', async () => {
    expect(listening.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const created = await fetch(listening.url + ARTICLES, {
      method: 'PUT',
      headers: headers(),
      body: JSON.stringify(articleBody()),
    });
    expect(created.status).toBe(201);
    const read = await fetch(listening.url + created.headers.get('location'), { headers: headers() });
    expect(((await read.json()) as { data: { name: string } }).data.name).toBe('Install');
    const head = await fetch(listening.url + ARTICLES, { method: 'HEAD', headers: headers() });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('takes a body in chunks, and refuses one that is too large', async () => {
    // With the default time for a request to arrive: how fast this machine is must not matter.
    const patient = await listen(createApp(service), { port: 0 });
    const chunked = (size: number) =>
      fetch(patient.url + ARTICLES, {
        method: 'PUT',
        headers: headers(),
        body: new Blob([JSON.stringify(articleBody({ content: 'x'.repeat(size) }))]).stream(),
        duplex: 'half',
      });
    expect((await chunked(1000)).status).toBe(201);
    const large = await chunked(3 * 1024 * 1024).then(
      ({ status }) => status,
      () => 'cut',
    );
    expect([413, 'cut']).toContain(large);
    await patient.close();
  });

  test('cuts off a client that does not finish its request', async () => {
    const answer = await exchange(listening.url, 'PUT /api/v2/articles HTTP/1.1\r\nHost: x\r\nContent-Len');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('clients that never finish are cut, and keep nobody else waiting', async () => {
    const half = 'PUT /api/v2/articles HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{';
    const slow = Array.from({ length: 200 }, (_, n) =>
      exchange(listening.url, n % 2 === 0 ? half : half.slice(0, 40)),
    );
    for (let n = 0; n < 20; n += 1) {
      expect((await fetch(listening.url + ARTICLES, { headers: headers() })).status).toBe(200);
    }
    const answers = await Promise.all(slow);
    // With a key that is not there the half body is answered before it is waited for.
    expect(answers.filter((answer) => !/^HTTP\/1\.1 4\d\d /.test(answer))).toEqual([]);
  });

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    [
      'a broken escape',
      'GET /api/v2/articles/%E0%A4%A?lang=%FF HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    ['a header that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a target that is no path', 'GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a host that is none', 'GET /healthz HTTP/1.1\r\nHost: ][\r\nConnection: close\r\n\r\n'],
  ])('answers %s with a 4xx', async (_, text) => {
    expect(await exchange(listening.url, text)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await fetch(`${listening.url}/healthz`)).status).toBe(200);
  });

  test('tells what is wrong with a request that is no request in the one error body', async () => {
    const close = '\r\nConnection: close\r\n\r\n';
    for (const [text, message] of [
      ['hello\r\n\r\n', 'the request is not HTTP as it should be'],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 'the headers are larger than 16 KiB'],
      [`GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b${close}`, 'two Host headers'],
      [`GET /healthz HTTP/1.1${close}`, 'the Host header is missing'],
      [
        `GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea${close}`,
        'Expect is "tea"; this service knows 100-continue',
      ],
      [
        `GET /healthz HTTP/1.1\r\nHost: ][${close}`,
        'the address or the Host header of the request is not valid',
      ],
    ] as const) {
      const answer = await exchange(listening.url, text);
      expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(JSON.stringify({ success: false, message }));
    }
  });

  test('of a request whose first line and Host name two hosts, or a host that is none, nothing is made', async () => {
    const said = async (target: string, host: string): Promise<string> =>
      (
        await exchange(listening.url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      ).split('\r\n')[0] ?? '';
    expect(await said('/healthz', 'kb.example')).toBe('HTTP/1.1 200 OK');
    expect(await said('http://KB.example/healthz', 'kb.example')).toBe('HTTP/1.1 200 OK');
    for (const [target, host] of [
      ['http://evil.example/healthz', 'kb.example'],
      ['https://evil.example/healthz', 'kb.example'],
      ['http://kb.example@evil.example/healthz', 'kb.example'],
      // A name that looks like one of another script, and is none.
      ['/healthz', 'xn--a'],
      ['/healthz', 'a b'],
      ['/healthz', 'a:99999'],
    ] as const) {
      expect([target, host, await said(target, host)]).toEqual([target, host, 'HTTP/1.1 400 Bad Request']);
    }
  });

  test('what an app throws is told to the log, and to no stranger', async () => {
    const told: unknown[] = [];
    const thrown = new Error('secret path');
    const broken = await listen(
      { fetch: () => Promise.reject(thrown) },
      { port: 0, onFailure: (error, request) => told.push([error, request]) },
    );
    const reply = await fetch(`${broken.url}/x`);
    expect([reply.status, await reply.text()]).toEqual([500, expect.not.stringContaining('secret')]);
    expect(told).toEqual([[thrown, 'GET']]);
    await broken.close();
  });

  test('answers a health check of HTTP/1.0, which names no host', async () => {
    expect(await exchange(listening.url, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('lets an answer under way end before it closes, and takes nothing after', async () => {
    const app = createApp({ store: service.store, clock: service.clock });
    let entered = (): void => undefined;
    let release = (): void => undefined;
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = await listen(
      {
        fetch: async (request) => {
          entered();
          await gate;
          return app.fetch(request);
        },
      },
      { port: 0 },
    );
    const answer = fetch(`${slow.url}/healthz`);
    await inside;
    const closed = slow.close();
    await expect(fetch(`${slow.url}/healthz`)).rejects.toThrow('fetch failed');
    release();
    const response = await answer;
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    await closed;
  });

  test('a stop ends at once what would never end: silent connections and requests that are not whole', async () => {
    const app = createApp({ store: service.store, clock: service.clock });
    // Longer than the test may take: the end must not come from a time-out.
    const stopping = await listen(app, { port: 0, requestTimeoutMs: 600_000, drainMs: 600_000 });
    const silent = exchange(stopping.url, '');
    const withoutHead = exchange(stopping.url, 'PUT /api/v2/articles HTTP/1.1\r\nHost: x\r\nContent-Len');
    const withoutBody = exchange(
      stopping.url,
      `PUT ${ARTICLES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    const keptAlive = exchange(stopping.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => stopping.gauges()['http_connections']).toBe(4);
    // Until this one is answered, what came before it has been read.
    await fetch(`${stopping.url}/healthz`);
    await stopping.close();
    expect([await silent, await withoutHead]).toEqual(['', '']);
    expect(await keptAlive).toMatch(/^HTTP\/1\.1 200 /);
    expect(await withoutBody).toMatch(/^HTTP\/1\.1 503 [^]*did nothing of this request/);
  });

  test('a stop lets a delete end whose text comes late: it was carried out without it', async () => {
    let isDone = false;
    let begin = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begin = resolve));
    const deleting = await listen(
      {
        fetch: async () => {
          begin();
          await new Promise((resolve) => setImmediate(resolve));
          isDone = true;
          return new Response('deleted');
        },
      },
      { port: 0, requestTimeoutMs: 600_000, drainMs: 600_000 },
    );
    const answer = exchange(
      deleting.url,
      'DELETE /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n',
    );
    await isBegun;
    await deleting.close();
    expect([isDone, await answer]).toEqual([true, expect.stringMatching(/^HTTP\/1\.1 200 /)]);
  });

  test('a stop ends an answer that never comes after its time', async () => {
    const stuck = await listen({ fetch: () => new Promise(() => undefined) }, { port: 0, drainMs: 50 });
    const asked = exchange(stuck.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => stuck.gauges()['http_connections']).toBe(1);
    await stuck.close();
    expect(await asked).toBe('');
  });

  test('a stop lets the answers to requests end that came one behind the other', async () => {
    const gates: (() => void)[] = [];
    const slow = await listen(
      { fetch: () => new Promise((resolve) => gates.push(() => resolve(new Response('made')))) },
      { port: 0, drainMs: 600_000 },
    );
    const { hostname, port } = new URL(slow.url);
    const one = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';
    const socket = connect(Number(port), hostname, () => socket.write(one + one));
    let answers = '';
    socket.on('data', (chunk) => (answers += chunk.toString()));
    await expect.poll(() => gates.length).toBe(2);
    gates[0]?.();
    await expect.poll(() => answers).toContain('made');
    const closed = slow.close();
    gates[1]?.();
    await closed;
    await expect.poll(() => answers.match(/made/g)).toHaveLength(2);
  });

  test('rejects when the address is taken', async () => {
    const { port } = new URL(listening.url);
    await expect(listen(createApp(service), { port: Number(port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

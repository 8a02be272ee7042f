import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { listen, type Listening, type ListenOptions } from '../../../src/service/index.ts';

const LARGE = Buffer.alloc(20_000_000, 'x');
let arrived = 0;
const app = {
  fetch: async (request: Request) => {
    arrived += 1;
    if (request.method === 'PUT') await request.text().catch(() => undefined);
    const body = request.url.endsWith('/large') ? LARGE : 'small';
    return new Response(body, { headers: { 'Content-Type': 'text/plain' } });
  },
};

let listening: Listening;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listening.close();
});

async function start(limits: NonNullable<ListenOptions['limits']>): Promise<void> {
  arrived = 0;
  listening = await listen(app, { port: 0, limits });
}

/** A connection that says this much and reads nothing of what comes back. */
async function opened(text = ''): Promise<Socket> {
  const { hostname, port } = new URL(listening.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.pause();
  if (text !== '') socket.write(text);
  return socket;
}

const asking = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const gauge = (name: string): number => listening.gauges()[name] ?? Number.NaN;
/** However long this machine takes; the test's own time bounds it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
const small = async (): Promise<string> => (await fetch(`${listening.url}/`)).text();

describe('connections', () => {
  test('of more than there may be, the one that was silent longest makes place', async () => {
    await start({ connectionsMax: 5, silentMsMin: 0 });
    const longest = await opened();
    for (let others = 0; others < 4; others += 1) await opened();
    const first = once(longest.resume(), 'close');
    expect(await small()).toBe('small');
    await first;
    expect(gauge('http_connections_cut_total')).toBe(1);
    expect(gauge('http_connections')).toBeLessThanOrEqual(5);
  });

  test('that never end their requests make place as well', async () => {
    await start({ connectionsMax: 5 });
    const half = 'PUT /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{';
    for (let n = 0; n < 5; n += 1) await opened(half);
    await until(() => arrived === 5);
    for (let n = 0; n < 5; n += 1) expect(await small()).toBe('small');
  });

  test('a reader that takes nothing of its answer is not waited for', async () => {
    await start({ stalledMsMax: 1000 });
    await opened(asking('/large'));
    await until(() => gauge('http_answers_waiting_bytes') > 0);
    await until(() => gauge('http_connections_cut_total') === 1);
    expect(gauge('http_answers_waiting_bytes')).toBe(0);
  });

  test('answers that nobody takes fill the memory only so far, and who reads gets his', async () => {
    await start({ waitingBytesMax: 50_000_000 });
    for (let n = 0; n < 10; n += 1) await opened(asking('/large'));
    await until(() => gauge('http_connections_cut_total') === 8);
    expect(gauge('http_answers_waiting_bytes')).toBeLessThan(50_000_000);
    expect((await (await fetch(`${listening.url}/large`)).arrayBuffer()).byteLength).toBe(LARGE.length);
  });

  test('a connection that has just come is not closed for the next one', async () => {
    await start({ connectionsMax: 2, silentMsMin: 3_600_000 });
    const [first, second] = [await opened(), await opened()];
    const third = await opened();
    await once(third.resume(), 'close');
    expect([first.destroyed, second.destroyed]).toEqual([false, false]);
  });
});

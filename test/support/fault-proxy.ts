import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Where one request stops: `before-send` it never reaches the service · `after-commit` the service answered and nobody
 * hears it · `mid-body` half of the answer comes · `held` it reaches the service when `release` is called.
 */
export type StopPoint = 'before-send' | 'after-commit' | 'mid-body' | 'held';

export interface Stop {
  /** The n-th request from now, from 1. */
  readonly at: number;
  readonly how: StopPoint;
}

/** Answered by the proxy itself: nothing of it reaches the service. */
export interface Refusal {
  readonly method: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface FaultProxy {
  readonly url: string;
  /** Resolves when the request is where it stops; never, when the run ends before. */
  arm(stop: Stop): Promise<void>;
  disarm(): void;
  refuse(refusal: Refusal | undefined): void;
  release(): void;
  /** Requests since `arm` or `disarm`. */
  count(): number;
  /** Resolves when nothing is on its way to the service. */
  quiet(): Promise<void>;
  /** Where requests go from now on. */
  retarget(url: string): void;
  close(): Promise<void>;
}

/** A proxy on loopback that stops one chosen request at one chosen point and lets all others pass. */
export async function faultProxy(target: string): Promise<FaultProxy> {
  let to = target;
  let stop: (Stop & { readonly reached: () => void }) | undefined;
  let refusal: Refusal | undefined;
  let count = 0;
  let underWay = 0;
  let released: () => void = () => undefined;
  let idle: (() => void)[] = [];

  const ended = (): void => {
    underWay -= 1;
    if (underWay > 0) return;
    idle.forEach((wake) => wake());
    idle = [];
  };

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    count += 1;
    const here = stop !== undefined && stop.at === count ? stop : undefined;
    const body = await bytesOf(incoming);
    if (refusal !== undefined && refusal.method === incoming.method) {
      outgoing.writeHead(refusal.status, { ...refusal.headers, 'content-type': 'application/json' });
      return void outgoing.end(JSON.stringify({ success: false, message: 'refused' }));
    }
    if (here?.how === 'before-send') return here.reached();
    if (here?.how === 'held') {
      here.reached();
      await new Promise<void>((resolve) => (released = resolve));
    }
    underWay += 1;
    let answer: Answer;
    try {
      answer = await forwarded(to, incoming, body);
    } catch {
      outgoing.destroy(); // the service is gone: so is its answer
      return;
    } finally {
      ended();
    }
    if (here?.how === 'after-commit') return here.reached();
    outgoing.writeHead(answer.status, answer.headers);
    if (here?.how !== 'mid-body') return void outgoing.end(answer.body);
    const half = answer.body.subarray(0, Math.ceil(answer.body.length / 2));
    outgoing.write(half, () => here.reached());
  };

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A listening TCP server has an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm: (wanted) => {
      count = 0;
      return new Promise((reached) => (stop = { ...wanted, reached }));
    },
    disarm: () => {
      count = 0;
      stop = undefined;
    },
    refuse: (wanted) => {
      refusal = wanted;
    },
    release: () => released(),
    count: () => count,
    quiet: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
    retarget: (url) => (to = url),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function forwarded(target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const outgoing = httpRequest(`${target}${url}`, { method, headers }, (response) => {
      bytesOf(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer); // a request's chunks are buffers
  return Buffer.concat(chunks);
}

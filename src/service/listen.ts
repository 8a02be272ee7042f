import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { ServiceApp } from './app.ts';
import type { Gauges } from './metrics.ts';
import type { Clock } from './time.ts';

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: a free one. */
  readonly port: number;
  /** Time for a whole request to arrive. Default 30 s. */
  readonly requestTimeoutMs?: number;
  /** How long `close` waits for answers that are under way. Default 30 s. */
  readonly drainMs?: number;
}

export interface Listening {
  /** `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  /** Takes no more connections, lets answers under way end, then closes. */
  close(): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** What this process uses, for the metrics. */
export const processGauges: Gauges = () => {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    process_cpu_seconds_total: (user + system) / 1e6,
    process_resident_memory_bytes: rss,
    nodejs_heap_used_bytes: heapUsed,
    process_uptime_seconds: process.uptime(),
  };
};

const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;
const CONNECTIONS_MAX = 1000;
const HEADER_BYTES_MAX = 16 * 1024;

/** Serves the app over HTTP. Rejects with the system's error when the address cannot be had. */
export async function listen(app: ServiceApp, options: ListenOptions): Promise<Listening> {
  const { host = '127.0.0.1', port, requestTimeoutMs = 30_000, drainMs = 30_000 } = options;
  let closing = false;
  // Without createServer or http2 options the adaptor makes a plain HTTP server.
  const server = createAdaptorServer({
    fetch: async (request) => {
      const response = await app.fetch(request);
      // Else the client keeps the connection, and the drain waits for its time-out.
      if (closing) response.headers.set('Connection', 'close');
      return response;
    },
    serverOptions: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      connectionsCheckingInterval: 1000,
    },
  }) as Server;
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  let closed: Promise<void> | undefined;
  return {
    url: urlOf(server),
    close() {
      closing = true;
      closed ??= drain(server, drainMs);
      return closed;
    },
  };
}

function urlOf(server: Server): string {
  // A listening TCP server has an AddressInfo; null and string are for other kinds.
  const { address, port } = server.address() as AddressInfo;
  const host = address === '::' || address === '0.0.0.0' ? 'localhost' : address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function drain(server: Server, drainMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}

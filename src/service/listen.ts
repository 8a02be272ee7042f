import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { ServiceApp } from './app.ts';
import { answer } from './http/answers.ts';
import { clientAddress } from './http/client-address.ts';
import { type ConnectionLimits, type Connections, guardConnections } from './http/connections.ts';
import type { Gauges } from './http/metrics.ts';
import type { Clock } from './time.ts';
import { isUrl } from '../text/url.ts';

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: a free one. */
  readonly port: number;
  /** Time for a whole request to arrive. Default 30 s. */
  readonly requestTimeoutMs?: number;
  /** How long `close` waits for answers that are under way. Default 10 s: no work of an answer may take longer. */
  readonly drainMs?: number;
  /** For clients that keep others out. */
  readonly limits?: ConnectionLimits;
  /** Told of what an app threw. */
  readonly onFailure?: (error: unknown, request: string) => void;
}

export interface Listening {
  /** `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  /** Connections and what waits for them. */
  readonly gauges: Gauges;
  /** Takes no more connections, ends those on which nothing whole was asked, lets answers under way end, then closes. */
  close(): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** How often the event loop is looked at; its delays are told with this much in them. */
const LOOP_SAMPLE_MS = 10;

/**
 * What this process uses, for the metrics, and how long its event loop stood still: every answer waits for that. The delays
 * are those since the last time that somebody asked.
 */
export function watchProcess(): Gauges {
  const delay = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS });
  delay.enable();
  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const delays = {
      nodejs_eventloop_delay_p50_seconds: delay.percentile(50) / 1e9,
      nodejs_eventloop_delay_p99_seconds: delay.percentile(99) / 1e9,
      nodejs_eventloop_delay_p999_seconds: delay.percentile(99.9) / 1e9,
      nodejs_eventloop_delay_max_seconds: delay.max / 1e9,
    };
    delay.reset();
    return {
      process_cpu_seconds_total: (user + system) / 1e6,
      process_resident_memory_bytes: rss,
      nodejs_heap_used_bytes: heapUsed,
      process_uptime_seconds: process.uptime(),
      ...delays,
    };
  };
}

const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;
const CONNECTIONS_MAX = 1000;
/** What the guard of connections has not seen to yet. */
const CONNECTIONS_BESIDE = 100;
const HEADER_BYTES_MAX = 16 * 1024;

/** Serves the app over HTTP. Rejects with the system's error when the address cannot be had. */
export async function listen(app: ServiceApp, options: ListenOptions): Promise<Listening> {
  const { host = '127.0.0.1', port, requestTimeoutMs = 30_000, drainMs = 10_000 } = options;
  const { limits = {}, onFailure } = options;
  let closing = false;
  /** Apps answer their own failures. What is left is told to the log, and its words to no stranger. */
  const answered = async (request: Request, from: string): Promise<Response> => {
    try {
      return await app.fetch(request, from);
    } catch (error) {
      onFailure?.(error, request.method);
      return answer(500, { success: false, message: 'the service failed; the cause is in its log' });
    }
  };
  const fetch = async (request: Request, asked: IncomingMessage): Promise<Response> => {
    const fault = hostFault(asked, request.url);
    const response = fault === undefined ? await answered(request, fromOf(asked)) : badRequest(fault);
    // Else the client keeps the connection, and the drain waits for its time-out.
    if (closing) response.headers.set('Connection', 'close');
    return response;
  };
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      connectionsCheckingInterval: 1000,
      // Node's own answer has no body; `hostFault` answers instead.
      requireHostHeader: false,
    },
    getRequestListener(
      // A plain HTTP server has no requests of HTTP/2.
      (request, { incoming }) => fetch(request, incoming as IncomingMessage),
      // Clients of HTTP/1.0 name no host: the health checks of some load balancers.
      { hostname: 'localhost', errorHandler: answerError },
    ),
  );
  server.maxConnections = (limits.connectionsMax ?? CONNECTIONS_MAX) + CONNECTIONS_BESIDE;
  server.on('clientError', answerBroken);
  server.on('checkExpectation', refuseExpectation);
  const connections = guardConnections(server, { connectionsMax: CONNECTIONS_MAX, ...limits });
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
    gauges: () => ({
      http_connections: connections.open(),
      http_answers_waiting_bytes: connections.waitingBytes(),
      http_connections_cut_total: connections.cut(),
    }),
    close() {
      closing = true;
      closed ??= drain(server, connections, drainMs).finally(() => connections.stop());
      return closed;
    },
  };
}

function fromOf({ socket, headers }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for'];
  return clientAddress(
    socket.remoteAddress,
    typeof forwarded === 'string' ? forwarded : forwarded?.join(','),
  );
}

/** RFC 9112, 3.2: which of two would a proxy have looked at? Only HTTP/1.0 names none. `url`: of host and target together. */
function hostFault(
  { rawHeaders, httpVersion, headers, url: target = '' }: IncomingMessage,
  url: string,
): string | undefined {
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;
  if (hosts > 1) return 'two Host headers';
  if (hosts === 0 && httpVersion === '1.1') return 'the Host header is missing';
  const inTarget = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
  if (inTarget !== undefined && inTarget.toLowerCase() !== headers.host?.toLowerCase())
    return 'the first line of the request names another host than the Host header';
  return isUrl(url) ? undefined : NO_ADDRESS;
}

function badRequest(message: string): Response {
  return answer(400, { success: false, message });
}

const NO_ADDRESS = 'the address or the Host header of the request is not valid';

/** What no request could be made of. */
function answerError(error: unknown): Response {
  if (error instanceof RequestError) return badRequest(NO_ADDRESS);
  throw error;
}

const BROKEN: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
};

/** What is no HTTP gets the one error body as well, as long as nothing else was said on the connection. */
function answerBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET' || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [status, message] = BROKEN[error.code ?? ''] ?? [
    '400 Bad Request',
    'the request is not HTTP as it should be',
  ];
  socket.end(refusalText(status, message));
}

/** An answer as it stands on the wire; it is the last one of its connection. */
function refusalText(status: string, message: string, headers = ''): string {
  const body = JSON.stringify({ success: false, message });
  return `HTTP/1.1 ${status}\r\nConnection: close\r\n${headers}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** RFC 9110, 10.1.1: of what clients may expect, there is `100-continue` alone. Nobody reads the body, so the connection ends. */
function refuseExpectation({ headers }: IncomingMessage, response: ServerResponse): void {
  const message = `Expect is ${JSON.stringify(headers.expect?.slice(0, 80))}; this service knows 100-continue`;
  const body = JSON.stringify({ success: false, message });
  response.writeHead(417, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

function urlOf(server: Server): string {
  // A listening TCP server has an AddressInfo; null and string are for other kinds.
  const { address, port } = server.address() as AddressInfo;
  const host = address === '::' || address === '0.0.0.0' ? 'localhost' : address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const STOPPING = refusalText(
  '503 Service Unavailable',
  'the service is stopping; it did nothing of this request, because it had not arrived whole',
  'Retry-After: 1\r\n',
);

async function drain(server: Server, connections: Connections, drainMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    connections.endUnasked(STOPPING);
  });
  clearTimeout(cut);
}

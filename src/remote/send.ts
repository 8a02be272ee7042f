import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Send } from './remote.ts';
import { SendError } from './send-error.ts';

export interface SendOptions {
  /** Of the knowledge base; requests to any other origin are a bug. */
  readonly origin: string;
  readonly connectTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  /** Longest silence inside a body. */
  readonly bodyIdleTimeoutMs?: number;
  /** From the call to the last byte. */
  readonly totalTimeoutMs?: number;
  /** Of the inflated body. */
  readonly bodyBytesMax?: number;
}

type Limits = Required<Omit<SendOptions, 'origin'>>;

const LIMITS: Limits = {
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 30_000,
  bodyIdleTimeoutMs: 15_000,
  totalTimeoutMs: 120_000,
  bodyBytesMax: 64 * 2 ** 20,
};

/**
 * Sends each request exactly once over HTTP/1.1 connections that carry one request at a time: no retries, no redirects,
 * no cookies, no cache. Resolves when the whole body has arrived and is inflated. Throws SendError.
 * `close` cuts what is still under way.
 */
export function createSend(options: SendOptions): Send & { close(): Promise<void> } {
  const limits: Limits = { ...LIMITS, ...options };
  const pool = new Pool(options.origin, {
    pipelining: 1,
    connectTimeout: limits.connectTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyIdleTimeoutMs,
  });
  const send = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.origin !== options.origin)
      throw new Error(`bug: ${url.origin} asked of a connection to ${options.origin}`);
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const raw = await exchange(pool, { request, path: url.pathname + url.search, body }, limits);
    return responseOf(raw, await inflated(raw, limits.bodyBytesMax));
  };
  return Object.assign(send, { close: () => pool.destroy() });
}

type RawHeaders = Record<string, string | string[] | undefined>;

interface RawResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: Buffer;
}

interface Outgoing {
  readonly request: Request;
  readonly path: string;
  readonly body: Buffer | null;
}

/** The dispatcher's own handler tells what `pool.request` hides: whether the request was begun on a socket at all. */
function exchange(pool: Pool, { request, path, body }: Outgoing, limits: Limits): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let abort: ((reason: Error) => void) | undefined;
    let stopped: Error | undefined;
    let status = 0;
    let headers: RawHeaders = {};
    let size = 0;
    const chunks: Buffer[] = [];
    const stop = (reason: Error): void => {
      stopped ??= reason;
      if (abort === undefined) settle(() => reject(sendError(reason, false, limits)));
      else abort(reason);
    };
    const onAbort = (): void => stop(new Error('the run was interrupted'));
    const timer = setTimeout(() => stop(new TotalTimeout(limits.totalTimeoutMs)), limits.totalTimeoutMs);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', onAbort);
      finish();
    };
    if (request.signal.aborted) return onAbort();
    request.signal.addEventListener('abort', onAbort);
    pool.dispatch(
      { method: request.method, path, headers: outgoingHeaders(request), body },
      {
        onRequestStart(controller) {
          if (stopped !== undefined) return controller.abort(stopped);
          abort = (reason) => controller.abort(reason);
        },
        onResponseStart(_controller, code, fields) {
          status = code;
          headers = fields;
        },
        onResponseData(controller, chunk) {
          size += chunk.length;
          if (size > limits.bodyBytesMax) controller.abort(new TooLarge(limits.bodyBytesMax));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          const whole = chunks.length === 1 ? chunks[0] : undefined;
          settle(() => resolve({ status, headers, body: whole ?? Buffer.concat(chunks, size) }));
        },
        onResponseError(_controller, error) {
          settle(() => reject(sendError(error, abort !== undefined, limits)));
        },
      },
    );
    return undefined;
  });
}

class TooLarge extends Error {
  constructor(bytesMax: number) {
    super(`the answer is larger than ${bytesMax} bytes`);
  }
}

class TotalTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`no whole answer within ${timeoutMs / 1000} s`);
  }
}

function outgoingHeaders(request: Request): Record<string, string> {
  return { 'accept-encoding': 'gzip, deflate, br', ...Object.fromEntries(request.headers) };
}

function sendError(error: Error, isBegun: boolean, limits: Limits): SendError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isTimeout = error instanceof TotalTimeout || /TIMEOUT|ETIMEDOUT/.test(code);
  const message = reasonOf(error, code, limits);
  return new SendError(isBegun ? 'unclear' : 'not-sent', message, { isTimeout, cause: error });
}

function reasonOf(error: Error, code: string, limits: Limits): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens at that address (ECONNREFUSED)';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host name is not known (${code})`;
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `no connection within ${limits.connectTimeoutMs / 1000} s`;
    case 'UND_ERR_HEADERS_TIMEOUT':
      return `no answer within ${limits.headersTimeoutMs / 1000} s`;
    case 'UND_ERR_BODY_TIMEOUT':
      return `the answer stopped for ${limits.bodyIdleTimeoutMs / 1000} s`;
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'EPIPE':
      return `the connection was closed (${code})`;
    default:
      return /CERT|ISSUER|SELF_SIGNED/.test(code)
        ? `the server's certificate is not trusted (${code}); for a private authority set NODE_EXTRA_CA_CERTS`
        : `${error.message}${code === '' ? '' : ` (${code})`}`;
  }
}

type Inflate = (
  bytes: Buffer,
  options: { readonly maxOutputLength: number },
  done: (error: NodeJS.ErrnoException | null, whole: Buffer) => void,
) => void;

const INFLATE = new Map<string, Inflate>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', brotliDecompress],
]);

async function inflated(raw: RawResponse, bytesMax: number): Promise<Buffer> {
  const encoding = String(raw.headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  if (encoding === '' || encoding === 'identity' || raw.body.length === 0) return raw.body;
  const method = INFLATE.get(encoding);
  if (method === undefined)
    throw broken(`the answer is encoded as "${encoding.slice(0, 40)}", which was not asked for`);
  return new Promise((resolve, reject) => {
    method(raw.body, { maxOutputLength: bytesMax }, (error, whole) => {
      if (error === null) return resolve(whole);
      const isLarge = error.code === 'ERR_BUFFER_TOO_LARGE';
      reject(
        isLarge ? broken(new TooLarge(bytesMax).message) : broken(`the ${encoding} answer is damaged`, error),
      );
    });
  });
}

function broken(message: string, cause?: unknown): SendError {
  return new SendError('unclear', message, { isTimeout: false, cause });
}

function responseOf(raw: RawResponse, body: Buffer): Response {
  const { 'content-encoding': _encoding, 'content-length': _length, ...kept } = raw.headers;
  const headers = new Headers();
  for (const [name, value] of Object.entries(kept)) {
    for (const text of Array.isArray(value) ? value : [value ?? '']) appendIfSound(headers, name, text);
  }
  if (raw.status < 200 || raw.status > 599) throw broken(`the answer's status is ${raw.status}`);
  const mayHaveBody = raw.status !== 204 && raw.status !== 205 && raw.status !== 304;
  return new Response(mayHaveBody ? new Uint8Array(body) : null, { status: raw.status, headers });
}

/** A header that the standard class refuses must not turn an answered request into an unanswered one. */
function appendIfSound(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, value);
  } catch {
    // Dropped: none of the headers that we read can hold such a value.
  }
}

import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import Pool from 'undici/lib/dispatcher/pool.js';
import { createAnswerBytes } from './answer-bytes.ts';
import type { Exchange, PlainRequest, PlainResponse } from './exchange.ts';
import { tooLarge } from './exchange.ts';
import type { Send } from '../remote.ts';
import { SendError, UnusableAnswer } from './send-error.ts';

export interface SendOptions {
  /** Of the knowledge base; requests to any other origin are a bug. */
  readonly origin: string;
  readonly connectTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  /** Longest silence inside a body. */
  readonly bodyIdleTimeoutMs?: number;
  /** From the call to the last byte. */
  readonly totalTimeoutMs?: number;
  /** Of the inflated body, where the request itself sets no cap. */
  readonly bodyBytesMax?: number;
  /** Asked of every IP address that the host has; no connection goes to one that it refuses. Default: all are taken. */
  readonly allowsAddress?: (address: string) => boolean;
}

type Limits = Required<Omit<SendOptions, 'origin' | 'allowsAddress'>>;

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
export function createSend(
  options: SendOptions,
): Send & { readonly exchange: Exchange; close(): Promise<void> } {
  const limits: Limits = { ...LIMITS, ...options };
  const { allowsAddress } = options;
  const host = new URL(options.origin).hostname.replace(/^\[|\]$/g, '');
  // A host that is an address is not looked up.
  const isRefused = allowsAddress !== undefined && isIP(host) !== 0 && !allowsAddress(host);
  const pool = new Pool(options.origin, {
    ...(allowsAddress === undefined ? {} : { connect: { lookup: guarded(allowsAddress) } }),
    pipelining: 1,
    connectTimeout: limits.connectTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyIdleTimeoutMs,
  });
  const exchange: Exchange = async (request) => {
    const { origin } = options;
    const path = request.url.slice(origin.length);
    if (!request.url.startsWith(`${origin}/`)) throw new Error(`bug: ${request.url} asked of ${origin}`);
    if (isRefused) throw sendError(new AddressRefused(host), false, limits);
    return inflated(await dispatched(pool, request, path, limits), request.bytesMax);
  };
  const send = async (request: Request): Promise<Response> => {
    const { method, url, signal } = request;
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    const headers = Object.fromEntries(request.headers);
    return responseOf(await exchange({ method, url, headers, body, signal, bytesMax: limits.bodyBytesMax }));
  };
  return Object.assign(send, { exchange, close: () => pool.destroy() });
}

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
  constructor(host: string) {
    super(`${host} is an address of this machine or of a private network`);
  }
}

/** Looks a name up, and takes the addresses alone that are allowed: the connection goes to the very address that was asked about. */
function guarded(allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '');
      const [first, ...others] = found.filter(({ address }) => allows(address));
      if (first === undefined) return done(new AddressRefused(hostname), '');
      if (options.all === true) done(null, [first, ...others]);
      else done(null, first.address, first.family);
    });
  };
}

/** The dispatcher's own handler tells what `pool.request` hides: whether the request was begun on a socket at all. */
function dispatched(pool: Pool, request: PlainRequest, path: string, limits: Limits): Promise<PlainResponse> {
  return new Promise((resolve, reject) => {
    const { signal, bytesMax } = request;
    let abort: ((reason: Error) => void) | undefined;
    let stopped: Error | undefined;
    let status = 0;
    let headers: Readonly<Record<string, string>> = {};
    let size = 0;
    let bytes = createAnswerBytes(0);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const stop = (reason: Error): void => {
      stopped ??= reason;
      if (abort === undefined) settle(() => reject(sendError(reason, false, limits)));
      else abort(reason);
    };
    const onAbort = (): void => stop(new Error('the run was interrupted'));
    const timer = setTimeout(() => stop(new TotalTimeout(limits.totalTimeoutMs)), limits.totalTimeoutMs);
    if (signal?.aborted === true) return onAbort();
    signal?.addEventListener('abort', onAbort);
    const { method, body = null } = request;
    pool.dispatch(
      { method, path, headers: { ...request.headers, 'accept-encoding': 'gzip, deflate, br' }, body },
      {
        onRequestStart(controller) {
          if (stopped !== undefined) return controller.abort(stopped);
          abort = (reason) => controller.abort(reason);
        },
        onResponseStart(_controller, code, fields) {
          status = code;
          headers = joined(fields);
          bytes = createAnswerBytes(Math.min(Number(headers['content-length'] ?? 0), bytesMax));
        },
        onResponseData(controller, chunk) {
          size += chunk.length;
          if (size > bytesMax) controller.abort(new TooLarge());
          else bytes.add(chunk);
        },
        onResponseEnd() {
          settle(() => resolve({ status, headers, body: bytes.whole() }));
        },
        onResponseError(_controller, error) {
          settle(() => {
            if (error instanceof TooLarge)
              resolve({ status, headers, body: NOTHING, problem: tooLarge(bytesMax) });
            else reject(sendError(error, abort !== undefined, limits));
          });
        },
      },
    );
    return undefined;
  });
}

const NOTHING = Buffer.alloc(0);

class TooLarge extends Error {}

class TotalTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`no whole answer within ${timeoutMs / 1000} s`);
  }
}

function joined(
  fields: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
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
    case 'ADDRESS_REFUSED':
      return error.message;
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
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return `what listens at that address does not speak https (${code}); if it speaks http, write http:// in front of it`;
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
  ['deflate', eitherDeflate],
  ['br', brotliDecompress],
]);

/** RFC 9110, 8.4.1.2: `deflate` is in the zlib format, and some servers send the bare stream. */
function eitherDeflate(...[bytes, options, done]: Parameters<Inflate>): void {
  const isZlib = (bytes.readUInt8(0) & 0x0f) === 8;
  (isZlib ? inflate : inflateRaw)(bytes, options, done);
}

async function inflated(response: PlainResponse, bytesMax: number): Promise<PlainResponse> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity' || response.body.length === 0) return response;
  const method = INFLATE.get(encoding);
  if (method === undefined)
    return { ...response, body: NOTHING, problem: `its encoding "${encoding}" was not asked for` };
  return new Promise((resolve) => {
    method(response.body, { maxOutputLength: bytesMax }, (error, body) => {
      if (error === null) return resolve({ ...response, body });
      const problem =
        error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(bytesMax) : `its ${encoding} encoding is damaged`;
      resolve({ ...response, body: NOTHING, problem });
    });
  });
}

/** Throws SendError for what the standard class cannot hold. */
function responseOf({ status, headers, body, problem }: PlainResponse): Response {
  const unusable = status < 200 || status > 599 ? `the answer's status is ${status}` : problem;
  if (unusable !== undefined) throw new UnusableAnswer(unusable);
  const { 'content-encoding': _encoding, 'content-length': _length, ...kept } = headers;
  const mayHaveBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(mayHaveBody ? new Uint8Array(body) : null, { status, headers: kept });
}

import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** The head of an answer; the body is not read. */
export interface LinkAnswer {
  readonly status: number;
  readonly location?: string;
  readonly etag?: string;
  readonly lastModified?: string;
  readonly retryAfter?: string;
}

export interface LinkRequest {
  readonly url: URL;
  readonly method: 'HEAD' | 'GET';
  /** The connection goes to this address, even if the name resolves to another one by then. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Rejects when no answer comes: no connection, a certificate that does not fit, no head in time. */
export type SendLink = (request: LinkRequest) => Promise<LinkAnswer>;
/** Every address of a name; empty: there is none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

const HEAD_BYTES_MAX = 32 * 1024;

export const sendLink: SendLink = ({ url, method, address, headers, timeoutMs, signal }) =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const family = address.includes(':') ? 6 : 4;
    const timeout = AbortSignal.timeout(timeoutMs);
    const asked = send(url, {
      method,
      headers,
      agent: false,
      maxHeaderSize: HEAD_BYTES_MAX,
      signal: AbortSignal.any([signal, timeout]),
      // The name stays for Host and the certificate; only where it leads is fixed.
      lookup: (_hostname, { all }, done) => {
        if (all === true) done(null, [{ address, family }]);
        else done(null, address, family);
      },
    });
    asked.on('error', reject);
    asked.on('response', ({ statusCode = 0, headers: got }) => {
      resolve({
        status: statusCode,
        ...(got.location === undefined ? {} : { location: got.location }),
        ...(got.etag === undefined ? {} : { etag: got.etag }),
        ...(got['last-modified'] === undefined ? {} : { lastModified: got['last-modified'] }),
        ...(got['retry-after'] === undefined ? {} : { retryAfter: got['retry-after'] }),
      });
      asked.destroy();
    });
    asked.end();
  });

export const resolveHost: ResolveHost = async (hostname) => {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTFOUND') return [];
    throw error;
  }
};

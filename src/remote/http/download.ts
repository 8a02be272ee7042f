import { digestOfBytes } from '../../model/digest.ts';
import { digestsIn } from '../../model/address/file-address.ts';
import { RemoteError } from '../error.ts';
import type { Send } from '../remote.ts';
import { SendError, UnusableAnswer } from './send-error.ts';
import { urlOf } from '../../text/url.ts';

export interface Downloaded {
  readonly bytes: Uint8Array;
  /** Without parameters, in small letters; empty when the service names none. */
  readonly type: string;
}

/** Fetches what stands at an address, or says why not. */
export type Download = (address: URL) => Promise<Downloaded | Failed>;

export interface Failed {
  readonly why: string;
  /** Nobody answered. */
  readonly isSilent?: boolean;
}

export interface DownloadOptions {
  readonly connect: (origin: string) => Promise<Send>;
  /** Also asked of every address that a redirect names: a page must not lead us to hosts that nobody allowed. */
  readonly isAllowed: (address: URL) => boolean;
  readonly signal?: AbortSignal;
}

const REDIRECTS_MAX = 3;
const BYTES_MAX = 20_000_000;

/** Public files, asked for without the key. Never throws for one address. */
export function createDownload(options: DownloadOptions): Download {
  const connections = new Map<string, Promise<Send>>();
  const connection = (origin: string): Promise<Send> => {
    const known = connections.get(origin);
    if (known !== undefined) return known;
    const made = options.connect(origin);
    connections.set(origin, made);
    return made;
  };
  return async (address) => {
    let url = address;
    try {
      for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
        if (!options.isAllowed(url)) return { why: `it leads to ${url.host}, which is not allowed` };
        const send = await connection(url.origin);
        const response = await send(
          new Request(url.href, { redirect: 'manual', signal: options.signal ?? null }),
        );
        if (response.status < 300 || response.status > 399) return await fileOf(response, url);
        const location = response.headers.get('location') ?? '';
        const target = location === '' ? undefined : urlOf(location, url.href);
        if (target === undefined) return { why: `it redirects to nowhere (${response.status})` };
        url = withoutLogin(target);
        if (!/^https?:$/.test(url.protocol))
          return { why: `it redirects to ${url.protocol}, which is no web address` };
      }
      return { why: `it redirects more than ${REDIRECTS_MAX} times` };
    } catch (error) {
      // An answer that is too large or damaged is an answer: the host's other images are asked for.
      if (error instanceof UnusableAnswer) return { why: error.message };
      if (error instanceof SendError || error instanceof RemoteError)
        return { why: error.message, isSilent: true };
      throw error;
    }
  };
}

/** A redirect may name a user; no request can be made of such an address, and nobody is to be logged in by a page. */
function withoutLogin(url: URL): URL {
  url.username = '';
  url.password = '';
  return url;
}

async function fileOf(response: Response, url: URL): Promise<Downloaded | Failed> {
  if (response.status !== 200) return { why: `the answer is ${response.status}` };
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length === 0) return { why: 'the file is empty' };
  if (bytes.length > BYTES_MAX) return { why: `it is larger than ${BYTES_MAX / 1e6} MB` };
  const [named] = digestsIn(url.pathname);
  if (named !== undefined && digestOfBytes(bytes) !== shownDigest(response, named)) {
    return { why: 'its bytes are not those that its address names' };
  }
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  return { bytes, type: type.trim().toLowerCase() };
}

/** A knowledge base that keeps files names each by its bytes; a drawing that it cleaned by those that it shows (RFC 9530). */
function shownDigest({ headers }: Response, named: string): string {
  const shown = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/.exec(headers.get('repr-digest') ?? '')?.[1];
  return shown === undefined ? named : Buffer.from(shown, 'base64').toString('hex');
}

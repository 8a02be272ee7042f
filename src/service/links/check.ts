import { isPublicAddress } from './public-address.ts';
import type { LinkAnswer, ResolveHost, SendLink } from './request.ts';
import { isUrl } from '../../text/url.ts';

export interface LinkCheckOptions {
  readonly send: SendLink;
  readonly resolve: ResolveHost;
  /** Also asks machines of private networks. */
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

/** What an earlier check found, to be asked about only if it changed. */
export interface LinkValidators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/**
 * `working` it answers · `broken` it says that there is nothing · `failed` no answer, or one that may pass: broken when it
 * stays so · `refused` it leads where this checker does not go; nothing is known.
 */
export interface LinkFinding {
  readonly state: 'working' | 'broken' | 'failed' | 'refused';
  readonly said: string;
  readonly validators: LinkValidators;
  readonly retryAfterSeconds?: number;
}

const HOPS_MAX = 5;
const TIMEOUT_MS = 10_000;
const HEADERS = { 'User-Agent': 'kbsync link checker', Accept: '*/*' };
const NONE: LinkValidators = { etag: null, lastModified: null };

/**
 * Asks with HEAD, and with GET where HEAD is not answered well. Redirects are followed hop by hop, and each hop is looked at
 * like the first: scheme, and every address of its name.
 */
export async function checkLink(
  text: string,
  known: LinkValidators,
  options: LinkCheckOptions,
): Promise<LinkFinding> {
  let url = new URL(text);
  for (let hop = 0; hop <= HOPS_MAX; hop += 1) {
    const place = await placeOf(url, options);
    if (typeof place !== 'string') return place;
    const validators = hop === 0 ? known : NONE;
    let answer: LinkAnswer;
    try {
      answer = await ask({ url, address: place, validators }, options);
    } catch (error) {
      if (options.signal.aborted) throw error;
      return found('failed', error instanceof Error ? error.message : String(error));
    }
    const { status, location } = answer;
    if (status < 300 || status > 399 || status === 304 || location === undefined) {
      return judged(answer, hop === 0 ? validatorsOf(answer, known) : NONE);
    }
    if (!isUrl(location, url.href)) return found('broken', `redirects to no address, ${status}`);
    url = new URL(location, url);
  }
  return found('broken', `more than ${HOPS_MAX} redirects`);
}

/** The address to connect to, or why not. */
async function placeOf(url: URL, { resolve, allowPrivate }: LinkCheckOptions): Promise<string | LinkFinding> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return found('refused', `leads to ${url.protocol}`);
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = url.hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  let addresses: readonly string[];
  try {
    addresses = isLiteral ? [hostname] : await resolve(hostname);
  } catch (error) {
    return found('failed', error instanceof Error ? error.message : String(error));
  }
  const [address] = addresses;
  if (address === undefined) return found('failed', 'no such host');
  // One private address among public ones is enough: which of them answers is not ours to say.
  if (!allowPrivate && !addresses.every(isPublicAddress))
    return found('refused', 'leads into a private network');
  return address;
}

async function ask(
  to: { readonly url: URL; readonly address: string; readonly validators: LinkValidators },
  { send, signal }: LinkCheckOptions,
): Promise<LinkAnswer> {
  const { url, address, validators } = to;
  const common = { url, address, timeoutMs: TIMEOUT_MS, signal };
  const headers = {
    ...HEADERS,
    ...(validators.etag === null ? {} : { 'If-None-Match': validators.etag }),
    ...(validators.lastModified === null ? {} : { 'If-Modified-Since': validators.lastModified }),
  };
  const head = await send({ ...common, method: 'HEAD', headers });
  // Many servers answer HEAD wrongly; what they say to GET counts. 429 is no mistake.
  return head.status < 400 || head.status === 429 ? head : send({ ...common, method: 'GET', headers });
}

function judged(answer: LinkAnswer, validators: LinkValidators): LinkFinding {
  const { status, retryAfter } = answer;
  const said = `answered ${status}`;
  const later =
    retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? { retryAfterSeconds: Number(retryAfter) } : {};
  if (status < 400) return found('working', said, validators);
  // The page is there, but not for a checker.
  if (status === 401 || status === 403 || status === 407 || status === 451) return found('working', said);
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return { ...found('failed', said), ...later };
  return found('broken', said);
}

function validatorsOf(answer: LinkAnswer, known: LinkValidators): LinkValidators {
  if (answer.status === 304) return known;
  return { etag: answer.etag ?? null, lastModified: answer.lastModified ?? null };
}

function found(state: LinkFinding['state'], said: string, validators: LinkValidators = NONE): LinkFinding {
  return { state, said: said.slice(0, 200), validators };
}

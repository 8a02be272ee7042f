import { RemoteSetupError } from './setup-error.ts';

/** Where the API lives: requests go to `href` + `/api/v2/...`. */
export interface BaseUrl {
  /** Scheme, host and path prefix, without a trailing slash. */
  readonly href: string;
  readonly origin: string;
}

/**
 * The address of the knowledge base, checked once before anything is sent: https, or http on loopback only, because
 * every request carries the key. A path prefix is kept. User names, queries and fragments are refused.
 * Throws RemoteSetupError; its message leaves out passwords.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || url.hostname === '') {
    throw wrong('it is not an address; write it like https://help.example.com');
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong(`it holds a user name or password; write ${url.origin} and give the key in KBSYNC_API_KEY`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw wrong(
      url.protocol === 'http:'
        ? `${url.origin} would carry the key unencrypted; write https://${url.host} (http is taken on loopback only)`
        : `its scheme is ${url.protocol.slice(0, -1)}; it must be https`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw wrong(`it has a query or fragment; write ${url.origin}${url.pathname}`);
  }
  const prefix = url.pathname.replace(/\/+$/, '');
  const api = /\/api(\/v2)?(\/(articles|categories|tags))?$/.exec(prefix);
  if (api !== null)
    throw wrong(`it ends in ${api[0]}, which kbsync adds; write ${url.origin}${prefix.slice(0, api.index)}`);
  return { href: `${url.origin}${prefix}`, origin: url.origin };
}

function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname) || /^(.+\.)?localhost$/.test(hostname);
}

function wrong(reason: string): RemoteSetupError {
  return new RemoteSetupError('base-url', `baseUrl cannot be used: ${reason}`);
}

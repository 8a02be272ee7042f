import { CodedError } from '../model/coded-error.ts';
import { urlOf } from '../text/url.ts';

/** Where the API lives: requests go to `href` + `/api/v2/...`. */
export interface BaseUrl {
  /** Scheme, host and path prefix, without a trailing slash. */
  readonly href: string;
  readonly origin: string;
}

/** The secret that every request carries, in a form that can stand in a header. See checkApiKey. */
export type ApiKey = string & { readonly __brand: 'ApiKey' };

/**
 * The address of the knowledge base, checked once before anything is sent: https, or http on loopback only, because
 * every request carries the key. A path prefix is kept. User names, queries and fragments are refused.
 * Throws RemoteSetupError; its message leaves out passwords.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = urlOf(text.trim());
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
  const prefix = url.pathname.replace(/(?<!\/)\/+$/, '');
  const api = /\/api(\/v2)?(\/(articles|categories|tags))?$/.exec(prefix);
  if (api !== null)
    throw wrong(`it ends in ${api[0]}, which kbsync adds; write ${url.origin}${prefix.slice(0, api.index)}`);
  return { href: `${url.origin}${prefix}`, origin: url.origin };
}

/**
 * The key, when it can stand in a header. It is checked before use, because HTTP libraries print the whole header in
 * their complaint about a bad one. Throws RemoteSetupError, which names the place of the bad character, never the key.
 */
export function checkApiKey(apiKey: string): ApiKey {
  if (apiKey === '') throw new RemoteSetupError('api-key', 'the API key is empty; set KBSYNC_API_KEY');
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey as ApiKey; // the one place that makes it
  const at = apiKey.search(/[^\x21-\x7e]/) + 1;
  throw new RemoteSetupError(
    'api-key',
    `the API key has a character at position ${at} of ${apiKey.length} that no key can have (a space, a line break, ` +
      'a letter outside ASCII); copy it again',
  );
}

/** The address or the key cannot be used; nothing was sent. The message never holds the key or a password. */
export class RemoteSetupError extends CodedError<'base-url' | 'api-key'> {
  override readonly name = 'RemoteSetupError';
}

export function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname) || /^(.+\.)?localhost$/.test(hostname);
}

function wrong(reason: string): RemoteSetupError {
  return new RemoteSetupError('base-url', `baseUrl cannot be used: ${reason}`);
}

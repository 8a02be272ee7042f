import type { Settings } from '../config/settings.ts';
import { SetupError } from '../config/setup-error.ts';
import type { Env } from '../machine/machine.ts';
import { visible } from '../model/visible.ts';
import {
  checkApiKey,
  isLoopback,
  parseBaseUrl,
  RemoteSetupError,
  type ApiKey,
  type BaseUrl,
} from '../remote/address.ts';
import { isUrl, urlOf } from '../text/url.ts';

/** A knowledge base and the key that it knows, both checked: what a client is made of. */
export interface Access {
  readonly address: BaseUrl;
  readonly apiKey: ApiKey;
}

/** The knowledge base of the settings, with the key of the environment. @throws SetupError */
export function accessOf(settings: Settings, env: Env): Access {
  const address = addressOf(settings);
  return { address, apiKey: apiKeyFor(address, env) };
}

/** @throws SetupError when there is no address, or one that cannot be used */
export function addressOf({ baseUrl, baseUrlSource, configFile }: Settings): BaseUrl {
  if (baseUrl !== undefined) return addressFrom(baseUrl, baseUrlSource);
  throw new SetupError('usage', 'there is no address of a knowledge base', {
    help:
      configFile === undefined
        ? 'write a kbsync.yaml with kbsync init, or give --base-url https://help.example.com'
        : `add \`baseUrl: https://help.example.com\` to ${configFile}`,
  });
}

/**
 * The address of the knowledge base, checked before any key can travel to it. `source` says where it was given.
 * @throws SetupError `usage` for text that is no address, `refused` for one that would give the key away
 */
export function addressFrom(text: string, source: string): BaseUrl {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    if (!(error instanceof RemoteSetupError)) throw error;
    const url = urlOf(text);
    const isOpen = url?.protocol === 'http:' && !isLoopback(url.hostname);
    const isLeak = url !== undefined && (url.username !== '' || url.password !== '' || isOpen);
    throw new SetupError(isLeak ? 'refused' : 'usage', error.message.replace(/^baseUrl/, source), {
      cause: error,
    });
  }
}

/** The variables that hold a key and the one place where it may go. */
export interface KeyNames {
  readonly key: string;
  readonly origin: string;
}

const OWN: KeyNames = { key: 'KBSYNC_API_KEY', origin: 'KBSYNC_ORIGIN' };

/**
 * The key, when it may be sent there. It comes from the environment only, and with KBSYNC_ORIGIN set it goes nowhere
 * else: a pull request can change `baseUrl`, but not where the key travels.
 * @throws SetupError
 */
export function apiKeyFor(address: BaseUrl, env: Env, names: KeyNames = OWN): ApiKey {
  const key = env[names.key];
  if (key === undefined || key === '') {
    throw new SetupError('usage', `there is no key: the environment variable ${names.key} is not set`, {
      help: `export ${names.key}=…   (the included knowledge base makes one: kbsync serve keys create --db FILE --name laptop)`,
    });
  }
  const bound = env[names.origin];
  if (bound !== undefined && bound !== '') checkOrigin(bound, address, names);
  try {
    return checkApiKey(key);
  } catch (error) {
    if (!(error instanceof RemoteSetupError)) throw error;
    throw new SetupError('usage', error.message, { help: `it is read from ${names.key}`, cause: error });
  }
}

function checkOrigin(bound: string, address: BaseUrl, names: KeyNames): void {
  if (isUrl(bound) && new URL(bound).origin === address.origin) return;
  const shown = visible(bound.replace(/\/\/[^/@]*@/, '//…@'));
  if (!isUrl(bound))
    throw new SetupError(
      'refused',
      `${names.origin} is ${shown}, which is not an address; nothing was sent`,
      {
        help: `write it like ${address.origin}`,
      },
    );
  throw new SetupError(
    'refused',
    `${names.origin} binds the key to ${shown}, but the knowledge base is ${address.origin}; nothing was sent`,
    { help: `correct the address, or set ${names.origin} together with the key of this knowledge base` },
  );
}

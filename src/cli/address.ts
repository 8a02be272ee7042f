import { checkApiKey } from '../remote/api-key.ts';
import { parseBaseUrl, type BaseUrl } from '../remote/base-url.ts';
import { RemoteSetupError } from '../remote/setup-error.ts';
import { CliError } from './cli-error.ts';
import type { Env } from './colour.ts';
import { visible } from './plain.ts';

/**
 * The address of the knowledge base, checked before any key can travel to it. `source` says where it was given.
 * @throws CliError `usage` for text that is no address, `refused` for one that would give the key away
 */
export function addressFrom(text: string, source: string): BaseUrl {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    if (!(error instanceof RemoteSetupError)) throw error;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isLeak =
      url !== undefined && (url.username !== '' || url.password !== '' || url.protocol === 'http:');
    throw new CliError(isLeak ? 'refused' : 'usage', error.message.replace(/^baseUrl/, source), {
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
 * @throws CliError
 */
export function apiKeyFor(address: BaseUrl, env: Env, names: KeyNames = OWN): string {
  const key = env[names.key];
  if (key === undefined || key === '') {
    throw new CliError('usage', `there is no key: the environment variable ${names.key} is not set`, {
      help: `export ${names.key}=…   (the bundled service makes one: kbsync serve keys create --db FILE --name laptop)`,
    });
  }
  const bound = env[names.origin];
  if (bound !== undefined && bound !== '') checkOrigin(bound, address, names);
  try {
    return checkApiKey(key);
  } catch (error) {
    if (!(error instanceof RemoteSetupError)) throw error;
    throw new CliError('usage', error.message, { help: `it is read from ${names.key}`, cause: error });
  }
}

function checkOrigin(bound: string, address: BaseUrl, names: KeyNames): void {
  if (URL.canParse(bound) && new URL(bound).origin === address.origin) return;
  const shown = visible(bound.replace(/\/\/[^/@]*@/, '//…@'));
  throw new CliError(
    'refused',
    `${names.origin} binds the key to ${shown}, but the knowledge base is ${address.origin}; nothing was sent`,
    { help: `correct the address, or set ${names.origin} together with the key of this knowledge base` },
  );
}

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

/**
 * The key, when it may be sent there. It comes from the environment only, and with KBSYNC_ORIGIN set it goes nowhere
 * else: a pull request can change `baseUrl`, but not where the key travels.
 * @throws CliError
 */
export function apiKeyFor(address: BaseUrl, env: Env): string {
  const key = env['KBSYNC_API_KEY'];
  if (key === undefined || key === '') {
    throw new CliError('usage', 'there is no key: the environment variable KBSYNC_API_KEY is not set', {
      help: 'export KBSYNC_API_KEY=…   (the bundled service makes one: kbsync serve keys create --name laptop)',
    });
  }
  const bound = env['KBSYNC_ORIGIN'];
  if (bound !== undefined && bound !== '') checkOrigin(bound, address);
  try {
    return checkApiKey(key);
  } catch (error) {
    if (!(error instanceof RemoteSetupError)) throw error;
    throw new CliError('usage', error.message, { help: 'it is read from KBSYNC_API_KEY', cause: error });
  }
}

function checkOrigin(bound: string, address: BaseUrl): void {
  if (URL.canParse(bound) && new URL(bound).origin === address.origin) return;
  const shown = visible(bound.replace(/\/\/[^/@]*@/, '//…@'));
  throw new CliError(
    'refused',
    `KBSYNC_ORIGIN binds the key to ${shown}, but the knowledge base is ${address.origin}; nothing was sent`,
    { help: 'correct `baseUrl`, or set KBSYNC_ORIGIN together with the key of this knowledge base' },
  );
}

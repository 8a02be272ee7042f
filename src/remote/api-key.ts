import { RemoteSetupError } from './setup-error.ts';

/**
 * The key, when it can stand in a header. It is checked before use, because HTTP libraries print the whole header in
 * their complaint about a bad one. Throws RemoteSetupError, which names the place of the bad character, never the key.
 */
export function checkApiKey(apiKey: string): string {
  if (apiKey === '') throw new RemoteSetupError('api-key', 'the API key is empty; set KBSYNC_API_KEY');
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  const at = apiKey.search(/[^\x21-\x7e]/) + 1;
  throw new RemoteSetupError(
    'api-key',
    `the API key has a character at position ${at} of ${apiKey.length} that no key can have (a space, a line break, ` +
      'a letter outside ASCII); copy it again',
  );
}

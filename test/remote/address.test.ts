import { expect, test } from 'vitest';
import { checkApiKey, RemoteSetupError } from '../../src/remote/address.ts';
import { parseBaseUrl } from '../../src/remote/address.ts';

test.each([
  ['https://help.example.com', 'https://help.example.com', 'https://help.example.com'],
  ['https://help.example.com/', 'https://help.example.com', 'https://help.example.com'],
  ['https://example.com/kb/team//', 'https://example.com/kb/team', 'https://example.com'],
  [' https://HELP.example.com:443 ', 'https://help.example.com', 'https://help.example.com'],
  ['http://localhost:8080', 'http://localhost:8080', 'http://localhost:8080'],
  ['http://kb.localhost', 'http://kb.localhost', 'http://kb.localhost'],
  ['http://127.0.0.9:1/x', 'http://127.0.0.9:1/x', 'http://127.0.0.9:1'],
  ['http://[::1]:1', 'http://[::1]:1', 'http://[::1]:1'],
])('%j is taken as %s', (text, href, origin) => {
  expect(parseBaseUrl(text)).toEqual({ href, origin });
});

test.each([
  ['', 'write it like https://'],
  ['help.example.com', 'write it like https://'],
  ['http://help.example.com', 'write https://help.example.com'],
  ['http://127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
  ['http://localhost.example.com', 'https'],
  ['ftp://help.example.com', 'must be https'],
  ['file:///etc/passwd', 'not an address'],
  ['https://user:pa55@help.example.com', 'KBSYNC_API_KEY'],
  ['https://token@help.example.com', 'write https://help.example.com'],
  ['https://help.example.com?x=1', 'query'],
  ['https://help.example.com/#top', 'fragment'],
  ['https://help.example.com/kb/api/v2', 'write https://help.example.com/kb'],
  ['https://help.example.com/api/v2/articles/', 'write https://help.example.com'],
])('%j is refused with the way out', (text, hint) => {
  const attempt = (): unknown => parseBaseUrl(text);
  expect(attempt).toThrow(RemoteSetupError);
  expect(attempt).toThrow(hint);
  expect(attempt).not.toThrow(/pa55|token/);
});

test.each(['', 'two words', 'line\nbreak', 'tab\t', 'umläut', 'trailing ', '\u0000'])(
  'a key that no header can hold is refused without showing it: %j',
  (key) => {
    const attempt = (): unknown => checkApiKey(`abc-secret${key}`.slice(key === '' ? 10 : 0));
    expect(attempt).toThrow(RemoteSetupError);
    expect(attempt).not.toThrow(/secret/);
  },
);

test('a plain key is taken as it is', () => {
  expect(checkApiKey('kb_abc-DEF.123~/+=')).toBe('kb_abc-DEF.123~/+=');
});

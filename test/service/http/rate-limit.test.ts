import { afterEach, describe, expect, test } from 'vitest';
import { createKey, openSqlite, type ServiceOptions } from '../../../src/service/index.ts';
import { rig, type Rig, TAGS } from '../support/rig.ts';

let service: Rig;
afterEach(() => service.close());
const open = async (options: Partial<ServiceOptions>): Promise<Rig> => {
  service = await rig(openSqlite({ file: ':memory:' }), options);
  return service;
};

describe('requests a minute', () => {
  test('a key that has used up its share waits, and others do not', async () => {
    const { ask, clock, store } = await open({ requestsPerMinute: 3 });
    const first = await ask('GET', TAGS);
    expect([first.status, first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
      200,
      '"key";q=3;w=60',
      '"key";r=2;t=20',
    ]);
    await ask('GET', TAGS);
    expect((await ask('GET', TAGS)).headers.get('ratelimit')).toBe('"key";r=0;t=60');
    const refused = await ask('GET', TAGS);
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '20',
      { success: false, message: 'this API key may send 3 requests a minute; wait 20 s' },
    ]);
    const { key } = await createKey({ store, clock, name: 'other' });
    expect((await ask('GET', TAGS, undefined, { authorization: `Bearer ${key}` })).status).toBe(200);
    clock.set(clock.now() + 20_000);
    expect((await ask('GET', TAGS)).status).toBe(200);
    expect((await ask('GET', TAGS)).status).toBe(429);
    clock.set(clock.now() + 3_600_000);
    expect((await ask('GET', TAGS)).headers.get('ratelimit')).toBe('"key";r=2;t=20');
  });

  test('a request without a valid key uses up nobody’s share', async () => {
    const { ask } = await open({ requestsPerMinute: 1 });
    for (let n = 0; n < 5; n += 1) {
      expect((await ask('GET', TAGS, undefined, { authorization: 'Bearer x' })).status).toBe(401);
    }
    expect((await ask('GET', TAGS)).status).toBe(200);
  });

  test('a path of the API that there is not, or not with this method, counts', async () => {
    const { ask } = await open({ requestsPerMinute: 2 });
    expect((await ask('GET', '/api/v2/nope')).status).toBe(404);
    expect((await ask('PATCH', TAGS)).status).toBe(405);
    expect((await ask('GET', '/api/v2/nope')).status).toBe(429);
    expect((await ask('PATCH', TAGS)).status).toBe(429);
  });

  test('whoever has no valid key waits too, each address for itself, and keys there do not', async () => {
    const { key, clock } = await open({ requestsPerMinute: 2 });
    const from = async (address: string, path: string, bearer = 'x') => {
      const headers = { authorization: `Bearer ${bearer}` };
      const { status, headers: told } = await service.send(
        new Request(`http://kb.test${path}`, { headers }),
        address,
      );
      return [status, told.get('retry-after')];
    };
    expect(await from('192.0.2.1', TAGS)).toEqual([401, null]);
    expect(await from('192.0.2.1', '/api/v2/nope')).toEqual([401, null]);
    expect(await from('192.0.2.1', TAGS)).toEqual([429, '30']);
    expect(await from('192.0.2.2', TAGS)).toEqual([401, null]);
    // One customer of IPv6 has a /64.
    expect(await from('2001:db8:1:2::1', TAGS)).toEqual([401, null]);
    expect(await from('2001:db8:1:2::2', TAGS)).toEqual([401, null]);
    expect(await from('2001:db8:1:2::3', TAGS)).toEqual([429, '30']);
    expect(await from('192.0.2.1', TAGS, key)).toEqual([200, null]);
    clock.set(clock.now() + 30_000);
    expect(await from('192.0.2.1', TAGS)).toEqual([401, null]);
  });

  test('without the option there is no limit and no header', async () => {
    const { ask } = await open({});
    expect((await ask('GET', TAGS)).headers.get('ratelimit')).toBe(null);
  });
});

describe('pages of other origins', () => {
  const from = (origin: string) => ({ origin, 'access-control-request-method': 'PUT' });
  const allowed = ({ headers }: { readonly headers: Headers }) => headers.get('access-control-allow-origin');

  test('are kept out by default', async () => {
    const { ask } = await open({});
    expect(allowed(await ask('GET', TAGS, undefined, { origin: 'https://a.example' }))).toBe(null);
    expect((await ask('OPTIONS', TAGS, undefined, from('https://a.example'))).status).toBe(405);
  });

  test('one origin may be let in, to the letter', async () => {
    const { ask } = await open({ corsOrigin: 'https://a.example' });
    const preflight = await ask('OPTIONS', TAGS, undefined, from('https://a.example'));
    expect([
      preflight.status,
      allowed(preflight),
      preflight.headers.get('access-control-allow-methods'),
    ]).toEqual([204, 'https://a.example', 'GET,PUT,POST,DELETE']);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
    const read = await ask('GET', TAGS, undefined, { origin: 'https://a.example' });
    expect([allowed(read), read.headers.get('vary')]).toEqual(['https://a.example', 'Origin']);
    expect(read.headers.get('access-control-expose-headers')).toContain('ETag');
    expect(read.headers.get('access-control-allow-credentials')).toBe(null);
    expect(allowed(await ask('GET', TAGS, undefined, { origin: 'https://b.example' }))).toBe(null);
    expect(allowed(await ask('OPTIONS', TAGS, undefined, from('https://b.example')))).toBe(null);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RouteName, ROUTES } from '../../../src/contract/index.ts';
import { createKey, listKeys, revokeKey } from '../../../src/service/index.ts';
import { ARTICLES, articleBody, type Rig, type OpenRig } from '../support/rig.ts';

const ENDPOINTS = Object.entries(ROUTES).map(([name, { method, path }]) => ({
  name: name as RouteName,
  method,
  path: path.replace('{id}', 'some-id'),
}));

export function access(open: OpenRig): void {
  describe('access', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = await open();
    });
    afterEach(() => rig.close());

    const bearing = async (method: string, path: string, authorization: string | undefined) => {
      const request = new Request(`http://kb.test${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(authorization === undefined ? {} : { authorization }),
        },
        ...(method === 'PUT' || method === 'POST' ? { body: '{}' } : {}),
      });
      const response = await rig.send(request);
      return [response.status, response.headers.get('www-authenticate'), await response.text()];
    };

    test.each(ENDPOINTS)('$name answers one 401 to every key that is not valid', async ({ method, path }) => {
      const revoked = await createKey({ store: rig.store, clock: rig.clock, name: 'old' });
      expect(await revokeKey({ store: rig.store, clock: rig.clock, prefix: revoked.prefix })).toBe(true);
      const expired = await createKey({
        store: rig.store,
        clock: rig.clock,
        name: 'short',
        expiresAtMs: rig.clock.now(),
      });
      const flipped = `${rig.key.slice(0, -1)}${rig.key.endsWith('A') ? 'B' : 'A'}`;
      const answers = [
        await bearing(method, path, undefined),
        await bearing(method, path, 'Bearer'),
        await bearing(method, path, 'Bearer x'),
        await bearing(method, path, `Basic ${rig.key}`),
        await bearing(method, path, rig.key),
        await bearing(method, path, `Bearer kb_000000000000_${'A'.repeat(43)}`),
        await bearing(method, path, `Bearer ${flipped}`),
        await bearing(method, path, `Bearer ${rig.key} ${rig.key}`),
        await bearing(method, path, `Bearer ${revoked.key}`),
        await bearing(method, path, `Bearer ${expired.key}`),
      ];
      const body = '{"success":false,"message":"a valid API key is needed: Authorization: Bearer <API_KEY>"}';
      expect(answers).toEqual(answers.map(() => [401, 'Bearer', body]));
      const valid = await bearing(method, path, `bearer ${rig.key}`);
      expect(valid[0]).not.toBe(401);
    });

    test.each(ENDPOINTS)('$name under a key that may only read', async ({ method, path }) => {
      const { key } = await createKey({ store: rig.store, clock: rig.clock, name: 'reader', scope: 'read' });
      const [status] = await bearing(method, path, `Bearer ${key}`);
      expect(method === 'GET' ? [200, 404] : [403]).toContain(status);
    });

    test('no key is stored, in no column', async () => {
      const { key, prefix } = await createKey({ store: rig.store, clock: rig.clock, name: 'n' });
      const rows = await rig.store.read((sql) => sql.all('select * from api_keys'));
      expect(JSON.stringify(rows)).toContain(prefix);
      expect(JSON.stringify(rows)).not.toContain(key.slice(-20));
    });

    test('keys are listed with what they are, and revoked once', async () => {
      rig.clock.set(rig.clock.now() + 1);
      const { prefix } = await createKey({ store: rig.store, clock: rig.clock, name: 'ci', scope: 'read' });
      expect(await revokeKey({ store: rig.store, clock: rig.clock, prefix })).toBe(true);
      expect(await revokeKey({ store: rig.store, clock: rig.clock, prefix })).toBe(false);
      const first = '2026-11-20T10:00:00.000000Z';
      const second = '2026-11-20T10:00:00.001000Z';
      expect(await listKeys(rig)).toEqual([
        { prefix: rig.key.split('_')[1], name: 'test', scope: 'write', username: 'ada', createdAt: first },
        { prefix, name: 'ci', scope: 'read', username: 'ci', createdAt: second, revokedAt: second },
      ]);
    });

    test('two keys of one user write under one name', async () => {
      const next = { store: rig.store, clock: rig.clock, name: 'next', user: { username: 'ada' } };
      const { key } = await createKey(next);
      await rig.ask('PUT', ARTICLES, articleBody(), { authorization: `Bearer ${key}` });
      const [item] = (await rig.ask('GET', ARTICLES)).body['data'];
      expect(item.users_articles_created_byTousers).toMatchObject({ username: 'ada', first_name: 'Ada' });
    });

    test('/healthz needs no key', async () => {
      expect((await bearing('GET', '/healthz', undefined))[0]).toBe(200);
    });

    test('an unknown path is 404 and another method 405 with Allow, and under /api both want a key first', async () => {
      for (const path of [
        '/api/v2/articles/a/b',
        '/api/v2/articles/',
        '/api/v1/articles',
        '/api/v2/nope',
        '/nope',
      ]) {
        expect([path, (await rig.ask('GET', path)).status]).toEqual([path, 404]);
      }
      const patch = await rig.ask('PATCH', `${ARTICLES}/x`, {});
      expect([patch.status, patch.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE, HEAD']);
      expect((await rig.ask('POST', ARTICLES, articleBody())).headers.get('allow')).toBe('GET, PUT, HEAD');
      expect((await bearing('GET', '/api/v2/nope', undefined))[0]).toBe(401);
      expect((await bearing('PATCH', ARTICLES, undefined))[0]).toBe(401);
    });

    test('a query parameter that would be ignored is refused', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      for (const [method, path] of [
        ['GET', `${ARTICLES}?page=2`],
        ['GET', `${ARTICLES}/${id}?lang=fr&lang=de`],
        ['GET', `${ARTICLES}/${id}?language=fr`],
        ['DELETE', `${ARTICLES}/${id}?lang=fr`],
      ] as const) {
        expect([path, (await rig.ask(method, path)).status]).toEqual([path, 400]);
      }
      expect((await rig.ask('GET', `${ARTICLES}/${id}`)).status).toBe(200);
    });
  });
}

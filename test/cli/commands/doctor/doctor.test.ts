import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFinding } from '../../../../src/cli/commands/doctor/doctor.ts';
import { CAPABILITY_TOKENS } from '../../../../src/contract/headers.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
});
afterEach(() => world.close());

const LISTS = ['GET /api/v2/categories', 'GET /api/v2/tags', 'GET /api/v2/articles'];

test('a sound setup is told with what the service does at each gap, by reads only', async () => {
  const { exit, stdout } = await world.run('doctor');
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^ok {7}node {13}\d+\.\d+\.\d+, needs 20\.19 or newer$/m);
  expect(stdout).toMatch(/^ok {7}state {12}none yet/m);
  expect(stdout).toContain('ok       location         yes: the answer to a create names the new id');
  for (const gap of CAPABILITY_TOKENS) expect(stdout).toContain(`  ${gap} `);
  expect(stdout).toMatch(/nothing wrong\n$/);
  expect(world.sent).toEqual(LISTS);
});

test('a service that has its originals in another language than the files is warned of', async () => {
  await world.close();
  world = await fakeWorld(SMALL, { languages: ['de', 'en', 'fr'] });
  const { stdout } = await world.run('doctor');
  expect(stdout).toContain(
    'warning  originals        the service has its originals in de, and the files theirs in en',
  );
  await world.write('kbsync.yaml', 'defaultLanguage: de\n');
  expect((await world.run('doctor')).stdout).toContain('ok       originals        in de');
});

test('after a sync the state is told, and a translation is tried', async () => {
  await world.run('sync');
  world.sent.length = 0;
  const { exit, stdout } = await world.run('doctor');
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^ok {7}state {12}5 records, saved just now$/m);
  expect(stdout).toMatch(/^ok {7}articles {9}2 records in /m);
  expect(world.sent.slice(0, 3)).toEqual(LISTS);
  expect(world.sent.slice(3)).toEqual([expect.stringMatching(/^GET \/api\/v2\/articles\/[^/]+$/)]);
});

test('a state that cannot be used fails, with the way out', async () => {
  await world.run('sync');
  await world.write('.kbsync/state.json', '{');
  const { exit, stdout } = await world.run('doctor');
  expect(exit).toBe(1);
  expect(stdout).toMatch(/^failed {3}state /m);
});

test('each error of kbsync.yaml is told with its place', async () => {
  await world.write('kbsync.yaml', 'defaultLanguage: 7\nstamp: perhaps\n');
  const { exit, stdout } = await world.run('doctor');
  expect(exit).toBe(1);
  expect(stdout).toMatch(/^failed {3}settings {9}kbsync\.yaml:1:\d+: `defaultLanguage` /m);
  expect(stdout).toMatch(/^failed {3}settings {9}kbsync\.yaml:2:\d+: `stamp` /m);
});

test('a Node that is too old fails', () => {
  expect(nodeFinding('20.19.0', '>=20.19').standing).toBe('ok');
  expect(nodeFinding('22.0.1', '>=20.19').standing).toBe('ok');
  expect(nodeFinding('20.18.9', '>=20.19')).toMatchObject({ standing: 'failed' });
  expect(nodeFinding('18.20.0', '>=20.19')).toMatchObject({ standing: 'failed' });
});

test('lists that are cut, and a service that does not show translations, are warned of', async () => {
  await world.run('sync');
  const plain = (response: Response, body: unknown): Response =>
    new Response(JSON.stringify(body), {
      headers: { 'content-type': 'application/json' },
      status: response.status,
    });
  world.wrap = (send) => async (request) => {
    const url = new URL(request.url);
    url.search = '';
    const response = await send(new Request(url, { method: request.method, headers: request.headers }));
    const body = (await response.json()) as { readonly data: readonly unknown[]; readonly limit?: number };
    const isList = url.pathname.endsWith('/articles');
    return plain(response, isList ? { ...body, limit: body.data.length } : body);
  };
  await world.remove('.kbsync');
  const { exit, stdout } = await world.run('doctor');
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^warning {2}articles {9}2 records in .*: the list may be truncated$/m);
  expect(stdout).toMatch(/^warning {2}read-lang {8}translations cannot be read/m);
  expect(stdout).toMatch(/0 failed, 2 warnings\n$/);
});

test('what is missing fails, with what to do', async () => {
  world.env['KBSYNC_API_KEY'] = 'kb_wrong000_0123456789abcdef';
  const wrong = await world.run('doctor', '--json');
  expect(wrong.exit).toBe(1);
  expect(JSON.parse(wrong.stdout)).toMatchObject({ format: 1, summary: { failed: 1 } });
  expect(wrong.stdout).toContain('(401)');
  delete world.env['KBSYNC_API_KEY'];
  expect((await world.run('doctor')).stdout).toMatch(/^failed {3}key .*KBSYNC_API_KEY is not set/m);
  delete world.env['KBSYNC_BASE_URL'];
  expect((await world.run('doctor')).stdout).toMatch(/^failed {3}address/m);
});

test('a service that does not answer, and a clock that is wrong, are told', async () => {
  world.wrap = () => () => Promise.reject(new Error('connect ECONNREFUSED'));
  const down = await world.run('doctor');
  expect(down).toMatchObject({ exit: 1 });
  expect(down.stdout).toContain('ECONNREFUSED');
  world.wrap = (send) => async (request) => {
    const response = await send(request);
    response.headers.set('date', 'Sat, 01 Jan 2000 00:00:00 GMT');
    response.headers.set('ratelimit-limit', '60');
    return response;
  };
  const skewed = await world.run('doctor');
  expect(skewed.exit).toBe(0);
  expect(skewed.stdout).toMatch(/^warning {2}clock/m);
  expect(skewed.stdout).toContain('ratelimit-limit 60');
});

test('an answer that is not of this API fails, although it is a 200', async () => {
  world.wrap = () => () =>
    Promise.resolve(new Response('<html>Log in</html>', { headers: { 'content-type': 'text/html' } }));
  const { exit, stdout } = await world.run('doctor');
  expect(exit).toBe(1);
  expect(stdout).toMatch(/^failed {3}categories .*HTML page/m);
});

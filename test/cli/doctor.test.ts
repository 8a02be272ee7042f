import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from './fake-world.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
});
afterEach(() => world.close());

test('a sound setup is told with what the service can do, by reads only', async () => {
  const { exit, stdout } = await world.run('doctor');
  expect(exit).toBe(0);
  expect(stdout).toContain('capabilities  location');
  expect(stdout).toMatch(/nothing wrong\n$/);
  expect(world.sent).toEqual(['GET /api/v2/articles', 'GET /api/v2/categories', 'GET /api/v2/tags']);
});

test('what is missing fails, with what to do', async () => {
  world.env['KBSYNC_API_KEY'] = 'kb_wrong000_0123456789abcdef';
  const wrong = await world.run('doctor', '--json');
  expect(wrong.exit).toBe(1);
  expect(JSON.parse(wrong.stdout)).toMatchObject({ format: 1, summary: { failed: 1 } });
  expect(wrong.stdout).toContain('answered 401');
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
  world.wrap = () => () =>
    Promise.resolve(
      new Response('{}', { headers: { date: 'Sat, 01 Jan 2000 00:00:00 GMT', 'ratelimit-limit': '60' } }),
    );
  const skewed = await world.run('doctor');
  expect(skewed.exit).toBe(0);
  expect(skewed.stdout).toMatch(/^warning {2}clock/m);
  expect(skewed.stdout).toContain('ratelimit-limit 60');
});

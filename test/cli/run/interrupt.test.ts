import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../support/fake-world.ts';
import { siteOf } from '../support/site.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
});
afterEach(() => world.close());

/** Whether the next run, at once, brings everything in sync: nothing waits for the time that a lost create may take. */
async function convergesAtOnce(): Promise<void> {
  world.wrap = (send) => send;
  const ran = await world.run('sync');
  expect(ran.stdout).not.toContain('pending');
  expect(ran.exit).toBe(0);
  expect(await siteOf(world).titles()).toEqual(expect.arrayContaining(['Install', 'Update']));
  expect((await world.run('sync')).stdout).toContain('in sync');
}

describe('an interrupt after which the next run need not wait', () => {
  test('comes while noted creates stand in the queue', async () => {
    for (let i = 0; i < 12; i += 1)
      await world.write(
        `content/en/articles/more-${i}.md`,
        `---\ntitle: More ${i}\ncategories: [start]\n---\n`,
      );
    let articles = 0;
    world.wrap = (send) => (request) => {
      if (request.method === 'PUT' && request.url.endsWith('/articles')) {
        articles += 1;
        world.signal('SIGINT');
      }
      return send(request);
    };
    const ran = await world.run('sync');
    expect(ran.exit).toBe(130);
    expect(articles).toBeLessThan(14);
    await convergesAtOnce();
    expect((await siteOf(world).titles()).length).toBe(14);
  });

  test('comes before an edit is sent', async () => {
    await world.run('sync');
    for (const name of ['install', 'update']) {
      const file = `content/en/articles/${name}.md`;
      await world.write(file, `${await world.read(file)}\nMore.\n`);
    }
    world.wrap = (send) => (request) => {
      if (request.method === 'POST') world.signal('SIGTERM');
      return send(request);
    };
    expect((await world.run('sync', '--concurrency', '1')).exit).toBe(130);
    await convergesAtOnce();
  });
});

test('a create that was sent before the interrupt and got no answer is waited for, and made once', async () => {
  world.wrap = (send) => async (request) => {
    if (request.method !== 'PUT') return send(request);
    world.signal('SIGINT');
    return new Promise<Response>(() => undefined); // lost on its way
  };
  const ran = await world.run('sync', '--concurrency', '1');
  expect(ran.exit).toBe(130);
  world.wrap = (send) => send;
  const early = await world.run('sync');
  expect(early.exit).toBe(5);
  expect(early.stdout).toContain('an earlier run sent it');
  const sooner = await world.run('sync', '--settle', '0');
  expect(sooner.exit).toBe(0);
  expect(await siteOf(world).titles()).toEqual(['Install', 'Update']);
});

test('a key that is revoked in the middle of a run stops it, with a state that is true', async () => {
  let writes = 0;
  world.wrap = (send) => (request) => {
    if (request.method !== 'GET') writes += 1;
    return writes < 2
      ? send(request)
      : Promise.resolve(Response.json({ success: false, message: 'revoked' }, { status: 401 }));
  };
  const ran = await world.run('sync', '--concurrency', '1');
  expect([1, 5]).toContain(ran.exit);
  expect(ran.stdout).toContain('revoked');
  await convergesAtOnce();
});

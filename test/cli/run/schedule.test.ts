import { afterEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../support/fake-world.ts';
import { siteOf } from '../support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

const DAY_MS = 86_400_000;

/** One article that is public from tomorrow's midnight (UTC) on. */
async function withEmbargo(): Promise<string> {
  world = await fakeWorld({ 'kbsync.yaml': 'baseUrl: https://help.acme.test\n' });
  const tomorrow = new Date(world.world().clock.now() + DAY_MS).toISOString().slice(0, 10);
  await world.write(
    'content/en/articles/news.md',
    `---\ntitle: News\npublishAt: ${tomorrow}\n---\n\nBig news.\n`,
  );
  return tomorrow;
}

async function statusOnSite(): Promise<unknown> {
  const site = siteOf(world);
  const { data } = (await site.ask('GET', `/api/v2/articles/${await site.idOf('News')}`)) as {
    readonly data: Record<string, unknown>;
  };
  return data['status'];
}

test('plan and status name what comes, and the first run after the date publishes it', async () => {
  const day = await withEmbargo();
  const plan = await world.run('plan');
  expect(plan.stdout).toContain(`scheduled article/news@en  ${day}, draft until then`);
  expect((await world.run('sync')).exit).toBe(0);
  expect(await statusOnSite()).toBe('draft');
  const status = await world.run('status');
  expect(status.stdout).toContain(`scheduled: news  ${day}, draft until then`);
  expect((await world.run('sync')).stdout).toContain('in sync');
  world.advance(DAY_MS);
  expect((await world.run('sync')).stdout).toContain('1 updated');
  expect(await statusOnSite()).toBe('published');
  expect((await world.run('status')).stdout).not.toContain('scheduled');
  expect((await world.run('sync')).stdout).toContain('in sync');
});

test('a saved plan whose date has passed is out of date', async () => {
  await withEmbargo();
  expect((await world.run('plan', '--out', 'plan.json')).exit).toBe(0);
  world.advance(DAY_MS);
  const ran = await world.run('apply', 'plan.json');
  expect(ran.exit).toBe(4);
  expect(ran.stdout + ran.stderr).toContain('article/news@en');
  expect(world.sent.filter((request) => request.startsWith('PUT'))).toEqual([]);
});

test('--json lists what comes', async () => {
  const day = await withEmbargo();
  const plan = JSON.parse((await world.run('plan', '--json')).stdout) as { readonly scheduled: unknown };
  const entry = { key: 'article/news@en', becomes: 'published', at: `${day}T00:00:00.000Z` };
  expect(plan.scheduled).toEqual([entry]);
  const status = JSON.parse((await world.run('status', '--json')).stdout) as { readonly scheduled: unknown };
  expect(status.scheduled).toEqual([entry]);
});

test('a time zone that does not exist is an error of the settings', async () => {
  world = await fakeWorld({ 'kbsync.yaml': 'timezone: Mars/Olympus\n', 'content/en/articles/a.md': '' });
  const ran = await world.run('check');
  expect(ran.exit).toBe(64);
  expect(ran.stdout + ran.stderr).toContain('"Mars/Olympus"; it takes a time zone, like Europe/Paris');
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf, type Site } from '../../support/site.ts';

/** `html: sanitize` leaves `<acronym>` and `summary` out; a pulled file has them as they are. */
const TEXT = `<div class="page"><p>The <acronym>API</acronym> answers at once.</p>
<table summary="x" border="1"><tbody><tr><td>a</td><td>b</td></tr></tbody></table></div>`;
const FILE = 'content/en/articles/install.md';

let world: FakeWorld;
let site: Site;
beforeEach(async () => {
  world = await fakeWorld({ 'kbsync.yaml': '{}\n' });
  site = siteOf(world);
  const body = { slug: 'install', excerpt: '', ordering: 0, status: 'published', categories: [] };
  await site.ask('PUT', '/api/v2/articles', { ...body, title: 'Install', content: TEXT });
  await world.run('pull');
});
afterEach(() => world.close());

const shows = (content: string): Promise<void> =>
  site.edit('Install', (body) => void (body['content'] = content));

test('a word of an editor comes into a file with HTML that no sync sends, and nothing else changes there', async () => {
  const before = await world.read(FILE);
  expect(before).toContain('<acronym>API</acronym>');
  await shows(TEXT.replace('at once', 'in a second'));
  expect((await world.run('pull')).stdout).toContain(`~ ${FILE}  content\n`);
  expect(await world.read(FILE)).toBe(before.replace('at once', 'in a second'));
  expect((await world.run('plan')).stdout).toContain('in sync: 1 record unchanged');
});

test('an element of an editor that no sync sends comes too, and check names it', async () => {
  await shows(TEXT.replace('at once.', 'at <acronym>NOW</acronym>.'));
  await world.run('pull');
  expect(await world.read(FILE)).toContain('<acronym>NOW</acronym>');
  expect((await world.run('check')).stdout).toMatch(/`<acronym>` is left out/);
});

test('what the author wrote and no sync has sent is not taken for deleted', async () => {
  const own = `${(await world.read(FILE)).trimEnd()}\n\n<object data="a.swf">Film</object>\n`;
  await world.write(FILE, own);
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await site.edit(
    'Install',
    (body) => void (body['content'] = String(body['content']).replace('at once', 'in a second')),
  );
  await world.run('pull');
  expect(await world.read(FILE)).toBe(own.replace('at once', 'in a second'));
});

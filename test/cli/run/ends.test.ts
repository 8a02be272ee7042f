import { afterEach, expect, test } from 'vitest';
import { SendError } from '../../../src/remote/http/send-error.ts';
import type { Send } from '../../../src/remote/remote.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../support/fake-world.ts';
import { golden } from '../support/golden.ts';
import { siteOf } from '../support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

const PRUNE = ['sync', '--prune', '--yes'];

/** So many pages that the article list is exactly as long as the documented limit. */
function pages(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `content/en/articles/a-${String(i).padStart(2, '0')}.md`,
      `---\ntitle: A ${i}\n---\n\nText ${i}.\n`,
    ]),
  );
}

/** A service that says nothing of how many records there are. */
const uncounted =
  (send: Send): Send =>
  async (request) => {
    const response = await send(request);
    const headers = new Headers(response.headers);
    for (const name of ['x-total-count', 'kb-capabilities']) headers.delete(name);
    return new Response(response.body, { status: response.status, headers });
  };

/** The answer to the first write that fits is lost; with `before`, the write as well. */
function losing(fits: (request: Request) => boolean, when: 'before' | 'after'): (send: Send) => Send {
  let isLost = false;
  return (send) => async (request) => {
    if (isLost || !fits(request)) return send(request);
    isLost = true;
    if (when === 'after') await send(request);
    throw new SendError('unclear', 'the connection was cut', { isTimeout: false, cause: undefined });
  };
}

const isCreate = (path: string) => (request: Request) =>
  request.method === 'PUT' && new URL(request.url).pathname === `/api/v2/${path}`;

/** Runs, and compares exit code and all that was said with the golden of this name. */
async function ends(name: string, ...argv: readonly string[]): Promise<number> {
  const { exit, stdout, stderr } = await world.run(...argv);
  const progress = /^(?:kbsync |\d\d:\d\d:\d\d ).*\n/gm;
  const said = `${stdout}${stderr.replaceAll(progress, '')}`.replaceAll(
    /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g,
    'ID',
  );
  const text = `$ kbsync ${argv.join(' ')}\n${said}exit ${exit}\n`;
  expect(text).toBe(await golden('ends', `${name}.txt`, text));
  return exit;
}

test('a delete that a conflict holds up: 5, and the conflict is named', async () => {
  world = await fakeWorld({ ...SMALL, ...pages(2) });
  await world.run('sync');
  await world.remove('content/en/articles/a-00.md');
  await siteOf(world).edit('A 1', (body) => void (body['title'] = 'Theirs'));
  await world.write('content/en/articles/a-01.md', '---\ntitle: Ours\n---\n\nText 1.\n');
  expect(await ends('prune-conflict', ...PRUNE)).toBe(5);
  expect(await siteOf(world).titles()).toContain('A 0');
});

test('a list of exactly 25 articles: 4 if nothing else was to be done, 5 if something was, 0 with the flag', async () => {
  world = await fakeWorld(pages(25));
  world.wrap = uncounted;
  await world.run('sync', '--assume-complete');
  await world.remove('content/en/articles/a-07.md');
  expect(await ends('prune-limit', ...PRUNE)).toBe(4);
  await world.write('content/en/articles/a-08.md', '---\ntitle: A 8\n---\n\nOther words.\n');
  expect(await ends('prune-limit-and-edit', ...PRUNE)).toBe(5);
  expect(await siteOf(world).titles()).toContain('A 7');
  expect(await ends('prune-limit-vouched', ...PRUNE, '--assume-complete')).toBe(0);
  expect(await siteOf(world).titles()).not.toContain('A 7');
});

/** A check in front of the service stops the requests that fit with a page. */
const challenging =
  (fits: (request: Request) => boolean): ((send: Send) => Send) =>
  (send) =>
  (request) =>
    fits(request)
      ? Promise.resolve(
          new Response('<!doctype html><title>Just a moment</title>', {
            status: 403,
            headers: { 'content-type': 'text/html' },
          }),
        )
      : send(request);

test('a check for browsers that stops a read: nobody is sent to the key or asked to vouch for a list; running again is the way out', async () => {
  world = await fakeWorld(pages(3));
  await world.run('sync');
  await world.remove('content/en/articles/a-01.md');
  await siteOf(world).edit('A 2', (body) => void (body['title'] = 'Theirs'));
  world.wrap = challenging(
    ({ method, url }) => method === 'GET' && new URL(url).pathname.endsWith('/articles'),
  );
  expect(await ends('challenge-list', 'sync')).toBe(1);
  await world.remove('.kbsync');
  world.wrap = challenging(
    ({ method, url }) => method === 'GET' && /articles\/./.test(new URL(url).pathname),
  );
  await world.write('content/en/articles/new.md', '---\ntitle: New\n---\n\nText.\n');
  expect(await ends('challenge-clone', 'sync')).toBe(4);
  world.wrap = (send) => send;
  expect((await world.run('sync')).exit).toBe(0);
});

test('a page without a file in a clone without a state: 4 if nothing else was to be done, 5 if something was', async () => {
  world = await fakeWorld(pages(3));
  await world.run('sync');
  await world.remove('content/en/articles/a-01.md');
  await world.remove('.kbsync');
  expect(await ends('prune-clone', ...PRUNE)).toBe(4);
  await world.write('content/en/articles/a-00.md', '---\ntitle: A 0\n---\n\nOther words.\n');
  expect(await ends('prune-clone-and-edit', ...PRUNE)).toBe(5);
  expect(await siteOf(world).titles()).toContain('A 1');
});

test('a page that the service refuses each time: 1, and what is next is no mere repetition', async () => {
  world = await fakeWorld(pages(1));
  world.wrap = (send) => (request) =>
    isCreate('articles')(request)
      ? Promise.resolve(Response.json({ success: false, message: 'The title is reserved.' }, { status: 400 }))
      : send(request);
  expect(await ends('refused', 'sync')).toBe(1);
  expect(await ends('refused', 'sync')).toBe(1);
});

test('a list that leaves out a known record: no flag lets a delete through', async () => {
  world = await fakeWorld(pages(3));
  await world.run('sync');
  await world.remove('content/en/articles/a-01.md');
  const hidden = await siteOf(world).idOf('A 2');
  world.wrap = (send) => async (request) => {
    const response = await uncounted(send)(request);
    if (new URL(request.url).pathname !== '/api/v2/articles') return response;
    const body = (await response.json()) as { data: { id: string }[] };
    return Response.json({ ...body, data: body.data.filter(({ id }) => id !== hidden) });
  };
  expect(await ends('prune-leaky', ...PRUNE, '--assume-complete')).toBe(5);
  expect(await siteOf(world).titles()).toContain('A 1');
});

test('an original whose translation stays, and a category that an article of the site is in: 5', async () => {
  world = await fakeWorld({
    ...SMALL,
    'content/en/articles/update.md': '---\ntitle: Update\n---\n\nText.\n',
  });
  await world.run('sync');
  const site = siteOf(world);
  await world.remove('content/en/articles/install.md');
  expect(await ends('prune-translation', ...PRUNE)).toBe(5);
  await world.write('content/en/articles/install.md', SMALL['content/en/articles/install.md'] ?? '');
  await world.remove('content/en/articles/update.md');
  await world.remove('content/en/tags/cli.md');
  for (const [lang, title] of [
    ['en', 'Install'],
    ['fr', 'Installer'],
  ])
    await world.write(
      `content/${lang}/articles/install.md`,
      `---\ntitle: ${title}\ncategories: [start]\ntags: []\n---\n\nOther words.\n`,
    );
  const tags = (await site.ask('GET', '/api/v2/tags')) as { data: { id: string }[] };
  await site.ask('PUT', '/api/v2/articles', {
    title: 'Theirs',
    slug: 'theirs',
    categories: [],
    tags: tags.data.map(({ id }) => ({ value: id })),
    excerpt: '',
    ordering: 0,
    status: 'published',
    content: '<p>Theirs</p>',
  });
  await world.run('sync');
  expect(await ends('prune-in-use', ...PRUNE)).toBe(5);
});

test('without --prune a record without a file is told, and the run is done: 0', async () => {
  world = await fakeWorld(SMALL);
  await world.run('sync');
  await world.remove('content/en/articles/update.md');
  expect(await ends('no-prune', 'sync')).toBe(0);
});

test('a create without an answer: 5 with the seconds until it may be judged; then it is found, or sent again', async () => {
  world = await fakeWorld(SMALL);
  world.wrap = losing(isCreate('tags'), 'before');
  expect(await ends('pending', 'sync')).toBe(5);
  world.advance(20_000);
  expect(await ends('pending-too-early', 'sync')).toBe(5);
  world.advance(41_000);
  expect(await ends('pending-then', 'sync')).toBe(0);
});

test('--wait waits until such a create may be judged, and sends what never arrived', async () => {
  world = await fakeWorld(SMALL);
  world.wrap = losing(isCreate('articles'), 'before');
  expect(await ends('pending-wait', 'sync', '--wait')).toBe(0);
  expect(await siteOf(world).titles()).toEqual(['Install', 'Update']);
  expect(await ends('pending-waited', 'sync')).toBe(0);
});

test('translations that the service does not show, without a state: 5, and the flag that sends them', async () => {
  world = await fakeWorld(SMALL);
  world.wrap = (send) => (request) => {
    const url = new URL(request.url);
    url.searchParams.delete('lang');
    return uncounted(send)(request.method === 'GET' ? new Request(url, request) : request);
  };
  await world.run('sync');
  await world.remove('.kbsync');
  expect(await ends('clone-unreadable', 'sync')).toBe(5);
  expect(await ends('clone-unreadable-adopted', 'sync', '--adopt', 'local')).toBe(0);
});

test('a fresh clone in front of a list that may be cut: 4, nothing written', async () => {
  world = await fakeWorld(pages(25));
  world.wrap = uncounted;
  await world.run('sync', '--assume-complete');
  await world.remove('.kbsync');
  await world.write('content/en/articles/new.md', '---\ntitle: New\n---\n\nNew.\n');
  expect(await ends('clone-limit', 'sync')).toBe(4);
});

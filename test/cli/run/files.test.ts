import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { digestOf, png } from '../../service/support/pictures.ts';
import { SMALL } from '../support/fake-world.ts';
import { liveWorld, type LiveWorld, ranIn } from '../support/live-world.ts';
import { siteOf } from '../support/site.ts';

const INSTALL = 'content/en/articles/install.md';
const PICTURE = png(4, 3);
const FILES = {
  ...SMALL,
  'content/assets/a b.png': PICTURE,
  'content/assets/same.png': PICTURE,
  'content/assets/terms.pdf': '%PDF-1.7\n%%EOF',
  [INSTALL]: `${SMALL[INSTALL]}\n![A](<../../assets/a b.png>) ![B](../../assets/same.png) [terms](../../assets/terms.pdf)\n`,
};

let world: LiveWorld;
afterEach(() => world.close());

const sent = () => world.sent.map(({ text }) => text.replace(/[0-9a-f]{64}/, (digest) => digest.slice(0, 6)));
const stores = () => sent().filter((text) => text.startsWith('PUT /api/v2/files'));
const run = (...argv: readonly string[]) => ranIn(world, ...argv);
const content = async () => {
  const { data } = (await world.ask('GET', '/api/v2/articles')) as { data: { id: string; name: string }[] };
  const id = data.find(({ name }) => name === 'Install')?.id ?? '';
  const { data: article } = (await world.ask('GET', `/api/v2/articles/${id}`)) as {
    data: { content: string };
  };
  return article.content;
};

test('images and files go up once, before the article that shows them, and a plan sends none', async () => {
  world = await liveWorld(FILES, { keepsFiles: true });
  expect((await run('plan')).code).toBe(0);
  expect(stores()).toEqual([]);
  const first = await run('sync', '--yes');
  expect([first.code, first.text]).toEqual([0, expect.not.stringContaining('image-not-hosted')]);
  const digest = digestOf(PICTURE);
  const pdf = digestOf('%PDF-1.7\n%%EOF');
  expect(stores().toSorted()).toEqual(
    [`PUT /api/v2/files/${digest.slice(0, 6)}`, `PUT /api/v2/files/${pdf.slice(0, 6)}`].toSorted(),
  );
  const all = sent();
  expect(Math.max(...stores().map((text) => all.indexOf(text)))).toBeLessThan(
    all.lastIndexOf('PUT /api/v2/articles'),
  );
  const html = await content();
  expect(html).toContain(`src="/files/${digest}/a-b.png"`);
  expect(html).toContain(`src="/files/${digest}/same.png"`);
  expect(html).toContain(`href="/files/${pdf}/terms.pdf"`);
  world.sent.length = 0;
  const again = await run('sync', '--yes');
  expect([again.code, stores(), sent().filter((text) => !text.startsWith('GET'))]).toEqual([0, [], []]);
});

test('a picture with other bytes under the same name is another file', async () => {
  world = await liveWorld(FILES, { keepsFiles: true });
  await run('sync', '--yes');
  const other = png(9, 9);
  await world.write('content/assets/same.png', other);
  world.sent.length = 0;
  expect((await run('sync', '--yes')).code).toBe(0);
  expect(stores()).toEqual([`PUT /api/v2/files/${digestOf(other).slice(0, 6)}`]);
  expect(await content()).toContain(`src="/files/${digestOf(other)}/same.png"`);
});

test('a file that is refused holds up its own article, and nothing else', async () => {
  world = await liveWorld(
    { ...FILES, 'content/assets/same.png': '<script>alert(1)</script>' },
    { keepsFiles: true },
  );
  const { code, text } = await run('sync', '--yes');
  expect(code).not.toBe(0);
  expect(text).toContain('the service does not keep assets/same.png: same.png has the name of a picture');
  const { data } = (await world.ask('GET', '/api/v2/articles')) as { data: { name: string }[] };
  expect(data.map(({ name }) => name)).toContain('Update');
  expect(data.map(({ name }) => name)).not.toContain('Install');
});

test('what is hidden or outside the repository is published by no link', async () => {
  const links = '![a](../../.env.png) [b](../../../../../../../../../../../etc/hostname)';
  world = await liveWorld(
    { ...SMALL, 'content/.env.png': PICTURE, [INSTALL]: `${SMALL[INSTALL]}\n${links}\n` },
    { keepsFiles: true },
  );
  await run('sync', '--yes');
  expect(stores()).toEqual([]);
});

test('of a service that keeps no files, a picture without a home is the problem that it was', async () => {
  world = await liveWorld(FILES);
  const { code, text } = await run('sync', '--yes');
  expect(code).toBe(5);
  expect(text).toContain('image-not-hosted');
  expect(stores()).toEqual([]);
});

test('plan counts what would go with it, and a partial run sends only the images of its own records', async () => {
  const other = png(9, 9);
  world = await liveWorld(
    {
      ...FILES,
      'content/assets/other.png': other,
      'content/en/articles/update.md': `${SMALL['content/en/articles/update.md']}\n![C](../../assets/other.png)\n`,
    },
    { keepsFiles: true },
  );
  const planned = await run('plan');
  expect(planned.text).toMatch(/up to 3 images and files \(\d+ bytes\)/);
  expect((await run('plan', '--json')).json()).toMatchObject({
    files: expect.arrayContaining([{ name: 'terms.pdf', bytes: 14 }]),
  });
  const part = await run('sync', '--yes', '--only', 'update');
  expect([part.code, stores()]).toEqual([0, [`PUT /api/v2/files/${digestOf(other).slice(0, 6)}`]]);
  expect(part.text).toContain('1 image or file sent');
  expect((await run('plan')).text).toContain('up to 2 images and files');
});

test('check cannot know whether the service keeps files: it counts them, and nothing is wrong', async () => {
  world = await liveWorld(FILES, { keepsFiles: true });
  const checked = await run('check', '--strict');
  expect([checked.code, checked.text]).toEqual([
    0,
    expect.stringContaining('2 images and files will be sent to the service if it keeps files'),
  ]);
  expect((await run('check', '--json')).json()).toMatchObject({ awaiting: { files: 2 } });
  expect(sent()).toEqual([]);
});

test('check and sync take turns, and each keeps what the other has read', async () => {
  world = await liveWorld(FILES);
  const codes = [];
  for (const command of ['check', 'plan', 'check', 'plan']) {
    const { text } = await run(command);
    codes.push(text.includes('image-not-hosted'));
  }
  expect(codes).toEqual([false, true, false, true]);
});

test('a file that another article of the run shows too is sent once, and asked for once', async () => {
  const shown = '\n![A](../../assets/same.png)\n';
  const update = 'content/en/articles/update.md';
  world = await liveWorld(
    {
      ...SMALL,
      'content/assets/same.png': PICTURE,
      [INSTALL]: `${SMALL[INSTALL]}${shown}`,
      [update]: `${SMALL[update]}${shown}`,
    },
    { keepsFiles: true },
  );
  expect((await run('sync', '--yes')).code).toBe(0);
  const digest = digestOf(PICTURE).slice(0, 6);
  expect(sent().filter((text) => text.includes('/files/'))).toEqual([
    `GET /api/v2/files/${digest}`,
    `PUT /api/v2/files/${digest}`,
  ]);
});

test('an edit of the site comes home with the path of the image, and the next sync has nothing to do', async () => {
  world = await liveWorld(FILES, { keepsFiles: true });
  await run('sync', '--yes');
  await siteOf(world).edit('Install', (body) => {
    body['content'] = String(body['content']).replace('Run it', 'Start it');
  });
  await run('pull');
  const text = await world.read(INSTALL);
  expect(text).toContain('Start it');
  expect(text).toContain(
    '![A](<../../assets/a b.png>) ![B](../../assets/same.png) [terms](../../assets/terms.pdf)',
  );
  const after = await run('sync', '--yes');
  expect([after.code, after.text]).toEqual([0, expect.stringContaining('in sync')]);
});

test('build writes the images beside its pages', async () => {
  world = await liveWorld(FILES);
  expect((await run('build', '--out', 'site')).code).toBe(0);
  const page = await world.read('site/en/articles/install/index.html');
  const [, address = ''] = /src="\/(files\/[^"]+)"/.exec(page) ?? [];
  expect(address).toBe(`files/${digestOf(PICTURE)}/a-b.png`);
  expect(digestOf(await readFile(join(world.cwd, 'site', address)))).toBe(digestOf(PICTURE));
});

test('a pull with --assets brings what the service keeps, byte for byte, and the next sync has nothing to do', async () => {
  world = await liveWorld(FILES, { keepsFiles: true });
  await run('sync', '--yes');
  const elsewhere = ['--content', 'pulled', '--state', 'elsewhere/state.json'];
  const pulled = await run('pull', ...elsewhere, '--assets');
  expect([pulled.code, pulled.text]).toEqual([
    0,
    expect.stringContaining('2 images fetched into pulled/assets'),
  ]);
  const short = digestOf(PICTURE).slice(0, 12);
  for (const name of ['a-b.png', 'same.png']) {
    expect(await readFile(join(world.cwd, 'pulled/assets', short, name))).toEqual(PICTURE);
  }
  expect(await world.read('pulled/en/articles/install.md')).toContain(`../../assets/${short}/a-b.png`);
  const before = world.sent.length;
  expect((await run('sync', ...elsewhere, '--yes')).code).toBe(0);
  expect(world.sent.slice(before).filter(({ text }) => !text.startsWith('GET'))).toEqual([]);
  // What the folder has is not fetched again.
  const again = await run('pull', ...elsewhere, '--assets');
  expect(again.text).toContain('0 images fetched into pulled/assets');
});

test('bytes that are not those of their address are not kept, and are named', async () => {
  world = await liveWorld(FILES, { keepsFiles: true });
  await run('sync', '--yes');
  world.wrap = (send) => async (request) => {
    const response = await send(request);
    if (!request.url.endsWith('/same.png')) return response;
    const { status, headers } = response;
    await response.arrayBuffer();
    return new Response('another picture', { status, headers });
  };
  const pulled = await run('pull', '--content', 'pulled', '--state', 'elsewhere/state.json', '--assets');
  expect(pulled.code).toBe(5);
  expect(pulled.text).toMatch(
    /\/same\.png {2}its bytes are not those that its address names; it stays there/,
  );
});

import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { digestOfBytes, digestOfText } from '../../../../src/model/digest.ts';
import { fakeWorld, type FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const ID = '0123456789abcdef0123456789abcdef';
const PAGE = `export/Refunds ${ID}.md`;
const BELOW = 'export/Refunds';
const hash = (bytes: string): string => digestOfText(bytes).slice(0, 12);
const json = (stdout: string) =>
  JSON.parse(stdout) as {
    assets: { saved: number; kept: number; failed: { url: string; why: string }[] };
    records: { pictures: unknown[] }[];
  };
const notion = (...flags: readonly string[]) =>
  world.run('import', 'notion', 'export', '--out', 'help', '--json', ...flags);
const assets = async (): Promise<readonly string[]> =>
  (await readdir(join(world.cwd, 'help/assets')).catch((): string[] => [])).toSorted();

test('images of the export come along from its folders, byte for byte, and the page names their files', async () => {
  world = await fakeWorld({
    'kbsync.yaml': '{}\n',
    [PAGE]: '# Refunds\n\n![A button](Refunds/a%20button.png)\n\n![Again](Refunds/a%20button.png)\n',
    [`${BELOW}/a button.png`]: 'button',
  });
  const first = await notion('--assets');
  expect([first.exit, json(first.stdout).assets]).toEqual([
    0,
    { saved: 1, kept: 0, elsewhere: {}, failed: [] },
  ]);
  const file = `a-button-${hash('button')}.png`;
  expect(await assets()).toEqual([file]);
  expect(await world.read(`help/assets/${file}`)).toBe('button');
  const page = await world.read('help/en/articles/refunds.md');
  expect(page.split(`](../../assets/${file})`)).toHaveLength(3);
  expect((await world.run('check', '--content', 'help', '--allow', 'image-not-hosted')).exit).toBe(0);
  const again = await notion('--assets');
  expect(json(again.stdout).assets).toMatchObject({ saved: 0, kept: 1 });
  expect(await world.read('help/en/articles/refunds.md')).toBe(page);
});

test('images that the old help centre keeps are counted, with the flag that brings them along', async () => {
  world = await fakeWorld({
    'kbsync.yaml': '{}\n',
    'articles.json': JSON.stringify({
      articles: [
        {
          id: 1,
          html_url: 'https://acme.zendesk.com/hc/en/articles/1-Refunds',
          section_id: 2,
          title: 'Refunds',
          locale: 'en',
          source_locale: 'en',
          user_segment_id: null,
          body: '<p>Text <img src="https://acme.zendesk.com/hc/article_attachments/1/a.png"></p>',
        },
      ],
    }),
  });
  const { stdout } = await world.run('import', 'zendesk', 'articles.json', '--out', 'help');
  expect(stdout).toContain(
    '! 1 image: it is on the old help centre, and is gone when that closes (--json names it)\n  --assets brings images along, into the folder\n',
  );
});

test('nothing outside of the folders that were given comes, and each image that did not is named', async () => {
  world = await fakeWorld({
    'kbsync.yaml': '{}\n',
    'secret.png': 'secret',
    [PAGE]:
      '# Refunds\n\n![x](../secret.png) ![x](Refunds/linked.png) ![x](out/secret.png) ![x](lost.png) ![x](Refunds/notes.txt)\n',
    [`${BELOW}/notes.txt`]: 'text',
  });
  await symlink('../../secret.png', join(world.cwd, BELOW, 'linked.png'));
  await symlink('..', join(world.cwd, 'export/out'));
  const ran = await notion('--assets');
  expect(ran.exit).toBe(5);
  const none = 'the folders that were given have no such file';
  expect(json(ran.stdout).assets.failed).toEqual([
    { url: 'secret.png', why: none },
    { url: 'export/Refunds/linked.png', why: none },
    { url: 'export/out/secret.png', why: none },
    { url: 'export/lost.png', why: none },
    { url: 'export/Refunds/notes.txt', why: 'its name has no ending of an image, such as .png' },
  ]);
  expect(await assets()).toEqual([]);
  const said = await world.run('import', 'notion', 'export', '--out', 'other', '--assets');
  expect(said.stdout).toContain(`? image export/lost.png  ${none}; it stays there`);
  expect(said.stdout).toContain('0 images brought into other/assets');
});

const HOST = 'https://acme.zendesk.com';
const article = (body: string): string =>
  JSON.stringify({
    articles: [
      {
        id: 1,
        title: 'Refunds',
        body,
        locale: 'en-us',
        draft: false,
        user_segment_id: null,
        html_url: `${HOST}/hc/en-us/articles/1-Refunds`,
      },
    ],
  });
const zendesk = (...flags: readonly string[]) =>
  world.run('import', 'zendesk', 'export', '--out', 'help', '--json', '--publish', ...flags);

test('images elsewhere are fetched once each, without the key; what could not be had keeps its address', async () => {
  world = await fakeWorld({
    'kbsync.yaml': '{}\n',
    'export/a.json': article(
      `<p><img src="/hc/article_attachments/7/a.png"><img src="https://cdn.example.com/b?x=1"><img src="${HOST}/gone.png"></p>`,
    ),
  });
  const asked: string[] = [];
  const answers: Readonly<Record<string, Response>> = {
    [`${HOST}/hc/article_attachments/7/a.png`]: new Response('a', {
      headers: { 'content-type': 'application/octet-stream' },
    }),
    'https://cdn.example.com/b?x=1': new Response('b', { headers: { 'content-type': 'image/webp' } }),
  };
  for (const origin of [HOST, 'https://cdn.example.com']) {
    world.elsewhere.set(origin, (request) => {
      asked.push(`${request.url} ${request.headers.get('authorization')}`);
      return Promise.resolve(answers[request.url] ?? new Response('', { status: 404 }));
    });
  }
  const dry = await zendesk('--assets', '--dry-run');
  expect([json(dry.stdout).assets.saved, asked]).toEqual([3, []]);
  const ran = await zendesk('--assets');
  expect(ran.exit).toBe(5);
  expect(json(ran.stdout).assets).toMatchObject({
    saved: 2,
    failed: [{ url: `${HOST}/gone.png`, why: 'the answer is 404' }],
  });
  expect(asked.toSorted()).toEqual([
    `${HOST}/gone.png null`,
    `${HOST}/hc/article_attachments/7/a.png null`,
    'https://cdn.example.com/b?x=1 null',
  ]);
  expect(await assets()).toEqual([`a-${hash('a')}.png`, `b-${hash('b')}.webp`]);
  const page = await world.read('help/en-US/articles/refunds.md');
  expect(page).toContain(`../../assets/b-${hash('b')}.webp`);
  expect(page).toContain(`${HOST}/gone.png`);
  // What came along is at risk no more.
  expect(json(ran.stdout).records.flatMap(({ pictures }) => pictures)).toEqual([]);
});

test('a host that does not answer is asked three times, not for every image', async () => {
  const images = Array.from({ length: 20 }, (_, index) => `<img src="https://cdn.example.com/${index}.png">`);
  world = await fakeWorld({ 'kbsync.yaml': '{}\n', 'export/a.json': article(images.join('')) });
  let asked = 0;
  const { SendError } = await import('../../../../src/remote/http/send-error.ts');
  world.elsewhere.set('https://cdn.example.com', () => {
    asked += 1;
    return Promise.reject(
      new SendError('not-sent', 'no connection within 5 s', { isTimeout: true, cause: undefined }),
    );
  });
  const { assets: report } = json((await zendesk('--assets')).stdout);
  expect(report.failed).toHaveLength(20);
  expect(report.failed.at(-1)?.why).toContain('cdn.example.com did not answer 3 requests before it');
  // Four are under way at once.
  expect(asked).toBeLessThan(8);
});

test('--asset-host needs --assets, and is a host', async () => {
  world = await fakeWorld({ 'kbsync.yaml': '{}\n', 'export/a.json': article('<p>Text</p>') });
  await mkdir(join(world.cwd, 'help'), { recursive: true });
  expect(await zendesk('--asset-host', 'cdn.internal')).toMatchObject({ exit: 64 });
  expect(await zendesk('--assets', '--asset-host', 'https://cdn.internal/')).toMatchObject({ exit: 64 });
  expect(await zendesk('--assets', '--asset-host', 'cdn.internal')).toMatchObject({ exit: 0 });
});

test('a redirect to what is no web address, and what is no image, is named; all others come', async () => {
  const digest = 'ab'.repeat(32);
  const names = ['a.png', 'b.png', 'c.png', `files/${digest}/page.md`];
  const images = names.map((name) => `<img src="https://cdn.example.com/${name}">`);
  world = await fakeWorld({ 'kbsync.yaml': '{}\n', 'export/a.json': article(images.join('')) });
  const to: Readonly<Record<string, string>> = {
    '/a.png': 'file:///etc/passwd',
    '/b.png': 'data:image/png,x',
  };
  const repr = `sha-256=:${Buffer.from(digestOfBytes(Buffer.from('# Evil')), 'hex').toString('base64')}:`;
  world.elsewhere.set('https://cdn.example.com', ({ url }) => {
    const { pathname } = new URL(url);
    const location = to[pathname];
    if (location !== undefined)
      return Promise.resolve(new Response(null, { status: 302, headers: { location } }));
    const isPage = pathname.endsWith('.md');
    const headers = { 'content-type': isPage ? 'text/markdown' : 'image/png', 'repr-digest': repr };
    return Promise.resolve(new Response(isPage ? '# Evil' : 'c', { headers }));
  });
  const { assets: report } = json((await zendesk('--assets')).stdout);
  expect(report.saved).toBe(1);
  expect(report.failed.map(({ why }) => why)).toEqual([
    'it redirects to file:, which is no web address',
    'it redirects to data:, which is no web address',
    'the answer is text/markdown, not an image',
  ]);
  expect(await assets()).toEqual([`c-${hash('c')}.png`]);
});

test('a host that answers with too much is not taken for one that does not answer', async () => {
  const images = Array.from({ length: 9 }, (_, index) => `<img src="https://cdn.example.com/${index}.png">`);
  world = await fakeWorld({ 'kbsync.yaml': '{}\n', 'export/a.json': article(images.join('')) });
  const { UnusableAnswer } = await import('../../../../src/remote/http/send-error.ts');
  let asked = 0;
  world.elsewhere.set('https://cdn.example.com', () => {
    asked += 1;
    return Promise.reject(new UnusableAnswer('it is larger than 20 MB'));
  });
  const { assets: report } = json((await zendesk('--assets')).stdout);
  expect([asked, ...new Set(report.failed.map(({ why }) => why))]).toEqual([9, 'it is larger than 20 MB']);
});

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BASE_URL, fakeWorld, SMALL, type FakeWorld, type Ran } from '../../../cli/support/fake-world.ts';
import { siteOf } from '../../../cli/support/site.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const ELSEWHERE = ['--content', 'pulled', '--state', 'elsewhere/state.json'] as const;
const TITLE = 'Install';

let world: FakeWorld;
/** What was asked for outside the API, with whether a key came along. */
let asked: { readonly url: string; readonly hasKey: boolean }[];

beforeEach(async () => {
  world = await fakeWorld({ ...SMALL, 'kbsync.yaml': 'assets: { baseUrl: https://pics.acme.test/docs/ }\n' });
  asked = [];
  const images = (request: Request): Promise<Response> => {
    asked.push({ url: request.url, hasKey: request.headers.has('authorization') });
    return Promise.resolve(imageAt(new URL(request.url)));
  };
  world.wrap = (send) => (request) =>
    new URL(request.url).pathname.startsWith('/api/') ? send(request) : images(request);
  world.elsewhere.set('https://cdn.acme.test', images);
  const ran = await world.run('sync');
  if (ran.exit !== 0) throw new Error(ran.stderr);
});
afterEach(() => world.close());

function imageAt({ pathname }: URL): Response {
  const png = { headers: { 'content-type': 'image/png; charset=binary' } };
  switch (pathname) {
    case '/media/shot.png':
    case '/media/same-shot.png':
      return new Response(PNG, png);
    case '/moved.png':
      return new Response(null, { status: 302, headers: { location: '/media/shot.png' } });
    case '/led-away.png':
      return new Response(null, {
        status: 302,
        headers: { location: 'https://inside.acme.test/secret.png' },
      });
    case '/with-login.png':
      return new Response(null, {
        status: 302,
        headers: { location: `${BASE_URL.replace('//', '//user:word@')}/media/shot.png` },
      });
    case '/round.png':
      return new Response(null, { status: 301, headers: { location: '/round.png' } });
    case '/login.png':
      return new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } });
    case '/empty.png':
      return new Response('', png);
    default:
      return new Response('no', { status: 404 });
  }
}

async function pulledWith(html: string, ...argv: readonly string[]): Promise<Ran> {
  await siteOf(world).edit(TITLE, (body) => {
    body['content'] = html;
  });
  return world.run('pull', ...ELSEWHERE, ...argv);
}

async function assets(): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(join(world.cwd, 'pulled/assets')).catch(() => []);
  return names.toSorted();
}

async function article(): Promise<string> {
  const names = await readdir(join(world.cwd, 'pulled'), { recursive: true, encoding: 'utf8' });
  const texts = names.filter((name) => name.endsWith('.md')).map((name) => world.read(`pulled/${name}`));
  return (await Promise.all(texts)).find((text) => text.includes(`title: ${TITLE}\n`)) ?? '';
}

describe('pull --assets', () => {
  test('fetches each image of the own host once, without the key, and the file names its copy', async () => {
    const html =
      '<p>See <img src="/media/shot.png" alt="Window"> and <img src="/media/shot.png#a" alt="again">.</p>';
    const ran = await pulledWith(html, '--assets');
    expect(ran.stdout).toContain('1 image fetched into pulled/assets');
    expect(ran.exit).toBe(0);
    expect(asked).toEqual([{ url: `${BASE_URL}/media/shot.png`, hasKey: false }]);
    const [name = ''] = await assets();
    expect(name).toMatch(/^shot-[0-9a-f]{12}\.png$/);
    expect(await readFile(join(world.cwd, 'pulled/assets', name))).toEqual(PNG);
    expect(await article()).toContain(`../../assets/${name})`);
  });

  test('the next sync writes nothing, and a pull without its state fetches no second copy', async () => {
    await pulledWith('<p><img src="/media/shot.png" alt="Window"></p>', '--assets');
    world.sent.length = 0;
    const ran = await world.run('sync', ...ELSEWHERE);
    expect(ran.stdout).toMatch(/^in sync: /m);
    expect(world.sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
    await world.remove('pulled/en');
    await world.remove('elsewhere');
    const again = await world.run('pull', ...ELSEWHERE, '--assets');
    expect(again.stdout).toContain('0 images fetched into pulled/assets, 1 there already');
    expect(await assets()).toHaveLength(1);
  });

  test('images of other hosts stay there until their host is named', async () => {
    const html = '<p><img src="https://cdn.acme.test/media/shot.png" alt="Window"></p>';
    const left = await pulledWith(html, '--assets');
    expect(left.stdout).toContain(
      '0 images fetched into pulled/assets; left on cdn.acme.test (1) (--asset-host fetches those too)',
    );
    expect(await article()).toContain('https://cdn.acme.test/media/shot.png');
    await world.remove('pulled');
    await world.remove('elsewhere');
    const ran = await world.run('pull', ...ELSEWHERE, '--assets', '--asset-host', 'cdn.acme.test');
    expect(ran.stdout).toContain('1 image fetched into pulled/assets\n');
    expect(await article()).toMatch(/\.\.\/assets\/shot-[0-9a-f]{12}\.png\)/);
  });

  test('where pages are on a host of their own, so are their images, and links to the other host stay whole', async () => {
    const host = 'https://cdn.acme.test';
    await world.write(
      'kbsync.yaml',
      `assets: { baseUrl: https://pics.acme.test/docs/ }\narticleUrl: ${host}/{lang}/{slug}\n`,
    );
    const html = `<p>See <img src="/media/shot.png" alt="a"> <img src="../media/same-shot.png" alt="b"> <a href="${BASE_URL}/x">x</a>.</p>`;
    const left = await pulledWith(html, '--assets');
    expect(left.stdout).toContain('left on cdn.acme.test (2)');
    expect(await article()).toContain('![a](/media/shot.png) ![b](/media/same-shot.png)');
    expect(await article()).toContain(`[x](${BASE_URL}/x)`);
    await world.remove('pulled');
    await world.remove('elsewhere');
    const ran = await world.run('pull', ...ELSEWHERE, '--assets', '--asset-host', 'cdn.acme.test');
    expect(ran.stdout).toContain('2 images fetched into pulled/assets\n');
    expect(asked.map(({ url }) => url).toSorted()).toEqual([
      `${host}/media/same-shot.png`,
      `${host}/media/shot.png`,
    ]);
    expect(await article()).toMatch(/!\[a\]\(.*assets\/shot-.*!\[b\]\(.*assets\/same-shot-/);
  });

  test('a redirect is followed on allowed hosts only', async () => {
    const ran = await pulledWith(
      '<p><img src="/moved.png" alt="a"><img src="/led-away.png" alt="b"><img src="/round.png" alt="c"></p>',
      '--assets',
    );
    expect(ran.stdout).toContain('1 image fetched');
    expect(ran.stdout).toContain(
      `? image ${BASE_URL}/led-away.png  it leads to inside.acme.test, which is not allowed; it stays there`,
    );
    expect(ran.stdout).toContain(
      `? image ${BASE_URL}/round.png  it redirects more than 3 times; it stays there`,
    );
    expect(asked.some(({ url }) => url.includes('inside.acme.test'))).toBe(false);
    expect(ran.exit).toBe(5);
  });

  test('a redirect that names a user is followed without', async () => {
    const ran = await pulledWith('<p>Text <img src="/with-login.png" alt="a"></p>', '--assets');
    expect(ran.stdout).toContain('1 image fetched');
    expect(ran.exit).toBe(0);
    expect(asked.map(({ url }) => url)).toEqual([`${BASE_URL}/with-login.png`, `${BASE_URL}/media/shot.png`]);
  });

  test.for([
    ['/login.png', 'the answer is text/html, not an image'],
    ['/empty.png', 'the file is empty'],
    ['/none.png', 'the answer is 404'],
  ] as const)('%s is no image: %s', async ([path, why]) => {
    const ran = await pulledWith(`<p>Text <img src="${path}" alt="a"></p>`, '--assets');
    expect(ran.stdout).toContain(`? image ${BASE_URL}${path}  ${why}; it stays there`);
    expect(await assets()).toEqual([]);
    expect(await article()).toContain(`](${path})`);
  });

  test('--dry-run asks for no image and says how many there are', async () => {
    const ran = await pulledWith('<p><img src="/media/shot.png" alt="a"></p>', '--assets', '--dry-run');
    expect(ran.stdout).toContain('1 image to fetch into pulled/assets');
    expect(asked).toEqual([]);
    expect(await assets()).toEqual([]);
  });

  test('equal bytes at two addresses are told apart by name only', async () => {
    await pulledWith(
      '<p><img src="/media/shot.png" alt="a"><img src="/media/same-shot.png" alt="b"></p>',
      '--assets',
    );
    const hashes = (await assets()).map((name) => name.replace(/^.*-/, ''));
    expect(hashes).toHaveLength(2);
    expect(new Set(hashes).size).toBe(1);
  });

  test('where nobody says who shows them, and the service keeps no files, nothing is read or written', async () => {
    await world.remove('kbsync.yaml');
    world.sent.length = 0;
    const ran = await world.run('pull', ...ELSEWHERE, '--assets');
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain('--assets needs `assets.baseUrl`');
    expect(world.sent).toEqual(['GET /api/v2/versions']);
  });

  test('an --asset-host that is an address is refused', async () => {
    const ran = await world.run('pull', ...ELSEWHERE, '--assets', '--asset-host', 'https://cdn.acme.test/x');
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain('is not a host name');
  });
});

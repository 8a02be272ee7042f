import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqlite } from '../../../src/service/index.ts';
import { isPublicAddress } from '../../../src/service/links/public-address.ts';
import {
  checkDueLinks,
  type LinkCheckerOptions,
  startLinkChecker,
} from '../../../src/service/links/checker.ts';
import { sendLink } from '../../../src/service/links/request.ts';
import { ARTICLES, articleBody, rig, type Rig } from '../support/rig.ts';

const servers: Server[] = [];
let service: Rig;
beforeEach(async () => {
  service = await rig(openSqlite({ file: ':memory:' }));
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await service.close();
});

/** A web server on loopback; its requests are kept as `HEAD /path`. */
async function web(answer: RequestListener): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

const never = new AbortController().signal;
const slept: number[] = [];
function checker(values: Partial<LinkCheckerOptions> = {}): LinkCheckerOptions {
  return {
    store: service.store,
    clock: {
      now: () => service.clock.now(),
      sleep: async (ms) => {
        slept.push(ms);
      },
    },
    send: sendLink,
    resolve: async () => ['127.0.0.1'],
    allowPrivate: true,
    ...values,
  };
}
const check = (values: Partial<LinkCheckerOptions> = {}) => checkDueLinks(checker(values), never);

const articleWith = (...urls: readonly string[]) =>
  service.make(
    ARTICLES,
    articleBody({
      slug: `s${Math.random()}`,
      content: urls.map((url) => `<a href="${url}">x</a>`).join(''),
    }),
  );
async function links(): Promise<Record<string, boolean>> {
  const { body } = await service.ask('GET', '/api/v2/tools/link_manager');
  return Object.fromEntries(
    body['data'].map(({ url, working }: { url: string; working: boolean }) => [
      new URL(url).pathname,
      working,
    ]),
  );
}
const said = async () =>
  Object.fromEntries(
    (
      await service.store.read((sql) =>
        sql.all<{ readonly url: string; readonly said: string | null }>(
          'select url, said from link_checks order by url',
        ),
      )
    ).map((row) => [new URL(row.url).pathname, row.said]),
  );
const DAY_MS = 86_400_000;
const later = (ms: number) => service.clock.set(service.clock.now() + ms);

describe('the link checker', () => {
  test('tells what answers from what does not', async () => {
    const { port, asked } = await web((request, response) => {
      const status = Number(request.url?.slice(1));
      response.writeHead(request.method === 'HEAD' && status === 200 ? 405 : status).end();
    });
    const at = (status: number) => `http://web.example:${port}/${status}`;
    await articleWith(at(200), at(204), at(403), at(404), at(410));
    expect(await check()).toBe(5);
    expect(await links()).toEqual({ '/200': true, '/204': true, '/403': true, '/404': false, '/410': false });
    expect(asked.filter((line) => line.endsWith('/200'))).toEqual(['HEAD /200', 'GET /200']);
    expect(asked.filter((line) => line.endsWith('/204'))).toEqual(['HEAD /204']);
  });

  test('an address that several articles link to is asked once, and a link that is new shares the finding', async () => {
    const { port, asked } = await web((_, response) => response.writeHead(404).end());
    const url = `http://web.example:${port}/gone`;
    await articleWith(url);
    await articleWith(url);
    expect([await check(), await check()]).toEqual([1, 0]);
    await articleWith(url);
    expect(await check()).toBe(0);
    expect(asked).toEqual(['HEAD /gone', 'GET /gone']);
    const { body } = await service.ask('GET', '/api/v2/tools/link_manager');
    expect(body['data'].map((link: { working: boolean }) => link.working)).toEqual([false, false, false]);
  });

  test('a check moves no date and no tag of an article', async () => {
    const { port } = await web((_, response) => response.writeHead(404).end());
    const id = await articleWith(`http://web.example:${port}/x`);
    const state = async () => {
      const { headers, body } = await service.ask('GET', `${ARTICLES}/${id}`);
      return [headers.get('etag'), body['data'].last_edited_Date];
    };
    const before = await state();
    later(5000);
    await check();
    expect(await state()).toEqual(before);
  });

  test('a checked link is asked again after a day, and only whether it has changed', async () => {
    const { port, asked } = await web((request, response) => {
      response.writeHead(request.headers['if-none-match'] === '"1"' ? 304 : 200, { ETag: '"1"' }).end();
    });
    await articleWith(`http://web.example:${port}/x`);
    await check();
    later(DAY_MS - 1);
    expect(await check()).toBe(0);
    later(1);
    expect(await check()).toBe(1);
    expect([asked.length, await said()]).toEqual([2, { '/x': 'answered 304' }]);
    expect(await links()).toEqual({ '/x': true });
  });

  test('a link without an answer counts as broken after three tries, each later than the one before', async () => {
    let status = 503;
    const { port } = await web((_, response) => response.writeHead(status, { 'Retry-After': '400' }).end());
    await articleWith(`http://web.example:${port}/x`);
    await check();
    later(399_000);
    expect(await check()).toBe(0);
    later(1000);
    expect([await check(), await links()]).toEqual([1, { '/x': true }]);
    later(600_000);
    expect([await check(), await links()]).toEqual([1, { '/x': false }]);
    status = 200;
    later(DAY_MS);
    expect([await check(), await links()]).toEqual([1, { '/x': true }]);
  });

  test('a host that does not exist and a port where nobody listens are failures', async () => {
    const { port } = await web(() => undefined);
    await articleWith('http://nowhere.example/a', `http://web.example:${port}/b`);
    const resolve = async (host: string) => (host === 'nowhere.example' ? [] : ['127.0.0.1']);
    for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
    await check({ resolve });
    expect(await said()).toEqual({ '/a': 'no such host', '/b': expect.stringContaining('ECONNREFUSED') });
  });

  test('one host is asked one thing at a time, with a pause', async () => {
    let open = 0;
    let most = 0;
    const { port } = await web((_, response) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(204).end();
      });
    });
    slept.length = 0;
    await articleWith(...Array.from({ length: 5 }, (_, n) => `http://web.example:${port}/${n}`));
    await check();
    expect([most, slept]).toEqual([1, [1000, 1000, 1000, 1000]]);
  });

  test('links that one replica has claimed are left to it until the claim has run out', async () => {
    await articleWith('http://web.example/x');
    const controller = new AbortController();
    const stuck = checkDueLinks(
      checker({
        send: ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stopped')));
            controller.abort();
          }),
      }),
      controller.signal,
    );
    await expect(stuck).rejects.toThrow('stopped');
    expect(await check({ send: async () => ({ status: 200 }) })).toBe(0);
    later(600_000);
    expect(await check({ send: async () => ({ status: 200 }) })).toBe(1);
  });

  test('runs until it is stopped', async () => {
    const { port } = await web((_, response) => response.writeHead(404).end());
    await articleWith(`http://web.example:${port}/x`);
    let idle = (): void => undefined;
    const isIdle = new Promise<void>((resolve) => {
      idle = resolve;
    });
    const running = startLinkChecker(
      checker({
        clock: {
          now: () => service.clock.now(),
          sleep: (_, signal) =>
            new Promise((resolve) => {
              signal?.addEventListener('abort', () => resolve());
              idle();
            }),
        },
      }),
    );
    await isIdle;
    expect(await links()).toEqual({ '/x': false });
    await running.stop();
  });
});

describe('where links lead', () => {
  const follow = async (resolve: LinkCheckerOptions['resolve'], ...urls: readonly string[]) => {
    const sent: string[] = [];
    await articleWith(...urls);
    await check({
      allowPrivate: false,
      resolve,
      send: async ({ url, address }) => {
        sent.push(`${url.host} at ${address}`);
        if (url.pathname === '/to-metadata')
          return { status: 302, location: 'http://169.254.169.254/latest' };
        if (url.pathname === '/to-name') return { status: 301, location: '//inside.example/' };
        if (url.pathname === '/to-file') return { status: 307, location: 'file:///etc/passwd' };
        if (url.pathname === '/loop') return { status: 302, location: '/loop' };
        return url.pathname === '/hop' ? { status: 302, location: '/end' } : { status: 200 };
      },
    });
    return { sent, said: await said() };
  };

  test('a private address is never asked, under whatever name or spelling', async () => {
    const { sent, said } = await follow(
      async (host) => (host === 'mixed.example' ? ['93.184.216.34', '10.0.0.1'] : ['::ffff:127.0.0.1']),
      'http://127.0.0.1/a',
      'http://0x7f.1/b',
      'http://[::1]/c',
      'http://2130706433/d',
      'http://rebind.example/e',
      'http://mixed.example/f',
      'http://169.254.169.254/g',
    );
    expect(sent).toEqual([]);
    expect(new Set(Object.values(said))).toEqual(new Set(['leads into a private network']));
    expect(Object.keys(said)).toHaveLength(7);
    // Nothing is known about them, so they are not called broken.
    expect(new Set(Object.values(await links()))).toEqual(new Set([true]));
  });

  test('each redirect is looked at like the first address, and bounded', async () => {
    const { sent, said } = await follow(
      async (host) => (host === 'inside.example' ? ['192.168.0.1'] : ['93.184.216.34']),
      'http://a.example/to-metadata',
      'http://b.example/to-name',
      'http://c.example/to-file',
      'http://d.example/loop',
      'http://e.example/hop',
    );
    expect(said).toEqual({
      '/to-metadata': 'leads into a private network',
      '/to-name': 'leads into a private network',
      '/to-file': 'leads to file:',
      '/loop': 'more than 5 redirects',
      '/hop': 'answered 200',
    });
    expect(sent.filter((line) => line.startsWith('d.'))).toHaveLength(6);
    expect(sent.some((line) => line.includes('169.254') || line.includes('inside'))).toBe(false);
  });

  test('the connection goes to the address that was looked at, with the name in Host', async () => {
    const hosts: (string | undefined)[] = [];
    const { port } = await web((request, response) => {
      hosts.push(request.headers.host);
      response.writeHead(204).end();
    });
    await articleWith(`http://does-not-exist.invalid:${port}/x`);
    await check();
    expect([hosts, await links()]).toEqual([[`does-not-exist.invalid:${port}`], { '/x': true }]);
  });

  test.each([
    ['93.184.216.34', true],
    ['2606:2800:220:1:248:1893:25c8:1946', true],
    ['0.0.0.0', false],
    ['10.1.2.3', false],
    ['100.64.0.1', false],
    ['100.128.0.1', true],
    ['127.0.0.53', false],
    ['169.254.169.254', false],
    ['172.15.0.1', true],
    ['172.31.255.255', false],
    ['192.168.1.1', false],
    ['198.19.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['::ffff:10.0.0.1', false],
    ['64:ff9b::a00:1', false],
    ['2002:a00:1::', false],
    ['2001::1', false],
    ['2001:db8::1', false],
    ['fc00::1', false],
    ['fe80::1', false],
    ['fe80::1%eth0', false],
    ['ff02::1', false],
    ['no address', false],
    ['1.2.3.4.5', false],
    ['300.1.1.1', false],
    ['1::2::3', false],
    ['2606:2800:220:1:248:1893:25c8:1946:1', false],
  ])('%s is public: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });
});

import { expect, test } from 'vitest';
import type { Send } from '../../../src/remote/remote.ts';
import { articleList, articleReply } from '../support/replies.ts';
import { failureOf, json, rig, service, notFound } from '../support/support.ts';

test('404 is absent when an impossible id gets it too and a listed record does not', async () => {
  const { send, paths } = service({
    '/api/v2/articles': () => json(articleList),
    '/api/v2/articles/a1': () => json(articleReply),
  });
  const { remote } = rig({ send });
  await remote.list('article');
  expect(await remote.read('article', 'a2')).toEqual({ state: 'absent' });
  expect(await remote.read('article', 'a3')).toEqual({ state: 'absent' });
  // list, a2, the impossible id, the control a1, a3: the controls are asked once a run.
  expect(paths).toHaveLength(5);
  expect(paths[3]).toBe('/api/v2/articles/a1');
});

test('404 for everything proves nothing', async () => {
  const { send } = service({ '/api/v2/articles': () => json(articleList) });
  const { remote } = rig({ send });
  await remote.list('article');
  expect(await remote.read('article', 'a2')).toMatchObject({
    state: 'unreadable',
    why: expect.stringContaining('every article'),
  });
});

test('a record removed in this run is no control', async () => {
  const { send } = service({ '/api/v2/articles': () => json(articleList) });
  const { remote } = rig({
    send: (request) =>
      request.method === 'DELETE' ? Promise.resolve(json({ success: true })) : send(request),
  });
  await remote.list('article');
  await remote.remove('article', 'a1', {});
  expect(await remote.read('article', 'a1')).toEqual({ state: 'absent' });
});

test('a service that shows a record for an impossible id can prove nothing absent', async () => {
  const { remote } = rig({
    send: (request) => Promise.resolve(request.url.endsWith('/gone') ? notFound() : json(articleReply)),
  });
  expect(await remote.read('article', 'gone')).toMatchObject({ state: 'unreadable' });
});

test.each([
  ['200 with success false', 200],
  ['400', 400],
  ['500', 500],
])(
  '%s is absent when it is the answer to an impossible id and other records can be read',
  async (_name, status) => {
    const no = (path: string): Response =>
      json({ success: false, message: `no record ${path.slice(path.lastIndexOf('/') + 1)}` }, { status });
    const send: Send = (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/api/v2/articles') return Promise.resolve(json(articleList));
      return Promise.resolve(pathname.endsWith('/a1') ? json(articleReply) : no(pathname));
    };
    const { remote } = rig({ send });
    await remote.list('article');
    expect(await remote.read('article', 'a2')).toEqual({ state: 'absent' });
  },
);

test.each([200, 400, 500])(
  'an outage that answers everything alike (%i) makes nothing absent',
  async (status) => {
    let isDown = false;
    const { remote } = rig({
      send: (request) => {
        if (isDown) return Promise.resolve(json({ success: false, message: 'maintenance' }, { status }));
        return Promise.resolve(json(request.url.endsWith('/articles') ? articleList : articleReply));
      },
    });
    await remote.list('article');
    await remote.read('article', 'a1');
    isDown = true;
    expect((await failureOf(remote.read('article', 'a2'))).code).toBe(
      status === 500 ? 'unclear' : 'rejected',
    );
  },
);

test('another refusal than the impossible id gets is that refusal', async () => {
  const { remote } = rig({
    send: (request) => {
      const isOurs = request.url.endsWith('/a1');
      return Promise.resolve(
        json({ success: false, message: isOurs ? 'locked by Ada' : 'no such id' }, { status: 400 }),
      );
    },
  });
  expect(await failureOf(remote.read('article', 'a1'))).toMatchObject({
    code: 'rejected',
    serviceMessage: 'locked by Ada',
  });
});

test('a control that fails on the way is asked again the next time', async () => {
  let probes = 0;
  const send: Send = (request) => {
    if (request.url.endsWith('/a2')) return Promise.resolve(notFound());
    probes++;
    return Promise.resolve(probes <= 4 ? new Response('', { status: 502 }) : notFound());
  };
  const { remote } = rig({ send });
  expect((await failureOf(remote.read('article', 'a2'))).code).toBe('unclear');
  expect(await remote.read('article', 'a2')).toEqual({ state: 'absent' });
});

test('the impossible id has the shape of the id asked for', async () => {
  const { send, paths } = service({});
  const { remote } = rig({ send });
  await remote.read('tag', '42');
  await remote.read('category', 'b7e6c1a0-0000-4000-8000-000000000000');
  expect(paths[1]).toMatch(/^\/api\/v2\/tags\/9\d{8}$/);
  expect(paths[3]).toMatch(
    /^\/api\/v2\/categories\/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/,
  );
});

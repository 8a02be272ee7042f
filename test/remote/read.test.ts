import { expect, test } from 'vitest';
import { KINDS } from '../../src/model/key.ts';
import type { Send } from '../../src/remote/remote.ts';
import { withStamp } from '../../src/model/stamp.ts';
import { keyOf } from '../../src/model/key.ts';
import {
  article,
  articleList,
  articleReply,
  category,
  categoryList,
  categoryReply,
  ids,
  lists,
  singles,
  tagList,
} from './replies.ts';
import { failureOf, json, rig } from './support.ts';

/** Answers by the path with its query. */
function service(answers: Readonly<Record<string, () => Response>>): {
  readonly send: Send;
  readonly paths: string[];
} {
  const paths: string[] = [];
  return {
    paths,
    send: (request) => {
      const { pathname, search } = new URL(request.url);
      paths.push(pathname + search);
      return Promise.resolve(answers[pathname + search]?.() ?? notFound());
    },
  };
}

const notFound = (): Response => json({ success: false, message: 'not found' }, { status: 404 });

test('an article is decoded into body names, references as sorted ids, dates as instants', async () => {
  const reply = {
    ...articleReply,
    data: { ...article, content: withStamp('<p>Run it</p>', keyOf('article', 'x', 'en'), {}) },
  };
  const { remote, clock } = rig({ send: () => Promise.resolve(json(reply, { headers: { etag: '"7"' } })) });
  expect(await remote.read('article', 'a1')).toEqual({
    state: 'found',
    record: {
      kind: 'article',
      id: 'a1',
      ownId: 'a1',
      lang: 'en',
      fields: {
        title: 'Install',
        slug: 'install',
        categories: ['c1'],
        tags: ['t1', 't2'],
        excerpt: 'How to install',
        ordering: 3,
        status: 'published',
        hideFromSearch: false,
        seoBannerUrl: 'https://example.com/b.png',
        articleReviewDate: '2026-06-01T00:00:00.000Z',
        content: '<p>Run it</p>',
      },
      stamp: '<!-- kbsync 1 article/x@en -->',
      labels: new Map([
        ['c1', 'Start'],
        ['t1', 'cli'],
        ['t2', 'node'],
      ]),
      etag: '"7"',
      readAtMs: clock.now(),
    },
  });
});

test('a null is the empty value of its field', async () => {
  const data = {
    ...article,
    content: null,
    excerpt: null,
    order_by: null,
    seo_banner_url: null,
    hide_from_search: null,
    article_review_date: null,
    tags_relationship: [],
  };
  const { remote } = rig({ send: () => Promise.resolve(json({ ...articleReply, data })) });
  expect(await remote.read('article', 'a1')).toMatchObject({
    record: {
      fields: {
        content: '',
        excerpt: '',
        ordering: 0,
        seoBannerUrl: null,
        hideFromSearch: false,
        articleReviewDate: null,
        tags: [],
      },
    },
  });
  const { remote: other } = rig({ send: () => Promise.resolve(json(categoryReply)) });
  expect(await other.read('category', 'c1')).toMatchObject({
    record: {
      fields: {
        name: 'Start',
        slug: 'start',
        priority: 1,
        categoryParent: null,
        description: '',
        thumbnailUrl: null,
        iconUrl: null,
        longDescription: '<p>Begin here</p>',
      },
    },
  });
});

test('ids as numbers and an ordering as text are taken over, unsafe numbers are not', async () => {
  const data = {
    ...article,
    id: 12,
    order_by: '3.5',
    article_relationships: [{ id: 1, category_id: 9007199254740991 }],
  };
  const { remote } = rig({
    send: () => Promise.resolve(json({ ...articleReply, data, isDraft: { id: 12 } })),
  });
  expect(await remote.read('article', '12')).toMatchObject({
    record: { id: '12', fields: { ordering: 3.5, categories: ['9007199254740991'] } },
  });
  const text = JSON.stringify({ ...articleReply, data }).replace('9007199254740991', '9007199254740993');
  const { remote: other } = rig({
    send: () => Promise.resolve(new Response(text, { headers: { 'content-type': 'application/json' } })),
  });
  expect((await failureOf(other.read('article', '12'))).code).toBe('not-understood');
});

test.each([
  ['another record', { id: 'd9' }, 'd9'],
  ['the record itself', { id: 'a1' }, undefined],
  ['nothing', { id: null }, undefined],
  ['no object', null, undefined],
])('isDraft that names %s', async (_name, isDraft, expected) => {
  const { remote } = rig({ send: () => Promise.resolve(json({ ...articleReply, isDraft })) });
  const result = await remote.read('article', 'a1');
  expect(result.state === 'found' && result.record.openDraft).toBe(expected);
});

test('another record than the one asked for is not understood', async () => {
  const { remote } = rig({ send: () => Promise.resolve(json(articleReply)) });
  expect((await failureOf(remote.read('article', 'a2'))).message).toContain('it shows the record a1');
});

test('a plain read that meets a translation says which language it is', async () => {
  const data = { ...article, language: 'fr', language_parent: 'a0' };
  const { remote } = rig({ send: () => Promise.resolve(json({ ...articleReply, data })) });
  expect(await remote.read('article', 'a1')).toMatchObject({ record: { lang: 'fr' } });
});

test.each(KINDS)('%s: the language is asked for, except that of the original', async (kind) => {
  const { send, paths } = service({});
  const { remote } = rig({ send });
  await remote.read(kind, ids[kind], 'zh-CN');
  expect(paths[0]).toMatch(/^\/api\/v2\/[a-z]+\/[act]1\?lang=zh-CN$/);
  paths.length = 0;
  await remote.read(kind, ids[kind], 'EN');
  expect(paths[0]).toMatch(/^\/api\/v2\/[a-z]+\/[act]1$/);
});

const inFrench =
  (data: object, rest: object = {}): Send =>
  () =>
    Promise.resolve(json({ ...articleReply, data: { ...article, ...data }, ...rest }));

test.each([
  ['the language asked for', { language: 'fr', language_parent: null }, 'fr', 'yes'],
  ['a record of its own', { id: 'a9', language: 'fr', language_parent: 'a1' }, 'fr', 'yes'],
  ['another spelling of it', { language: 'zh_cn' }, 'zh-CN', 'yes'],
])('a translation shown as %s is found under the id of its original', async (_name, data, lang, learnt) => {
  const { remote } = rig({ send: inFrench(data) });
  expect(await remote.read('article', 'a1', lang)).toMatchObject({
    state: 'found',
    record: { id: 'a1', ownId: 'id' in data ? data.id : 'a1', lang },
  });
  expect(remote.capabilities()['read-lang']).toBe(learnt);
});

test.each([
  ['the original', { language: null }, 'fr'],
  ['another language', { language: 'de' }, 'fr'],
  ['a related language', { language: 'pt-BR' }, 'pt'],
])('%s shown instead is unreadable, and the service does not take lang', async (_name, data, lang) => {
  const { remote } = rig({ send: inFrench(data) });
  expect(await remote.read('article', 'a1', lang)).toMatchObject({ state: 'unreadable' });
  expect(remote.capabilities()['read-lang']).toBe('no');
});

test('one odd answer does not outweigh a proof', async () => {
  const { send } = service({
    '/api/v2/articles/a1?lang=fr': () => json({ ...articleReply, data: { ...article, language: 'fr' } }),
    '/api/v2/articles/a1?lang=de': () => json(articleReply),
  });
  const { remote } = rig({ send });
  await remote.read('article', 'a1', 'fr');
  expect(await remote.read('article', 'a1', 'de')).toMatchObject({ state: 'unreadable' });
  expect(remote.capabilities()['read-lang']).toBe('yes');
});

test('a translation of another record is not understood', async () => {
  const { remote } = rig({ send: inFrench({ id: 'a9', language: 'fr', language_parent: 'a2' }) });
  expect((await failureOf(remote.read('article', 'a1', 'fr'))).code).toBe('not-understood');
});

test('newVersion says that there is no such translation, whatever else the answer shows', async () => {
  const { remote } = rig({
    send: () => Promise.resolve(json({ success: true, newVersion: true, data: {} })),
  });
  expect(await remote.read('tag', 't1', 'fr')).toEqual({ state: 'absent' });
  expect(await remote.read('tag', 't1')).toMatchObject({ state: 'unreadable' });
});

test('capabilities are learnt from the header and kept', async () => {
  const headers = { 'KB-Capabilities': 'location, if-match,unheard-of , FULL-LISTS' };
  const { remote } = rig({
    send: () => Promise.resolve(json(articleList, { headers })),
    capabilities: { 'if-match': 'no', 'keeps-html': 'yes', languages: ['fr'] },
  });
  await remote.list('article');
  remote.learn({ languages: ['de'] });
  expect(remote.capabilities()).toEqual({
    location: 'yes',
    'if-match': 'yes',
    'full-lists': 'yes',
    'keeps-html': 'yes',
    languages: ['de', 'fr'],
  });
});

test('a list shows what proves a record unchanged, and nothing that changes without an edit', async () => {
  const item = articleList.data[0];
  const other = {
    ...item,
    ai_summary: 'changed',
    _count: { tracking: 8 },
    other_articles: [{ language: 'de' }, { language: 'fr' }],
  };
  const seen = [];
  for (const data of [[item], [other], [{ ...item, last_edited_date: '2026-01-02 00:00:00.000001' }]]) {
    const { remote } = rig({
      send: () => Promise.resolve(json({ ...articleList, data }, { headers: { 'x-total-count': '31' } })),
    });
    const list = await remote.list('article');
    expect(list).toMatchObject({ limit: 25, total: 31, languages: ['en', 'fr', 'de'] });
    expect(list.items).toMatchObject([
      { kind: 'article', id: 'a1', name: 'Install', languages: ['de', 'fr'] },
    ]);
    seen.push(list.items[0]?.seen);
  }
  expect(seen[0]).toBe(seen[1]);
  expect(seen[0]).not.toBe(seen[2]);
});

test('category and tag lists show order, parent, slug and the articles of tags', async () => {
  const { remote } = rig({
    send: (request) => Promise.resolve(json(request.url.endsWith('tags') ? tagList : categoryList)),
  });
  expect((await remote.list('category')).items).toMatchObject([
    { id: 'c1', view: { ordering: 1, parentName: 'Home' } },
  ]);
  const tags = await remote.list('tag');
  expect(tags).toMatchObject({
    items: [{ id: 't1', slug: 'cli' }],
    articleIds: ['a1'],
    languages: ['en', 'fr'],
  });
  expect(tags).not.toHaveProperty('total');
});

test('an empty list is empty', async () => {
  for (const kind of KINDS) {
    const { remote } = rig({ send: () => Promise.resolve(json({ ...lists[kind], data: [] })) });
    expect((await remote.list(kind)).items).toEqual([]);
  }
});

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

test('every kind is read at its own address', async () => {
  for (const kind of KINDS) {
    const { remote } = rig({ send: () => Promise.resolve(json(singles[kind])) });
    expect(await remote.read(kind, ids[kind])).toMatchObject({ state: 'found', record: { kind } });
  }
  expect(category.id).toBe(ids.category);
});

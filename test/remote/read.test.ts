import { describe, expect, test } from 'vitest';
import { KINDS, keyOf } from '../../src/model/key.ts';
import { withStamp } from '../../src/model/stamp.ts';
import type { Send } from '../../src/remote/remote.ts';
import { articleReply, article, category, categoryReply, ids, singles } from './support/replies.ts';
import { failureOf, json, rig, service } from './support/support.ts';

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

test('ids as numbers, of 64 bits too, and an ordering as text are taken over', async () => {
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
  const text = JSON.stringify({ ...articleReply, data, categories: [] }).replace(
    '9007199254740991',
    '9007199254740993',
  );
  const { remote: other } = rig({
    send: () => Promise.resolve(new Response(text, { headers: { 'content-type': 'application/json' } })),
  });
  const read = await other.read('article', '12');
  expect(read.state === 'found' && read.record.fields['categories']).toEqual(['9007199254740993']);
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
  expect((await failureOf(remote.read('article', 'a2'))).message).toContain(
    'the field data.id of the answer is the text "a1"; it must be the id a2',
  );
});

test('a row of a translation that is shown under the id of its original is that translation', async () => {
  const data = { ...article, language: 'fr', language_parent: 'a1' };
  const { remote } = rig({ send: () => Promise.resolve(json({ ...articleReply, data })) });
  expect(await remote.read('article', 'a7')).toMatchObject({
    record: { id: 'a7', ownId: 'a1', lang: 'fr' },
  });
  const own = { ...article, language: 'en', language_parent: 'a1' };
  const { remote: other } = rig({ send: () => Promise.resolve(json({ ...articleReply, data: own })) });
  expect((await failureOf(other.read('article', 'a7'))).message).toContain('it must be the id a7');
  remote.learnOriginals((_, id) => id === 'a7');
  expect((await failureOf(remote.read('article', 'a7'))).message).toContain('it must be the id a7');
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

test('a translation that the service keeps with a region of its own is the one that was asked for', async () => {
  const { remote } = rig({ send: inFrench({ id: 'a9', language: 'fr-FR', language_parent: 'a1' }) });
  expect(await remote.read('article', 'a1', 'fr')).toMatchObject({ state: 'found', record: { lang: 'fr' } });
});

test('a record that names itself as its original is a translation where it shows other words than the original', async () => {
  const own = { id: 'a1', language: 'fr', language_parent: 'a1' };
  const sends =
    (shown: object): Send =>
    (request) =>
      (request.url.includes('?lang=') ? inFrench({ ...own, ...shown }) : inFrench({ language: null }))(
        request,
      );
  const read = (shown: object) => rig({ send: sends(shown) }).remote.read('article', 'a1', 'fr');
  expect(await read({ name: 'Installer' })).toMatchObject({
    state: 'found',
    record: { ownId: 'a1', lang: 'fr' },
  });
  expect(await read({})).toEqual({ state: 'absent' });
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

test('every kind is read at its own address', async () => {
  for (const kind of KINDS) {
    const { remote } = rig({ send: () => Promise.resolve(json(singles[kind])) });
    expect(await remote.read(kind, ids[kind])).toMatchObject({ state: 'found', record: { kind } });
  }
  expect(category.id).toBe(ids.category);
});

describe('a translation that is refused in words of its own', () => {
  const NO_FRENCH = { status: 200, body: { success: false, message: 'no such translation: fr' } };
  const replies = (over: Readonly<Record<string, { status: number; body: object }>>) => {
    const all: Readonly<Record<string, { status: number; body: object }>> = {
      a1: { status: 200, body: articleReply },
      'a1?lang=en': { status: 200, body: articleReply },
      'a1?lang=fr': NO_FRENCH,
      'a1?lang=qtz': { status: 200, body: { success: false, message: 'no such translation: qtz' } },
      ...over,
    };
    const asked: string[] = [];
    const send = (request: Request) => {
      const url = new URL(request.url);
      const name = `${url.pathname.slice(url.pathname.lastIndexOf('/') + 1)}${url.search}`;
      asked.push(name);
      const { status, body } = all[name] ?? { status: 404, body: { success: false, message: 'no article' } };
      return Promise.resolve(Response.json(body, { status }));
    };
    return { ...rig({ send }), asked };
  };

  test.each([200, 400, 409, 422])('with %i is missing, where nobody has such a language', async (status) => {
    const words = (lang: string) => ({ status, body: { success: false, message: `no ${lang} of a1` } });
    const { remote } = replies({ 'a1?lang=fr': words('fr'), 'a1?lang=qtz': words('qtz') });
    expect(await remote.read('article', 'a1', 'fr')).toEqual({ state: 'absent' });
    expect(remote.capabilities()['read-lang']).toBeUndefined();
  });

  test('in the same words for each language is missing too, and asks for the other language once a kind', async () => {
    const no = { status: 200, body: { success: false, message: 'no such translation' } };
    const { remote, asked } = replies({ 'a1?lang=no': no, 'a1?lang=qtz': no });
    expect(await remote.read('article', 'a1', 'no')).toEqual({ state: 'absent' });
    expect(await remote.read('article', 'a1', 'no')).toEqual({ state: 'absent' });
    expect(asked.filter((name) => name === 'a1?lang=qtz')).toHaveLength(1);
  });

  test.each([
    [
      'a language that nobody has is refused in other words',
      { 'a1?lang=qtz': { status: 200, body: { success: false, message: 'bad language' } } },
    ],
    ['a language that nobody has is shown', { 'a1?lang=qtz': { status: 200, body: articleReply } }],
    [
      'a language that nobody has is refused with another status',
      { 'a1?lang=qtz': { ...NO_FRENCH, status: 422 } },
    ],
    ['the record cannot be read either', { a1: NO_FRENCH }],
    ...['Something went wrong', 'Please try again later', 'Internal error', 'Database connection lost'].map(
      (message) =>
        [
          `the words are of a bad moment: ${message}`,
          {
            'a1?lang=fr': { status: 200, body: { success: false, message } },
            'a1?lang=qtz': { status: 200, body: { success: false, message } },
          },
        ] as const,
    ),
    ['the default language is refused too', { 'a1?lang=en': NO_FRENCH }],
    [
      'the service says 403',
      { 'a1?lang=fr': { ...NO_FRENCH, status: 403 }, 'a1?lang=qtz': { ...NO_FRENCH, status: 403 } },
    ],
  ] as const)('is not known to be missing, where %s', async (_name, over) => {
    await expect(replies(over).remote.read('article', 'a1', 'fr')).rejects.toThrow(/refused|not allow/);
  });
});

test('why the row of a translation cannot be read says nothing of the translation that was asked for', async () => {
  let isGone = false;
  const row = { ...article, id: 'a2', language: 'fr', language_parent: 'a1' };
  const notFound = () => json({ success: false, message: 'there is no such record' }, { status: 404 });
  const { remote } = rig({
    send: (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith('/articles')) {
        const data = ['a1', 'a2', 'a3'].map((id) => ({ id, name: 'Install' }));
        return Promise.resolve(json({ success: true, data }));
      }
      if (pathname.endsWith('/a1')) return Promise.resolve(json(articleReply));
      if (pathname.endsWith('/a3'))
        return Promise.resolve(json({ ...articleReply, data: { ...article, id: 'a3' } }));
      if (!pathname.endsWith('/a2') || isGone) return Promise.resolve(notFound());
      isGone = true;
      return Promise.resolve(json({ ...articleReply, data: row }));
    },
  });
  await remote.list('article');
  await remote.read('article', 'a1');
  expect(await remote.read('article', 'a1', 'fr')).toMatchObject({ state: 'unreadable' });
});

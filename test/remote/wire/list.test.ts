import { expect, test } from 'vitest';
import { KINDS } from '../../../src/model/key.ts';
import { articleList, categoryList, lists, tagList } from '../support/replies.ts';
import { json, rig } from '../support/support.ts';

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

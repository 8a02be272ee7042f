import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../src/model/key.ts';
import type { Kind } from '../../../src/model/key.ts';
import type { RemoteList } from '../../../src/remote/remote.ts';
import { failureOf, json, rig } from '../support/support.ts';
import { articleReply, ids, links, lists, reviews, singles, versions } from '../support/replies.ts';

/** A deep copy in which the part at `path` is `part`; undefined: left out. */
function changed(value: unknown, path: readonly (string | number)[], part: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return part;
  if (Array.isArray(value)) return value.map((item, n) => (n === first ? changed(item, rest, part) : item));
  const entries = Object.entries({ [first]: undefined, ...Object(value) }).map(
    ([name, item]) => [name, name === first ? changed(item, rest, part) : item] as const,
  );
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

function remoteThatSays(reply: unknown) {
  return rig({ send: () => Promise.resolve(json(reply)) }).remote;
}

function listOf(kind: Kind, path: readonly (string | number)[], part: unknown): Promise<RemoteList> {
  return remoteThatSays(changed(lists[kind], path, part)).list(kind);
}

async function read(kind: Kind, path: readonly (string | number)[], part: unknown, from?: unknown) {
  const result = await remoteThatSays(changed(from ?? singles[kind], path, part)).read(kind, ids[kind]);
  if (result.state !== 'found') throw new Error(`not found, but ${result.state}`);
  return result.record;
}

describe.each(KINDS)('a list: %s', (kind) => {
  test.each([
    [undefined, 'missing'],
    [null, 'null'],
    [{}, 'an empty object'],
    ['', 'an empty text'],
    ['none', 'the text "none"'],
    [0, '0'],
    [false, 'false'],
    [{ length: 0, 0: 'a' }, 'an object with 0, length'],
  ])('what is no list is never an empty list: %j', async (data, words) => {
    const error = await failureOf(listOf(kind, ['data'], data));
    expect(error).toMatchObject({ code: 'not-understood', field: 'data' });
    expect(error.message).toContain(
      `the field data of the answer is ${words}; it must be a list of objects, because kbsync reads from it which records there are`,
    );
  });

  test.each([[null], [[]], ['a1'], [1]])('a row that is no object stops it: %j', async (row) => {
    const error = await failureOf(listOf(kind, ['data', 0], row));
    expect(error).toMatchObject({ code: 'not-understood', field: 'data[0]' });
  });

  test.each([
    [undefined, 'missing'],
    [null, 'null'],
    ['', 'an empty text'],
    [{}, 'an empty object'],
    [['a1'], 'a list of 1'],
    [1.5, '1.5'],
    [1e21, '1e+21'],
    [true, 'true'],
  ])('a row without an id that can be read stops it, and says so: %j', async (id, words) => {
    const error = await failureOf(listOf(kind, ['data', 0, 'id'], id));
    expect(error).toMatchObject({ code: 'not-understood', field: 'data[0].id' });
    expect(error.message).toContain(
      `the field data[0].id of the answer is ${words}; it must be a text or a whole number, because kbsync knows a record by its id`,
    );
  });

  test.each([
    '0000-00-00 00:00:00',
    '0001-01-01T00:00:00Z',
    '01/01/0001 00:00:00',
    '1970-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59Z',
    -62_135_596_800,
    0,
    '',
    null,
  ])('a row whose date of deletion says that there is none is a record: %j', async (none) => {
    expect((await listOf(kind, ['data', 0, 'deleted_at'], none)).items).toHaveLength(1);
    expect((await read(kind, ['data', 'deleted_at'], none)).id).toBe(ids[kind]);
  });

  test.each(['2026-01-02T03:04:05Z', '2026-01-02 03:04:05', 'Fri, 02 Jan 2026 03:04:05 GMT', 1_767_323_045])(
    'a row with a date of deletion is none: %j',
    async (date) => {
      expect((await listOf(kind, ['data', 0, 'deleted_at'], date)).items).toHaveLength(0);
    },
  );

  test('a row that comes twice is one record', async () => {
    const { data } = lists[kind] as { data: readonly object[] };
    const [row] = data;
    const twice = await listOf(kind, ['data'], [row, { ...row, somethingElse: 1 }]);
    expect(twice).toMatchObject({ rows: 2, items: [{ id: ids[kind] }] });
    expect(twice.items).toEqual((await listOf(kind, ['data'], [row])).items);
  });

  test('rows of one id in several languages are one record and its translations', async () => {
    const { data } = lists[kind] as { data: readonly object[] };
    const [row] = data;
    const [alone] = (await listOf(kind, ['data'], [row])).items;
    const inFrench = { ...row, name: 'Une autre', language: 'fr' };
    for (const rows of [
      [row, inFrench],
      [inFrench, { ...row, language: null }, { ...inFrench, name: 'Eine andere', language: 'de' }],
    ]) {
      const { items } = await listOf(kind, ['data'], rows);
      expect(items).toMatchObject([{ id: ids[kind], name: alone?.name }]);
      const more = rows.length === 2 ? ['fr'] : ['de', 'fr'];
      expect(items[0]?.languages).toEqual([...new Set([...(alone?.languages ?? []), ...more])].sort());
    }
    const use = [{ id: 'l1', article_id: 'a9', category_id: 'c9' }];
    const used = { ...inFrench, article_relationships: use, tag_relationship: use };
    const unused = { ...row, article_relationships: null, tag_relationship: [] };
    const [found] = (await listOf(kind, ['data'], [unused, used])).items;
    expect(found?.view.inUse).toBe(kind === 'article' ? undefined : true);
    const error = await failureOf(
      listOf(kind, ['data'], [inFrench, { ...inFrench, name: 'Autre', language: 'de' }]),
    );
    expect(error.message).toContain(`the id ${ids[kind]} is in the list twice, with different values`);
  });

  test('an id that comes twice with two names stops it', async () => {
    const { data } = lists[kind] as { data: readonly object[] };
    const [row] = data;
    const error = await failureOf(listOf(kind, ['data'], [row, { ...row, name: 'Another' }]));
    expect(error).toMatchObject({ code: 'not-understood', field: 'data[].id' });
    expect(error.message).toContain(`the id ${ids[kind]} is in the list twice, with different values`);
  });

  test('parts that the documentation does not name are no obstacle', async () => {
    const reply = { ...lists[kind], extra: { deep: [1] }, toString: 1, constructor: null };
    await expect(remoteThatSays(reply).list(kind)).resolves.toMatchObject({ items: [{ id: ids[kind] }] });
  });

  test('everything but ids may be missing', async () => {
    const list = await remoteThatSays({ success: true, data: [{ id: 7 }, { id: 'a' }] }).list(kind);
    expect(list.items).toMatchObject([
      { id: '7', name: '', languages: [] },
      { id: 'a', name: '' },
    ]);
  });

  test('its languages are read in every spelling, and one that cannot be read counts as one', async () => {
    const field = Object.keys((lists[kind] as { data: readonly object[] }).data[0] ?? {}).find((name) =>
      name.startsWith('other_'),
    );
    const languages = async (value: unknown) =>
      (await listOf(kind, ['data', 0, field ?? ''], value)).items[0]?.languages;
    expect(await languages([{ language: 'fr' }, { language: 'de' }, { language: 'fr' }])).toEqual([
      'de',
      'fr',
    ]);
    expect(await languages(['pt-BR', 'de'])).toEqual(['de', 'pt-BR']);
    expect(await languages({ language: 'fr' })).toEqual(['fr']);
    expect(await languages('fr')).toEqual(['fr']);
    expect(await languages({ 0: { language: 'fr' }, 2: { language: 'de' } })).toEqual(['de', 'fr']);
    for (const none of [undefined, null, '', [], {}]) expect(await languages(none)).toEqual([]);
    for (const odd of [7, true, 'a long text', [{ code: 'fr' }], [null], { lang: 1 }])
      expect(await languages(odd)).toEqual(['und']);
  });
});

test('a service that joins tables shows a category once for each of its articles and translations', async () => {
  const { data } = lists.category as { data: readonly object[] };
  const [row] = data;
  const other = 'other_categories_categories_language_parentTocategories';
  const list = await listOf(
    'category',
    ['data'],
    [
      { ...row, [other]: [{ language: 'fr' }], article_relationships: null },
      { ...row, [other]: [{ language: 'de' }] },
    ],
  );
  expect(list.items).toMatchObject([{ languages: ['de', 'fr'], view: { inUse: true } }]);
});

test.each([
  ['category', 'article_relationships'],
  ['tag', 'tag_relationship'],
] as const)('%s: whatever stands in %s is a use, nothing is none', async (kind, field) => {
  const inUse = async (value: unknown) =>
    (await listOf(kind, ['data', 0, field], value)).items[0]?.view.inUse;
  for (const some of [[{}], { id: 'r' }, 'r1', 3, true])
    expect([some, await inUse(some)]).toEqual([some, true]);
  for (const none of [null, {}, [], '', 0, false]) expect([none, await inUse(none)]).toEqual([none, false]);
  expect(await inUse(undefined)).toBe(undefined);
  // Where another row tells it, a row without it has none: nulls are left out there.
  const { data } = lists[kind] as { data: readonly object[] };
  const { items } = await listOf(kind, ['data'], [...data, { id: 'other' }]);
  expect(items.map(({ view }) => view.inUse)).toEqual([true, false]);
});

test('dates of the article list are read under both names, and compared as text', async () => {
  const lastEdited = async (row: object) =>
    (await remoteThatSays({ success: true, data: [{ id: 'a1', ...row }] }).list('article')).items[0]?.view
      .lastEdited;
  expect(await lastEdited({ last_edited_date: '2026-01-02 00:00:00.000000' })).toBe(
    '2026-01-02 00:00:00.000000',
  );
  expect(await lastEdited({ last_edited_Date: '2026-01-02T00:00:00Z' })).toBe('2026-01-02T00:00:00Z');
  expect(await lastEdited({ last_edited_date: 1_767_312_000 })).toBe('1767312000');
  expect(await lastEdited({})).toBe('');
});

test('the limit is a number or a text that is one', async () => {
  expect((await listOf('article', ['limit'], '25')).limit).toBe(25);
  for (const odd of [undefined, null, 'many', {}, true])
    expect((await listOf('article', ['limit'], odd)).limit).toBe(undefined);
});

describe('a single read', () => {
  test('a text as raw and rendered is the raw one, and of a page behind a password not the empty one', async () => {
    const shown = async (part: unknown) =>
      (await read('article', ['data', 'excerpt'], part)).fields['excerpt'];
    expect(await shown({ raw: 'a', rendered: '<p>a</p>', protected: true })).toBe('a');
    expect(await shown({ rendered: 'b', protected: false })).toBe('b');
    expect(await shown({ rendered: '', protected: true })).toBeUndefined();
    const content = { rendered: '', protected: true };
    const { message } = await failureOf(read('article', ['data', 'content'], content));
    expect(message).toContain('the field data.content of the answer is an object with rendered, protected');
  });

  test.each(KINDS)('%s: what tells which record it is must be there', async (kind) => {
    for (const data of [undefined, null, 'x', 7, [], [{}, {}]]) {
      const error = await failureOf(remoteThatSays({ ...singles[kind], data }).read(kind, ids[kind]));
      expect(error).toMatchObject({ code: 'not-understood', field: 'data' });
    }
    for (const id of [undefined, null, '', {}, [], true]) {
      const error = await failureOf(read(kind, ['data', 'id'], id));
      expect(error).toMatchObject({ code: 'not-understood', field: 'data.id' });
    }
    for (const parent of [{}, [], true, 1.5, { id: null }]) {
      const error = await failureOf(read(kind, ['data', 'language_parent'], parent));
      expect(error).toMatchObject({ code: 'not-understood', field: 'data.language_parent' });
    }
    for (const name of ['name', 'slug']) {
      for (const value of [undefined, {}, ['x'], true]) {
        const error = await failureOf(read(kind, ['data', name], value));
        expect(error).toMatchObject({ code: 'not-understood', field: `data.${name}` });
        expect(error.message).toMatch(/ is .*; it must be a text, because kbsync /);
      }
    }
  });

  test('a record that comes as a list of one is the record', async () => {
    const { data } = articleReply;
    expect((await read('article', ['data'], [data])).fields).toEqual(
      (await read('article', [], articleReply)).fields,
    );
  });

  test.each([
    ['excerpt', 'excerpt', 'text', [{}, [], true]],
    ['order_by', 'ordering', 3.5, [{}, [], true, 'high', '0x10', 'Infinity']],
    ['status', 'status', 'draft', [{}, [], true]],
    ['hide_from_search', 'hideFromSearch', true, [{}, [], 2, 'yes']],
    ['seo_banner_url', 'seoBannerUrl', 'https://example.com', [{}, [], true]],
    ['article_review_date', 'articleReviewDate', '2026-06-01T00:00:00.000Z', [{}, [], true, 1_780_272_000]],
  ] as const)(
    '%s: a value that cannot be read is not shown, and not taken for an empty one',
    async (name, field, value, odd) => {
      expect((await read('article', ['data', name], value)).fields[field]).toBe(value);
      for (const part of [undefined, ...odd])
        expect([part, (await read('article', ['data', name], part)).fields[field]]).toEqual([
          part,
          undefined,
        ]);
      const empty = (await read('article', ['data', name], null)).fields[field];
      expect(empty).not.toBe(undefined);
      expect((await read('article', ['data', name], '')).fields[field]).toEqual(empty);
    },
  );

  test('numbers as text, flags as numbers and dates of both spellings are read', async () => {
    expect((await read('article', ['data', 'order_by'], ' -2.50 ')).fields['ordering']).toBe(-2.5);
    for (const [value, flag] of [
      [0, false],
      [1, true],
      ['0', false],
      ['TRUE', true],
      ['false', false],
    ] as const)
      expect((await read('article', ['data', 'hide_from_search'], value)).fields['hideFromSearch']).toBe(
        flag,
      );
    expect(
      (await read('article', ['data', 'article_review_date'], '2026-06-01 12:30:00.000000')).fields[
        'articleReviewDate'
      ],
    ).toBe('2026-06-01T12:30:00.000Z');
  });

  test('a service that leaves nulls out shows empty values', async () => {
    const {
      excerpt: _,
      order_by: __,
      language: ___,
      language_parent: ____,
      article_parent: _____,
      ...data
    } = articleReply.data;
    const fields = (await read('article', ['data'], data)).fields;
    expect([fields['excerpt'], fields['ordering']]).toEqual(['', 0]);
  });

  test('relations are read in every spelling, else from the labels beside the record', async () => {
    const tags = async (part: unknown, labelled?: unknown) => {
      const reply = changed(articleReply, ['tags'], labelled);
      return (await read('article', ['data', 'tags_relationship'], part, reply)).fields['tags'];
    };
    expect(await tags({ id: 'r', tag_id: 7 })).toEqual(['7']);
    expect(await tags({ 0: { tag_id: 'b' }, 2: { tag_id: 'a' } })).toEqual(['a', 'b']);
    expect(await tags([], [{ value: 't9' }])).toEqual([]);
    // A service that shows one link where there are more would lose the others with our next edit.
    expect(await tags({ id: 'r', tag_id: 7 }, [{ value: 't9' }, { value: 7 }])).toEqual(['7', 't9']);
    expect(await tags({ id: 'r', tag_id: 7 }, [{ value: 't9' }])).toEqual(['7']);
    expect(await tags([{ id: 'r', tag_id: 7 }], [{ value: 't9' }, { value: 7 }])).toEqual(['7']);
    for (const none of [null, '', {}, false]) {
      expect([none, await tags(none, [{ value: 't9' }])]).toEqual([none, ['t9']]);
      expect([none, await tags(none, [])]).toEqual([none, []]);
    }
    for (const odd of [undefined, 'r1', 7, ['t1'], [{ id: 'r' }]]) {
      expect([odd, await tags(odd, [{ value: 't9', label: 'nine' }])]).toEqual([odd, ['t9']]);
      expect([odd, await tags(odd, 'none')]).toEqual([odd, undefined]);
    }
    // Neither is there, and no other list is empty: this service leaves empty lists out.
    expect(await tags(undefined, undefined)).toEqual([]);
  });

  test.each([
    [{ id: 'd9' }, 'd9'],
    [[{ id: 'd9' }], 'd9'],
    [{ id: 'a1' }, undefined],
    [{ id: null }, undefined],
    [{}, undefined],
    [[], undefined],
    [null, undefined],
    [undefined, undefined],
    [false, undefined],
    [true, undefined],
    [0, undefined],
    ['', undefined],
  ])('isDraft %j', async (isDraft, openDraft) => {
    expect((await read('article', ['isDraft'], isDraft)).openDraft).toBe(openDraft);
  });

  test('labels, messages and everything else may be anything', async () => {
    for (const part of [undefined, null, '', {}, [], 7, true, ['x'], { a: 1 }]) {
      let reply: unknown = articleReply;
      for (const name of ['message', 'newVersion', 'categories', 'tags'])
        reply = changed(reply, [name], part);
      for (const name of ['created_date', 'last_edited_Date', 'article_parent'])
        reply = changed(reply, ['data', name], part);
      const isNew = await remoteThatSays(reply).read('article', 'a1');
      expect(isNew.state).toBe(part === true ? 'unreadable' : 'found');
    }
  });

  test('a copy for a language that does not exist yet is known by newVersion, or by being its own original', async () => {
    const inFrench = (more: object, data: object = {}) =>
      remoteThatSays({
        ...articleReply,
        ...more,
        data: { ...articleReply.data, language: 'fr', ...data },
      }).read('article', 'a1', 'fr');
    for (const newVersion of [true, 1, '1', 'true'])
      expect(await inFrench({ newVersion })).toEqual({ state: 'absent' });
    expect(await inFrench({ newVersion: undefined }, { language_parent: 'a1' })).toEqual({ state: 'absent' });
    expect(await inFrench({ newVersion: undefined })).toMatchObject({ state: 'found' });
  });

  test.each([undefined, null, '', 7, {}, [], true])(
    'data.language %j does not prove that ?lang= was heard',
    async (language) => {
      const reply = changed(articleReply, ['data', 'language'], language);
      const result = await remoteThatSays(reply).read('article', 'a1', 'fr');
      expect(result).toMatchObject({
        state: 'unreadable',
        why: expect.stringContaining('(data.language is '),
      });
    },
  );
});

test.each([
  ['versions', versions],
  ['links', links],
  ['reviews', reviews],
] as const)('%s are given as the service sends them, and must be a list', async (name, reply) => {
  expect(await remoteThatSays(reply).tool(name)).toEqual(reply.data);
  expect(await remoteThatSays({ success: true, data: [{}] }).tool(name)).toEqual([{}]);
  expect(await failureOf(remoteThatSays({ success: true, data: {} }).tool(name))).toMatchObject({
    field: 'data',
  });
});

test('ids of articles are taken from the tools as far as they can be read', async () => {
  const send = (request: Request) =>
    Promise.resolve(
      json({
        success: true,
        data: request.url.endsWith('link_manager')
          ? [{ article_id: 'a1' }, { article_id: 2 }, { article_id: null }, {}]
          : [{ id: 'a3' }, { id: [] }],
      }),
    );
  expect(await rig({ send }).remote.sideArticleIds()).toEqual(new Set(['a1', '2', 'a3']));
});

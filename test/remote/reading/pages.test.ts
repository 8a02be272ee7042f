import { expect, test } from 'vitest';
import { json, rig } from '../support/support.ts';

const PATH = '/api/v2/tags';
const row = (id: number) => ({ id: `${id}`, name: `T${id}`, slug: `t${id}` });

test('no record is missed because another one was deleted while the pages were read', async () => {
  let rows = Array.from({ length: 6 }, (_, n) => row(n));
  const { remote } = rig({
    send: (request) => {
      const page = Number(new URL(request.url).searchParams.get('page') ?? '1');
      const data = rows.slice((page - 1) * 3, page * 3);
      const next = page * 3 < rows.length ? `${PATH}?page=${page + 1}` : null;
      const answer = json({ success: true, data, next, total: rows.length });
      rows = rows.filter(({ id }) => id !== '0');
      return Promise.resolve(answer);
    },
  });
  const list = await remote.list('tag');
  expect(list.items.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
  expect(list.total).toBe(5);
});

test('a list that says there is more says so, too, where its bytes are those of before', async () => {
  const { remote } = rig({
    send: () => Promise.resolve(json({ success: true, data: [row(1)], has_more: true })),
  });
  const first = await remote.peek('tag', '');
  const again = await remote.peek('tag', first.digest);
  expect(again.digest).toBe(first.digest);
  expect(again.list?.().more).toEqual({ why: 'has_more is true', isCertain: true });
});

test('a second page that only headers tell is read, too, where the first has the bytes of before', async () => {
  let pages = 1;
  const { remote } = rig({
    send: (request) => {
      const page = Number(new URL(request.url).searchParams.get('page') ?? '1');
      const headers = { 'x-wp-totalpages': `${pages}` };
      return Promise.resolve(json({ success: true, data: [row(page)] }, { headers }));
    },
  });
  const first = await remote.peek('tag', '');
  pages = 2;
  const again = await remote.peek('tag', first.digest);
  expect(again.digest).not.toBe(first.digest);
  expect(again.list?.().items.map(({ id }) => id)).toEqual(['1', '2']);
});

test('the tag of a first page stands for no list in pages', async () => {
  const headers = { etag: '"1"', 'kb-capabilities': 'list-etag' };
  const { remote } = rig({
    send: (request) => {
      const isFirst = !request.url.includes('?');
      const next = isFirst ? `${PATH}?page=2` : null;
      return Promise.resolve(
        json({ success: true, data: [row(isFirst ? 1 : 2)], next, total: 2 }, { headers }),
      );
    },
  });
  expect(await remote.peek('tag', '')).not.toHaveProperty('tag');
});

/** Six rows in pages of three, as `tell` names them; `?page=` says which, unless the service does not know that. */
const numbered = (answer: (page: number) => Response) => {
  const asked: string[] = [];
  const { remote } = rig({
    send: (request) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      return Promise.resolve(answer(Number(searchParams.get('page') ?? '1')));
    },
  });
  return { remote, asked };
};
const pageOf = (
  page: number,
  body: object = { page, total_pages: 2 },
  headers: Record<string, string> = {},
) => json({ success: true, data: [0, 1, 2].map((n) => row(n + (page - 1) * 3)), ...body }, { headers });

test('a list whose answers number their pages is read to its end, twice if no answer counts the rows', async () => {
  const { remote, asked } = numbered((page) => pageOf(page));
  const list = await remote.list('tag');
  expect(list.items).toHaveLength(6);
  expect(list).toMatchObject({ total: 6 });
  expect(asked).toEqual(['', '?page=2', '', '?page=2']);
});

test('a list whose headers count rows and pages is read to its end', async () => {
  const headers = { 'x-wp-total': '6', 'x-wp-totalpages': '2' };
  const { remote, asked } = numbered((page) => pageOf(page, {}, headers));
  expect(await remote.list('tag')).toMatchObject({ rows: 6, total: 6 });
  expect(asked).toHaveLength(2);
});

test.each([
  ['ignores', () => pageOf(1)],
  ['refuses', (page: number) => (page === 1 ? pageOf(1) : json({ success: false }, { status: 400 }))],
  ['moves', (page: number) => (page === 1 ? pageOf(1) : new Response(null, { status: 302 }))],
])('a service that %s the query of a next page has a truncated list', async (_, answer) => {
  const { remote } = numbered(answer);
  const list = await remote.list('tag');
  expect(list.items).toHaveLength(3);
  expect(list.more).toEqual({ why: 'total_pages is 2', isCertain: true });
});

/** Nine rows in pages of three that the service numbers from 0, and tells only how many pages there are. */
const fromZero = (body: object, isEmptyAtEnd: boolean) =>
  rig({
    send: (request) => {
      const page = Number(new URL(request.url).searchParams.get('page') ?? '0');
      const all = Array.from({ length: 9 }, (_, n) => row(n));
      const data = page > 2 && !isEmptyAtEnd ? all.slice(6) : all.slice(page * 3, page * 3 + 3);
      return Promise.resolve(json({ success: true, data, ...body }));
    },
  }).remote;

test('pages that count from 0 and name no number never make a whole list of the others', async () => {
  const counted = await fromZero({ total_pages: 3, total: 9 }, false).list('tag');
  expect(counted.items.length).toBeLessThan(9);
  expect(counted.more?.isCertain).toBe(true);
  const uncounted = await fromZero({ total_pages: 3 }, true).list('tag');
  expect(uncounted.items.length).toBeLessThan(9);
  expect(uncounted.more).toEqual({ why: 'total_pages is 3', isCertain: true });
});

test('pages that count from 0 and name their number are read to the end', async () => {
  const { remote } = rig({
    send: (request) => {
      const number = Number(new URL(request.url).searchParams.get('page') ?? '0');
      const data = Array.from({ length: 9 }, (_, n) => row(n)).slice(number * 3, number * 3 + 3);
      const page = { size: 3, number, totalElements: 9, totalPages: 3 };
      return Promise.resolve(json({ success: true, data, page }));
    },
  });
  expect(await remote.list('tag')).toMatchObject({ rows: 9, total: 9 });
});

/** Seven rows, three at a time; only a header counts them. `pageOf` makes the answer to `?page=`. */
const counted = (rowsAt: (page: number) => readonly object[] | undefined) => {
  const asked: string[] = [];
  const { remote } = rig({
    send: (request) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      const data = rowsAt(Number(searchParams.get('page') ?? '1'));
      const headers = { 'x-total-count': '7' };
      return Promise.resolve(
        data === undefined
          ? json({ success: false, message: 'unknown parameter' }, { status: 400 })
          : json({ success: true, data }, { headers }),
      );
    },
  });
  return { remote, asked };
};
const SEVEN = Array.from({ length: 7 }, (_, n) => row(n));

test('a list that is shorter than its count is read on by the number of the page', async () => {
  const { remote, asked } = counted((page) => SEVEN.slice((page - 1) * 3, page * 3));
  expect(await remote.list('tag')).toMatchObject({ rows: 7, total: 7 });
  expect(asked).toEqual(['', '?page=2', '?page=3']);
});

test.each([
  ['refuses', (page: number) => (page === 1 ? SEVEN.slice(0, 3) : undefined)],
  ['ignores', () => SEVEN.slice(0, 3)],
  ['has no rows for', (page: number) => (page === 1 ? SEVEN.slice(0, 3) : [])],
])('a service that counts more records and %s `?page=2` shows a part of its list', async (_, rowsAt) => {
  const { remote, asked } = counted(rowsAt);
  const list = await remote.list('tag');
  expect([list.items.length, list.total, list.more]).toEqual([3, 7, undefined]);
  expect(asked).toEqual(['', '?page=2']);
});

test('pages that count from 0 are no whole list of a service that counts more records', async () => {
  const { remote } = counted((page) => SEVEN.slice(page === 1 ? 0 : page * 3, page === 1 ? 3 : page * 3 + 3));
  const list = await remote.list('tag');
  expect(list.items.length).toBeLessThan(7);
  expect(list.more ?? list.total).toBeDefined();
  expect(list.total === list.items.length).toBe(false);
});

test('a list that moves in each reading is not whole: a row that comes twice hides another one', async () => {
  const { remote } = numbered((page) => {
    const rows = [0, 1, 2, 3, 4, 5].map(row);
    const moved = page === 1 ? rows : [...rows.slice(1), ...rows.slice(0, 1)];
    const data = moved.slice((page - 1) * 3, page * 3);
    return json({ success: true, data, page, total_pages: 2, total: 6 });
  });
  const list = await remote.list('tag');
  expect(list.more).toEqual({ why: 'its pages change while they are read', isCertain: true });
});

/** Two rows for each record, one for each language, in pages of four. */
const TWICE = [0, 1, 2, 3].flatMap((id) => [row(id), { ...row(id), language: 'fr' }]);

test('a service that counts its rows, of which a record has one for each language, has a whole list', async () => {
  const told = numbered((page) =>
    json({ success: true, data: TWICE.slice((page - 1) * 4, page * 4), page, total_pages: 2, total: 8 }),
  );
  const list = await told.remote.list('tag');
  expect([list.items.length, list.more]).toEqual([4, undefined]);
  expect(list.items[3]?.languages).toEqual(['fr']);
});

test('such rows are read on if only their number says that there are more', async () => {
  const languages = [null, 'fr', 'de', 'es', 'it', 'pt'];
  const rows = [...languages.map((language) => ({ ...row(0), language })), row(1)];
  const { remote } = numbered((page) =>
    json({ success: true, data: rows.slice((page - 1) * 4, page * 4), total: rows.length }),
  );
  const list = await remote.list('tag');
  expect([list.items.length, list.more]).toEqual([2, undefined]);
});

test('a page that only a header counts is read, too, where the first has the bytes of before', async () => {
  let count = 3;
  const { remote } = rig({
    send: (request) => {
      const page = Number(new URL(request.url).searchParams.get('page') ?? '1');
      const data = [0, 1, 2, 3].slice((page - 1) * 3, Math.min(page * 3, count)).map(row);
      return Promise.resolve(json({ success: true, data }, { headers: { 'x-total-count': `${count}` } }));
    },
  });
  const first = await remote.peek('tag', '');
  count = 4;
  const again = await remote.peek('tag', first.digest);
  expect(again.digest).not.toBe(first.digest);
  expect(again.list?.()).toMatchObject({ rows: 4, total: 4 });
});

test('a list of one page is whole if the answer could name a next page, names none, and counts its rows', async () => {
  const totalOf = async (said: object): Promise<number | undefined> => {
    const data = Array.from({ length: 10 }, (_, n) => row(n));
    const { remote } = rig({ send: () => Promise.resolve(json({ success: true, data, ...said })) });
    return (await remote.list('tag')).total;
  };
  expect(await totalOf({ next: null, previous: null, count: 10 })).toBe(10);
  expect(await totalOf({ next: null, previous: null })).toBeUndefined();
  expect(await totalOf({ count: 10 })).toBeUndefined();
});

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

import { expect, test } from 'vitest';
import { heapInUse } from '../../support/kept-bytes.ts';
import { json, rig } from '../support/support.ts';

const MB = 2 ** 20;

test('of a list that was not known, what kbsync does not read is gone before anybody asks for it', async () => {
  const row = (n: number, unread: string) => ({ id: `${n}`, name: `T${n}`, slug: `t${n}`, unread });
  let data = [row(0, '')];
  const { remote } = rig({ send: () => Promise.resolve(json({ success: true, data })) });
  await remote.peek('tag', '');
  const before = heapInUse();
  data = Array.from({ length: 200 }, (_, n) => row(n, `${n} `.repeat(40_000)));
  const peeked = await remote.peek('tag', '');
  data = [];
  expect((heapInUse() - before) / MB).toBeLessThan(4);
  expect(peeked.list?.().items).toHaveLength(200);
});

test('a list that is the known one to the byte is parsed when somebody asks for it, and says the same', async () => {
  let answers = 0;
  const { remote } = rig({
    send: () => {
      answers += 1;
      return Promise.resolve(json({ success: true, data: [{ id: '1', name: 'T', slug: 't' }] }));
    },
  });
  const first = await remote.peek('tag', '');
  const again = await remote.peek('tag', first.digest);
  expect(again.list?.().items).toEqual(first.list?.().items);
  expect(answers).toBe(2);
});

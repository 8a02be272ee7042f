import { expect, test } from 'vitest';
import { together } from '../../../src/service/store/together.ts';

test('gives what all parts answer, in their order', async () => {
  expect(await together([later(3, 'a'), later(1, 2), Promise.resolve(undefined)])).toEqual([
    'a',
    2,
    undefined,
  ]);
});

test('fails when all parts have ended, with what failed first', async () => {
  let isOver = false;
  const slow = async () => {
    await later(9);
    isOver = true;
  };
  const work = together([
    later(4).then(() => Promise.reject(new Error('the transaction has failed'))),
    later(2).then(() => Promise.reject(new Error('the slug is taken'))),
    slow(),
  ]);
  await expect(work).rejects.toThrow('the slug is taken');
  expect(isOver).toBe(true);
});

/** After so many turns of the queue. */
async function later<T>(turns: number, value?: T): Promise<T | undefined> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  return value;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { itemsText } from '../../../src/service/records/lists.ts';

const ROWS = ['a1', 'a2', 'b1', 'b2', 'c1'].map((id) => ({ id, name: `"${id}", <b>` }));

describe('a long list is made a piece at a time', () => {
  test.each([0, 1, 2, 3, 4, 5])('of %i rows it holds each once, in order', async (count) => {
    const rows = ROWS.slice(0, count);
    const asked: string[] = [];
    const read = (after: string, rowsMax: number) => {
      asked.push(after);
      return Promise.resolve(rows.filter(({ id }) => id > after).slice(0, rowsMax));
    };
    const { text, length } = await itemsText({ read, itemOf: ({ id, name }) => ({ id, name, of: [] }) }, 2);
    expect(JSON.parse(`[${text}]`)).toEqual(rows.map((row) => ({ ...row, of: [] })));
    expect(length).toBe(count);
    expect(asked).toEqual(['', 'a2', 'b2'].slice(0, Math.floor(count / 2) + 1));
  });

  test('between two pieces others get their turn of the event loop', async () => {
    const order: string[] = [];
    const other = nextTurn().then(() => order.push('another request'));
    const read = (after: string) => {
      order.push(`behind ${JSON.stringify(after)}`);
      return Promise.resolve(ROWS.filter(({ id }) => id > after).slice(0, 3));
    };
    await itemsText({ read, itemOf: ({ id }) => id }, 3);
    await other;
    expect(order).toEqual(['behind ""', 'another request', 'behind "b1"']);
  });
});

import { expect, test } from 'vitest';
import { createBodyRoom } from '../../../src/service/http/body-room.ts';

/** Work that ends when it is told to. */
function task() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { ended, end };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('bodies wait for room in their order, and one that is larger than the room comes alone', async () => {
  const room = createBodyRoom({ bytesMax: 10, waitingMax: 10 });
  const begun: string[] = [];
  const tasks = new Map(['a 6', 'b 4', 'c 1', 'd 25', 'e 1'].map((name) => [name, task()]));
  const all = [...tasks].map(([name, { ended }]) =>
    room(Number(name.slice(2)), async () => {
      begun.push(name);
      await ended;
    }),
  );
  const after = async (name: string) => {
    tasks.get(name)?.end();
    await turn();
    return begun.join();
  };
  await turn();
  expect(begun.join()).toBe('a 6,b 4');
  expect(await after('b 4')).toBe('a 6,b 4,c 1');
  expect(await after('a 6')).toBe('a 6,b 4,c 1');
  expect(await after('c 1')).toBe('a 6,b 4,c 1,d 25');
  expect(await after('d 25')).toBe('a 6,b 4,c 1,d 25,e 1');
  tasks.get('e 1')?.end();
  await Promise.all(all);
});

test('work that fails gives its room back; where too many wait, the next is told to come again', async () => {
  const room = createBodyRoom({ bytesMax: 10, waitingMax: 1 });
  const first = task();
  const failing = room(10, async () => {
    await first.ended;
    throw new Error('cut off');
  });
  const second = room(10, async () => 'done');
  await expect(room(1, async () => undefined)).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '1' },
  });
  first.end();
  await expect(failing).rejects.toThrow('cut off');
  expect(await second).toBe('done');
  expect(await room(10, async () => 'again')).toBe('again');
});

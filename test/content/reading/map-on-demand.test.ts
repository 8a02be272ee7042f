import { expect, test } from 'vitest';
import { mapOnDemand } from '../../../src/content/reading/map-on-demand.ts';

function counted() {
  const made: string[] = [];
  const sources = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  const map = mapOnDemand(sources, (source, name) => {
    made.push(name);
    return { source };
  });
  return { map, made };
}

test('names and size are known without a value', () => {
  const { map, made } = counted();
  expect([map.size, map.has('b'), map.has('z'), [...map.keys()]]).toEqual([3, true, false, ['a', 'b', 'c']]);
  expect(map.get('z')).toBeUndefined();
  expect(made).toEqual([]);
});

test('each value is made once, and is the same however it is asked for', () => {
  const { map, made } = counted();
  const second = map.get('b');
  const seen: unknown[] = [];
  map.forEach((value, name) => seen.push([name, value]));
  expect(made).toEqual(['b', 'a', 'c']);
  expect([...map.values()][1]).toBe(second);
  expect([...map]).toEqual([...map.entries()]);
  expect(seen).toEqual([...map]);
  expect(new Map(map).get('b')).toBe(second);
  expect(made).toHaveLength(3);
});

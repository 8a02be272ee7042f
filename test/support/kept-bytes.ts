import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What each of so many values takes of V8's heap for as long as somebody holds it. */
export function keptBytes(count: number, make: (index: number) => unknown): number {
  setFlagsFromString('--expose-gc');
  // A context that is made after the flag was set has the function.
  const collect = runInNewContext('gc') as () => void;
  // What is compiled for the first ones is no part of each.
  for (let index = 0; index < 1_000; index += 1) make(index);
  const held: unknown[] = Array.from({ length: count });
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < count; index += 1) held[index] = make(index);
  collect();
  const after = process.memoryUsage().heapUsed;
  return held.length === 0 ? 0 : (after - before) / count;
}

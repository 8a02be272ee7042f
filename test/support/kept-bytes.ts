import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of V8's heap, once all is collected that nobody holds. */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  // A context that is made after the flag was set has the function.
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

/** What each of so many values takes of V8's heap for as long as somebody holds it. */
export function keptBytes(count: number, make: (index: number) => unknown): number {
  // What is compiled for the first ones is no part of each.
  for (let index = 0; index < 1_000; index += 1) make(index);
  const held: unknown[] = Array.from({ length: count });
  const before = heapInUse();
  for (let index = 0; index < count; index += 1) held[index] = make(index);
  const after = heapInUse();
  return held.length === 0 ? 0 : (after - before) / count;
}

import { createMemory } from '../text/memory.ts';

/** Reads what a name stands for, or remembers it: one state of the store gives the same each time. */
export type Recall = <Value extends object>(
  name: string,
  read: () => Promise<Value>,
  entriesIn: (value: Value) => number,
) => Promise<Value>;

/** Lists of records; about 15,000 of their entries. */
const REMEMBERED_CHARS_MAX = 12_000_000;
const ENTRY_CHARS = 800;

/**
 * What was read of the store's present state, by a mark that names it; of an earlier state nothing is kept. Lists that many
 * pages show are read once for all of them.
 */
export function createRecall(): (state: string) => Recall {
  let present = '';
  let memory = createMemory<unknown>(REMEMBERED_CHARS_MAX);
  return (state) => {
    if (state !== present) {
      present = state;
      memory = createMemory(REMEMBERED_CHARS_MAX);
    }
    const held = memory;
    return async <Value extends object>(
      name: string,
      read: () => Promise<Value>,
      entriesIn: (value: Value) => number,
    ) => {
      // A name stands for one reader, so what it left is of its type.
      const known = held.get(name) as Value | undefined;
      if (known !== undefined) return known;
      const value = await read();
      held.set(name, value, entriesIn(value) * ENTRY_CHARS);
      return value;
    };
  };
}

/** For who reads once. */
export const readAnew: Recall = (_name, read) => read();

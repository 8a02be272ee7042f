/** Values under keys, of bounded size together; the one longest unused is forgotten first. */
export interface Memory<Value> {
  readonly get: (key: string) => Value | undefined;
  /** `chars` is the size of the value, in characters or bytes. */
  readonly set: (key: string, value: Value, chars: number) => void;
  readonly drop: (key: string) => void;
}

/** What an entry costs beside its key and value. */
const ENTRY_CHARS = 500;

export function createMemory<Value>(charsMax: number): Memory<Value> {
  const entries = new Map<string, { readonly value: Value; readonly chars: number }>();
  let held = 0;
  const drop = (key: string): void => {
    held -= entries.get(key)?.chars ?? 0;
    entries.delete(key);
  };
  return {
    drop,
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key); // the one longest unused is at the front
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, chars) {
      drop(key);
      const size = key.length + chars + ENTRY_CHARS;
      entries.set(key, { value, chars: size });
      held += size;
      for (const oldest of entries.keys()) {
        if (held <= charsMax || oldest === key) break;
        drop(oldest);
      }
    },
  };
}

/**
 * A map in which each value is made when it is asked for, once. Names and size are known without: of ten thousand records, a run
 * over one edited file looks at a few.
 */
export function mapOnDemand<K, S, V>(
  sources: ReadonlyMap<K, S>,
  make: (source: S, name: K) => V,
): ReadonlyMap<K, V> {
  const made = new Map<K, V>();
  const valueOf = (name: K, source: S): V => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const value = make(source, name);
    made.set(name, value);
    return value;
  };
  function* entries(): MapIterator<[K, V]> {
    for (const [name, source] of sources) yield [name, valueOf(name, source)];
  }
  function* values(): MapIterator<V> {
    for (const [name, source] of sources) yield valueOf(name, source);
  }
  const map: ReadonlyMap<K, V> = {
    get size() {
      return sources.size;
    },
    has: (name) => sources.has(name),
    get: (name) => {
      const source = sources.get(name);
      return source === undefined ? undefined : valueOf(name, source);
    },
    keys: () => sources.keys(),
    values,
    entries,
    [Symbol.iterator]: entries,
    forEach: (use, self) => {
      for (const [name, value] of entries()) use.call(self, value, name, map);
    },
  };
  return map;
}

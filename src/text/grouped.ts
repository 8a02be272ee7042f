/** Items under each of their marks, the marks in the order in which they come first. */
export function groupedBy<T, Mark>(
  items: readonly T[],
  marksOf: (item: T) => readonly Mark[],
): ReadonlyMap<Mark, readonly [T, ...T[]]> {
  const groups = new Map<Mark, [T, ...T[]]>();
  for (const item of items) {
    for (const mark of new Set(marksOf(item))) {
      const group = groups.get(mark);
      if (group === undefined) groups.set(mark, [item]);
      else group.push(item);
    }
  }
  return groups;
}

// A call takes some 120,000 arguments. A page, a list of records or an export may have more pieces, so lists that an author or a
// service makes long are not spread into a call.

export function addAll<T>(list: T[], more: Iterable<T>): void {
  for (const each of more) list.push(each);
}

/** The largest of them; `least` where there is none, or none above it. */
export function largest(numbers: Iterable<number>, least: number): number {
  let found = least;
  for (const each of numbers) if (each > found) found = each;
  return found;
}

/** The smallest of them; `most` where there is none, or none below it. */
export function smallest(numbers: Iterable<number>, most: number): number {
  let found = most;
  for (const each of numbers) if (each < found) found = each;
  return found;
}

/** About so many of the items, from all over the list. */
export function sampleOf<T>(items: readonly T[], countMax: number): readonly T[] {
  const step = Math.max(1, Math.floor(items.length / countMax));
  return items.filter((_, index) => index % step === 0);
}

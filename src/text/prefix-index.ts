import { groupedBy } from './grouped.ts';

/**
 * Finds the items whose text begins as a given text does, or the other way round. Thousands of texts are not compared with
 * thousands one by one. An empty text begins like none.
 */
export function prefixIndex<T>(
  items: readonly T[],
  textOf: (item: T) => string,
): (text: string) => readonly T[] {
  const byText = groupedBy(items, (item) => [textOf(item)]);
  const texts = [...byText.keys()].filter((text) => text !== '').sort();
  const lengths = [...new Set(texts.map(({ length }) => length))];
  const at = (text: string): readonly T[] => byText.get(text) ?? [];
  return (text) => {
    if (text === '') return [];
    const shorter = lengths.filter((length) => length < text.length);
    const found = shorter.flatMap((length) => at(text.slice(0, length)));
    for (let index = firstFrom(texts, text); texts[index]?.startsWith(text) === true; index += 1)
      found.push(...at(texts[index] ?? ''));
    return found;
  };
}

/** Of sorted texts, the place of the first that is not before this one. */
function firstFrom(texts: readonly string[], text: string): number {
  let [low, high] = [0, texts.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((texts[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

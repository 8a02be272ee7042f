/** Says where an offset of the text is: `line 120, column 5`. Cheap for many offsets of a large text. */
export function linesOf(text: string): (offset: number) => string {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return `line ${low + 1}, column ${offset - (starts[low] ?? 0) + 1}`;
  };
}

/**
 * How many edits make `b` of `a`: a letter changed, added, dropped, or swapped with its neighbour (optimal string alignment).
 * `max + 1` if there are more than `max`. Written here because npm's packages for it either know no swaps or cannot stop at a
 * bound, and a search compares one word with a whole vocabulary. Letters are UTF-16 units.
 */
export function editDistance(a: string, b: string, max: number): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j - 1) + (isSame ? 0 : 1), at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > max) return max + 1;
    beforeLast = last;
    last = row;
  }
  return Math.min(at(last, b.length), max + 1);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}

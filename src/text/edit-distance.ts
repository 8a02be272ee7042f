/**
 * How many edits make `b` of `a`: a letter changed, added, dropped, or swapped with its neighbour (optimal string alignment).
 * `max + 1` if there are more than `max`. Written here because npm's packages for it either know no swaps or cannot stop at a
 * bound, and a search compares one word with a whole vocabulary. Letters are UTF-16 units. Takes time in proportion to the
 * shorter text times `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  const far = max + 1;
  if (Math.abs(a.length - b.length) > max) return far;
  let beforeLast: number[] = [];
  let last: number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  let row: number[] = [];
  for (let i = 1; i <= a.length; i += 1) {
    // Farther from the diagonal everything costs more than `max`; beside this band stands so.
    const from = Math.max(1, i - max);
    const to = Math.min(b.length, i + max);
    row[from - 1] = from === 1 ? i : far;
    let least = at(row, from - 1);
    for (let j = from; j <= to; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j - 1) + (isSame ? 0 : 1), at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row[j] = cost;
      least = Math.min(least, cost);
    }
    row[to + 1] = far;
    if (least > max) return far;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return Math.min(at(last, b.length), far);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}

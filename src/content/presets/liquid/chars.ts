/** Longer values are not looked at: a few lines of Liquid can double a text without an end. */
export const CHARS_MAX = 1_000_000;

/** The length of all texts in a value, counted as far as `CHARS_MAX`: a value may hold itself. What is not known has no end. */
export function charsOf(value: unknown): number {
  let chars = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && chars <= CHARS_MAX) {
    const each = open.pop();
    if (typeof each === 'string') chars += each.length;
    else if (typeof each === 'symbol') return Infinity;
    else if (typeof each === 'object' && each !== null) {
      const inside: readonly unknown[] = Array.isArray(each) ? each : Object.values(each);
      chars += inside.length;
      if (chars <= CHARS_MAX) for (const item of inside) open.push(item);
    }
  }
  return chars;
}

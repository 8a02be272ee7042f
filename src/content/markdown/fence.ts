/** Backticks for a block of code: more than every run of them inside, three at least. */
export function fenceAround(code: string): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

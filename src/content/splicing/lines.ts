import { diffArrays } from 'diff';

/**
 * The author's lines of a block with those lines changed that differ between two conversions of it. Only where the first
 * conversion has the author's lines one by one; the marks of lists are then the author's too.
 */
export function lineMerge(
  own: readonly string[],
  old: readonly string[],
  next: readonly string[],
): readonly string[] | undefined {
  if (own.length !== old.length) return undefined;
  const starts = new Map<string, string>();
  for (const [index, line] of old.entries()) {
    const [mine, theirs] = [START.exec(own[index] ?? '')?.[0], START.exec(line)?.[0]];
    if (mine !== undefined && theirs !== undefined && !starts.has(theirs)) starts.set(theirs, mine);
  }
  const out: string[] = [];
  let index = 0;
  for (const { value, added, removed } of diffArrays([...old], [...next])) {
    if (added) {
      for (const line of value) {
        const start = START.exec(line)?.[0] ?? '';
        out.push(`${starts.get(start) ?? start}${line.slice(start.length)}`);
      }
      continue;
    }
    if (!removed) out.push(...own.slice(index, index + value.length));
    index += value.length;
  }
  return out;
}

/** Indent and mark of a bullet; numbers say which item it is. */
const START = /^\s*[-*+]\s+/;

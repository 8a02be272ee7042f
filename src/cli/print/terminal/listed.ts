import { grouped } from './numbers.ts';

/** So many lines of one kind are printed, unless `--verbose` asks for all. */
const LISTED_MAX = 25;

export interface Listed<T> {
  readonly listed: readonly T[];
  /** How many are not among them. */
  readonly rest: number;
}

/** A few are listed all, of many the first `few`; all with `--verbose`. */
export function firstOf<T>(
  all: readonly T[],
  isVerbose: boolean,
  { max = LISTED_MAX, few = max - 5 }: { readonly max?: number; readonly few?: number } = {},
): Listed<T> {
  const listed = isVerbose || all.length <= max ? all : all.slice(0, few);
  return { listed, rest: all.length - listed.length };
}

/** `… 12 more (--verbose lists all)`; nothing where nothing is left out. */
export function restLines(rest: number, what = 'more'): readonly string[] {
  return rest === 0 ? [] : [`… ${grouped(rest)} ${what} (--verbose lists all)`];
}

/** `a, b, c and 12 more` */
export function namesText(names: readonly string[], rest: number): string {
  return `${names.join(', ')}${rest === 0 ? '' : ` and ${grouped(rest)} more`}`;
}

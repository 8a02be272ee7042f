import { grouped } from './numbers.ts';
import { findingLine, type Finding } from './print-problems.ts';

const LISTED_MAX = 10;

/** Told by every run until somebody mends them, so that many must not hide what is new: the first, and how many more. */
export function warningTexts(
  warnings: readonly Finding[],
  { isVerbose }: { readonly isVerbose: boolean },
): readonly string[] {
  if (isVerbose || warnings.length <= LISTED_MAX) return warnings.map(warningText);
  const listed = warnings.slice(0, LISTED_MAX - 2);
  const rest = warnings.length - listed.length;
  return [...listed.map(warningText), `… ${grouped(rest)} more (kbsync check lists all)`];
}

function warningText(warning: Finding): string {
  return findingLine(warning).replace(`: warning ${warning.code}: `, '  ') + ` [${warning.code}]`;
}

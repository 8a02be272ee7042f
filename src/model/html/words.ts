import { canonicalText } from './canonical-text.ts';
import { textOf } from './losses.ts';
import type { Rewriting } from './rewritings.ts';
import { isParsable, parseHtml } from './tree.ts';

const WITHOUT: ReadonlySet<Rewriting> = new Set(['entities', 'blanks', 'typography']);

/** Whether two HTML texts have the same words in the same order, whatever elements they stand in; false where they have none. */
export function hasSameWords(a: string, b: string): boolean {
  if (!isParsable(a) || !isParsable(b)) return false;
  const [ours, theirs] = [wordsOf(a), wordsOf(b)];
  return ours !== '' && ours === theirs;
}

function wordsOf(html: string): string {
  return canonicalText(textOf(parseHtml(html)), { without: WITHOUT }).replaceAll(/\s+/g, '');
}

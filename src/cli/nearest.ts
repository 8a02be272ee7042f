import { suggest } from '../content/suggest.ts';

/** ", did you mean `x`?" or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const found = suggest(word, known);
  return found === undefined ? '' : `, did you mean \`${found}\`?`;
}

/**
 * Whether a service may have made this slug of one of these texts: of the slug that it was sent, or of the name. It spells them in
 * its own way, cuts them, or puts a number before or behind them. Or of the id, which is then a word of its own: `7` is the end of
 * many slugs that somebody else thought of.
 */
export function isMadeSlug(slug: string, sources: readonly unknown[], id?: string): boolean {
  const words = wordsOf(slug);
  const theirs = words.join('');
  if (theirs === '') return false;
  if (id !== undefined && hasWords(words, wordsOf(id))) return true;
  return sources.some((source) => {
    const ours = typeof source === 'string' ? wordsOf(source).join('') : '';
    return ours !== '' && (theirs.startsWith(ours) || theirs.endsWith(ours) || ours.startsWith(theirs));
  });
}

/** Whether some words stand in others, one behind the other. */
function hasWords(all: readonly string[], some: readonly string[]): boolean {
  return some.length > 0 && ` ${all.join(' ')} `.includes(` ${some.join(' ')} `);
}

function wordsOf(text: string): readonly string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/**
 * Whether a service may have made this slug of one of these texts: of the slug that it was sent, of the name, or of the id. It
 * spells them in its own way, cuts them, or puts a number before or behind them.
 */
export function isMadeSlug(slug: string, sources: readonly unknown[]): boolean {
  const theirs = lettersOf(slug);
  return sources.some((source) => {
    const ours = typeof source === 'string' ? lettersOf(source) : '';
    return (
      ours !== '' &&
      theirs !== '' &&
      (theirs.startsWith(ours) || theirs.endsWith(ours) || ours.startsWith(theirs))
    );
  });
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

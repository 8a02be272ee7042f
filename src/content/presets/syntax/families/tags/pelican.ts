import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';

const ADDRESS =
  /(\]\([ \t]*<?|^ {0,3}\[[^\]\n]+\]:[ \t]*<?|\b(?:href|src)=["']?)(?:\{(filename|static|attach|tag|category|author|index)\}|\|(filename|tag|category|author|index)\|)/gm;

/**
 * Addresses of Pelican (https://docs.getpelican.com/en/latest/content.html#linking-to-internal-content): `{filename}/a.md` and `{static}/a.png` are
 * files, `{tag}x`, `{category}x`, `{author}x` and `{index}` pages that it makes itself.
 */
export function pelican({ body, isTaken }: Source): Found {
  const edits = [...body.matchAll(ADDRESS)]
    .filter(({ index }) => !isTaken(index))
    .map(({ 0: whole, 1: lead = '', 2: named, 3: old, index }) => {
      const name = named ?? old ?? '';
      const text = name === 'index' ? '/' : /^(?:tag|category|author)$/.test(name) ? `/${name}/` : '';
      return { start: index + lead.length, end: index + whole.length, text };
    });
  return edits.length === 0 ? NOTHING : { edits };
}

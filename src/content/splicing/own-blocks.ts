import { diffArrays } from 'diff';
import { BLOCKS } from '../html-to-markdown/hast.ts';
import { parse5 } from '../parsers.ts';

/** What a service may have made of a block. */
export interface Likeness {
  /** Equal where the service may show one block as the other. */
  readonly formOf: (block: string) => string | undefined;
  /** The same of a block that stands where the other one stood. */
  readonly isMadeOf: (own: string, shown: string) => boolean;
}

/**
 * The HTML of the site, with the file's own blocks in the place of what the service made of them. A service that strips classes or puts a
 * paragraph into each cell does so to the whole page, also where an editor changed one word: the rest is still what the author wrote.
 */
export function withOwnBlocks(own: string, shown: string, { formOf, isMadeOf }: Likeness): string {
  const [ours, theirs] = [blocksIn(own), blocksIn(shown)];
  if (ours === undefined || theirs === undefined) return shown;
  const forms = (blocks: readonly string[]): string[] => blocks.map((block) => formOf(block) ?? block);
  const out: string[] = [];
  let [old, next] = [0, 0];
  let removed: readonly string[] = [];
  for (const part of diffArrays(forms(ours), forms(theirs))) {
    const count = part.value.length;
    if (part.removed) {
      removed = ours.slice(old, old + count);
    } else if (part.added) {
      const there = theirs.slice(next, next + count);
      const isPaired = removed.length === count;
      out.push(
        ...there.map((block, at) => {
          const before = removed[at];
          return isPaired && before !== undefined && isMadeOf(before, block) ? before : block;
        }),
      );
      removed = [];
    } else {
      out.push(...ours.slice(old, old + count));
      removed = [];
    }
    if (!part.added) old += count;
    if (!part.removed) next += count;
  }
  return out.join('\n');
}

/** The blocks at the top of a page, as they are written; undefined where other things stand between them. */
function blocksIn(html: string): readonly string[] | undefined {
  const { childNodes } = parse5().parseFragment(html, {
    sourceCodeLocationInfo: true,
    scriptingEnabled: false,
  });
  const blocks: string[] = [];
  let end = 0;
  for (const node of childNodes) {
    const isBlank = 'value' in node && node.value.trim() === '';
    if (isBlank || node.nodeName === '#comment') continue;
    const at = node.sourceCodeLocation;
    if (!BLOCKS.has(node.nodeName) || at === undefined || at === null || at.startOffset < end)
      return undefined;
    end = at.endOffset;
    blocks.push(html.slice(at.startOffset, end));
  }
  return blocks;
}

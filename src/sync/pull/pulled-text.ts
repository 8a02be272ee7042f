import type { HtmlToMarkdown } from '../../content/html-to-markdown/html-to-markdown.ts';

/** How well a body came across; see htmlToMarkdown. */
export interface PulledText {
  readonly isExact: boolean;
  /** Elements kept as HTML blocks, without doubles. */
  readonly raw: readonly string[];
  readonly cleaned: readonly string[];
  readonly dropped: readonly string[];
}

export function pulledText({ isExact, rawBlocks, cleaned, dropped }: HtmlToMarkdown): PulledText {
  const blocks = rawBlocks.filter(({ scope }) => scope !== 'inline');
  return {
    isExact,
    raw: [...new Set(blocks.map(({ element }) => element))],
    cleaned: cleaned.map(({ name }) => name),
    dropped,
  };
}

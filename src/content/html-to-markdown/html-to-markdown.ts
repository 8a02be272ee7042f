import { splitStamp } from '../../model/stamp.ts';
import { rawTags } from '../markdown/raw-html.ts';
import { droppedFrom } from '../markdown/sanitise.ts';
import { cleanTree } from './clean/clean.ts';
import type { Cleaned } from './clean/names.ts';
import type { RawHtml } from './context.ts';
import { guardBlanksInCode, parseHtml } from './hast.ts';
import type { HtmlToMarkdownOptions } from './options.ts';
import { htmlOf } from './serialise.ts';
import { bestTrial, numberElements } from './trial.ts';

export interface HtmlToMarkdown {
  /** Ends in a line break; `''` for a page without content. */
  readonly markdown: string;
  /** What stayed HTML. A text without a `block` or `wrapper` is clean Markdown. */
  readonly rawBlocks: readonly RawHtml[];
  /** What cleaning took away, by its name. */
  readonly cleaned: readonly Cleaned[];
  /** What kbsync's own rendering leaves out of this page (`html: sanitize`); the Markdown still has it. */
  readonly dropped: readonly string[];
  /** The Markdown, rendered, is the page again: as it was cleaned, and but for what is `dropped`. */
  readonly isExact: boolean;
}

/**
 * HTML as Markdown whose rendering is that HTML again. That is tried, not hoped for: the Markdown is rendered as a sync
 * would and compared (`normalForm`); where a block differs, the smallest one that does stays HTML. Our stamp is taken
 * off. Pure and synchronous; 5 to 20 ms for an article.
 */
export function htmlToMarkdown(html: string, options: HtmlToMarkdownOptions): HtmlToMarkdown {
  const tree = parseHtml(splitStamp(html).body);
  const cleaned = cleanTree(tree, options);
  guardBlanksInCode(tree);
  numberElements(tree);
  const { markdown, raw, isExact } = bestTrial(tree, options);
  const dropped =
    options.html === 'trust' ? [] : droppedFrom(rawTags(htmlOf(tree.children))).map(({ what }) => what);
  return { markdown, rawBlocks: raw, cleaned, dropped: [...new Set(dropped)], isExact };
}

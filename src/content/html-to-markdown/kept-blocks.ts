import { diffArrays } from 'diff';
import { labelsFor } from '../labels.ts';
import { renderMarkdown } from '../markdown/markdown.ts';
import { withAddresses } from '../markdown/raw-html.ts';
import { parseHtml } from './hast.ts';
import { normalForm } from './normal-form.ts';

export interface Rewriting {
  /** The text as its author wrote it. */
  readonly written: string;
  /** The same text as a conversion of its HTML writes it. */
  readonly before: string;
  /** The conversion of the HTML as it is now. */
  readonly after: string;
  readonly lang: string;
}

/**
 * `after` with the author's own blocks (wrapping, list marks, reference style) wherever the HTML of a block did not change.
 * Blank lines mark the blocks, which is a guess; so the result is rendered, and where it is not what `after` renders to,
 * `after` it is.
 */
export function withKeptBlocks({ written, before, after, lang }: Rewriting): string {
  const own = blocksOf(written);
  const old = blocksOf(before);
  if (own.length === 0 || own.length !== old.length) return after;
  const isSame = (a: string, b: string): boolean => pageOf(a, lang) === pageOf(b, lang);
  const kept: string[] = [];
  let index = 0;
  for (const { value, added, removed } of diffArrays([...old], [...blocksOf(after)])) {
    if (added) kept.push(...value);
    else {
      if (!removed)
        kept.push(
          ...value.map((block, at) =>
            isSame(own[index + at] ?? '', block) ? (own[index + at] ?? block) : block,
          ),
        );
      index += value.length;
    }
  }
  const text = `${kept.join('\n\n')}\n`;
  return isSame(text, after) ? text : after;
}

/** Parts between blank lines; a fence holds its blank lines. */
function blocksOf(text: string): readonly string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && line.trim() === '') {
      if (open.length > 0) blocks.push(open.join('\n'));
      open = [];
      continue;
    }
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    open.push(line);
  }
  if (open.length > 0) blocks.push(open.join('\n'));
  return blocks;
}

/** What a reader sees; the paths of files, which both texts write in their own way, are left out. */
function pageOf(markdown: string, lang: string): string {
  const url = (written: string): string =>
    /^(?:[a-z][a-z0-9+.-]*:|\/|#|\?)/i.test(written) ? written : 'file';
  const html = renderMarkdown(markdown, {
    url,
    html: (value) => withAddresses(value, url),
    labels: labelsFor(lang),
  });
  return normalForm(parseHtml(html));
}

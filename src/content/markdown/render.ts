import { satteri } from '../parsers.ts';
import type { HeadingIds } from './heading-id.ts';
import { renderMarkdown } from './markdown.ts';
import type { MarkdownExtensions } from './markdown.ts';
import { plainHtml } from './plain.ts';
import { labelsFor } from '../labels.ts';
import { isOnlyComments, withAddresses } from './raw-html.ts';
import { sanitise } from './sanitise.ts';

export interface RenderOptions {
  /** Address as written → address to write; others stay. */
  readonly links: ReadonlyMap<string, string>;
  readonly html: 'sanitize' | 'trust';
  readonly needsSanitiser: boolean;
  readonly lang: string;
  /** Undefined: as GitHub makes them. */
  readonly headingIds?: HeadingIds | undefined;
  readonly extensions?: MarkdownExtensions | undefined;
  /** The body is plain (see `isPlain`), and these are the ids of its headings. */
  readonly plainIds?: readonly string[] | undefined;
}

/** A body as the service gets it, without stamp. */
export function renderedBody(body: string, options: RenderOptions): string {
  const { links, plainIds } = options;
  const plain = plainIds === undefined ? undefined : plainHtml(body, plainIds, links);
  const html = plain ?? changedHtml(body, options);
  const aligned = html.replaceAll(CELL_STYLE, '<$1 align="$2">');
  // Last: if the sanitiser removes something at the end, the line ends before it stay.
  return (options.needsSanitiser ? sanitise(aligned) : aligned).trimEnd();
}

function changedHtml(body: string, { links, html, lang, headingIds, extensions }: RenderOptions): string {
  const url = (written: string): string => links.get(written) ?? written;
  return renderMarkdown(body, {
    url,
    html: (value) => (isDropped(value, html) ? '' : withAddresses(value, url)),
    labels: labelsFor(lang),
    headingIds,
    extensions,
  });
}

/** As GitHub writes it. Sanitisers, also ours, remove `style` and keep `align`. */
const CELL_STYLE = /<(t[hd]) style="text-align: (left|right|center)">/g;

/** Comments show nothing. A comment that looks like our stamp is dropped in every mode, so nobody takes it for the stamp. */
function isDropped(value: string, mode: 'sanitize' | 'trust'): boolean {
  return isOnlyComments(value) && (mode === 'sanitize' || value.includes('<!-- kbsync '));
}

/** A line of Markdown as HTML without a paragraph, for places where Markdown is not read: in a `<summary>`, in a cell. */
export function inlineHtml(markdown: string): string {
  const text = markdown.trim();
  if (!MARKUP.test(text)) return text;
  const { html } = satteri().markdownToHtml(text, { features: { gfm: true, frontmatter: false } });
  return html
    .trim()
    .replace(/^<p>([\s\S]*)<\/p>$/, (whole: string, inside: string) =>
      inside.includes('<p>') ? whole : inside,
    );
}

const MARKUP = /[\\`*_[\]<>&!~:@\n]|www\./;

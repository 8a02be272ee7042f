import type { MarkdownError } from '../text/body.ts';
import { html, type Html } from '../html.ts';

/** Why a page has no Markdown form. */
export type NoMarkdown = MarkdownError['code'];

/** Beside the page that is answered instead, for programs that read no HTML: `too-long`, `failed`. */
export const NO_MARKDOWN_HEADER = 'X-No-Markdown';

/** English, like `llms.txt`: programs ask for Markdown. */
const REASONS: Readonly<Record<NoMarkdown, string>> = {
  'too-long': 'This page is too long to be made into Markdown, so here it is as HTML.',
  failed: 'This page could not be made into Markdown, so here it is as HTML.',
};

/** Above the page. */
export function noMarkdownNotice(why: NoMarkdown): Html {
  return html`<p class="preview" lang="en" dir="ltr">${REASONS[why]}</p>`;
}

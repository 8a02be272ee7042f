import { htmlToMarkdown } from '../../content/html-to-markdown/html-to-markdown.ts';
import { escaped } from '../html.ts';
import { safeHtml } from './body-draft.ts';
import { urlOf } from '../../text/url.ts';

/** What of an article its Markdown says. */
export interface MarkdownArticle {
  readonly title: string;
  readonly excerpt: string;
  readonly html: string;
  readonly language: string;
  /** Of its page: links and pictures get whole addresses. */
  readonly address: string;
  /** `html` is what `safeHtml` made of it. */
  readonly isSafe?: boolean;
}

/**
 * An article as Markdown for programs that read it. The same converter writes it as writes files, so its rendering is proved
 * to be the page again; what Markdown cannot say stays HTML, made safe like the page's.
 */
export function articleMarkdown(article: MarkdownArticle): string {
  const { title, excerpt, html, language, address, isSafe } = article;
  const lead = excerpt === '' ? '' : `<blockquote><p>${escaped(oneLine(excerpt))}</p></blockquote>`;
  return htmlToMarkdown(
    `<h1>${escaped(oneLine(title))}</h1>${lead}${isSafe === true ? html : safeHtml(html)}`,
    {
      lang: language,
      // It was made safe above.
      html: 'trust',
      clean: true,
      address: (url) => urlOf(url, address)?.href ?? url,
    },
  ).markdown;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

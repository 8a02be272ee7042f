import { isListed } from '../../service/listed.ts';
import { pageOf } from '../addresses.ts';
import { html, type Html, markupOf } from '../html.ts';
import type { Category } from '../data/categories.ts';
import type { ListedArticle } from '../data/articles.ts';
import type { Reader } from '../reader.ts';

/** What a page says, without what is around it: its Markdown form is made of it. */
export interface PlainPage {
  readonly title: string;
  readonly excerpt: string;
  /** Links in it lead to Markdown again. */
  readonly html: string;
  /** Language of the text. */
  readonly language: string;
}

/** A page of lists, each with its heading. */
export function plainPage(
  page: Omit<PlainPage, 'html'> & { readonly text?: string },
  lists: readonly Html[],
): PlainPage {
  const { text = '', ...rest } = page;
  return { ...rest, html: text + markupOf(lists) };
}

export function plainArticles(
  title: string,
  { language, isPreview }: Reader,
  articles: readonly ListedArticle[],
): Html {
  return plainList(
    title,
    articles
      .filter((article) => isListed(article, isPreview))
      .map(({ name, slug, excerpt }) => ({
        name,
        path: `${pageOf('article', language, slug)}.md`,
        more: excerpt,
      })),
  );
}

export function plainCategories(title: string, { language }: Reader, categories: readonly Category[]): Html {
  return plainList(
    title,
    categories.map(({ name, slug, description }) => ({
      name,
      path: `${pageOf('category', language, slug)}.md`,
      more: description,
    })),
  );
}

/** Nothing where there is nothing to list. */
export function plainList(
  title: string,
  entries: readonly { readonly name: string; readonly path: string; readonly more: string }[],
): Html {
  if (entries.length === 0) return html``;
  return html`<h2>${title}</h2>
    <ul>
      ${entries.map(({ name, path, more }) => html`<li><a href="${path}">${name}</a>${more !== '' && html`: ${more}`}</li>`)}
    </ul>`;
}

import { homeOf, pageOf } from '../addresses.ts';
import { html } from '../html.ts';
import { directionOf, nativeName } from '../languages.ts';
import { type Page, searchForm } from './layout.ts';
import { articleLink, topicLinks } from './parts.ts';
import type { Category } from '../data/categories.ts';
import type { NamedArticle } from '../data/articles.ts';
import type { Version } from '../data/article.ts';
import type { Reader } from '../reader.ts';

export interface Missing {
  readonly self: string;
  /** Something was here in public and was deleted. */
  readonly isGone: boolean;
  /** Articles with slugs like the one asked for. */
  readonly near: readonly NamedArticle[];
  /** Other languages in which the article can be read. */
  readonly versions: readonly Version[];
  /** The topics of the top level, for who starts again. */
  readonly roots: readonly Category[];
}

/** 404, or 410 for what was deleted, in the language of the address. */
export function notFoundPage({ self, isGone, near, versions, roots }: Missing, reader: Reader): Page {
  const { words } = reader;
  const title = isGone ? words.gone : words.notFound;
  return {
    status: isGone ? 410 : 404,
    title,
    inLanguage: (language) => ({ path: homeOf(language), isMissing: false }),
    shape: 'plain',
    hasSearch: true,
    self,
    textLanguage: reader.spoken,
    main: html`<h1>${title}</h1>
      <p class="lead">${isGone ? words.goneText : words.notFoundText}</p>
      ${searchForm(reader, { query: '', isLarge: true })}
      ${
        near.length > 0 &&
        html`<section>
          <h2>${words.didYouMean}</h2>
          <ul class="plain">
            ${near.map((article) => html`<li>${articleLink(reader, article)}</li>`)}
          </ul>
        </section>`
      }
      ${
        versions.length > 0 &&
        html`<section>
          <h2>${words.otherLanguages}</h2>
          <ul class="plain">
            ${versions.map(
              ({ language, slug }) =>
                html`<li>
                  <a
                    href="${pageOf('article', language, slug)}"
                    lang="${language}"
                    dir="${directionOf(language)}"
                    >${nativeName(language)}</a
                  >
                </li>`,
            )}
          </ul>
        </section>`
      }
      ${topicLinks(reader, roots)}
      <p><a href="${homeOf(reader.language)}">${words.home}</a></p>`,
  };
}

/** 503 or 500: the cause is in the log, not on the page. */
export function failedPage(status: number, self: string, reader: Reader): Page {
  const { words } = reader;
  return {
    status,
    title: words.failed,
    inLanguage: (language) => ({ path: homeOf(language), isMissing: false }),
    shape: 'plain',
    self,
    textLanguage: reader.spoken,
    main: html`<h1>${words.failed}</h1>
      <p class="lead">${words.failedText}</p>`,
  };
}

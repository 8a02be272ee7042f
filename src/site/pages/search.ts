import { pageOf, searchOf } from '../addresses.ts';
import type { ForgivingResult } from '../../service/search/forgive.ts';
import { type SnippetPart, snippetOf } from '../../service/search/snippet.ts';
import { termsOf } from '../../service/search/tokens.ts';
import type { Category } from '../data/categories.ts';
import { type Standings, topicName } from '../data/topics.ts';
import { html, type Html } from '../html.ts';
import { countIn } from '../languages.ts';
import { type Page, searchForm } from './layout.ts';
import { inLanguage, otherLanguageMark, topicLinks } from './parts.ts';
import type { Reader } from '../reader.ts';
import { filled } from '../words/words-for.ts';

/** Hits on one page. */
export const HITS_PER_PAGE = 10;

export interface Searched {
  readonly query: string;
  /** 1 is the first. */
  readonly page: number;
  readonly result: ForgivingResult;
  readonly standings: Standings;
}

/**
 * A page of hits, their number also in the title, which is read out first; without a query, or without a hit, the topics.
 */
export function searchPage(
  reader: Reader,
  searched: Searched | undefined,
  roots: readonly Category[] = [],
): Page {
  const { words, language, spoken } = reader;
  const { query = '', page = 1, result, standings } = searched ?? {};
  const { total = 0, meant, isInstead = false } = result ?? {};
  const asked = isInstead && meant !== undefined ? meant : query;
  const count = countIn(total, spoken);
  const found =
    result === undefined
      ? words.search
      : filled(total === 0 ? words.nothingFound : words.results, { query: asked, count });
  return {
    status: 200,
    title: found,
    inLanguage: (other) => ({ path: searchOf(other, query), isMissing: false }),
    shape: 'plain',
    hasSearch: true,
    self: searchOf(language, query, page),
    textLanguage: spoken,
    main: html`<h1>${words.search}</h1>
      ${searchForm(reader, { query, isLarge: true })}
      ${
        result !== undefined &&
        html`<p class="count" role="status">${found}</p>
          ${
            meant !== undefined &&
            html`<p class="notice">
              ${filled(isInstead ? words.showingFor : words.alsoFor, { query, meant })}
            </p>`
          }
          ${total === 0 && html`<p>${words.otherWords}</p>`}
          <ol class="hits" start="${(page - 1) * HITS_PER_PAGE + 1}">
            ${result.hits.map(
              ({ articleId, slug, language: text, title, snippet }) =>
                html`<li${inLanguage(text, spoken)}><a href="${pageOf('article', language, slug)}">${titleOf(title, asked)}</a>${text !== language && otherLanguageMark(text)}${where(standings?.get(articleId))}<p>${parts(snippet)}</p></li>`,
            )}
          </ol>
          ${pages(reader, { query, page, total })}`
      }
      ${total === 0 && topicLinks(reader, roots)}`,
  };
}

/** Titles such as *Install* stand in many topics. */
function where(path: readonly Category[] = []): Html | false {
  return path.length > 0 && html`<p class="where">${topicName(path)}</p>`;
}

function pages(
  { words, language }: Reader,
  { query, page, total }: { readonly query: string; readonly page: number; readonly total: number },
): Html | false {
  const last = Math.ceil(total / HITS_PER_PAGE);
  return (
    last > 1 &&
    html`<nav class="neighbours" aria-label="${words.search}">
      ${page > 1 && html`<a class="prev" rel="prev" href="${searchOf(language, query, page - 1)}">${words.previous}</a>`}
      ${page < last && html`<a class="next" rel="next" href="${searchOf(language, query, page + 1)}">${words.next}</a>`}
    </nav>`
  );
}

/** Titles are shown whole; only a long one would be cut where it is marked. */
function titleOf(title: string, query: string): Html {
  const isShort = title.length <= TITLE_MARKED_MAX;
  return parts((isShort ? snippetOf(title, termsOf(query)) : undefined) ?? [{ text: title, marked: false }]);
}

const TITLE_MARKED_MAX = 120;

function parts(snippet: readonly SnippetPart[]): Html {
  return html`${snippet.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text))}`;
}

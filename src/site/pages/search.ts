import { pageOf, searchOf } from '../addresses.ts';
import { type SearchHit } from '../../service/search.ts';
import { type SnippetPart, snippetOf } from '../../service/search-snippet.ts';
import { termsOf } from '../../service/search-tokens.ts';
import { html, type Html } from '../html.ts';
import { type Page, searchForm } from '../layout.ts';
import { inLanguage } from '../parts.ts';
import type { Reader } from '../reader.ts';
import { filled } from '../words/words-for.ts';

/** The most that a page of hits shows. */
export const HITS_MAX = 50;

/** Without a query the form alone; else the hits, their number also in the title, which is read out first. */
export function searchPage(reader: Reader, query: string, hits: readonly SearchHit[] | undefined): Page {
  const { words, language, spoken } = reader;
  const number = new Intl.NumberFormat(spoken).format(hits?.length ?? 0);
  const count = hits?.length === HITS_MAX ? `${number}+` : number;
  const found =
    hits === undefined
      ? words.search
      : filled(hits.length === 0 ? words.nothingFound : words.results, { query, count });
  return {
    status: 200,
    title: found,
    inLanguage: (other) => ({ path: searchOf(other, query), isMissing: false }),
    shape: 'plain',
    hasSearch: true,
    self: searchOf(language, query),
    textLanguage: spoken,
    main: html`<h1>${words.search}</h1>
      ${searchForm(reader, { query, isLarge: true })}
      ${
        hits !== undefined &&
        html`<p class="count" role="status">${found}</p>
          ${hits.length === 0 && html`<p>${words.otherWords}</p>`}
          <ol class="hits">
            ${hits.map(
              ({ slug, title, snippet }) =>
                html`<li${inLanguage(language, spoken)}><a href="${pageOf('article', language, slug)}">${titleOf(title, query)}</a><p>${parts(snippet)}</p></li>`,
            )}
          </ol>`
      }`,
  };
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

import { homeOf, pageOf } from '../addresses.ts';
import { html, type Html } from '../html.ts';
import { type Page, searchForm, type SiteFrame } from './layout.ts';
import { articleLink, articleList, categoryLink, imageAddress, inLanguage, updated } from './parts.ts';
import { allArticles, filing, type ListedArticle } from '../data/articles.ts';
import { type Category, readCategories } from '../data/categories.ts';
import type { Reader } from '../reader.ts';
import type { Edition } from '../data/edition.ts';

const SHOWN_PER_CARD = 5;
const RECENT = 5;

interface Shelf {
  readonly category: Category;
  readonly articles: readonly ListedArticle[];
}

/** Start page: search, the topics with their first articles, what changed last. */
export async function homePage(edition: Edition, reader: Reader, site: SiteFrame): Promise<() => Page> {
  const { roots } = await readCategories(edition);
  const articles = await allArticles(edition);
  const categoriesOf = await filing(edition);
  return () => written({ roots, articles, categoriesOf }, reader, site);
}

interface HomeRead {
  readonly roots: readonly Category[];
  readonly articles: readonly ListedArticle[];
  readonly categoriesOf: ReadonlyMap<string, readonly string[]>;
}

function written({ roots, articles, categoriesOf }: HomeRead, reader: Reader, site: SiteFrame): Page {
  const rootOf = new Map(roots.flatMap((root) => withDescendants(root).map(({ id }) => [id, root.id])));
  const byRoot = new Map<string, ListedArticle[]>(roots.map(({ id }) => [id, []]));
  for (const article of articles) {
    const of = new Set(categoriesOf.get(article.id)?.map((id) => rootOf.get(id)));
    for (const root of of) if (root !== undefined) byRoot.get(root)?.push(article);
  }
  const isOwn = ({ language }: ListedArticle): boolean => language === reader.language;
  const shelves = roots
    .map((category) => ({ category, articles: byRoot.get(category.id) ?? [] }))
    .filter((shelf) => shelf.articles.length > 0)
    // The first few of a topic stand for it: those that the reader can read.
    .map(({ category, articles }) => ({
      category,
      articles: [...articles.filter(isOwn), ...articles.filter((article) => !isOwn(article))],
    }));
  const loose = articles.filter(({ id }) => !categoriesOf.has(id));
  const recent = articles
    .filter(isOwn)
    .sort((a, b) => b.editedAt - a.editedAt)
    .slice(0, RECENT);
  return {
    status: 200,
    title: site.name,
    canonical: homeOf(reader.language),
    alternates: new Map(site.languages.map((language) => [language, homeOf(language)])),
    inLanguage: (language) => ({ path: homeOf(language), isMissing: false }),
    shape: 'home',
    hasSearch: true,
    self: homeOf(reader.language),
    main: html`<div class="hero">
        <h1>${site.name}</h1>
        ${searchForm(reader, { query: '', isLarge: true })}
      </div>
      ${articles.length === 0 && html`<p class="empty">${reader.words.empty}</p>`}
      ${
        shelves.length > 0 &&
        html`<h2 class="sr-only">${reader.words.categories}</h2>
          <ul class="cards">
            ${shelves.map((shelf) => card(reader, shelf))}
          </ul>`
      }
      ${
        loose.length > 0 &&
        html`<section>
          <h2>${shelves.length > 0 ? reader.words.more : reader.words.articles}</h2>
          ${articleList(reader, loose)}
        </section>`
      }
      ${
        shelves.length > 0 &&
        recent.length > 0 &&
        html`<section class="recent">
          <h2>${reader.words.recent}</h2>
          <ul>
            ${recent.map((article) => html`<li>${articleLink(reader, article)}${updated(reader, article.editedAt)}</li>`)}
          </ul>
        </section>`
      }`,
  };
}

function card(reader: Reader, { category, articles }: Shelf): Html {
  const { description } = category;
  const rest = articles.length - SHOWN_PER_CARD;
  const icon = imageAddress(category.iconUrl);
  return html`<li class="card">
    <h3>
      ${icon && html`<img src="${icon}" alt="" width="24" height="24" loading="lazy" />`}${categoryLink(reader, category)}
    </h3>
    ${description !== '' && html`<p${inLanguage(category.language, reader.spoken)}>${description}</p>`}
    <ul>
      ${articles.slice(0, SHOWN_PER_CARD).map((article) => html`<li>${articleLink(reader, article)}</li>`)}
    </ul>
    ${rest > 0 && html`<p class="rest"><a href="${pageOf('category', reader.language, category.slug)}" aria-label="${category.name}: ${reader.words.more} (${rest})">${reader.words.more} (${rest})</a></p>`}
  </li>`;
}

function withDescendants(category: Category): readonly Category[] {
  return [category, ...category.children.flatMap(withDescendants)];
}

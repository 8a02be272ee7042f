import { isListed } from '../../service/listed.ts';
import { homeOf, pageOf } from '../addresses.ts';
import { html, type Html } from '../html.ts';
import { type Page, searchForm, type SiteFrame } from './layout.ts';
import { plainArticles, plainCategories, plainPage } from './plain.ts';
import { articleLink, articleList, categoryLink, day, imageAddress, inLanguage } from './parts.ts';
import { allArticles, filing, type ListedArticle } from '../data/articles.ts';
import { type Category, readCategories, withDescendants } from '../data/categories.ts';
import type { Reader } from '../reader.ts';
import { capitalsIn } from '../languages.ts';
import { counted } from '../words/words-for.ts';
import type { Edition } from '../data/edition.ts';

const SHOWN_PER_CARD = 4;
const LISTED = 5;

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
  const isFound = (article: ListedArticle): boolean => isOwn(article) && isListed(article, reader.isPreview);
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
    .filter(isFound)
    .sort((a, b) => b.editedAt - a.editedAt)
    .slice(0, LISTED);
  const read = articles
    .filter((article) => isFound(article) && article.views > 0)
    .sort((a, b) => b.views - a.views)
    .slice(0, LISTED);
  const intro = site.intro ?? reader.words.intro;
  return {
    status: 200,
    title: site.name,
    description: `${site.name}: ${intro}`,
    canonical: homeOf(reader.language),
    alternates: new Map(site.languages.map((language) => [language, homeOf(language)])),
    inLanguage: (language) => ({ path: homeOf(language), isMissing: false }),
    markdown: `${homeOf(reader.language)}index.md`,
    plain: plainPage({ title: site.name, excerpt: intro, language: reader.spoken }, [
      plainCategories(reader.words.categories, reader, roots),
      plainArticles(reader.words.more, reader, loose),
      plainArticles(reader.words.recent, reader, recent),
    ]),
    shape: 'home',
    hasSearch: true,
    self: homeOf(reader.language),
    main: html`<div class="hero">
        <h1><bdi>${site.name}</bdi></h1>
        <p><bdi>${intro}</bdi></p>
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
        html`<div class="beside">
          ${read.length > 1 && section(reader.words.mostRead, read, (article) => articleLink(reader, article))}
          ${recent.length > 0 && section(reader.words.recent, recent, (article) => html`${articleLink(reader, article)}${day(reader, article.editedAt)}`)}
        </div>`
      }`,
  };
}

function section(
  title: string,
  articles: readonly ListedArticle[],
  shown: (article: ListedArticle) => Html,
): Html {
  return html`<section class="recent">
    <h2>${title}</h2>
    <ul>
      ${articles.map((article) => html`<li>${shown(article)}</li>`)}
    </ul>
  </section>`;
}

function card(reader: Reader, { category, articles }: Shelf): Html {
  const { description, name, language } = category;
  const count = counted(reader.words.articleCount, articles.length, reader.spoken);
  const icon = imageAddress(category.iconUrl);
  const other = inLanguage(language, reader.spoken);
  return html`<li class="card">
    <h3>
      ${icon ? html`<img src="${icon}" alt="" width="40" height="40" loading="lazy" />` : html`<span class="tile" aria-hidden="true" ${other}>${initialOf(name, language)}</span>`}
      ${categoryLink(reader, category)}
    </h3>
    ${description !== '' && html`<p${other}>${description}</p>`}
    <ul>
      ${articles.slice(0, SHOWN_PER_CARD).map((article) => html`<li>${articleLink(reader, article)}</li>`)}
    </ul>
    <p class="rest">
      <a href="${pageOf('category', reader.language, category.slug)}" aria-label="${name}: ${count}"
        >${count}</a
      >
    </p>
  </li>`;
}

/** The first letter of a name, as its readers see letters. */
function initialOf(name: string, language: string): string {
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(segment)) return capitalsIn(segment, language);
  }
  return '#';
}

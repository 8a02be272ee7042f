import { isListed } from '../../service/listed.ts';
import { sidesIn, withSides } from '../../service/files/sides.ts';
import type { Bodies, Body } from '../text/body.ts';
import { FEEDBACK_PATH, homeOf, pageOf, THANKS_ID } from '../addresses.ts';
import { html, type Html } from '../html.ts';
import type { Page, SiteFrame } from './layout.ts';
import { breadcrumbList } from './structured.ts';
import {
  alternatesOf,
  articleLink,
  articleMarks,
  breadcrumbs,
  fallbackNotice,
  outdatedNotice,
  imageAddress,
  inLanguage,
  tagLinks,
  topicTree,
  updated,
  versionIn,
} from './parts.ts';
import { type Article, categoryIdsOf, type FoundArticle } from '../data/article.ts';
import { articlesInCategory, type ListedArticle, relatedArticles } from '../data/articles.ts';
import { readCategories } from '../data/categories.ts';
import { tagsOfArticle } from '../data/tags.ts';
import type { Reader } from '../reader.ts';
import type { Edition } from '../data/edition.ts';

type Found = Extract<FoundArticle, { readonly type: 'here' | 'fallback' }>;

const RELATED_MAX = 4;

/** What an article's page is made of; read in one transaction, so its parts fit. */
export async function readArticlePage(edition: Edition, found: Found) {
  const tree = await readCategories(edition);
  const [first] = await categoryIdsOf(edition, found.article.id);
  const category = first === undefined ? undefined : tree.byId.get(first);
  const siblings = category === undefined ? [] : await articlesInCategory(edition, category.id);
  const tags = await tagsOfArticle(edition, found.article.id);
  const at = siblings.findIndex(({ id }) => id === found.article.id);
  const beside = new Set([siblings[at - 1]?.id, siblings[at + 1]?.id]);
  const near = tags.length === 0 ? [] : await relatedArticles(edition, found.article.id, RELATED_MAX + 2);
  // What stands before and behind it is linked as such.
  const related = near.filter(({ id }) => at < 0 || !beside.has(id)).slice(0, RELATED_MAX);
  const sides = await sidesIn(edition.sql, found.article.content);
  return { ...found, roots: tree.roots, category, siblings, tags, related, sides };
}

type ArticleRead = Awaited<ReturnType<typeof readArticlePage>>;

/** The article between its topic and its contents. */
export async function articlePage(
  read: ArticleRead,
  reader: Reader,
  { bodies, frame }: { readonly bodies: Bodies; readonly frame: SiteFrame },
): Promise<Page> {
  const { article, roots, category, siblings, tags, related, versions, sides } = read;
  const { words, spoken } = reader;
  const body = await bodies.bodyOf(withSides(article.content, sides), words);
  const text = article.language;
  const around = inLanguage(spoken, text);
  const path = category === undefined ? [] : [...category.path, category];
  const image = imageAddress(article.bannerUrl);
  const isOpen = isListed(article);
  const contents = contentsOf(body);
  return {
    status: 200,
    title: article.name,
    ...(article.excerpt === '' ? {} : { description: article.excerpt }),
    textLanguage: text,
    ...(isOpen ? { canonical: pageOf('article', text, article.slug) } : {}),
    alternates: alternatesOf('article', versions),
    inLanguage: versionIn('article', versions),
    ...(image === undefined ? {} : { imageUrl: image }),
    markdown: `${pageOf('article', text, article.slug)}.md`,
    plain: { title: article.name, excerpt: article.excerpt, html: article.content, language: text },
    structured: (origin) => [
      breadcrumbList(origin, [
        { name: words.home, path: homeOf(reader.language) },
        ...path.map(({ name, slug }) => ({ name, path: pageOf('category', reader.language, slug) })),
        { name: article.name, path: pageOf('article', text, article.slug) },
      ]),
      {
        '@context': 'https://schema.org',
        '@type': 'TechArticle',
        headline: article.name,
        ...(article.excerpt === '' ? {} : { description: article.excerpt }),
        ...(image === undefined ? {} : { image }),
        inLanguage: text,
        dateModified: new Date(article.editedAt / 1000).toISOString(),
        mainEntityOfPage: origin + pageOf('article', text, article.slug),
      },
    ],
    shape: 'article',
    isWhole: body.isWhole,
    self: pageOf('article', reader.language, article.slug),
    tree: topicTree(reader, roots, { path, articles: siblings, here: article.id }),
    before: breadcrumbs(reader, path, html`<span${inLanguage(text, spoken)}>${article.name}</span>`),
    main: html`${fallbackNotice(reader, text)}${frame.tellsOutdated && outdatedNotice(reader, article, versions)}
      <h1>${article.name}${articleMarks(reader, article)}</h1>
      <div class="about" ${around}>${updated(reader, article.editedAt)}</div>
      ${
        contents &&
        html`<details class="contents folded" ${around}>
          <summary>${words.contents}</summary>
          <div lang="${text}">${contents}</div>
        </details>`
      }
      <div class="text">${body.html}</div>
      <div class="end" ${around}>
        ${frame.asksHelpful && article.status === 'published' && !reader.isPreview && question(reader, article)}
        ${tags.length > 0 && html`<div class="tagged"><span>${words.tags}</span>${tagLinks(reader, tags)}</div>`}
        ${neighbours(reader, siblings, article.id)} ${relatedList(reader, related)}
      </div>`,
    after:
      contents &&
      html`<nav class="contents side" aria-labelledby="site-contents"><p id="site-contents">${words.contents}</p><div${inLanguage(text, spoken)}>${contents}</div></nav>`,
  };
}

/** More would be a second article. */
const CONTENTS_MAX = 300;

/** The headings of the second and third level, as nested lists; undefined when there is little to jump to. */
function contentsOf({ headings }: Body): Html | undefined {
  const shown = headings.filter(({ level }) => level === 2 || level === 3).slice(0, CONTENTS_MAX);
  if (shown.length < 2) return undefined;
  return html`<ul>
    ${shown.map(
      ({ level, id, text }) =>
        html`<li${level === 3 && html` class="deep"`}><a href="#${encodeURIComponent(id)}">${text}</a></li>`,
    )}
  </ul>`;
}

/** A plain form; who comes back from it sees the thanks in its place. */
function question({ words, language }: Reader, { id, slug }: Article): Html {
  return html`<div class="feedback">
    <p id="${THANKS_ID}" class="thanks" role="status">${words.thanks}</p>
    <form method="post" action="${FEEDBACK_PATH}">
      <input type="hidden" name="article" value="${id}" />
      <input type="hidden" name="to" value="${pageOf('article', language, slug)}" />
      <p id="site-question">${words.question}</p>
      <div role="group" aria-labelledby="site-question">
        <button type="submit" name="answer" value="yes">${words.yes}</button>
        <button type="submit" name="answer" value="no">${words.no}</button>
      </div>
    </form>
  </div>`;
}

function relatedList(reader: Reader, related: readonly ListedArticle[]): Html | false {
  return (
    related.length > 0 &&
    html`<section class="related">
      <h2>${reader.words.related}</h2>
      <ul>
        ${related.map((article) => html`<li>${articleLink(reader, article)}</li>`)}
      </ul>
    </section>`
  );
}

function neighbours(reader: Reader, siblings: readonly ListedArticle[], here: string): Html | undefined {
  const at = siblings.findIndex(({ id }) => id === here);
  const previous = at > 0 ? siblings[at - 1] : undefined;
  const next = at >= 0 ? siblings[at + 1] : undefined;
  if (previous === undefined && next === undefined) return undefined;
  const link = (article: ListedArticle | undefined, rel: 'prev' | 'next', label: string) =>
    article !== undefined &&
    html`<a class="${rel}" rel="${rel}" href="${pageOf('article', reader.language, article.slug)}"><small>${label}</small><span${inLanguage(article.language, reader.spoken)}>${article.name}</span></a>`;
  return html`<nav class="neighbours" aria-label="${reader.words.previous} / ${reader.words.next}">
    ${link(previous, 'prev', reader.words.previous)}${link(next, 'next', reader.words.next)}
  </nav>`;
}

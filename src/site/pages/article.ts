import type { Bodies, Body } from '../text/body.ts';
import { pageOf } from '../addresses.ts';
import { html, type Html } from '../html.ts';
import type { Page } from './layout.ts';
import {
  alternatesOf,
  bareArticleLink,
  breadcrumbs,
  categoryLink,
  fallbackNotice,
  imageAddress,
  inLanguage,
  tagLinks,
  updated,
  versionIn,
} from './parts.ts';
import { categoryIdsOf, type FoundArticle } from '../data/article.ts';
import { articlesInCategory, type ListedArticle } from '../data/articles.ts';
import { type Category, readCategories } from '../data/categories.ts';
import { tagsOfArticle } from '../data/tags.ts';
import type { Reader } from '../reader.ts';
import type { Edition } from '../data/edition.ts';

type Found = Extract<FoundArticle, { readonly type: 'here' | 'fallback' }>;

/** What an article's page is made of; read in one transaction, so its parts fit. */
export async function readArticlePage(edition: Edition, found: Found) {
  const tree = await readCategories(edition);
  const [first] = await categoryIdsOf(edition, found.article.id);
  const category = first === undefined ? undefined : tree.byId.get(first);
  const siblings = category === undefined ? [] : await articlesInCategory(edition, category.id);
  return { ...found, category, siblings, tags: await tagsOfArticle(edition, found.article.id) };
}

type ArticleRead = Awaited<ReturnType<typeof readArticlePage>>;

/** The article between its topic and its contents. */
export async function articlePage(read: ArticleRead, reader: Reader, bodies: Bodies): Promise<Page> {
  const { article, category, siblings, tags, versions } = read;
  const { words, spoken } = reader;
  const body = await bodies.bodyOf(article.content, words);
  const text = article.language;
  const around = inLanguage(spoken, text);
  const path = category === undefined ? [] : [...category.path, category];
  const image = imageAddress(article.bannerUrl);
  const isOpen = article.status === 'published' && !article.isHidden;
  const contents = contentsOf(body);
  const hasSection = category !== undefined && siblings.length > 1;
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
    shape: 'article',
    self: pageOf('article', reader.language, article.slug),
    before: html`${breadcrumbs(reader, path, html`<span${inLanguage(text, spoken)}>${article.name}</span>`)}
    ${hasSection && sectionNav(reader, category, { siblings, here: article.id })}`,
    main: html`${fallbackNotice(reader, text)}
      <h1>
        ${article.name}${article.status === 'draft' && html` <span class="badge">${words.draft}</span>`}
      </h1>
      ${
        hasSection &&
        html`<details class="contents folded section" ${around}>
          <summary${inLanguage(category.language, spoken)}>${category.name}</summary>
          <div>${sectionList(reader, { siblings, here: article.id })}</div>
        </details>`
      }
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
        ${tags.length > 0 && html`<div class="tagged"><span>${words.tags}</span>${tagLinks(reader, tags)}</div>`}
        ${neighbours(reader, siblings, article.id)}
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

function sectionNav(
  reader: Reader,
  category: Category,
  of: { readonly siblings: readonly ListedArticle[]; readonly here: string },
): Html {
  return html`<nav class="section" aria-label="${reader.words.section}">
    <p>${categoryLink(reader, category)}</p>
    ${sectionList(reader, of)}
  </nav>`;
}

function sectionList(
  reader: Reader,
  { siblings, here }: { readonly siblings: readonly ListedArticle[]; readonly here: string },
): Html {
  return html`<ul>
    ${siblings.map((article) => html`<li>${bareArticleLink(reader, article, article.id === here)}</li>`)}
  </ul>`;
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

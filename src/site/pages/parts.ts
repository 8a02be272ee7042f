import { homeOf, pageOf } from '../addresses.ts';
import type { Kind } from '../../service/kind.ts';
import { html, type Html, type Piece } from '../html.ts';
import { countIn, dayIn, directionOf, isoDay, nameIn, nativeName } from '../languages.ts';
import type { Article, Version } from '../data/article.ts';
import type { ListedArticle, NamedArticle } from '../data/articles.ts';
import type { Category } from '../data/categories.ts';
import type { Tag } from '../data/tags.ts';
import type { Reader } from '../reader.ts';
import { counted, filled } from '../words/words-for.ts';

/** `lang` and `dir` of a text that is not in the language of what surrounds it. */
export function inLanguage(language: string, around: string): Html | undefined {
  if (language === around) return undefined;
  return html` lang="${language}" dir="${directionOf(language)}"`;
}

/** Where in the tree a page stands; the page itself is the last word, without a link. */
export function breadcrumbs(reader: Reader, path: readonly Category[], here: Piece): Html {
  const { words, language } = reader;
  return html`<nav class="crumbs" aria-label="${words.path}">
    <ol>
      <li><a href="${homeOf(language)}">${words.home}</a></li>
      ${path.map((category) => html`<li>${categoryLink(reader, category)}</li>`)}
      <li aria-current="page">${here}</li>
    </ol>
  </nav>`;
}

export function categoryLink(
  { language, spoken }: Reader,
  category: Category,
  more: Html | false = false,
): Html {
  const { slug, name } = category;
  return html`<a href="${pageOf('category', language, slug)}" ${more}${inLanguage(category.language, spoken)}
    >${name}</a
  >`;
}

export function articleLink(reader: Reader, article: NamedArticle): Html {
  const { language } = reader;
  const mark = article.language !== language && otherLanguageMark(article.language);
  return html`${bareArticleLink(reader, article)}${mark}${articleMarks(reader, article)}`;
}

/** What who checks a change wants to see beside a title. */
export function articleMarks(
  { words, isChanged }: Reader,
  { status, slug, language }: Pick<NamedArticle, 'status' | 'slug' | 'language'>,
): Html {
  const mark = (text: string): Html => html` <span class="badge">${text}</span>`;
  return html`${status === 'draft' && mark(words.draft)}${isChanged(pageOf('article', language, slug)) && mark(words.changed)}`;
}

/** Without marks, where there is little room. */
function bareArticleLink(
  { language, spoken }: Reader,
  { slug, name, language: text }: NamedArticle,
  isHere = false,
): Html {
  const current = isHere && html` aria-current="page"`;
  return html`<a href="${pageOf('article', language, slug)}" ${current}${inLanguage(text, spoken)}
    >${name}</a
  >`;
}

/** Says in a list that a text is in another language than the page. */
export function otherLanguageMark(language: string): Html {
  return html` <span class="badge" lang="${language}">${nativeName(language)}</span>`;
}

/** Where a page stands among the topics: what is above it is open, and what stands beside it is listed. */
export interface Standing {
  /** From the top down to the topic that is open; empty: none is. */
  readonly path: readonly Category[];
  /** Of that topic. */
  readonly articles: readonly ListedArticle[];
  /** Id of the article that is shown; undefined: the topic itself is. */
  readonly here: string | undefined;
}

/** All topics of the top level, with the way down to a page; undefined where there is nothing to choose from. */
export function topicTree(reader: Reader, roots: readonly Category[], standing: Standing): Html | undefined {
  if (roots.length + standing.articles.length < 2) return undefined;
  const open = new Set(standing.path.map(({ id }) => id));
  const last = standing.path.at(-1);
  const branch = (categories: readonly Category[], articles: Html | false = false): Html | false =>
    (categories.length > 0 || articles !== false) &&
    html`<ul>
      ${categories.map((category) => {
        const isLast = category === last;
        const current = isLast && standing.here === undefined && html` aria-current="page"`;
        return html`<li>
          ${categoryLink(reader, category, current)}
          ${open.has(category.id) && branch(category.children, isLast && articleEntries(reader, category, standing))}
        </li>`;
      })}
      ${articles}
    </ul>`;
  return branch(roots) || undefined;
}

/** A reader finds the place in a list that is not much longer than a screen; the topic's page has the whole of it. */
const BRANCH_MAX = 30;

/** Those around the article that is shown, else the first; with the way to all. */
function articleEntries(reader: Reader, category: Category, { articles, here }: Standing): Html {
  const at = articles.findIndex(({ id }) => id === here);
  const start = Math.max(0, Math.min(at - BRANCH_MAX / 2, articles.length - BRANCH_MAX));
  const count = counted(reader.words.articleCount, articles.length, reader.spoken);
  return html`${articles
    .slice(start, start + BRANCH_MAX)
    .map((article) => html`<li>${bareArticleLink(reader, article, article.id === here)}</li>`)}
  ${articles.length > BRANCH_MAX && html`<li><a class="all" href="${pageOf('category', reader.language, category.slug)}">${count}</a></li>`}`;
}

export function tagLinks(
  { language, spoken, words }: Reader,
  tags: readonly Tag[],
  counts?: ReadonlyMap<string, number>,
): Html {
  return html`<ul class="tags">
    ${tags.map(
      (tag) =>
        html`<li>
          <a href="${pageOf('tag', language, tag.slug)}" rel="tag" ${inLanguage(tag.language, spoken)}
            >${tag.name}${counts && html` <span class="number" aria-label="${counted(words.articleCount, counts.get(tag.id) ?? 0, spoken)}" role="img" ${inLanguage(spoken, tag.language)}>${countIn(counts.get(tag.id) ?? 0, spoken)}</span>`}</a
          >
        </li>`,
    )}
  </ul>`;
}

/** The topics of the top level, for who did not find what they looked for. */
export function topicLinks(reader: Reader, roots: readonly Category[]): Html | false {
  return (
    roots.length > 0 &&
    html`<section class="topics">
      <h2>${reader.words.categories}</h2>
      <ul class="plain columns">
        ${roots.map((category) => html`<li>${categoryLink(reader, category)}</li>`)}
      </ul>
    </section>`
  );
}

/** Articles with their excerpts. */
export function articleList(reader: Reader, articles: readonly ListedArticle[]): Html {
  return html`<ul class="articles">
    ${articles.map(
      (article) =>
        html`<li>
          ${articleLink(reader, article)}${
            article.excerpt !== '' &&
            html`<p${inLanguage(article.language, reader.spoken)}>${article.excerpt}</p>`
          }
        </li>`,
    )}
  </ul>`;
}

/** `Updated 18 November 2026`. */
export function updated(reader: Reader, editedAt: number): Html {
  const [before = '', after = ''] = reader.words.updated.split('{date}');
  return html`<p class="updated">${before}${day(reader, editedAt)}${after}</p>`;
}

/** `18 November 2026`, with the day for machines. */
export function day({ spoken }: Reader, editedAt: number): Html {
  return html`<time datetime="${isoDay(editedAt)}">${dayIn(editedAt, spoken)}</time>`;
}

/** Says that the text is not in the reader's language, in the reader's language. */
export function fallbackNotice(reader: Reader, textLanguage: string): Html | undefined {
  const { words, spoken, language } = reader;
  if (textLanguage === language) return undefined;
  const sentence = filled(words.fallback, {
    language: nameIn(language, spoken),
    original: nameIn(textLanguage, spoken),
  });
  return html`<p class="notice" lang="${spoken}" dir="${directionOf(spoken)}">${sentence}</p>`;
}

/** Says that the original of a translation changed after it, with the way there. */
export function outdatedNotice(
  { words, spoken }: Reader,
  { originalChangedAt }: Article,
  versions: readonly Version[],
): Html | undefined {
  const original = versions.find(({ isOriginal }) => isOriginal);
  if (originalChangedAt === undefined || original === undefined) return undefined;
  const { language, slug } = original;
  const sentence = filled(words.outdated, { date: dayIn(originalChangedAt, spoken) });
  return html`<p class="notice" lang="${spoken}" dir="${directionOf(spoken)}">
    ${sentence}
    <a href="${pageOf('article', language, slug)}" hreflang="${language}" lang="${language}"
      >${nativeName(language)}</a
    >
  </p>`;
}

/**
 * The address of a record in a language: its own slug there, else the original's, which shows the fallback; without
 * either the start page, because a menu leads to no page that does not exist.
 */
export function versionIn(
  kind: Kind,
  versions: readonly Version[],
): (language: string) => { readonly path: string; readonly isMissing: boolean } {
  return (language) => {
    const own = versions.find((version) => version.language.toLowerCase() === language.toLowerCase());
    const shown = own ?? versions.find(({ isOriginal }) => isOriginal);
    const path = shown === undefined ? homeOf(language) : pageOf(kind, language, shown.slug);
    return { path, isMissing: own === undefined };
  };
}

/** The addresses under which a record really exists, by language. */
export function alternatesOf(kind: Kind, versions: readonly Version[]): ReadonlyMap<string, string> {
  return new Map(versions.map(({ language, slug }) => [language, pageOf(kind, language, slug)]));
}

/** An address that an image may have on a page. */
export function imageAddress(url: string | null): string | undefined {
  return url !== null && /^https?:\/\//i.test(url) ? url : undefined;
}

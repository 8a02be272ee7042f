import { readHtml } from '../../service/html.ts';
import { type Sides, sidesIn, withSides } from '../../service/files/sides.ts';
import { homeOf, pageOf, tagsOf } from '../addresses.ts';
import { articlesInCategory, articlesWithTag, countsOf, type ListedArticle } from '../data/articles.ts';
import {
  type Category,
  findFamily,
  readCategories,
  recordText,
  type RecordText,
  withDescendants,
} from '../data/categories.ts';
import type { Edition } from '../data/edition.ts';
import { readTags, type Tag } from '../data/tags.ts';
import { html, type Html } from '../html.ts';
import type { Reader } from '../reader.ts';
import type { Bodies } from '../text/body.ts';
import { counted } from '../words/words-for.ts';
import type { Page } from './layout.ts';
import { plainArticles, plainCategories, plainPage } from './plain.ts';
import { breadcrumbList } from './structured.ts';
import {
  alternatesOf,
  articleList,
  breadcrumbs,
  categoryLink,
  fallbackNotice,
  inLanguage,
  topicTree,
  versionIn,
} from './parts.ts';

/** A category or a tag with all that its page shows. */
export interface FamilyRead {
  readonly type: 'here';
  readonly kind: 'category' | 'tag';
  readonly record: Category | Tag;
  /** Categories from the top down to itself, all of the top level, and those right below; a tag has none. */
  readonly path: readonly Category[];
  readonly roots: readonly Category[];
  readonly children: readonly Category[];
  readonly text: RecordText;
  readonly articles: readonly ListedArticle[];
  /** Of each child by its id: the articles in it and below. */
  readonly counts: ReadonlyMap<string, number>;
  readonly sides: Sides;
}

export type FoundFamilyPage = FamilyRead | { readonly type: 'elsewhere'; readonly slug: string } | undefined;

/** What the page at a slug is made of; `elsewhere`: the slug is one of another language. */
export async function readFamilyPage(
  edition: Edition,
  kind: 'category' | 'tag',
  slug: string,
): Promise<FoundFamilyPage> {
  const table = kind === 'category' ? 'categories' : 'tags';
  const found = await findFamily(edition, table, slug);
  if (found === undefined) return undefined;
  const { family } = found;
  const tree = kind === 'category' ? await readCategories(edition) : undefined;
  const category = tree?.byId.get(family);
  const record =
    category ?? (kind === 'tag' ? (await readTags(edition)).find(({ id }) => id === family) : undefined);
  if (record === undefined) return undefined;
  if (found.type === 'elsewhere') return found;
  const children = category?.children ?? [];
  const below = children.map((child) => [child.id, withDescendants(child).map(({ id }) => id)] as const);
  const text = await recordText(edition, table, { id: record.rowId, family });
  return {
    type: 'here',
    kind,
    record,
    path: category === undefined ? [] : [...category.path, category],
    roots: tree?.roots ?? [],
    children,
    counts: below.length === 0 ? new Map() : await countsOf(edition, 'article_categories', new Map(below)),
    text,
    sides: await sidesIn(edition.sql, text.text),
    articles: await (kind === 'category' ? articlesInCategory : articlesWithTag)(edition, family),
  };
}

/** A topic or a tag: its text, the topics below it, its articles by ordering. */
export async function familyPage(
  { kind, record, path, roots, children, counts, text, sides, articles }: FamilyRead,
  reader: Reader,
  bodies: Bodies,
): Promise<Page> {
  const { words, spoken, language } = reader;
  const body = await bodies.bodyOf(withSides(text.text, sides), words);
  const isEmpty = articles.length === 0 && children.length === 0;
  const lead = beginsWith(text.text, record.description) ? '' : record.description;
  return {
    status: 200,
    title: record.name,
    ...(record.description === '' ? {} : { description: record.description }),
    canonical: pageOf(kind, record.language, record.slug),
    alternates: alternatesOf(kind, text.versions),
    inLanguage: versionIn(kind, text.versions),
    markdown: `${pageOf(kind, language, record.slug)}.md`,
    plain: plainPage({ title: record.name, excerpt: lead, text: text.text, language: record.language }, [
      plainCategories(words.categories, reader, children),
      plainArticles(words.articles, reader, articles),
    ]),
    isWhole: body.isWhole,
    structured: (origin) => [
      breadcrumbList(origin, [
        { name: words.home, path: homeOf(language) },
        ...(kind === 'tag' ? [{ name: words.tags, path: tagsOf(language) }] : []),
        ...(kind === 'tag' ? [record] : path).map(({ name, slug }) => ({
          name,
          path: pageOf(kind, language, slug),
        })),
      ]),
    ],
    shape: kind === 'category' ? 'family' : 'plain',
    tree: topicTree(reader, roots, { path, articles, here: undefined }),
    self: pageOf(kind, language, record.slug),
    before:
      kind === 'tag'
        ? breadcrumbs(reader, [], html`<a href="${tagsOf(language)}">${words.tags}</a>`)
        : breadcrumbs(
            reader,
            path.slice(0, -1),
            html`<span${inLanguage(record.language, spoken)}>${record.name}</span>`,
          ),
    textLanguage: spoken,
    main: html`${fallbackNotice(reader, record.language)}
<div${inLanguage(record.language, spoken)}><h1>${record.name}</h1>
${lead !== '' && html`<p class="lead">${lead}</p>`}
<div class="text">${body.html}</div></div>
${children.length > 0 && topics(children, counts, reader)}
${
  articles.length > 0 &&
  html`<section>
    <h2>${words.articles}</h2>
    ${articleList(reader, articles)}
  </section>`
}
${isEmpty && html`<p class="empty">${words.empty}</p>`}`,
  };
}

/** Many descriptions are the start of the text, cut off: nobody reads that twice. */
function beginsWith(text: string, description: string): boolean {
  const words = description
    .replace(/\s*(?:…|\.{3})\s*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  // Tags take room too; a text of many of them is seen to begin with other words at worst.
  const start = text.slice(0, 4 * description.length + TAGS_CHARS);
  return words !== '' && readHtml(start).text.replaceAll(/\s+/g, ' ').trim().startsWith(words);
}

const TAGS_CHARS = 2000;

function topics(children: readonly Category[], counts: ReadonlyMap<string, number>, reader: Reader): Html {
  return html`<section>
    <h2 class="sr-only">${reader.words.categories}</h2>
    <ul class="cards small">
      ${children.map(
        (child) =>
          html`<li class="card">
            <h3>${categoryLink(reader, child)}</h3>
            ${
              child.description !== '' &&
              html`<p${inLanguage(child.language, reader.spoken)}>${child.description}</p>`
            }
            <p class="rest">
              ${counted(reader.words.articleCount, counts.get(child.id) ?? 0, reader.spoken)}
            </p>
          </li>`,
      )}
    </ul>
  </section>`;
}

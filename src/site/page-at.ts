import type { Kind } from '../service/kind.ts';
import { search } from '../service/search.ts';
import type { Sql, Store } from '../service/store/store.ts';
import { homeOf, kindOfFolder, pageOf, tagsOf } from './addresses.ts';
import type { Bodies } from './article-body.ts';
import type { Page, SiteFrame } from './layout.ts';
import { markdownOf } from './markdown.ts';
import { nearest } from './near-slugs.ts';
import { articlePage, readArticlePage } from './pages/article.ts';
import { categoryPage, readCategoryPage } from './pages/category.ts';
import { homePage } from './pages/home.ts';
import { notFoundPage } from './pages/not-found.ts';
import { releasesPage } from './pages/releases.ts';
import { HITS_MAX, searchPage } from './pages/search.ts';
import { readTagPage, tagPage, tagsPage } from './pages/tag.ts';
import { findArticle, versionsOfSlug } from './read-article.ts';
import { allArticles } from './read-articles.ts';
import { findFamily } from './read-categories.ts';
import { readTags } from './read-tags.ts';
import { readReleases } from './read-releases.ts';
import type { Reader } from './reader.ts';
import type { Reading } from './reading.ts';
import { redirect, textReply } from './reply.ts';

/** One request to the site, read as far as every page needs it. */
export interface Visit {
  readonly store: Store;
  readonly url: URL;
  readonly frame: SiteFrame;
  readonly reader: Reader;
  readonly bodies: Bodies;
  /** Told of each article that is shown; not in a preview. */
  readonly onRead: (articleId: string) => void;
  /** False: the address begins with no language of this site. */
  readonly isKnownLanguage: boolean;
}

const QUERY_CHARS_MAX = 200;

/** The page at an address; a Response for what is no page: a redirect, a Markdown text. */
export async function pageAt(visit: Visit): Promise<Page | Response> {
  const { url, reader, isKnownLanguage, frame } = visit;
  const [, given = '', folder, ...rest] = url.pathname.split('/');
  if (!isKnownLanguage) return missing(visit, rest.join('/'));
  if (given !== reader.language || folder === undefined) return tidied(visit);
  if (folder === '' && rest.length === 0) return reading(visit, (of) => homePage(of, reader, frame));
  if (folder === 'tags' && (rest.length === 0 || rest[0] === '')) {
    if (url.pathname !== tagsOf(reader.language)) return redirect(308, tagsOf(reader.language));
    return tagsPage(await reading(visit, readTags), reader, frame);
  }
  if (rest.at(-1) === '') return tidied(visit);
  if (folder === 'search' && rest.length === 0) return searched(visit);
  if (folder === 'releases' && rest.length === 0) {
    return releasesPage(await reading(visit, readReleases), reader, frame);
  }
  const kind = kindOfFolder(folder);
  const slug = rest.length === 1 ? decoded(rest[0] ?? '') : undefined;
  if (kind === undefined || slug === undefined) return missing(visit, rest.join('/'));
  switch (kind) {
    case 'article':
      return articleAt(visit, slug);
    case 'category': {
      const found = await reading(visit, async (of) => {
        const family = await findFamily(of, 'categories', slug);
        return family?.type === 'here' ? readCategoryPage(of, family.family) : family;
      });
      if (found === undefined) return missing(visit, slug);
      return 'type' in found ? elsewhere(visit, kind, found) : categoryPage(found, reader, visit.bodies);
    }
    case 'tag': {
      const found = await reading(visit, async (of) => {
        const family = await findFamily(of, 'tags', slug);
        return family?.type === 'here' ? readTagPage(of, family.family) : family;
      });
      if (found === undefined) return missing(visit, slug);
      return 'type' in found ? elsewhere(visit, kind, found) : tagPage(found, reader, visit.bodies);
    }
  }
}

async function articleAt(visit: Visit, slug: string): Promise<Page | Response> {
  const { reader, bodies } = visit;
  const found = await reading(visit, async (of) => {
    const whole = await findArticle(of, slug);
    return whole === undefined || whole.type === 'elsewhere' ? whole : readArticlePage(of, whole);
  });
  if (found === undefined) {
    const bare = slug.endsWith('.md') ? await articleAtMarkdown(visit, slug.slice(0, -3)) : undefined;
    return bare ?? missing(visit, slug);
  }
  if (found.type === 'elsewhere') return elsewhere(visit, 'article', found);
  if (!reader.isPreview) visit.onRead(found.article.id);
  return articlePage(found, reader, bodies);
}

/** The article as Markdown, only where it really is in the language. */
async function articleAtMarkdown(visit: Visit, slug: string): Promise<Response | undefined> {
  const { reader, frame } = visit;
  const found = await reading(visit, (of) => findArticle(of, slug));
  if (found === undefined) return undefined;
  if (found.type === 'elsewhere')
    return redirect(302, `${pageOf('article', reader.language, found.slug)}.md`);
  const { article } = found;
  if (found.type === 'fallback')
    return redirect(302, `${pageOf('article', article.language, article.slug)}.md`);
  const address = frame.origin + pageOf('article', article.language, article.slug);
  const excerpt = article.excerpt === '' ? '' : `> ${article.excerpt.replaceAll(/\s+/g, ' ')}\n\n`;
  const text = `# ${article.name}\n\n${excerpt}${markdownOf(article.content, address)}`;
  return textReply(200, text, {
    'Content-Type': 'text/markdown; charset=utf-8',
    'Content-Language': article.language,
    Link: `<${address}>; rel="canonical"`,
    'Cache-Control': reader.isPreview ? 'private, no-store' : 'no-cache',
  });
}

async function searched(visit: Visit): Promise<Page> {
  const { store, url, reader } = visit;
  const query = (url.searchParams.get('q') ?? '').trim().slice(0, QUERY_CHARS_MAX);
  if (query === '') return searchPage(reader, '', undefined);
  const hits = await search(store, { query, language: reader.language, limit: HITS_MAX });
  return searchPage(reader, query, hits);
}

/** 404, with what the reader may have meant. */
async function missing(visit: Visit, slug: string): Promise<Page> {
  const wanted = decoded(slug).replace(/^.*\//, '');
  return reading(visit, async (of) =>
    notFoundPage(
      {
        self: visit.url.pathname,
        near: wanted === '' ? [] : nearest(wanted, await allArticles(of)),
        versions: wanted === '' ? [] : await versionsOfSlug(of, wanted),
      },
      visit.reader,
    ),
  );
}

function elsewhere({ reader }: Visit, kind: Kind, { slug }: { readonly slug: string }): Response {
  return redirect(302, pageOf(kind, reader.language, slug));
}

/** The same page under the spelling that it is known by: the language's case, no slash at the end. */
function tidied({ url, reader }: Visit): Response {
  const [, , folder, ...rest] = url.pathname.split('/');
  const path = [folder, ...rest].filter((part) => part !== undefined && part !== '').join('/');
  return redirect(308, `${homeOf(reader.language)}${path}${url.search}`);
}

/** Everything that a page shows is read from one state of the store. */
function reading<T>({ store, reader }: Visit, work: (of: Reading) => Promise<T>): Promise<T> {
  const { id: siteId, defaultLanguage } = store.site;
  const { language, isPreview } = reader;
  return store.read((sql: Sql) => work({ sql, siteId, defaultLanguage, language, drafts: isPreview }));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

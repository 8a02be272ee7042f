import type { Kind } from '../service/kind.ts';
import { type Address, addressOf, pageOf } from './addresses.ts';
import { searchForgiving } from '../service/search/forgive.ts';
import { isListed } from '../service/listed.ts';
import { suggestIn } from '../service/search/search.ts';
import type { Vocabularies } from '../service/search/vocabulary.ts';
import { type Edition } from './data/edition.ts';
import type { NoMarkdown } from './pages/no-markdown.ts';
import { findArticle, versionsOfSlug } from './data/article.ts';
import { allNames } from './data/articles.ts';
import { readCategories } from './data/categories.ts';
import { findFormer } from './data/former-address.ts';
import { nearest } from './data/near-slugs.ts';
import { readReleases } from './data/releases.ts';
import { standingsOf, topicName } from './data/topics.ts';
import { isServed } from './languages.ts';
import { contentReply, redirect, textReply } from './http/reply.ts';
import { prefersMarkdown } from './http/accept.ts';
import { articlePage, readArticlePage } from './pages/article.ts';
import { familyPage, readFamilyPage } from './pages/family.ts';
import { homePage } from './pages/home.ts';
import type { Page, SiteFrame } from './pages/layout.ts';
import type { PlainPage } from './pages/plain.ts';
import { notFoundPage } from './pages/not-found.ts';
import { releasesPage } from './pages/releases.ts';
import { HITS_PER_PAGE, searchPage } from './pages/search.ts';
import { tagsPage } from './pages/tags.ts';
import type { Reader } from './reader.ts';
import type { Bodies } from './text/body.ts';

/** One request to the site, as far as every page needs it. */
export interface Visit {
  /** Undefined: the path begins with no language code. */
  readonly address: Address | undefined;
  /** Path and query as they were asked for. */
  readonly url: URL;
  readonly edition: Edition;
  readonly frame: SiteFrame;
  readonly reader: Reader;
  readonly bodies: Bodies;
  readonly vocabularies: Vocabularies;
  readonly request: Request;
  /** Why a page is shown to who asked for its Markdown; undefined: Markdown is answered where it is asked for. */
  readonly noMarkdown?: NoMarkdown | undefined;
  /** Told of each article that is shown; not in a preview. */
  readonly onRead: (articleId: string) => void;
  /** Told of each search that finds nothing; not in a preview. */
  readonly onMiss: (query: string) => void;
}

/**
 * What an address leads to. All that a page shows is read here, from one state of the store; the page itself is made later,
 * by the function that comes back, when the store is free for others.
 */
export type Found = Response | (() => Page | Promise<Page | Response>);

const QUERY_CHARS_MAX = 200;
const SUGGESTIONS = 8;

/** What is at the visit's address, as a page or as Markdown. */
export async function findPage(visit: Visit): Promise<Found> {
  const page = bareFolder(visit.url.pathname);
  if (page !== undefined) {
    const url = new URL(page, visit.url);
    return asMarkdown(visit, await pageAt({ ...visit, url, address: addressOf(page) }));
  }
  const found = await pageAt(visit);
  return prefersMarkdown(visit.request.headers.get('accept')) ? asMarkdown(visit, found) : found;
}

/** Of `/en/index.md`, `/en/tags/index.md`, `/en/tags.md` and `/en/releases.md`, the page that each is the Markdown of. */
function bareFolder(path: string): string | undefined {
  const [, folder, name] = /^(\/[^/]+\/(?:tags\/)?)(index|tags|releases)\.md$/.exec(path) ?? [];
  if (folder === undefined || name === undefined) return undefined;
  if (name === 'index') return folder;
  if (folder.endsWith('/tags/')) return undefined;
  return name === 'tags' ? `${folder}tags/` : folder + name;
}

/** The page's Markdown form instead of the page; what is none, or has none, stays what it is. */
function asMarkdown(visit: Visit, found: Found): Found {
  if (found instanceof Response || visit.noMarkdown !== undefined) return found;
  return async () => {
    const page = await found();
    if (page instanceof Response || page.plain === undefined || page.status !== 200) return page;
    return markdownReply(visit, page, page.plain);
  };
}

async function markdownReply(
  { request, frame, reader, bodies }: Visit,
  page: Page,
  plain: PlainPage,
): Promise<Response> {
  const address = frame.origin + (page.canonical ?? page.self);
  const text = await bodies.markdownOf({ ...plain, address });
  const reply = await contentReply(request, {
    type: MARKDOWN,
    text: pointerTo(frame.origin) + text,
    keeping: reader.isPreview ? 'private' : 'revalidate',
    language: plain.language,
  });
  reply.headers.set('Link', `<${address}>; rel="canonical"`);
  if (page.canonical === undefined || reader.isPreview) reply.headers.set('X-Robots-Tag', 'noindex');
  return reply;
}

const MARKDOWN = 'text/markdown; charset=utf-8';

/** Programs that came to one page learn where all are. */
function pointerTo(origin: string): string {
  return `> All pages of this site: [llms.txt](${origin}/llms.txt)\n\n`;
}

async function pageAt(visit: Visit): Promise<Found> {
  const { address, url, reader, edition, frame } = visit;
  if (address === undefined || !isServed(frame.languages, address.language)) return missing(visit);
  const { place } = address;
  // What is nowhere is nowhere under each spelling, and no redirect should be remembered.
  if (place.type === 'nothing') return missing(visit);
  const known = address.pathIn(reader.language);
  if (!isSamePath(url.pathname, known)) {
    // An old address with a slash too many leads where it leads without, in one step.
    const old = place.type === 'record' ? await formerAt(visit, place.kind, place.slug) : undefined;
    return old instanceof Response ? old : redirect(308, known + url.search);
  }
  switch (place.type) {
    case 'home':
      return homePage(edition, reader, frame);
    case 'tags':
      return tagsPage(edition, reader, frame);
    case 'search':
      return searched(visit);
    case 'suggestions':
      return suggested(visit);
    case 'releases': {
      const releases = await readReleases(edition);
      return () => releasesPage(releases, reader, frame);
    }
    case 'record':
      return place.kind === 'article'
        ? articleAt(visit, place.slug)
        : familyAt(visit, place.kind, place.slug);
  }
}

/** The same letters, however they are escaped: browsers and programs differ there, and a redirect would not end. */
function isSamePath(given: string, known: string): boolean {
  const plain = (path: string): string => {
    try {
      return decodeURI(path);
    } catch {
      return path;
    }
  };
  return plain(given) === plain(known);
}

async function articleAt(visit: Visit, slug: string): Promise<Found> {
  const { edition, reader } = visit;
  const found = await findArticle(edition, slug);
  if (found === undefined) {
    const bare = slug.endsWith('.md') ? await markdownAt(visit, slug.slice(0, -3)) : undefined;
    return bare ?? missing(visit, { kind: 'article', slug });
  }
  if (found.type === 'elsewhere') return elsewhere(visit, 'article', found.slug);
  const whole = await readArticlePage(edition, found);
  return () => {
    if (!reader.isPreview) visit.onRead(found.article.id);
    return articlePage(whole, reader, visit);
  };
}

async function familyAt(visit: Visit, kind: 'category' | 'tag', slug: string): Promise<Found> {
  const { edition, reader, bodies } = visit;
  const found = await readFamilyPage(edition, kind, slug);
  if (found === undefined) {
    const bare = slug.endsWith('.md') ? await readFamilyPage(edition, kind, slug.slice(0, -3)) : undefined;
    if (bare?.type === 'elsewhere') return redirect(302, `${pageOf(kind, reader.language, bare.slug)}.md`);
    if (bare !== undefined) return asMarkdown(visit, () => familyPage(bare, reader, bodies));
    return missing(visit, { kind, slug });
  }
  if (found.type === 'elsewhere') return elsewhere(visit, kind, found.slug);
  return () => familyPage(found, reader, bodies);
}

/** The article as Markdown, only where it really is in the language. */
async function markdownAt(visit: Visit, slug: string): Promise<Found | undefined> {
  const { edition, reader, frame, bodies, noMarkdown } = visit;
  const found = await findArticle(edition, slug);
  if (found === undefined) return undefined;
  if (found.type === 'elsewhere')
    return redirect(302, `${pageOf('article', reader.language, found.slug)}.md`);
  const { name: title, excerpt, content: html, language, ...article } = found.article;
  if (found.type === 'fallback') return redirect(302, `${pageOf('article', language, article.slug)}.md`);
  if (noMarkdown !== undefined) {
    const whole = await readArticlePage(edition, found);
    return () => articlePage(whole, reader, visit);
  }
  const address = frame.origin + pageOf('article', language, article.slug);
  return async () =>
    textReply(
      200,
      pointerTo(frame.origin) + (await bodies.markdownOf({ title, excerpt, html, language, address })),
      {
        'Content-Type': MARKDOWN,
        'Content-Language': language,
        Link: `<${address}>; rel="canonical"`,
        'Cache-Control': reader.isPreview ? 'private, no-store' : 'no-cache',
        ...(reader.isPreview || !isListed(article) ? { 'X-Robots-Tag': 'noindex' } : {}),
      },
    );
}

async function searched(visit: Visit): Promise<Found> {
  const { edition, url, reader } = visit;
  const query = (url.searchParams.get('q') ?? '').trim().slice(0, QUERY_CHARS_MAX);
  const topics = async () => (await readCategories(edition)).roots;
  if (query === '') {
    const roots = await topics();
    return () => searchPage(reader, undefined, roots);
  }
  const given = url.searchParams.get('page') ?? '1';
  const page = /^[1-9]\d{0,2}$/.test(given) ? Number(given) : 1;
  const { sql, defaultLanguage, language } = edition;
  const result = await searchForgiving(sql, visit.vocabularies, {
    query,
    language,
    defaultLanguage,
    limit: HITS_PER_PAGE,
    offset: (page - 1) * HITS_PER_PAGE,
    withOriginals: true,
  });
  const roots = result.total === 0 ? await topics() : [];
  const standings = await standingsOf(
    edition,
    result.hits.map(({ articleId }) => articleId),
  );
  return () => {
    if (result.hits.length === 0 && page === 1 && !reader.isPreview) visit.onMiss(query);
    return searchPage(reader, { query, page, result, standings }, roots);
  };
}

/** Titles that fit what is typed so far, for the search field's script. */
async function suggested({ edition, url, reader, vocabularies, request }: Visit): Promise<Found> {
  const query = (url.searchParams.get('q') ?? '').trim().slice(0, QUERY_CHARS_MAX);
  const { sql, defaultLanguage, language } = edition;
  const asked = {
    query,
    language,
    defaultLanguage,
    limit: SUGGESTIONS,
    hasSnippets: false,
    withOriginals: true,
  };
  const titles = query === '' ? [] : await suggestIn(sql, asked);
  const found =
    titles.length > 0 || query === '' ? titles : (await searchForgiving(sql, vocabularies, asked)).hits;
  const standings = await standingsOf(
    edition,
    found.map(({ articleId }) => articleId),
  );
  const hits = found.map(({ articleId, title, slug }) => ({
    title,
    path: pageOf('article', reader.language, slug),
    topic: topicName(standings.get(articleId)),
  }));
  return contentReply(request, {
    type: 'application/json; charset=utf-8',
    text: JSON.stringify({ hits }),
    keeping: 'revalidate',
    language,
  });
}

/** 301 to where a public record is now, or its delete; undefined: nothing public was there. */
async function formerAt(
  { edition, reader, url }: Visit,
  kind: Kind,
  slug: string,
): Promise<Response | 'gone' | undefined> {
  const { language } = reader;
  const plain = await findFormer(edition, kind, slug);
  if (plain?.type === 'moved') return redirect(301, pageOf(kind, language, plain.slug) + url.search);
  if (!slug.endsWith('.md')) return plain?.type;
  const markdown = await findFormer(edition, kind, slug.slice(0, -3));
  if (markdown?.type !== 'moved') return plain?.type ?? markdown?.type;
  return redirect(301, `${pageOf(kind, language, markdown.slug)}.md${url.search}`);
}

/** What is no longer at the address of a record, else a 404; both with what the reader may have meant. */
async function missing(visit: Visit, of?: { readonly kind: Kind; readonly slug: string }): Promise<Found> {
  const { address, edition, url, reader } = visit;
  const former = of && (await formerAt(visit, of.kind, of.slug));
  if (former instanceof Response) return former;
  const wanted = address?.last ?? '';
  const names = wanted === '' ? [] : await allNames(edition);
  const versions = (wanted === '' ? [] : await versionsOfSlug(edition, wanted)).filter(({ language }) =>
    isServed(visit.frame.languages, language),
  );
  const { roots } = await readCategories(edition);
  return async () => {
    const near = wanted === '' ? [] : await nearest(wanted, names);
    return notFoundPage({ self: url.pathname, isGone: former === 'gone', near, versions, roots }, reader);
  };
}

function elsewhere({ reader }: Visit, kind: Kind, slug: string): Response {
  return redirect(302, pageOf(kind, reader.language, slug));
}

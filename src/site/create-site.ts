import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { Refusal } from '../service/refusal.ts';
import { createVocabularies, type Vocabularies } from '../service/search/vocabulary.ts';
import { type Sql, type Store, StoreError } from '../service/store/store.ts';
import { ThreadError } from '../service/thread.ts';
import { type Assets, loadAssets } from './assets.ts';
import { searchForgiving } from '../service/search/forgive.ts';
import { answerMcp, MCP_PATH } from './mcp/answer-mcp.ts';
import type { Toolbox } from './mcp/tools.ts';
import { type Bodies, type BodiesOptions, createBodies, MarkdownError } from './text/body.ts';
import { addressOf, FEEDBACK_PATH, homeOf } from './addresses.ts';
import { findFile, isFile } from './feeds/files.ts';
import { createFullTexts, type FullAsked } from './feeds/llms-full.ts';
import { negotiated } from './languages.ts';
import type { Look } from './look.ts';
import { documentOf, type SiteFrame } from './pages/layout.ts';
import { findPage } from './routes.ts';
import { NO_MARKDOWN_HEADER, type NoMarkdown } from './pages/no-markdown.ts';
import { failedPage } from './pages/not-found.ts';
import { frameOf, readFrame } from './frame.ts';
import { createSearchLimit } from './http/search-limit.ts';
import { choosePreview, chooseTheme, preferencesOf } from './http/preferences.ts';
import { type Reader, readerOf } from './reader.ts';
import type { Edition } from './data/edition.ts';
import { createFeedback, type TakeFeedback } from './http/feedback.ts';
import { createMissCounter, type MissCounter } from './http/miss-counter.ts';
import { createViewCounter, type ViewCounter } from './http/view-counter.ts';
import {
  type Content,
  contentReply,
  type Prepared,
  prepared,
  preparedReply,
  redirect,
  sharedReply,
  textReply,
} from './http/reply.ts';
import { prefersMarkdown } from './http/accept.ts';
import { createRecall, type Recall } from './data/recall.ts';
import { readState, type State } from './data/state.ts';
import { createMemory, type Memory } from './text/memory.ts';
import type { Clock } from '../service/time.ts';

export interface SiteOptions extends Look {
  readonly store: Store;
  /** Default: `Help`. */
  readonly name?: string;
  /** Colour of links and marks, `#rgb` or `#rrggbb`; it is darkened or lightened until it can be read. */
  readonly accent?: string;
  /** `https://help.example.com`; default: what the request asked for, which a proxy may have changed. */
  readonly origin?: string;
  /** The languages to offer; default: those in which something is published. */
  readonly languages?: readonly string[];
  /** Who opens a page with `?preview=TOKEN` sees drafts. Default: nobody does. */
  readonly previewToken?: string;
  /** Everybody sees drafts, marked as such: for a site of files that a pull request changes. */
  readonly showsDrafts?: boolean;
  /** Paths of articles that are marked as changed: `/en/articles/refunds`. */
  readonly changed?: ReadonlySet<string>;
  /** How long a page waits for the colours of its code; the next reader has them. Default 300 ms. */
  readonly colourPatienceMs?: number;
  /** Where all pages are made at once: more threads, time, and memory for what is asked for again. Default: what one page needs. */
  readonly texts?: Pick<
    BodiesOptions,
    'aheadMax' | 'blockMs' | 'markdownCharsMax' | 'markdownMs' | 'threads' | 'youngMb'
  >;
  /** Told of what failed, because the page does not say it. */
  readonly onFailure?: (error: unknown, request: string) => void;
  /** Searches a minute from one address, counted by this process. Default 600. */
  readonly searchesPerMinute?: number;
  /** Readers are asked whether an article was helpful, and their answers are counted. Default: nobody is asked. */
  readonly feedback?: { readonly clock: Clock };
  /** Searches that find nothing are counted. Default: none is. */
  readonly searchMisses?: { readonly clock: Clock };
  /** A translation says so if its original changed later. Default true. */
  readonly tellsOutdated?: boolean;
  /** How long views are gathered before they are written. Default 5 s. */
  readonly viewsPauseMs?: number;
  /** Milliseconds of any clock. */
  readonly now?: () => number;
}

/** The help centre as a function from request to response: every path gets an answer. */
export interface Site {
  readonly fetch: (request: Request, from?: string) => Promise<Response>;
  /** Whether a path is one of the site's own, as opposed to the API's. */
  readonly owns: (path: string) => boolean;
}

const ACCENT = '#0b6e7f';
const PAGES_MAX = 100;
const LONG_PAGES_MAX = 2;
const LONG_PAGES_WAITING_MAX = 16;
const LONG_CHARS_MIN = 300_000;
const KEPT_BYTES_MAX = 8_000_000;
/** A kept page is there plain, and compressed as well. */
const KEPT_PER_BYTE = 1.5;
const SUGGESTIONS_PER_SEARCH = 4;
const THEME_PATH = '/_site/theme';

/** Categories, articles, tags, search and release notes of a store as pages that people read. */
export function createSite(options: SiteOptions): Site {
  const { name = 'Help', accent = ACCENT, colourPatienceMs, texts, onFailure } = options;
  const { searchesPerMinute = 600, viewsPauseMs = 5000, now = () => performance.now() } = options;
  const { store, feedback, searchMisses } = options;
  const bodies = createBodies({
    ...(colourPatienceMs === undefined ? {} : { patienceMs: colourPatienceMs }),
    ...texts,
  });
  const counting = (what: string) => ({
    store,
    pauseMs: viewsPauseMs,
    now,
    onFailure: (error: unknown) => {
      if (!isTemporary(error)) onFailure?.(error, what);
    },
  });
  const shared: Shared = {
    ...options,
    name,
    assets: loadAssets(accent, options.logo),
    bodies,
    fullTexts: createFullTexts(store, bodies),
    pages: pLimit(PAGES_MAX),
    longPages: pLimit(LONG_PAGES_MAX),
    vocabularies: createVocabularies(now),
    recall: createRecall(),
    kept: createMemory(KEPT_BYTES_MAX),
    takeSearch: createSearchLimit(now, searchesPerMinute),
    // A reader who types asks several times a word.
    takeSuggestion: createSearchLimit(now, searchesPerMinute * SUGGESTIONS_PER_SEARCH),
    views: createViewCounter(store, counting('counting a view')),
    takeFeedback:
      feedback &&
      createFeedback({ ...counting('counting an answer'), clock: feedback.clock, origin: options.origin }),
    misses:
      searchMisses &&
      createMissCounter({ ...counting('counting a search without result'), clock: searchMisses.clock }),
  };
  return {
    owns: (path) =>
      path === '/' ||
      path === MCP_PATH ||
      path.startsWith('/_site/') ||
      isFile(path) ||
      addressOf(path) !== undefined,
    fetch: async (request, from) => {
      try {
        return await answer(request, from, shared);
      } catch (error) {
        if (error instanceof Refusal) return textReply(error.status, sentenceOf(error), error.headers);
        const isBusy = isTemporary(error);
        if (!isBusy) onFailure?.(error, `${request.method} ${new URL(request.url).pathname}`);
        return failureReply(request, isBusy ? 503 : 500, shared);
      }
    },
  };
}

/** What all requests have in common. */
interface Shared extends SiteOptions {
  readonly name: string;
  readonly assets: Assets;
  readonly bodies: Bodies;
  readonly views: ViewCounter;
  readonly takeFeedback: TakeFeedback | undefined;
  readonly misses: MissCounter | undefined;
  readonly fullTexts: (asked: FullAsked) => Promise<string>;
  readonly vocabularies: Vocabularies;
  readonly recall: (state: string) => Recall;
  /** Pages as they were sent, each under all that it depends on. */
  readonly kept: Memory<Kept>;
  readonly takeSearch: (from: string) => void;
  readonly takeSuggestion: (from: string) => void;
  /** So many pages are made at a time; the others wait. */
  readonly pages: LimitFunction;
  /** So many long ones are written out at a time. */
  readonly longPages: LimitFunction;
}

interface Kept {
  readonly reply: Prepared;
  /** Its readers are counted. */
  readonly articleId: string | undefined;
}

const TEMPORARY = new Set(['busy', 'overloaded', 'closed', 'unclear', 'unsafe', 'damaged', 'disk']);

/** What store and threads say when they only cannot at the moment. */
function isTemporary(error: unknown): boolean {
  if (error instanceof ThreadError) return error.code === 'busy';
  return error instanceof StoreError && TEMPORARY.has(error.code);
}

async function answer(request: Request, from: string | undefined, shared: Shared): Promise<Response> {
  const { store, assets, previewToken } = shared;
  const url = new URL(request.url);
  const isSecure = (shared.origin ?? url.origin).startsWith('https:');
  if (url.pathname === THEME_PATH && request.method === 'POST') return chooseTheme(request, isSecure);
  if (url.pathname === FEEDBACK_PATH && request.method === 'POST' && shared.takeFeedback !== undefined) {
    return shared.takeFeedback(request, from);
  }
  if (url.pathname === MCP_PATH) {
    if (from !== undefined) shared.takeSearch(from);
    return answerMcp(request, await toolboxOf(url, from, shared));
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return textReply(405, `${request.method} is not possible here.`, { Allow: 'GET, HEAD' });
  }
  const asset = assets.byPath.get(url.pathname);
  if (asset !== undefined) return contentReply(request, { ...asset, keeping: 'forever' });
  const preview = choosePreview(url, previewToken, isSecure);
  if (preview !== undefined) return preview;
  if (from !== undefined && url.searchParams.has('q')) {
    const place = addressOf(url.pathname)?.place.type;
    if (place === 'search') shared.takeSearch(from);
    if (place === 'suggestions') shared.takeSuggestion(from);
  }
  // A page holds its article while it is made.
  return shared.pages(async () => {
    const asked = { request, url, from };
    const found = await store.read((sql) => findAnswer(sql, asked, shared));
    try {
      return await found();
    } catch (error) {
      if (!(error instanceof MarkdownError)) throw error;
      if (error.code === 'failed') shared.onFailure?.(error, `Markdown of ${url.pathname}`);
      return pageInstead({ ...asked, noMarkdown: error.code }, shared);
    }
  });
}

/** The page at an address whose Markdown cannot be made, with the reason. */
async function pageInstead(asked: Asked & { readonly noMarkdown: NoMarkdown }, shared: Shared) {
  const found = await shared.store.read((sql) => findAnswer(sql, asked, shared));
  const reply = await found();
  reply.headers.set(NO_MARKDOWN_HEADER, asked.noMarkdown);
  return reply;
}

/** What programs may ask, they ask as readers without cookies. */
async function toolboxOf(url: URL, from: string | undefined, shared: Shared): Promise<Toolbox> {
  const { store, vocabularies, name } = shared;
  const { defaultLanguage } = store.knowledgeBase;
  const { languages, origin } = await store.read(async (sql) => {
    const state = await readState(sql);
    return readFrame(url, shared, { sql, state, recall: shared.recall(state.mark) });
  });
  return {
    name,
    origin,
    languages,
    defaultLanguage,
    search: (query, language, limit) =>
      store.read(async (sql) => {
        const asked = { query, language, defaultLanguage, limit, withOriginals: true };
        return (await searchForgiving(sql, vocabularies, asked)).hits;
      }),
    visit: (path, accept) =>
      answer(new Request(origin + path, { headers: { accept, 'user-agent': 'bot' } }), from, shared),
  };
}

interface Asked {
  readonly request: Request;
  readonly url: URL;
  readonly from: string | undefined;
  /** Undefined: Markdown is answered where it is asked for. */
  readonly noMarkdown?: NoMarkdown;
}

/** Reads all that an answer shows from one state of the store; it is written later, when the store is free for others. */
async function findAnswer(
  sql: Sql,
  { request, url, from, noMarkdown }: Asked,
  shared: Shared,
): Promise<() => Response | Promise<Response>> {
  const { store, bodies, views, misses, previewToken } = shared;
  const { id: siteId, defaultLanguage } = store.knowledgeBase;
  const state = await readState(sql);
  const recall = shared.recall(state.mark);
  const frame = await readFrame(url, shared, { sql, state, recall });
  const edition: Edition = { sql, siteId, defaultLanguage, language: defaultLanguage, drafts: false, recall };
  if (isFile(url.pathname)) {
    const { name, fullTexts } = shared;
    const fullText = (own: Edition) =>
      fullTexts({ name, origin: frame.origin, edition: own, mark: state.mark });
    return findFile(request, url.pathname, { frame, edition, fullText });
  }
  const { languages } = frame;
  const accepted = negotiated(request.headers.get('accept-language'), languages) ?? defaultLanguage;
  if (url.pathname === '/') return () => redirect(302, homeOf(accepted), { Vary: 'Accept-Language' });
  const address = addressOf(url.pathname);
  const given = address?.language.toLowerCase();
  const language = languages.find((one) => one.toLowerCase() === given) ?? accepted;
  const preferences = preferencesOf(request, previewToken);
  const isPreview = preferences.isPreview || shared.showsDrafts === true;
  const reader = readerOf(language, { ...preferences, isPreview, changed: shared.changed });
  const cachedAs =
    shared.changed === undefined && !isPreview && noMarkdown === undefined
      ? cacheKey(request, url, { frame, reader, state })
      : undefined;
  const kept = cachedAs === undefined ? undefined : shared.kept.get(cachedAs);
  if (kept !== undefined) {
    return () => {
      if (kept.articleId !== undefined) views.note(kept.articleId, request);
      return preparedReply(request, kept.reply);
    };
  }
  let articleId: string | undefined;
  const found = await findPage({
    address,
    url,
    edition: { ...edition, language, drafts: reader.isPreview },
    frame,
    reader,
    bodies,
    vocabularies: shared.vocabularies,
    request,
    noMarkdown,
    onRead: (id) => {
      articleId = id;
      views.note(id, request);
    },
    onMiss: (query) => misses?.note(query, { language: reader.language, request, from }),
  });
  if (found instanceof Response) return () => found;
  return async () => {
    const made = await found();
    if (made instanceof Response) return made;
    const content: Content = {
      status: made.status,
      type: HTML,
      text: documentOf({ ...made, noMarkdown }, reader, frame),
      keeping: reader.isPreview ? 'private' : 'revalidate',
      language: made.textLanguage ?? reader.language,
    };
    const keptAs = made.status === 200 && made.isWhole !== false ? cachedAs : undefined;
    return pageReply(request, content, shared, (reply) => {
      if (keptAs !== undefined)
        shared.kept.set(keptAs, { reply, articleId }, reply.plain.length * KEPT_PER_BYTE);
    });
  };
}

/** Few long pages are written at once; only others are kept, as they are prepared. */
async function pageReply(
  request: Request,
  content: Content,
  { longPages }: Shared,
  keep: (reply: Prepared) => void,
): Promise<Response> {
  if (content.text.length < LONG_CHARS_MIN) {
    const reply = await prepared(content);
    keep(reply);
    return preparedReply(request, reply);
  }
  if (longPages.pendingCount >= LONG_PAGES_WAITING_MAX) {
    throw new ThreadError('busy', 'many long pages are being written already');
  }
  return longPages(async () => {
    await nextTurn();
    return sharedReply(request, content);
  });
}

/** Plain addresses of pages; what a query asks for is not what many ask for. */
function cacheKey(
  request: Request,
  url: URL,
  { frame, reader, state }: { readonly frame: SiteFrame; readonly reader: Reader; readonly state: State },
): string | undefined {
  const place = addressOf(url.pathname)?.place.type;
  const isListed = place === 'home' || place === 'record' || place === 'tags';
  if (!isListed || url.search !== '' || prefersMarkdown(request.headers.get('accept'))) return undefined;
  return JSON.stringify([state.mark, frame.origin, reader.language, reader.theme, url.pathname]);
}

/** A page that needs nothing from the store, because the store may be what failed. */
async function failureReply(request: Request, status: number, shared: Shared): Promise<Response> {
  const { store } = shared;
  const { pathname, origin } = new URL(request.url);
  const { defaultLanguage } = store.knowledgeBase;
  const { theme } = preferencesOf(request, undefined);
  const reader = readerOf(addressOf(pathname)?.language ?? defaultLanguage, { theme, isPreview: false });
  const languages = [reader.language];
  const frame: SiteFrame = {
    ...frameOf(shared),
    origin,
    languages,
    defaultLanguage,
    hasReleases: false,
    hasTags: false,
  };
  const text = documentOf(failedPage(status, pathname, reader), reader, frame);
  const reply = await contentReply(request, { status, type: HTML, text, keeping: 'private' });
  if (status === 503) reply.headers.set('Retry-After', '1');
  return reply;
}

function sentenceOf({ message }: Refusal): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

const HTML = 'text/html; charset=utf-8';

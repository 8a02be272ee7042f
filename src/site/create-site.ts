import { StoreError } from '../service/store/store.ts';
import { type Assets, loadAssets } from './assets.ts';
import { type Bodies, createBodies } from './article-body.ts';
import { homeOf } from './addresses.ts';
import { answerFile, isFile } from './files.ts';
import { negotiated } from './language.ts';
import { documentOf, type Page, type SiteFrame } from './layout.ts';
import { pageAt, type Visit } from './page-at.ts';
import { failedPage } from './pages/not-found.ts';
import { choosePreview, chooseTheme, preferencesOf } from './preferences.ts';
import { readerOf } from './reader.ts';
import { readLanguages } from './reading.ts';
import { createViewCounter, type ViewCounter } from './view-counter.ts';
import { contentReply, redirect, textReply } from './reply.ts';
import type { SiteOptions } from './site-options.ts';

/** The reading site as a function from request to response: every path gets an answer. */
export interface Site {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Whether a path is one of the site's own, as opposed to the API's. */
  readonly owns: (path: string) => boolean;
}

const ACCENT = '#0b6e7f';
const THEME_PATH = '/_site/theme';

/** Categories, articles, tags, search and release notes of a store as pages that people read. */
export function createSite(options: SiteOptions): Site {
  const { name = 'Help', accent = ACCENT, onFailure } = options;
  const shared: Shared = {
    ...options,
    name,
    assets: loadAssets(accent),
    bodies: createBodies(),
    views: createViewCounter(options.store, (error) => {
      if (!isTemporary(error)) onFailure?.(error, 'counting a view');
    }),
  };
  return {
    owns: (path) =>
      path === '/' || path.startsWith('/_site/') || isFile(path) || languageIn(path) !== undefined,
    fetch: async (request) => {
      try {
        return await answer(request, shared);
      } catch (error) {
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
}

/** What the store says when it is only not there at the moment. */
function isTemporary(error: unknown): boolean {
  return error instanceof StoreError && ['busy', 'overloaded', 'closed', 'unclear'].includes(error.code);
}

async function answer(request: Request, shared: Shared): Promise<Response> {
  const { store, assets, bodies, views, previewToken } = shared;
  const { defaultLanguage } = store.site;
  const url = new URL(request.url);
  if (url.pathname === THEME_PATH && request.method === 'POST') return chooseTheme(request);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return textReply(405, `${request.method} is not possible here.`, { Allow: 'GET, HEAD' });
  }
  const asset = assets.byPath.get(url.pathname);
  if (asset !== undefined) return contentReply(request, { ...asset, keeping: 'forever' });
  const preview = choosePreview(url, previewToken);
  if (preview !== undefined) return preview;
  const frame = await frameOf(url, shared);
  if (isFile(url.pathname)) return answerFile(request, url.pathname, frame, store);
  const { languages } = frame;
  const accepted = negotiated(request.headers.get('accept-language'), languages) ?? defaultLanguage;
  if (url.pathname === '/') return redirect(302, homeOf(accepted), { Vary: 'Accept-Language' });
  const given = languageIn(url.pathname);
  const language = languages.find((one) => one.toLowerCase() === given?.toLowerCase());
  const reader = readerOf(language ?? accepted, preferencesOf(request, previewToken));
  const visit: Visit = {
    store,
    url,
    frame,
    reader,
    bodies,
    isKnownLanguage: language !== undefined,
    onRead: (id) => views.note(id, request),
  };
  const found = await pageAt(visit);
  return found instanceof Response ? found : pageReply(request, found, visit);
}

async function frameOf(url: URL, { store, name, assets, ...options }: Shared): Promise<SiteFrame> {
  const { defaultLanguage } = store.site;
  const { languages, releases } = await store.read(async (sql) => ({
    languages: options.languages ?? (await readLanguages(sql, defaultLanguage)),
    releases: await sql.get('select id from versions where released_version = 1 limit 1'),
  }));
  const origin = options.origin ?? url.origin;
  return { name, origin, languages, defaultLanguage, assets, hasReleases: releases !== undefined };
}

/** A page that needs nothing from the store, because the store may be what failed. */
function failureReply(request: Request, status: number, { store, name, assets }: Shared): Response {
  const { pathname, origin } = new URL(request.url);
  const { defaultLanguage } = store.site;
  const { theme } = preferencesOf(request, undefined);
  const reader = readerOf(languageIn(pathname) ?? defaultLanguage, { theme, isPreview: false });
  const languages = [reader.language];
  const frame: SiteFrame = { name, origin, languages, defaultLanguage, assets, hasReleases: false };
  const text = documentOf(failedPage(status, pathname, reader), reader, frame);
  return contentReply(request, { status, type: HTML, text, keeping: 'private' });
}

const HTML = 'text/html; charset=utf-8';

function pageReply(request: Request, page: Page, { reader, frame }: Visit): Response {
  return contentReply(request, {
    status: page.status,
    type: HTML,
    text: documentOf(page, reader, frame),
    keeping: reader.isPreview ? 'private' : 'revalidate',
    language: page.textLanguage ?? reader.language,
  });
}

/** The language code that a path begins with; `/api` is not one, though three letters might be. */
function languageIn(path: string): string | undefined {
  const code = /^\/([a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4})(?:\/|$)/i.exec(path)?.[1];
  return code?.toLowerCase() === 'api' ? undefined : code;
}

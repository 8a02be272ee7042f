import { StoreError } from '../service/store/store.ts';
import { loadAssets } from './assets.ts';
import { createBodies } from './article-body.ts';
import { homeOf } from './addresses.ts';
import { answerFile, isFile } from './files.ts';
import { negotiated } from './language.ts';
import { documentOf, type Page, type SiteFrame } from './layout.ts';
import { pageAt, type Visit } from './page-at.ts';
import { failedPage } from './pages/not-found.ts';
import { choosePreview, chooseTheme, preferencesOf } from './preferences.ts';
import { readerOf } from './reader.ts';
import { readLanguages } from './reading.ts';
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
  const { store, name = 'Help', accent = ACCENT, previewToken, onFailure } = options;
  const assets = loadAssets(accent);
  const bodies = createBodies();
  const { defaultLanguage } = store.site;

  const frameOf = async (request: Request): Promise<SiteFrame> => {
    const { origin } = new URL(request.url);
    const { languages, releases } = await store.read(async (sql) => ({
      languages: options.languages ?? (await readLanguages(sql, defaultLanguage)),
      releases: await sql.get('select id from versions where released_version = 1 limit 1'),
    }));
    return {
      name,
      origin: options.origin ?? origin,
      languages,
      defaultLanguage,
      assets,
      hasReleases: releases !== undefined,
    };
  };

  const answer = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.pathname === THEME_PATH && request.method === 'POST') return chooseTheme(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return textReply(405, `${request.method} is not possible here.`, { Allow: 'GET, HEAD' });
    }
    const asset = assets.byPath.get(url.pathname);
    if (asset !== undefined) return contentReply(request, { ...asset, keeping: 'forever' });
    const preview = choosePreview(url, previewToken);
    if (preview !== undefined) return preview;
    const frame = await frameOf(request);
    if (isFile(url.pathname)) return answerFile(request, url.pathname, frame, store);
    const { languages } = frame;
    const accepted = negotiated(request.headers.get('accept-language'), languages) ?? defaultLanguage;
    if (url.pathname === '/') return redirect(302, homeOf(accepted), { Vary: 'Accept-Language' });
    const preferences = preferencesOf(request, previewToken);
    const given = languageIn(url.pathname);
    const language = languages.find((one) => one.toLowerCase() === given?.toLowerCase());
    const reader = readerOf(language ?? accepted, preferences);
    const visit: Visit = { store, url, frame, reader, bodies, isKnownLanguage: language !== undefined };
    const found = await pageAt(visit);
    if (found instanceof Response) return found;
    return pageReply(request, found, visit);
  };

  return {
    owns: (path) =>
      path === '/' || path.startsWith('/_site/') || isFile(path) || languageIn(path) !== undefined,
    async fetch(request) {
      try {
        return await answer(request);
      } catch (error) {
        const isBusy =
          error instanceof StoreError && ['busy', 'overloaded', 'closed', 'unclear'].includes(error.code);
        if (!isBusy) onFailure?.(error, `${request.method} ${new URL(request.url).pathname}`);
        return failureReply(request, isBusy ? 503 : 500);
      }
    },
  };

  function failureReply(request: Request, status: number): Response {
    const { pathname, origin } = new URL(request.url);
    const { theme } = preferencesOf(request, undefined);
    const reader = readerOf(languageIn(pathname) ?? defaultLanguage, { theme, isPreview: false });
    const languages = [reader.language];
    const frame: SiteFrame = { name, origin, languages, defaultLanguage, assets, hasReleases: false };
    const text = documentOf(failedPage(status, pathname, reader), reader, frame);
    return contentReply(request, { status, type: HTML, text, keeping: 'private' });
  }
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

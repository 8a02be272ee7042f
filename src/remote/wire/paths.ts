import { INSIGHT_ROUTES } from '../../contract/insights.ts';
import { REDIRECT_ROUTES } from '../../contract/redirects.ts';
import type { Kind } from '../../model/key.ts';
import { RemoteError } from '../error.ts';
import { urlOf } from '../../text/url.ts';

export const COLLECTION = { article: 'articles', category: 'categories', tag: 'tags' } as const;

export const TOOL_PATH = {
  versions: '/api/v2/versions',
  links: '/api/v2/tools/link_manager',
  reviews: '/api/v2/tools/review_dates',
  'search-misses': INSIGHT_ROUTES.listSearchMisses.path,
  feedback: INSIGHT_ROUTES.listFeedback.path,
  stale: INSIGHT_ROUTES.listStaleArticles.path,
} as const;

/** `/api/v2/files/<digest>` */
export function filePath(digest: string): string {
  return `/api/v2/files/${digest}`;
}

/** `/api/v2/redirects?repository=acme%2Fdocs` */
export function redirectsPath(repository: string): string {
  return `${REDIRECT_ROUTES.readRedirects.path}?repository=${encodeURIComponent(repository)}`;
}

/** `/api/v2/articles` */
export function listPath(kind: Kind): string {
  return `/api/v2/${COLLECTION[kind]}`;
}

/** `/api/v2/articles/a%2Fb`. Throws `rejected` for an id that no path can carry: `..` would address the list. */
export function recordPath(kind: Kind, id: string): string {
  const path = listPath(kind);
  if (id === '' || id === '.' || id === '..' || !isWellFormed(id)) {
    throw new RemoteError(
      'rejected',
      `${path}: not sent: the id ${JSON.stringify(id)} cannot stand in an address`,
      {
        request: path,
      },
    );
  }
  return `${path}/${encodeURIComponent(id)}`;
}

/**
 * The id that the answer to a create tells; undefined when it tells none. Two places that name two ids leave it open
 * which is the record's: then neither is used.
 */
export function createdId(
  kind: Kind,
  location: string | undefined,
  body: Readonly<Record<string, unknown>>,
  requestUrl: string,
): string | undefined {
  const fromHeader = idOfLocation(kind, location, requestUrl);
  const fromBody = idOfBody(body);
  if (fromHeader !== undefined && fromBody !== undefined && fromHeader !== fromBody) return undefined;
  return fromHeader ?? fromBody;
}

/**
 * The id at the end of a create's Location, absolute or relative, behind any path prefix; undefined when it is not the
 * address of such a record.
 */
export function idOfLocation(
  kind: Kind,
  location: string | undefined,
  requestUrl: string,
): string | undefined {
  const url = location === undefined ? undefined : urlOf(location, requestUrl);
  if (url === undefined) return undefined;
  const { pathname } = url;
  const found = ID_BEHIND[kind].exec(pathname)?.[1];
  if (found === undefined) return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return undefined;
  }
}

const ID_BEHIND: Readonly<Record<Kind, RegExp>> = {
  article: idBehind('article'),
  category: idBehind('category'),
  tag: idBehind('tag'),
};

function idBehind(kind: Kind): RegExp {
  return new RegExp(`${listPath(kind)}/([^/]+)/?$`);
}

/** The id that a service puts into the body of a create's answer, though the spec shows none there. */
function idOfBody(body: Readonly<Record<string, unknown>>): string | undefined {
  const { data, id } = body;
  const inner = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
  return asId(inner) ?? asId(id);
}

function asId(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** No half of a surrogate pair. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

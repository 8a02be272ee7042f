import type { Redirect } from '../../model/address/redirect.ts';
import { plainAddress } from '../../text/plain-address.ts';
import type { ServiceApp } from '../../service/app.ts';
import { findTarget } from '../../service/redirects/sets.ts';
import { type Store, StoreError } from '../../service/store/store.ts';
import { redirect, textReply } from './reply.ts';

/** Where an address of before leads; undefined: it is none. */
export type OldAddresses = (address: URL) => string | undefined;

/**
 * A map of redirects, ready to be asked. The host does not count, because a new help centre often has the old one's; an address with
 * a query is that query's alone. Lines that lead to others lead to the end of these, a circle leads nowhere, and of two lines with
 * one address the later counts.
 */
export function oldAddresses(redirects: readonly Redirect[]): OldAddresses {
  const next = new Map(redirects.map(({ from, to }) => [plainAddress(from), to]));
  const endOf = (key: string): string | undefined => {
    const seen = new Set<string>();
    let to = next.get(key);
    for (;;) {
      // Another host may have a page at the same path.
      const further = to?.startsWith('/') === true ? next.get(plainAddress(to)) : undefined;
      if (to === undefined || further === undefined) return to;
      if (seen.has(to)) return undefined;
      seen.add(to);
      to = further;
    }
  };
  return ({ pathname, search, origin }) => {
    const exact = search === '' ? undefined : endOf(plainAddress(pathname + search));
    const to = exact ?? (isRootWithQuery(pathname, search) ? undefined : endOf(plainAddress(pathname)));
    if (to === undefined) return undefined;
    // A query that no line knows goes along.
    return withQuery(to, { origin, search: exact === undefined ? search : '' });
  };
}

/** `/?p=12`: a line for the root itself says nothing of it. */
function isRootWithQuery(pathname: string, search: string): boolean {
  return pathname === '/' && search !== '';
}

const NOTHING_THERE = new Set([404, 410]);
const LASTING = new Set([301, 308]);
const HOPS_MAX = 5;

/** Where an old address leads as it is asked for now; undefined: nowhere. */
export type FindTarget = (address: URL) => string | undefined | Promise<string | undefined>;

/**
 * Leads old addresses to where their pages are now, in one hop. A page that is there has its address. `given` is what the server was
 * started with, and counts before `kept`, the sets of repositories; what these name leads nowhere if nothing is there.
 */
export function withOldAddresses(
  app: ServiceApp,
  { given, kept }: { readonly given?: OldAddresses; readonly kept?: FindTarget },
): ServiceApp {
  const { fetch: answer } = app;
  /** Where a reader would end who follows the site's own lasting redirects and the sets from there. */
  const endOf = async (
    to: string,
    origin: string,
  ): Promise<{ readonly to: string; readonly isThere: boolean }> => {
    const seen = new Set<string>();
    let end = to;
    for (let hop = 0; hop < HOPS_MAX; hop += 1) {
      // A whole address of this very site may be an old one too.
      const url = new URL(end, origin);
      if (url.origin !== origin) return { to: end, isThere: true };
      const [path = '', place] = (url.pathname + url.search + url.hash).split('#', 2);
      if (seen.has(path)) return { to: end, isThere: false };
      seen.add(path);
      const reply = await answer(
        new Request(origin + path, { method: 'HEAD', headers: { accept: 'text/html' } }),
      );
      const isThere = !NOTHING_THERE.has(reply.status);
      // Where another reader goes by language, or goes today alone, is nothing to remember for good.
      const location = LASTING.has(reply.status)
        ? reply.headers.get('location')
        : isThere
          ? null
          : ((await kept?.(url)) ?? null);
      if (location === null) return { to: end, isThere };
      end = place === undefined || location.includes('#') ? location : `${location}#${place}`;
    }
    return { to: end, isThere: false };
  };
  return {
    ...app,
    fetch: async (request, from) => {
      const url = new URL(request.url);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const there = await answer(request, from);
      // Systems that tell pages apart by a query have them at the root, where this site leads to a language.
      const isOld =
        NOTHING_THERE.has(there.status) ||
        (there.status === 302 && isRootWithQuery(url.pathname, url.search));
      if (!isRead || url.pathname.startsWith('/api/') || !isOld) return there;
      const first = given?.(url);
      let end: Awaited<ReturnType<typeof endOf>>;
      try {
        const to = first ?? (await kept?.(url));
        if (to === undefined) return there;
        end = await endOf(to, url.origin);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        // Whether the address leads on is not known now: 404 would be remembered.
        await there.body?.cancel();
        return textReply(503, 'The help centre cannot be read now.', { 'Retry-After': '1' });
      }
      // Who started the server knows of pages that it does not: they are beside it.
      if (!end.isThere && first === undefined) return there;
      await there.body?.cancel();
      return redirect(301, end.to);
    },
  };
}

/** The sets that repositories have sent, ready to be asked. A query that no line knows goes along. */
export function keptAddresses(store: Store): FindTarget {
  const { id: siteId } = store.knowledgeBase;
  return ({ pathname, search, origin }) =>
    store.read(async (sql) => {
      const exact =
        search === '' ? undefined : await findTarget(sql, siteId, plainAddress(pathname + search));
      const to =
        exact ??
        (isRootWithQuery(pathname, search)
          ? undefined
          : await findTarget(sql, siteId, plainAddress(pathname)));
      return to === undefined
        ? undefined
        : withQuery(to, { origin, search: exact === undefined ? search : '' });
    });
}

/** A target, with the query of who asks if it has none: it may be of a campaign. */
function withQuery(
  to: string,
  { origin, search }: { readonly origin: string; readonly search: string },
): string {
  const target = new URL(to, origin);
  if (target.search === '') target.search = search;
  return target.origin === origin && to.startsWith('/')
    ? target.pathname + target.search + target.hash
    : target.href;
}

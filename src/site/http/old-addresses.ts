import { plainPath, type Redirect } from '../../model/address/redirect.ts';
import type { ServiceApp } from '../../service/app.ts';
import { redirect } from './reply.ts';

/** Where an address of before leads; undefined: it is none. */
export type OldAddresses = (address: URL) => string | undefined;

/**
 * A map of redirects, ready to be asked. The host does not count, because a new help centre often has the old one's; an address with
 * a query is that query's alone. Lines that lead to others lead to the end of these, a circle leads nowhere, and of two lines with
 * one address the later counts.
 */
export function oldAddresses(redirects: readonly Redirect[]): OldAddresses {
  const next = new Map(redirects.map(({ from, to }) => [keyOf(from), to]));
  const endOf = (key: string): string | undefined => {
    const seen = new Set<string>();
    let to = next.get(key);
    for (;;) {
      // Another host may have a page at the same path.
      const further = to?.startsWith('/') === true ? next.get(keyOf(to)) : undefined;
      if (to === undefined || further === undefined) return to;
      if (seen.has(to)) return undefined;
      seen.add(to);
      to = further;
    }
  };
  return ({ pathname, search, origin }) => {
    const exact = search === '' ? undefined : endOf(keyOf(pathname + search));
    const to = exact ?? endOf(keyOf(pathname));
    if (to === undefined) return undefined;
    const target = new URL(to, origin);
    // A query that no line knows may be of a campaign: it goes along.
    if (exact === undefined && target.search === '') target.search = search;
    return target.origin === origin && to.startsWith('/')
      ? target.pathname + target.search + target.hash
      : target.href;
  };
}

function keyOf(address: string): string {
  const query = /\?[^#]*/.exec(address)?.[0] ?? '';
  return plainPath(address) + query;
}

const NOTHING_THERE = new Set([404, 410]);
const LASTING = new Set([301, 308]);
const HOPS_MAX = 3;

/** Leads old addresses to where their pages are now, in one hop. A page that is there has its address. */
export function withOldAddresses(app: ServiceApp, find: OldAddresses): ServiceApp {
  const { fetch: answer } = app;
  /** Where a reader would end who follows the site's own lasting redirects from there. */
  const endOf = async (to: string, origin: string): Promise<string> => {
    let end = to;
    for (let hop = 0; hop < HOPS_MAX && end.startsWith('/'); hop += 1) {
      const [path = '', place] = end.split('#', 2);
      const reply = await answer(
        new Request(origin + path, { method: 'HEAD', headers: { accept: 'text/html' } }),
      );
      const location = reply.headers.get('location');
      // Where another reader goes by language, or goes today alone, is nothing to remember for good.
      if (location === null || !LASTING.has(reply.status)) return end;
      end = place === undefined || location.includes('#') ? location : `${location}#${place}`;
    }
    return end;
  };
  return {
    ...app,
    fetch: async (request, from) => {
      const url = new URL(request.url);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const to = isRead && !url.pathname.startsWith('/api/') ? find(url) : undefined;
      const there = await answer(request, from);
      if (to === undefined || !NOTHING_THERE.has(there.status)) return there;
      await there.body?.cancel();
      return redirect(301, await endOf(to, url.origin));
    },
  };
}

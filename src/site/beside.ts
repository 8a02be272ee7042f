import type { ServiceApp } from '../service/app.ts';
import type { Site } from './create-site.ts';

/** One server for both: the API keeps its paths, the site has the rest, and what neither has is a page for people. */
export function siteBeside(app: ServiceApp, site: Site): ServiceApp {
  return {
    ...app,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (site.owns(pathname)) return site.fetch(request);
      const response = await app.fetch(request);
      const isPage = request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html');
      return response.status === 404 && isPage && !pathname.startsWith('/api/')
        ? site.fetch(request)
        : response;
    },
  };
}

import type { ServiceApp } from '../service/app.ts';
import type { Site } from './create-site.ts';

/** One server for both: the API keeps its paths, the site has the rest, and what neither has is a page for people. */
export function siteBeside(app: ServiceApp, site: Site): ServiceApp {
  const { fetch: api } = app;
  const { fetch: page, owns } = site;
  return {
    ...app,
    fetch: async (request, from) => {
      const { pathname } = new URL(request.url);
      if (owns(pathname)) return page(request, from);
      const response = await api(request, from);
      const isForPeople =
        request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html');
      return response.status === 404 && isForPeople && !pathname.startsWith('/api/')
        ? page(request, from)
        : response;
    },
  };
}
